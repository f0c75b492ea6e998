"""Builds pairs of trees: of a sentence's translation, and of its translation with other words in the sentence.

A word, or all content words of a phrase, are replaced so that the tree of the sentence stays the same.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from concord.errors import BadAnswer, Refused, Untested
from concord.language.mutants import LONGEST, too_long
from concord.language.services import Parse, Substitutes
from concord.language.trees import Tree
from concord.model import Text, Translate
from concord.relations.mgmt.deep_select import DeepNode, deep_phrases, deep_words, draws, no_phrase

MOST_TRIED = 2
"""How many substitutes of a word are tried before it counts as one that cannot be replaced."""


@dataclass(frozen=True, slots=True)
class TreePair:
    """A sentence with other words, its translation, and the trees of the first translation and of this one.

    `drawn` is the word or phrase that was drawn; `before` and `after` are the trees of the sentence, `indices` those
    of the words that were replaced, in both.
    """

    drawn: DeepNode
    before: Tree
    after: Tree
    indices: tuple[int, ...]
    follow_up: Text
    output: Text
    trees: tuple[Tree, Tree]


class TreePairs:
    """Builds the tree pairs of one sentence; it is parsed only once, and so are other words in place of each word."""

    def __init__(self, x: Text, output: Text, translate: Translate, parse: Parse, substitutes: Substitutes) -> None:
        self._x = x
        self._output = output
        self._translate = translate
        self._parse = parse
        self._substitutes = substitutes
        self._trees: tuple[Tree, Tree] | None = None
        self._cached: dict[int, Tree | None] = {}

    async def build(self, labels: tuple[str, ...] | None, candidates: int, rng: Random) -> TreePair:
        """The pair with a phrase of these labels replaced, or a word if None; Untested says why there is none.

        It is drawn from the first candidates. An error of the translator is raised as it is: the system was asked, and
        failed.
        """
        with _untested():
            before, translated = self._trees = self._trees or await self._parsed()
            lang = self._x.lang
            choices = deep_words(before, lang) if labels is None else deep_phrases(before, lang, labels)
            for drawn in draws(choices, candidates, rng):
                after, indices = await self._replaced(before, drawn)
                if indices:
                    break
            else:
                raise Untested("nothing can be replaced" if choices else await self._lacking(before, labels))
        follow_up = Text(after.text, lang)
        output = await self._translate(follow_up, self._output.lang)
        with _untested():
            trees = translated, await self._parse(output)
        return TreePair(drawn, before, after, indices, follow_up, output, trees)

    async def _parsed(self) -> tuple[Tree, Tree]:
        if too_long(self._x):
            raise Untested(f"the text has more than {LONGEST} words and marks")
        lacking = [text.lang for text in (self._x, self._output) if not self._parse.can(text.lang)]
        if lacking:
            raise Untested(f"there is no parser for '{lacking[0]}'")
        return await self._parse(self._x), await self._parse(self._output)

    async def _lacking(self, tree: Tree, labels: tuple[str, ...] | None) -> str:
        """Why a tree has no candidates."""
        # Without any substitutes for the language, their lack is the reason, whatever the tree has: asking raises it.
        leaf = tree.leaves()[0]
        await self._substitutes(tree, leaf.start, leaf.end, lang=self._x.lang, count=1)
        return "the sentence has no content word" if labels is None else no_phrase(tree, labels)

    async def _replaced(self, before: Tree, drawn: DeepNode) -> tuple[Tree, tuple[int, ...]]:
        """The tree with other words in place of the node's, and the indices of those that could be replaced."""
        tree = before
        indices: list[int] = []
        for index in drawn.words:
            if tree is before and index in self._cached:
                after = self._cached[index]
            else:
                after = await self._with_another_word(tree, index)
            if tree is before:
                self._cached[index] = after
            if after is not None:
                tree = after
                indices.append(index)
        return tree, tuple(indices)

    async def _with_another_word(self, tree: Tree, index: int) -> Tree | None:
        """The tree with the most natural substitute of a word that leaves its shape as it is."""
        leaf = tree.leaves()[index]
        for substitute in await self._substitutes(tree, leaf.start, leaf.end, lang=self._x.lang, count=MOST_TRIED):
            if substitute.word.casefold() != leaf.words.casefold():
                with contextlib.suppress(Refused, BadAnswer):
                    after = await self._parse(substitute.text)
                    if after.shape() == tree.shape():
                        return after
        return None


@contextlib.contextmanager
def _untested() -> Iterator[None]:
    try:
        yield
    except (Refused, BadAnswer) as error:
        raise Untested(str(error)) from error
