"""The words of a sentence with their places, cut so that numbers, signs and contractions can be looked up."""

from __future__ import annotations

import re
from functools import cached_property

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]")
_SPELT = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\d+,\d{1,2}")
_DIGITS = 25


class Words:
    """The words of a text in lower case, and where each begins and ends; places are looked for when first asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        lower = text.lower()
        # A few letters grow when they are made small, which would move all that follows.
        if len(lower) != len(text):
            lower = "".join(small if len(small := each.lower()) == 1 else each for each in text)
        self.words: list[str] = _WORD.findall(lower.replace("’", "'"))

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [match.span() for match in _WORD.finditer(self.text)]

    def start(self, place: int) -> int:
        return self._spans[place][0]

    def end(self, place: int) -> int:
        return self._spans[place][1]

    def capital(self, place: int) -> bool:
        return self.text[self.start(place)].isupper()

    def touches(self, place: int) -> bool:
        """Whether the word follows the one before it without a blank."""
        return 0 < place < len(self.words) and self.start(place) == self.end(place - 1)


def figure(word: str) -> float | None:
    """The number that a word of digits spells; None for other words and for what is too long to be a quantity."""
    if not word[:1].isdecimal() or not word.isascii() or len(word) > _DIGITS or not _SPELT.fullmatch(word):
        return None
    if "," in word and not re.search(r",\d{3}(?:\D|\Z)", word):
        return float(word.replace(",", "."))
    return float(word.replace(",", ""))
