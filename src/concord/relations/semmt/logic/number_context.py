"""The words around a place in a sentence: signs, currencies, per cent and units that belong to a number."""

from __future__ import annotations

from concord.language.numbers.digits import figure
from concord.language.numbers.english import ONES, SCALES
from concord.relations.semmt.logic import phrase_index
from concord.relations.semmt.logic.english import ROLES
from concord.relations.semmt.logic.kinds import Approximation
from concord.relations.semmt.logic.numbers import number
from concord.relations.semmt.logic.phrases import singular
from concord.relations.semmt.logic.words import Words

_UNIT = 3
"""The most words of a unit that is named twice: "degrees", "° C"."""
_BREAKS, _STOPS = frozenset(",;:–—"), frozenset(".!")
_STROKES = frozenset((2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 16.0, 100.0, 1000.0))


class Surroundings:
    """Looks around in the words of a sentence; what is read there is the reader's."""

    def __init__(self, sentence: Words, how: Approximation) -> None:
        self.sentence, self.words = sentence, sentence.words
        self.how = how
        # Rules look a few words ahead; with these none of them can look too far.
        self._padded = [*self.words, *[""] * 8]

    def word(self, place: int) -> str:
        """The word at a place; no word before the first and behind the last."""
        return self._padded[place] if place >= 0 else ""

    def is_signed(self, place: int) -> bool:
        """Whether the number at a word is below zero: "minus five", "-5", but not "3-5"."""
        sign = self.word(place - 1)
        if sign not in ROLES["below_zero"] or not self.counts(place):
            return False
        apart = not self.sentence.touches(place - 1) and not self.counts(place - 2)
        if sign.isalpha():
            return apart
        return apart and self.sentence.touches(place) and figure(self.word(place)) is not None

    def counts(self, place: int) -> bool:
        """Whether a word is a number."""
        return self.word(place) in phrase_index.NUMBERS or figure(self.word(place)) is not None

    def _is_answer(self, place: int) -> bool:
        """Whether it is the "no" of "No, I do", or of "No. 5", which denies nothing of what follows."""
        if self.word(place) != "no":
            return False
        mark, following = self.word(place + 1), self.word(place + 2)
        if mark == "." and self.counts(place + 2):
            return True
        goes_on = mark in _BREAKS or (mark in _STOPS and following.isalnum())
        return goes_on and not self.word(place - 1).isalnum()

    def _behind_degrees(self, place: int) -> int:
        while self.word(place) in ROLES["degrees"]:
            place += 1
        return place

    def _is_depth(self, place: int) -> bool:
        """Whether it is the "below zero" of "5 degrees below zero", which no more than tells the sign."""
        if self.word(place) not in ROLES["below"] or self.word(place + 1) not in ROLES["zero"]:
            return False
        back = place - 1
        while self.word(back) in ROLES["degrees"]:
            back -= 1
        return self.counts(back)

    def _percent(self, place: int) -> int:
        """Where "%" or "per cent" ends; 0 if there is none."""
        if self.word(place) in ROLES["percent"]:
            return place + 1
        spelt = self.word(place) == "per" and self.word(place + 1) == "cent"
        return place + 2 if spelt else 0

    def _behind_money(self, place: int) -> int:
        return place + (self.word(place) in ROLES["money"])

    def _behind_ages(self, place: int) -> int:
        """Where the numbers begin of "between the ages of 6 and 12", "between the hours of 8 and 10"."""
        named = self.word(place) == "the" and self.word(place + 2) == "of"
        return place + 3 if named and self.counts(place + 3) else place

    def _unit_again(self, place: int, joints: frozenset[str]) -> int:
        """How many words of a unit stand behind the first number and again behind the second: "5 mg to 10 mg"."""
        joints = joints | {"up"}
        size = next((size for size in range(1, _UNIT + 1) if self.word(place + size) in joints), 0)
        again = place + size + 1 + (self.word(place + size) == "up")
        last = number(self.sentence, self._behind_money(again)) if size else None
        if last is None:
            return 0
        one, other = self.words[place : place + size], self.words[last[0] : last[0] + size]
        if not all(word.isalpha() or word in ROLES["degrees"] for word in one):
            return 0
        return size if one == other or list(map(singular, one)) == list(map(singular, other)) else 0

    def _scale(self, end: int, last: int) -> int:
        """What a number that ends at one place counts if it shares the scale of the one at the other: millions."""
        return 1 if self.word(end - 1) in SCALES else SCALES.get(self.word(last - 1), 1)

    def _up_to(self, low: tuple[int, float], high: tuple[int, float]) -> tuple[float, float]:
        """The ends of a range; the 5 of "5 to 10 million" are millions, the 500 of "500 to 1 million" are not."""
        scale = self._scale(low[0], high[0])
        return (low[1] * scale if low[1] * scale < high[1] else low[1]), high[1]

    def _slashed(self, place: int) -> int | None:
        under = figure(self.word(place + 2)) if self.word(place + 1) == "/" else None
        # A date such as 9/11 is written alike; people write few other fractions with a stroke.
        return int(under) if under in _STROKES and self.sentence.touches(place + 1) else None

    def _small(self, place: int) -> float | None:
        value = ONES.get(self.word(place))
        return value if value is not None else figure(self.word(place))

    def _likened(self, place: int) -> int:
        """Where "as much" or "as long as" ends that begins at a word; the word itself if none does."""
        if self.word(place) != "as":
            return place
        if self.word(place + 2) == "as":
            return place + 3
        return place + 2 if self.word(place + 1) in ROLES["much"] else place
