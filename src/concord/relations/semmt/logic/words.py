"""The words of a sentence with their places, cut so that numbers, signs and contractions can be looked up."""

from __future__ import annotations

import re
from functools import cached_property

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]")


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
