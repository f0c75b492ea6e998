"""Other words in the place of a word or of all content words of a phrase, the sentence being built as before."""

from __future__ import annotations

from dataclasses import dataclass

from concord.errors import BadAnswer, Refused
from concord.language.services import Parse, Substitutes
from concord.language.trees import Tree
from concord.model import Text
from concord.relations.mgmt.deep_select import Placed

TRIED = 2
"""How many substitutes of a word are looked at before it counts as one that cannot be replaced."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The chosen phrase, the trees before and after, and the indices of the replaced words, equal in both trees."""

    chosen: Placed
    before: Tree
    after: Tree
    numbers: tuple[int, ...]

    @property
    def pairs(self) -> list[list[str]]:
        """Each word that was replaced, with its replacement."""
        old, new = self.before.leaves(), self.after.leaves()
        return [[old[number].words, new[number].words] for number in self.numbers]

    @property
    def kept(self) -> list[str]:
        """The content words that nothing could replace."""
        leaves = self.before.leaves()
        return [leaves[word].words for word in self.chosen.words if word not in self.numbers]


class Replacing:
    """Replaces words of one sentence; what was found for a word of the original is remembered."""

    def __init__(self, tree: Tree, lang: str, parse: Parse, substitutes: Substitutes) -> None:
        self._tree = tree
        self._leaves = tree.leaves()
        self._lang = lang
        self._parse = parse
        self._substitutes = substitutes
        self._known: dict[int, Tree | None] = {}

    async def of(self, chosen: Placed) -> Replaced | None:
        """The sentence with other words in that place; None if not one of its words can be replaced."""
        now = self._tree
        numbers: list[int] = []
        for number in chosen.words:
            after = await (self._other(now, number) if numbers else self._first(number))
            if after is not None:
                now = after
                numbers.append(number)
        return Replaced(chosen, self._tree, now, tuple(numbers)) if numbers else None

    async def asked(self) -> None:
        """Ask for substitutes of the first word, so that a source that does not know the language says so."""
        leaf = self._leaves[0]
        await self._substitutes(self._tree, leaf.start, leaf.end, lang=self._lang, count=1)

    async def _first(self, number: int) -> Tree | None:
        if number not in self._known:
            self._known[number] = await self._other(self._tree, number)
        return self._known[number]

    async def _other(self, tree: Tree, number: int) -> Tree | None:
        """The tree with another word, the most natural whose tree is that of before."""
        leaf = (self._leaves if tree is self._tree else tree.leaves())[number]
        for each in await self._substitutes(tree, leaf.start, leaf.end, lang=self._lang, count=TRIED):
            after = await self._built(each.text) if each.word.casefold() != leaf.words.casefold() else None
            if after is not None and after.shape() == tree.shape():
                return after
        return None

    async def _built(self, text: Text) -> Tree | None:
        try:
            return await self._parse(text)
        except (Refused, BadAnswer):
            return None
