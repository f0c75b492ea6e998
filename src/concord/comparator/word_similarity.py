"""Likeness: how far two words of one language can stand for each other in a translation."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rapidfuzz.distance import Prefix

from concord.comparator.evidence import Evidence
from concord.comparator.words import is_number, key, same_number
from concord.language.codes import base, is_spaced
from concord.language.stopwords import stop_words

REMEMBERED = 300_000
FUNCTION_WORDS = 0.3
SYNONYM = 0.95
COMMON_BEGINNING = 4


class Likeness:
    """A similarity of words of a language, 0 to 1; what was computed once is remembered."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._lang = evidence.langs[1]
        self._stop = stop_words(self._lang)
        self._spaced = is_spaced(self._lang)
        self._lexicon = _lexicon(self._lang)
        self._known: dict[tuple[str, str], float] = {}

    def __call__(self, one: str, other: str) -> float:
        pair = (one, other) if one <= other else (other, one)
        known = self._known.get(pair)
        if known is None:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            known = self._known[pair] = self._like(pair[0].casefold(), pair[1].casefold())
        return known

    def _like(self, one: str, other: str) -> float:
        if is_number(one) or is_number(other):
            return float(same_number(one, other, (self._lang, self._lang)))
        if one == other or key(one, self._lang) == key(other, self._lang):
            return 1.0
        if self._evidence.synonyms(one, other):
            return SYNONYM
        if one in self._stop and other in self._stop:
            return FUNCTION_WORDS
        if not self._spaced:
            shared = 2 * sum((Counter(one) & Counter(other)).values()) / (len(one) + len(other))
            return max(self._by_translations(one, other), 0.9 * shared)
        if "-" in one or "-" in other:
            return self._of_compounds(one.split("-"), other.split("-"))
        by_meaning = self._by_meaning(one, other)
        if by_meaning is None:
            return 0.0
        return max(self._by_translations(one, other), by_meaning, _by_beginning(one, other))

    def _by_translations(self, one: str, other: str) -> float:
        shared = self._evidence.akin(one, other)
        return min(0.95, 0.3 + 2 * shared) if shared else 0.0

    def _of_compounds(self, one: list[str], other: list[str]) -> float:
        parts = [[part for part in side if part] for side in (one, other)]
        if not all(parts):
            return 0.0
        means = [sum(max(self(x, y) for y in b) for x in a) / len(a) for a, b in (parts, parts[::-1])]
        # A part of a compound alone ("speaking" for "English-speaking") is almost what the compound is.
        return min(means) if min(map(len, parts)) > 1 else 0.9 * max(means)

    def _by_meaning(self, one: str, other: str) -> float | None:
        """By the English lexicon; None for opposites."""
        if self._lexicon is None:
            return 0.0
        from concord.language.english.lexicon import variants

        if one[:3] == other[:3] and variants(one, other):
            return 1.0
        best = 0.0
        for tag in self._lexicon.tags(one) & self._lexicon.tags(other):
            for form in self._lexicon.forms(one, tag):
                for twin in self._lexicon.forms(other, tag):
                    kind = self._lexicon.kind(form, twin)
                    if kind == "antonym":
                        return None
                    similarity = 0.9 if kind == "synonym" else 0.7 * self._lexicon.semantic_similarity(form, twin)
                    best = max(best, similarity)
        company = float(self._lexicon.similarity(one, [other])[0])
        return max(best, min(0.7, 1.4 * (company - 0.3)))


def _by_beginning(one: str, other: str) -> float:
    shared = Prefix.similarity(one, other)
    return min(0.9, 2 * shared / (len(one) + len(other))) if shared >= COMMON_BEGINNING else 0.0


def _lexicon(lang: str) -> Any:
    if base(lang) != "en":
        return None
    from concord.language.english.lexicon import lexicon

    return lexicon()
