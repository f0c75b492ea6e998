"""What a language brings along: the words for numbers, comparisons and logic, in one table per language.

Phrases are written in lower case with single blanks; words are cut as `words.py` cuts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, Literal, TypeVar

Bound = Literal["at_least", "at_most", "more_than", "less_than", "exactly", "about", "nearly"]
Relation = Literal[
    "negation", "inclusion", "exclusion", "only", "conjunction", "disjunction", "either", "if", "unless", "only_if",
    "iff", "before", "after", "starts", "ends",
]  # fmt: skip
Approximation = Literal["over", "under", "range"]
Unit = Literal["count", "share", "times", "ratio", "negative", "step"]
"""A "step" is how far apart things are that come again and again: every six hours."""
COUNTED: frozenset[Unit] = frozenset(("count", "times"))
"""The units whose next number is a whole one."""
Move = Literal["", "by", "to", "more", "less"]
"""What a quantity says of a change or a difference: how large it is, where it ends, or which way it goes."""
Range = tuple[float, float]
T = TypeVar("T")
_PLAIN = frozenset(("negation", "inclusion", "exclusion", "only", "conjunction", "disjunction", "either"))
APPROXIMATIONS: tuple[Approximation, ...] = ("over", "under", "range")


@dataclass(frozen=True, slots=True)
class Vague:
    """What a vague quantifier may mean: read generously, sparingly, and between the two."""

    over: Range
    under: Range
    range: Range
    unit: Unit = "count"

    def read(self, how: Approximation) -> Range:
        return {"over": self.over, "under": self.under, "range": self.range}[how]


class Phrases(Generic[T]):
    """A dictionary of phrases that finds the longest one that begins at a word."""

    def __init__(self, meanings: Mapping[str, T]) -> None:
        self._single: dict[str, T] = {}
        self._longer: dict[tuple[str, str], list[tuple[list[str], T]]] = {}
        for phrase, meaning in sorted(meanings.items(), key=lambda pair: -len(pair[0].split())):
            words = phrase.split()
            if len(words) == 1:
                self._single[words[0]] = meaning
            else:
                self._longer.setdefault((words[0], words[1]), []).append((words, meaning))
        self.longer_firsts = frozenset(first for first, _ in self._longer)
        self.firsts = frozenset(self._single) | self.longer_firsts

    def seconds(self, first: str) -> frozenset[str]:
        """The words that can stand behind the first one of a phrase."""
        return frozenset(second for begin, second in self._longer if begin == first)

    def at(self, words: list[str], place: int) -> tuple[int, T] | None:
        """Where the longest phrase ends that begins at `place`, and what it means."""
        if place >= len(words):
            return None
        word = words[place]
        if word not in self.firsts:
            return None
        if place + 1 < len(words):
            for phrase, meaning in self._longer.get((word, words[place + 1]), ()):
                if words[place : place + len(phrase)] == phrase:
                    return place + len(phrase), meaning
        return (place + 1, self._single[word]) if word in self._single else None


@dataclass(frozen=True)
class LanguageTable:
    """The table of one language. `english.py` is the model for another."""

    ones: Mapping[str, int]
    tens: Mapping[str, int]
    scales: Mapping[str, int]
    parts: Mapping[str, int]
    """The names of fractions: "third" is 3."""
    signs: Mapping[str, float]
    """The signs of fractions, in per cent: "½" is 50."""
    ordinals: Mapping[str, int]
    often: Mapping[str, int]
    changes: Mapping[str, tuple[Unit, float]]
    """Words that say how many times as much something has become: "threefold", "doubled"."""
    bases: Mapping[str, tuple[Unit, float]]
    """Those that say so only where they are verbs: "double"."""
    fixed: Mapping[str, tuple[str, Unit, float, float]]
    """Phrases that are quantities by themselves: kind, unit, least and most."""
    vague: Mapping[str, Vague]
    before: Mapping[str, Bound]
    """Comparisons that stand before a number."""
    behind: Mapping[str, Bound]
    """Comparisons that stand behind one."""
    relations: Mapping[str, Relation]
    idioms: frozenset[str]
    """Phrases that only look like one of the above."""
    contractions: tuple[str, ...]
    """Endings that negate a word."""
    terminals: Mapping[str, str]
    """Things that need no symbol because an expression can say them."""
    collections: frozenset[str]
    """What contains things by trade: a line, a string."""
    holds: frozenset[str]
    """Words such as "with" that mean inclusion only after a collection or before a quantity."""
    edges: frozenset[str]
    """Words that are cut off at the edges of an abstracted phrase."""
    roles: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The small words that the number rules look for, by their role."""

    @cached_property
    def compiled(self) -> Compiled:
        return Compiled(self)


class Compiled:
    """A language's phrases made ready for the search, and the words that are worth a stop."""

    def __init__(self, language: LanguageTable) -> None:
        self.fixed = Phrases(language.fixed)
        self.vague = Phrases(language.vague)
        self.before = Phrases(language.before)
        self.behind = Phrases(language.behind)
        self.relations = Phrases(language.relations)
        self.idioms = Phrases(dict.fromkeys(language.idioms, True))
        self.numbers = frozenset((*language.ones, *language.tens, *language.scales, *language.parts, *language.signs))
        roles = language.roles
        amounts = frozenset().union(
            self.fixed.firsts, self.vague.firsts, self.numbers, language.often, language.changes, language.bases,
            roles["a"], roles["every"], roles["between"], roles["from"],
        )  # fmt: skip
        self.quantities = amounts | self.before.firsts
        self.comparing = self.before.firsts - amounts
        self.behind_a = frozenset((*language.scales, *language.parts)).union(
            *(each.seconds(article) for each in (self.fixed, self.vague, self.before) for article in roles["a"])
        )
        self.logic = self.relations.firsts | language.holds
        shared = self.quantities | self.idioms.firsts | self.relations.longer_firsts | language.holds
        # Words that mean one relation and nothing else, wherever they stand: the search need not look around them.
        self.plain = {word: kind for word, kind in language.relations.items() if kind in _PLAIN and word not in shared}
        self.stops = self.quantities | self.logic | self.idioms.firsts | roles["inverted"]
