"""Replaces a word, or all content words of a phrase, so that the tree of the sentence stays the same."""

from dataclasses import dataclass

from concord.errors import BadAnswer, Refused
from concord.language.services import Parse, Substitutes
from concord.language.trees import Tree
from concord.model import Text
from concord.relations.mgmt.deep_select import DeepNode

MOST_TRIED = 2
"""How many substitutes of a word are tried before it counts as one that cannot be replaced."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The word or phrase that was drawn, the trees before and after, and the indices of the words replaced in both."""

    drawn: DeepNode
    before: Tree
    after: Tree
    indices: tuple[int, ...]

    @property
    def pairs(self) -> list[list[str]]:
        """Each word that was replaced, with its replacement."""
        old, new = self.before.leaves(), self.after.leaves()
        return [[old[index].words, new[index].words] for index in self.indices]

    @property
    def unreplaced(self) -> list[str]:
        """The content words that nothing could replace."""
        leaves = self.before.leaves()
        return [leaves[index].words for index in self.drawn.words if index not in self.indices]


class Replacer:
    """Replaces words of one sentence, and caches the replacement of each word of the original."""

    def __init__(self, tree: Tree, lang: str, parse: Parse, substitutes: Substitutes) -> None:
        self._tree = tree
        self._leaves = tree.leaves()
        self._lang = lang
        self._parse = parse
        self._substitutes = substitutes
        self._cached: dict[int, Tree | None] = {}

    async def replaced(self, drawn: DeepNode) -> Replaced | None:
        """The sentence with other words in place of the node's; None if none of its words can be replaced."""
        tree = self._tree
        indices: list[int] = []
        for index in drawn.words:
            after = await self._with_another_word(tree, index)
            if after is not None:
                tree = after
                indices.append(index)
        return Replaced(drawn, self._tree, tree, tuple(indices)) if indices else None

    async def require_substitutes(self) -> None:
        """Ask for substitutes of the first word: a source that does not know the language raises an error."""
        leaf = self._leaves[0]
        await self._substitutes(self._tree, leaf.start, leaf.end, lang=self._lang, count=1)

    async def _with_another_word(self, tree: Tree, index: int) -> Tree | None:
        """The tree with the most natural substitute of a word that leaves its shape as it is."""
        if tree is not self._tree:
            return await self._substituted(tree, tree.leaves()[index], tree.shape())
        if index not in self._cached:
            self._cached[index] = await self._substituted(tree, self._leaves[index], tree.shape())
        return self._cached[index]

    async def _substituted(self, tree: Tree, leaf: Tree, shape: object) -> Tree | None:
        for substitute in await self._substitutes(tree, leaf.start, leaf.end, lang=self._lang, count=MOST_TRIED):
            if substitute.word.casefold() != leaf.words.casefold():
                after = await self._parsed(substitute.text)
                if after is not None and after.shape() == shape:
                    return after
        return None

    async def _parsed(self, text: Text) -> Tree | None:
        try:
            return await self._parse(text)
        except (Refused, BadAnswer):
            return None
