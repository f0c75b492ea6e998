"""The likeness of two words of one language: how far one can replace the other in a translation."""

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
    """The similarity of two words of a language, 0 to 1, with a cache."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._lang = evidence.langs[1]
        self._stop = stop_words(self._lang)
        self._spaced = is_spaced(self._lang)
        self._lexicon = _lexicon(self._lang)
        self._likenesses: dict[tuple[str, str], float] = {}

    def __call__(self, word: str, other_word: str) -> float:
        pair = (word, other_word) if word <= other_word else (other_word, word)
        likeness = self._likenesses.get(pair)
        if likeness is None:
            if len(self._likenesses) > REMEMBERED:
                self._likenesses.clear()
            likeness = self._likenesses[pair] = self._like(pair[0].casefold(), pair[1].casefold())
        return likeness

    def _like(self, word: str, other_word: str) -> float:
        if is_number(word) or is_number(other_word):
            return float(same_number(word, other_word, (self._lang, self._lang)))
        if word == other_word or key(word, self._lang) == key(other_word, self._lang):
            return 1.0
        if self._evidence.synonyms(word, other_word):
            return SYNONYM
        if word in self._stop and other_word in self._stop:
            return FUNCTION_WORDS
        if not self._spaced:
            shared = 2 * sum((Counter(word) & Counter(other_word)).values()) / (len(word) + len(other_word))
            return max(self._by_translations(word, other_word), 0.9 * shared)
        if "-" in word or "-" in other_word:
            return self._of_compounds(word.split("-"), other_word.split("-"))
        by_meaning = self._by_meaning(word, other_word)
        if by_meaning is None:
            return 0.0
        return max(self._by_translations(word, other_word), by_meaning, _by_beginning(word, other_word))

    def _by_translations(self, word: str, other_word: str) -> float:
        shared = self._evidence.akin(word, other_word)
        return min(0.95, 0.3 + 2 * shared) if shared else 0.0

    def _of_compounds(self, word: list[str], other_word: list[str]) -> float:
        parts = [[part for part in side if part] for side in (word, other_word)]
        if not all(parts):
            return 0.0
        means = [sum(max(self(x, y) for y in b) for x in a) / len(a) for a, b in (parts, parts[::-1])]
        # A part of a compound alone ("speaking" for "English-speaking") is almost what the compound is.
        return min(means) if min(map(len, parts)) > 1 else 0.9 * max(means)

    def _by_meaning(self, word: str, other_word: str) -> float | None:
        """By the English lexicon; None for opposites."""
        if self._lexicon is None:
            return 0.0
        from concord.language.english.lexicon import variants

        if word[:3] == other_word[:3] and variants(word, other_word):
            return 1.0
        best = 0.0
        for tag in self._lexicon.tags(word) & self._lexicon.tags(other_word):
            for form in self._lexicon.forms(word, tag):
                for twin in self._lexicon.forms(other_word, tag):
                    kind = self._lexicon.kind(form, twin)
                    if kind == "antonym":
                        return None
                    similarity = 0.9 if kind == "synonym" else 0.7 * self._lexicon.semantic_similarity(form, twin)
                    best = max(best, similarity)
        company = float(self._lexicon.similarity(word, [other_word])[0])
        return max(best, min(0.7, 1.4 * (company - 0.3)))


def _by_beginning(word: str, other_word: str) -> float:
    shared = Prefix.similarity(word, other_word)
    return min(0.9, 2 * shared / (len(word) + len(other_word))) if shared >= COMMON_BEGINNING else 0.0


def _lexicon(lang: str) -> Any:
    if base(lang) != "en":
        return None
    from concord.language.english.lexicon import lexicon

    return lexicon()
