"""The words around a number: signs, currencies, per cent and units."""

from concord.language.numbers.digits import figure
from concord.language.numbers.english import ONES, RANKS, SCALES
from concord.relations.semmt.logic import phrase_index
from concord.relations.semmt.logic.english import ROLES
from concord.relations.semmt.logic.kinds import Approximation
from concord.relations.semmt.logic.numbers import number
from concord.relations.semmt.logic.phrases import singular
from concord.relations.semmt.logic.words import Words

_UNIT = 3
"""The most words of a unit that is named twice: "degrees", "° C"."""
_RANKS = RANKS | {"other": 2}
_BREAKS, _STOPS = frozenset(",;:–—"), frozenset(".!")
_STROKES = frozenset((2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 16.0, 100.0, 1000.0))


class Surroundings:
    """Looks at the words around a position of a sentence; `QuantityReader` reads the quantities there."""

    def __init__(self, sentence: Words, how: Approximation) -> None:
        self.sentence, self.words = sentence, sentence.words
        self.how = how
        # Rules look a few words ahead; the padding keeps them from looking beyond the end.
        self._padded = [*self.words, *[""] * 8]

    def word(self, index: int) -> str:
        """The word at an index; "" before the first and after the last."""
        return self._padded[index] if index >= 0 else ""

    def is_signed(self, index: int) -> bool:
        """Whether the number at a word is below zero: "minus five", "-5", but not "3-5"."""
        sign = self.word(index - 1)
        if sign not in ROLES["below_zero"] or not self.counts(index):
            return False
        apart = not self.sentence.touches(index - 1) and not self.counts(index - 2)
        if sign.isalpha():
            return apart
        return apart and self.sentence.touches(index) and figure(self.word(index)) is not None

    def counts(self, index: int) -> bool:
        """Whether a word is a number."""
        return self.word(index) in phrase_index.NUMBERS or figure(self.word(index)) is not None

    def _is_answer(self, index: int) -> bool:
        """Whether it is the "no" of "No, I do", or of "No. 5", which denies nothing of what follows."""
        if self.word(index) != "no":
            return False
        mark, following = self.word(index + 1), self.word(index + 2)
        if mark == "." and self.counts(index + 2):
            return True
        goes_on = mark in _BREAKS or (mark in _STOPS and following.isalnum())
        return goes_on and not self.word(index - 1).isalnum()

    def _behind_degrees(self, index: int) -> int:
        while self.word(index) in ROLES["degrees"]:
            index += 1
        return index

    def _is_depth(self, index: int) -> bool:
        """Whether it is the "below zero" of "5 degrees below zero", which gives only the sign."""
        if self.word(index) not in ROLES["below"] or self.word(index + 1) not in ROLES["zero"]:
            return False
        while self.word(index - 1) in ROLES["degrees"]:
            index -= 1
        return self.counts(index - 1)

    def _ordinal(self, index: int) -> tuple[float, int]:
        """The value of "tenth" or "10th", and where it ends; 0 if it is none."""
        rank = _RANKS.get(self.word(index))
        if rank is not None:
            return rank, index + 1
        touching = self.word(index + 1) in ROLES["ordinal"] and self.sentence.touches(index + 1)
        return (figure(self.word(index)) or 0.0, index + 2) if touching else (0.0, index)

    def _percent(self, index: int) -> int:
        """Where "%" or "per cent" ends; 0 if there is none."""
        if self.word(index) in ROLES["percent"]:
            return index + 1
        spelt = self.word(index) == "per" and self.word(index + 1) == "cent"
        return index + 2 if spelt else 0

    def _behind_money(self, index: int) -> int:
        return index + (self.word(index) in ROLES["money"])

    def _behind_ages(self, index: int) -> int:
        """Where the numbers of "between the ages of 6 and 12" or "between the hours of 8 and 10" begin."""
        introduced = self.word(index) == "the" and self.word(index + 2) == "of"
        return index + 3 if introduced and self.counts(index + 3) else index

    def _unit_again(self, index: int, joints: frozenset[str]) -> int:
        """How many words of a unit follow both the first number and the second: "5 mg to 10 mg"."""
        joints = joints | {"up"}
        size = next((size for size in range(1, _UNIT + 1) if self.word(index + size) in joints), 0)
        again = index + size + 1 + (self.word(index + size) == "up")
        last = number(self.sentence, self._behind_money(again)) if size else None
        if last is None:
            return 0
        unit, repeated = self.words[index : index + size], self.words[last[0] : last[0] + size]
        if not all(word.isalpha() or word in ROLES["degrees"] for word in unit):
            return 0
        return size if list(map(singular, unit)) == list(map(singular, repeated)) else 0

    def _scale(self, end: int, last: int) -> int:
        """The scale that the number before `end` takes from the one before `last`: a million in "2 to 3 million"."""
        return 1 if self.word(end - 1) in SCALES else SCALES.get(self.word(last - 1), 1)

    def _up_to(self, low: tuple[int, float], high: tuple[int, float]) -> tuple[float, float]:
        """The ends of a range; the 5 of "5 to 10 million" are millions, the 500 of "500 to 1 million" are not."""
        scale = self._scale(low[0], high[0])
        return (low[1] * scale if low[1] * scale < high[1] else low[1]), high[1]

    def _slashed(self, index: int) -> int | None:
        under = figure(self.word(index + 2)) if self.word(index + 1) == "/" else None
        # A date such as 9/11 looks the same; people write few other fractions with a stroke.
        return int(under) if under in _STROKES and self.sentence.touches(index + 1) else None

    def _small(self, index: int) -> float | None:
        value = ONES.get(self.word(index))
        return value if value is not None else figure(self.word(index))

    def _likened(self, index: int) -> int:
        """Where the "as much" or "as long as" that begins at a word ends; the word itself if there is none."""
        if self.word(index) != "as":
            return index
        if self.word(index + 2) == "as":
            return index + 3
        return index + 2 if self.word(index + 1) in ROLES["much"] else index
