"""Indices of the English phrases, and the words at which the search for quantifiers stops."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from concord.language.numbers.english import OFTEN, ONES, PARTS, ROUND, SCALES
from concord.relations.semmt.logic import english
from concord.relations.semmt.logic.english import ROLES

T = TypeVar("T")


class Phrases(Generic[T]):
    """An index of phrases that finds the longest one that begins at a word."""

    def __init__(self, meanings: Mapping[str, T]) -> None:
        self._meanings = {tuple(phrase.split()): meaning for phrase, meaning in meanings.items()}
        self._sizes: dict[str, list[int]] = {}
        for size, first in sorted({(len(words), words[0]) for words in self._meanings}, reverse=True):
            self._sizes.setdefault(first, []).append(size)
        self.longer_firsts = frozenset(first for first, sizes in self._sizes.items() if sizes[0] > 1)
        self.firsts = frozenset(self._sizes)

    def seconds(self, first: str) -> frozenset[str]:
        """The words that can follow the first one of a phrase."""
        return frozenset(words[1] for words in self._meanings if words[0] == first and len(words) > 1)

    def match(self, words: list[str], index: int) -> tuple[int, T] | None:
        """The end and the meaning of the longest phrase that begins at `index`."""
        for size in self._sizes.get(words[index], ()) if index < len(words) else ():
            phrase = tuple(words[index : index + size])
            if phrase in self._meanings:
                return index + len(phrase), self._meanings[phrase]
        return None


FIXED = Phrases(english.FIXED)
VAGUE = Phrases(english.VAGUE)
BEFORE = Phrases(english.BEFORE)
BEHIND = Phrases(english.BEHIND)
RELATIONS = Phrases(english.RELATIONS)
IDIOMS = Phrases(dict.fromkeys(english.IDIOMS, True))
NUMBERS = frozenset((*ONES, *ROUND, *SCALES, *PARTS, *english.SIGNS))
_AMOUNTS = frozenset().union(
    FIXED.firsts, VAGUE.firsts, NUMBERS, OFTEN, english.CHANGES, english.BASES,
    ROLES["a"], ROLES["every"], ROLES["between"], {"from"},
)  # fmt: skip
QUANTITIES = _AMOUNTS | BEFORE.firsts
COMPARING = BEFORE.firsts - _AMOUNTS
BEHIND_A = frozenset((*SCALES, *PARTS)).union(
    *(table.seconds(article) for table in (FIXED, VAGUE, BEFORE) for article in ROLES["a"])
)
LOGIC = RELATIONS.firsts | english.HOLDS
_SHARED = QUANTITIES | IDIOMS.firsts | RELATIONS.longer_firsts | english.HOLDS
_PLAIN = frozenset(("negation", "inclusion", "exclusion", "only", "conjunction", "disjunction", "either"))
PLAIN = {word: kind for word, kind in english.RELATIONS.items() if kind in _PLAIN and word not in _SHARED}
"""Words that always mean one relation and nothing else: the search need not look at the words around them."""
STOPS = QUANTITIES | LOGIC | IDIOMS.firsts | {"should"}
