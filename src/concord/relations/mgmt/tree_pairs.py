"""A translation beside that of the sentence with other words in it, each with its tree."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from concord.errors import BadAnswer, Refused
from concord.language.services import Parse, Substitutes
from concord.language.trees import Tree
from concord.model import Text, Translate
from concord.relations.mgmt.deep_select import Placed, draws
from concord.relations.mgmt.mutants import Replaced, Replacing


@dataclass(frozen=True, slots=True)
class OrderedCandidates:
    """How candidates are found in a tree, best first, and the message for a tree that has none."""

    of: Callable[[Tree], list[Placed]]
    lacking: Callable[[Tree], str]


class Untested(Exception):
    """The sentence cannot be tested so, which says nothing about the system."""


@dataclass(frozen=True, slots=True)
class Built:
    """A sentence with other words, its translation, and the trees of the first translation and of this one."""

    replaced: Replaced
    follow_up: Text
    output: Text
    trees: tuple[Tree, Tree]


class Building:
    """Makes them for one sentence, whose trees are asked for once."""

    def __init__(self, x: Text, output: Text, translate: Translate, parse: Parse, substitutes: Substitutes) -> None:
        self._x = x
        self._output = output
        self._translate = translate
        self._parse = parse
        self._substitutes = substitutes
        self._trees: tuple[Tree, Tree] | None = None
        self._replacing: Replacing | None = None

    async def of(self, ordered: OrderedCandidates, candidates: int, rng: Random) -> Built:
        """One with what is drawn from the first candidates; Untested says why there is none.

        An error of the translator is raised as it is: the system was asked, and failed.
        """
        with _untested():
            before, translated = self._trees = self._trees or await self._parsed()
            found = await self._replaced(before, ordered, candidates, rng)
        follow_up = Text(found.after.text, self._x.lang)
        output = await self._translate(follow_up, self._output.lang)
        with _untested():
            return Built(found, follow_up, output, (translated, await self._parse(output)))

    async def _replaced(self, tree: Tree, ordered: OrderedCandidates, candidates: int, rng: Random) -> Replaced:
        replacing = self._replacing = self._replacing or Replacing(tree, self._x.lang, self._parse, self._substitutes)
        choices = ordered.of(tree)
        for draw in draws(choices, candidates, rng):
            if found := await replacing.of(draw):
                return found
        if choices:
            raise Untested("nothing can be replaced")
        # Where there are no substitutes at all, that is the reason, whatever the tree has.
        await replacing.asked()
        raise Untested(ordered.lacking(tree))

    async def _parsed(self) -> tuple[Tree, Tree]:
        lacking = [text.lang for text in (self._x, self._output) if not self._parse.can(text.lang)]
        if lacking:
            raise Untested(f"there is no parser for '{lacking[0]}'")
        return await self._parse(self._x), await self._parse(self._output)


@contextlib.contextmanager
def _untested() -> Iterator[None]:
    try:
        yield
    except (Refused, BadAnswer) as error:
        raise Untested(str(error)) from error
