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
        """The words that can follow the first one of a phrase."""
        return frozenset(second for begin, second in self._longer if begin == first)

    def match(self, words: list[str], index: int) -> tuple[int, T] | None:
        """The end and the meaning of the longest phrase that begins at `index`."""
        if index >= len(words):
            return None
        word = words[index]
        if word not in self.firsts:
            return None
        if index + 1 < len(words):
            for phrase, meaning in self._longer.get((word, words[index + 1]), ()):
                if words[index : index + len(phrase)] == phrase:
                    return index + len(phrase), meaning
        return (index + 1, self._single[word]) if word in self._single else None


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
