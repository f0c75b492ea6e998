"""Sentences of another meaning for PatInv, and how much of such a change a translation shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from concord.errors import BadAnswer, Refused
from concord.language.comparison_units import Unit, difference, units
from concord.language.english import unrelated_words
from concord.language.mutants import WordKind, words
from concord.language.phrase_removal import changed_sentence, removals, shape
from concord.language.services import Parse, Substitutes
from concord.language.stopwords import stop_words
from concord.language.trees import Tree
from concord.model import Text

Way = Literal["replace", "remove"]
_DIGITS = 12
"""Decimals of a suspicion: quotients that are the same number are meant to be equal."""
TRIED = 5
"""How many words of another meaning are parsed in the place of a word before it is left alone."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A sentence of another meaning: what was done, to which words, and what replaces them."""

    text: Text
    way: Way
    what: str
    old: str
    new: str


class Changes:
    """Makes sentences of another meaning from one, and checks that each has the expected tree."""

    def __init__(self, x: Text, tree: Tree, parse: Parse, substitutes: Substitutes) -> None:
        self._x = x
        self._tree = tree
        self._parse = parse
        self._substitutes = substitutes

    async def replaced(self, kinds: tuple[WordKind, ...], most: int, count: int, rng: Random) -> list[Changed]:
        places = words(self._tree, kinds)
        rng.shuffle(places)
        variants: dict[int, list[Changed]] = {}
        for leaf in places:
            if len(variants) >= most:
                break
            others = await self._others(leaf, count, rng)
            if others:
                variants[leaf.start] = others
        return [variant for start in sorted(variants) for variant in variants[start]]

    async def _others(self, leaf: Tree, count: int, rng: Random) -> list[Changed]:
        opposites = await self._substitutes(self._tree, leaf.start, leaf.end, count=count, kinds=("antonym",))
        made = [Changed(opposite.text, "replace", "opposite", leaf.words, opposite.word) for opposite in opposites]
        for tried, (changed, word) in enumerate(unrelated_words.sentences_with_another_word(self._tree, leaf, rng)):
            if len(made) >= count or tried >= count * TRIED:
                break
            text = Text(changed, self._x.lang)
            before, sentence = changed_sentence(self._tree, leaf.start, text)
            if await self._built(sentence, shape(before)):
                made.append(Changed(text, "replace", "another word", leaf.words, word))
        return made

    async def removed(self, most: int, rng: Random) -> list[Changed]:
        found = removals(self._tree, self._x.lang)
        made: dict[tuple[int, int], Changed] = {}
        for each in rng.sample(found, len(found)):
            if len(made) >= most:
                break
            if await self._built(each.sentence, each.shape):
                made[each.start, each.end] = Changed(each.text, "remove", each.label, each.words, "")
        return [made[span] for span in sorted(made)]

    async def _built(self, text: Text, expected: str) -> bool:
        try:
            return shape(await self._parse(text)) == expected
        except (Refused, BadAnswer):
            return False


def unseen_change(source: Text, follow_up: Text, output: Text, other: Text) -> float:
    """The share of a change that the translation does not show, in [0, 1]."""
    meant = _changed_words(source, follow_up)
    return round(max(0.0, 1 - _changed_words(output, other) / meant), _DIGITS) if meant else 0.0


def _changed_words(one: Text, other: Text) -> int:
    """How many content words differ: what either text has and the other lacks, whichever is more."""
    ours, theirs = units(one), units(other)
    return max(
        _content(difference(ours, theirs).missing, one.lang), _content(difference(theirs, ours).missing, one.lang)
    )


def _content(units: Sequence[Unit], lang: str) -> int:
    return sum(unit.form not in stop_words(lang) for unit in units)
