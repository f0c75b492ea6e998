"""Builds pairs of trees: of a sentence's translation, and of its translation with other words in the sentence."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from concord.errors import BadAnswer, Refused
from concord.language.services import Parse, Substitutes
from concord.language.trees import Tree
from concord.model import Text, Translate
from concord.relations.mgmt.deep_select import DeepNode, draws
from concord.relations.mgmt.mutants import Replaced, Replacer


@dataclass(frozen=True, slots=True)
class OrderedCandidates:
    """How candidates of a tree are listed, in their order, and the reason to state for a tree without any."""

    listed: Callable[[Tree], list[DeepNode]]
    lacking: Callable[[Tree], str]


class Untested(Exception):
    """The sentence cannot be tested at this granularity, which says nothing about the system."""


@dataclass(frozen=True, slots=True)
class TreePair:
    """A sentence with other words, its translation, and the trees of the first translation and of this one."""

    replaced: Replaced
    follow_up: Text
    output: Text
    trees: tuple[Tree, Tree]


class TreePairs:
    """Builds the tree pairs of one sentence, which is parsed only once."""

    def __init__(self, x: Text, output: Text, translate: Translate, parse: Parse, substitutes: Substitutes) -> None:
        self._x = x
        self._output = output
        self._translate = translate
        self._parse = parse
        self._substitutes = substitutes
        self._trees: tuple[Tree, Tree] | None = None
        self._replacer: Replacer | None = None

    async def build(self, ordered: OrderedCandidates, candidates: int, rng: Random) -> TreePair:
        """The pair with the words drawn from the first candidates replaced; Untested says why there is none.

        An error of the translator is raised as it is: the system was asked, and failed.
        """
        with _untested():
            before, translated = self._trees = self._trees or await self._parsed()
            replaced = await self._replaced(before, ordered, candidates, rng)
        follow_up = Text(replaced.after.text, self._x.lang)
        output = await self._translate(follow_up, self._output.lang)
        with _untested():
            return TreePair(replaced, follow_up, output, (translated, await self._parse(output)))

    async def _replaced(self, tree: Tree, ordered: OrderedCandidates, candidates: int, rng: Random) -> Replaced:
        replacer = self._replacer = self._replacer or Replacer(tree, self._x.lang, self._parse, self._substitutes)
        choices = ordered.listed(tree)
        for drawn in draws(choices, candidates, rng):
            if replaced := await replacer.replaced(drawn):
                return replaced
        if choices:
            raise Untested("nothing can be replaced")
        # Without any substitutes for the language, their lack is the reason, whatever the tree has.
        await replacer.require_substitutes()
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
