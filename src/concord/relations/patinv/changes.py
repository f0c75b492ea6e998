"""Changes sentences so that they mean something else, for PatInv, and measures how much of a change is translated."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from concord.errors import BadAnswer, Refused
from concord.language.comparison_units import difference, units
from concord.language.mutants import WordKind, mutants
from concord.language.phrase_removal import removals, shape
from concord.language.services import Parse, Substitutes
from concord.language.stopwords import stop_words
from concord.language.substitutes import OTHER
from concord.language.trees import Tree
from concord.model import Text

Way = Literal["replace", "remove"]
Removable = Literal["optional", "any"]
_DIGITS = 12
"""Decimals of a suspicion: quotients that are the same number are meant to be equal."""
_HOW = {"antonym": "opposite"}


@dataclass(frozen=True, slots=True)
class Variant:
    """A sentence of another meaning: how and of which kind the change is, the old words and the new ones."""

    text: Text
    way: Way
    kind: str
    old: str
    new: str


class VariantMaker:
    """Makes variants of a sentence; a variant whose tree is not the expected one is rejected."""

    def __init__(self, x: Text, tree: Tree, parse: Parse, substitutes: Substitutes | None) -> None:
        self._x = x
        self._tree = tree
        self._parse = parse
        self._substitutes = substitutes

    async def replaced(self, kinds: tuple[WordKind, ...], most: int, count: int, rng: Random) -> list[Variant]:
        """Up to `count` variants for each of up to `most` words, drawn at random, in the order of the text."""
        if self._substitutes is None:
            return []
        found = await mutants(
            self._tree, self._substitutes, kinds=kinds, most_words=most, count=count, rng=rng, offered=OTHER
        )
        return [
            Variant(each.text, "replace", _HOW.get(each.substitute_kind, "another word"), each.word, each.new)
            for each in found
        ]

    async def removed(self, removable: Removable, most: int, rng: Random) -> list[Variant]:
        """Variants without one of up to `most` phrases, drawn at random, in the order of the text.

        A sentence without an optional phrase has the tree that is left; what is left without any other is not parsed.
        """
        phrases = removals(self._tree, self._x.lang, any_phrase=removable == "any")
        by_span: dict[tuple[int, int], Variant] = {}
        for removal in rng.sample(phrases, len(phrases)):
            if len(by_span) >= most:
                break
            if removable == "any" or await self._has_shape(removal.sentence, removal.shape):
                variant = Variant(removal.text, "remove", removal.label, removal.words, "")
                by_span[removal.start, removal.end] = variant
        return [by_span[span] for span in sorted(by_span)]

    async def _has_shape(self, text: Text, expected: str) -> bool:
        try:
            return shape(await self._parse(text)) == expected
        except (Refused, BadAnswer):
            return False


def unseen_change(source: Text, follow_up: Text, output: Text, follow_up_output: Text) -> float:
    """The proportion of a change that the translation does not show, in [0, 1]."""
    changed = _changed_words(source, follow_up)
    return round(max(0.0, 1 - _changed_words(output, follow_up_output) / changed), _DIGITS) if changed else 0.0


def _changed_words(a: Text, b: Text) -> int:
    """How many content words differ: those that only one of the texts has, whichever text has more of them."""
    units_a, units_b = units(a), units(b)
    lacking = (difference(units_a, units_b).missing, difference(units_b, units_a).missing)
    return max(sum(unit.form not in stop_words(a.lang) for unit in missing) for missing in lacking)
