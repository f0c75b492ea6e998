"""Quantities in a sentence: numbers with their comparisons, ranges, shares, repetitions and ratios."""

from __future__ import annotations

from math import inf, isinf, nextafter
from typing import NamedTuple

from concord.text.logic.numbers import is_label, number
from concord.text.logic.tables import Approximation, Bound, Language, Unit
from concord.text.logic.words import Words, figure

_ABOUT = 0.1
"""How far "about 300" may be from 300, as a share of it."""
_STROKES = frozenset((2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 16.0, 100.0, 1000.0))


class Quantity(NamedTuple):
    """A quantity that ends before the word `end`: at least `low`, at most `high`."""

    end: int
    kind: str
    unit: Unit
    low: float
    high: float
    approximate: bool = False
    bare: bool = False


class Reader:
    """Reads the quantity that begins at a word of a sentence, if one does."""

    def __init__(self, sentence: Words, language: Language, how: Approximation) -> None:
        self.sentence, self.words = sentence, sentence.words
        self.language, self.roles, self.phrases = language, language.roles, language.compiled
        self.how = how
        # Rules look a few words ahead; with these none of them can look too far.
        self._padded = [*self.words, *[""] * 8]

    def read(self, place: int) -> Quantity | None:
        compared = self._compared(place)
        if compared is not None or self.word(place) in self.phrases.comparing:
            return compared
        return self._between(place) or self._every(place) or self._named(place)

    def word(self, place: int) -> str:
        """The word at a place; no word before the first and behind the last."""
        return self._padded[place] if place >= 0 else ""

    def _named(self, place: int) -> Quantity | None:
        vague = self.phrases.vague.at(self.words, place)
        fixed = self.phrases.fixed.at(self.words, place)
        if vague and (fixed is None or vague[0] >= fixed[0]):
            if self._is_degree(place, vague[0]):
                return None
            low, high = vague[1].read(self.how)
            return Quantity(vague[0], "vague", vague[1].unit, float(low), float(high), approximate=True)
        amount = self._amount(place)
        if amount is None and fixed is not None and self.phrases.before.at(self.words, place) is None:
            kind, unit, low, high = fixed[1]
            return Quantity(fixed[0], kind, unit, float(low), float(high))
        return amount

    def _is_degree(self, place: int, end: int) -> bool:
        """Whether it says how much and not how many: "as many", "most closely"."""
        if self.word(place) in self.phrases.before.firsts:
            return False
        superlative = self.word(place) in self.roles["most"] and end == place + 1 and self.word(end).endswith("ly")
        return superlative or self.word(place - 1) in self.roles["not_vague"]

    def _compared(self, place: int) -> Quantity | None:
        found = self.phrases.before.at(self.words, place)
        if found is None or (len(self.word(place)) > 3 and figure(self.word(place - 1)) is not None):
            return None
        at = found[0] + self._signed(found[0] + 1)
        amount = self._amount(at, counted=True)
        if amount is None or self.word(at) in self.phrases.before.firsts:
            return None
        soft = found[1] in {"about", "nearly"} or found[0] - place == 1
        if soft and amount.bare and is_label(self.sentence, at, self.language):
            return None
        return bounded(amount, found[1])

    def _between(self, place: int) -> Quantity | None:
        """Between 3 and 5, from 3 to 5."""
        word = self.word(place)
        joint = "and" if word in self.roles["between"] else "to" if word in self.roles["from"] else ""
        low = number(self.sentence, place + 1, self.language) if joint else None
        if low is None or is_label(self.sentence, place + 1, self.language):
            return None
        end = self._percent(low[0]) or low[0]
        if self.word(end) not in self.roles[joint]:
            return None
        high = number(self.sentence, end + 1, self.language)
        if high is None or high[1] < low[1]:
            return None
        return self._with_unit(Quantity(high[0], "range", "count", low[1], high[1]))

    def _every(self, place: int) -> Quantity | None:
        """Every tenth child, every second day, every 3 hours."""
        if self.word(place) not in self.roles["every"]:
            return None
        nth = self.language.ordinals.get(self.word(place + 1))
        if nth is not None:
            return Quantity(place + 2, "every", "share", 100 / nth, 100 / nth)
        step = number(self.sentence, place + 1, self.language)
        if step is None or step[1] < 1:
            return None
        return Quantity(step[0], "every", "share", 100 / step[1], 100 / step[1])

    def _amount(self, place: int, counted: bool = False) -> Quantity | None:
        """A number with what belongs to it; `counted` if a comparison before it says that it counts something."""
        word = self.word(place)
        if word in self.language.often:
            return self._often(place, counted)
        if not (word[:1].isdecimal() or word in self.phrases.numbers or word in self.roles["a"]):
            return None
        share = self._part(place)
        if share is not None:
            return share
        found = number(self.sentence, place, self.language)
        if found is None or (not counted and self._names(place, found[0])):
            return None
        bare = found[0] == place + 1 and word[0].isdecimal()
        read = Quantity(found[0], "number", "count", found[1], found[1], bare=bare)
        return self._with_unit(read._replace(unit="negative") if self._signed(place) else self._range(read))

    def _signed(self, place: int) -> bool:
        """Whether the figure at a word is below zero: "minus 5", "-5", but not "3-5"."""
        sign = self.word(place - 1)
        if sign not in self.roles["below_zero"] or figure(self.word(place)) is None:
            return False
        apart = not self.sentence.touches(place - 1) and figure(self.word(place - 2)) is None
        return apart and (sign.isalpha() or self.sentence.touches(place))

    def _names(self, place: int, end: int) -> bool:
        """Whether it looks like a number and is none: "the one who", "in 2017"."""
        if end > place + 1:
            return False
        if self.language.ones.get(self.word(place)) == 1:
            unlike = self.word(place - 1) in self.roles["not_one"]
            return unlike or self.word(end) in self.roles["one_alone"] or end >= len(self.words)
        return is_label(self.sentence, place, self.language)

    def _often(self, place: int, counted: bool) -> Quantity | None:
        value = float(self.language.often[self.word(place)])
        following = self.word(place + 1)
        if value > 1 and following in self.roles["more"] | self.roles["less"]:
            return self._ratio(Quantity(place + 1, "times", "times", value, value))
        plain = following == "" or following in self.roles["often_next"]
        if value > 1 or counted or plain or self.word(place - 1) in self.roles["often_last"]:
            return self._behind(Quantity(place + 1, "times", "times", value, value))
        return None

    def _part(self, place: int) -> Quantity | None:
        """Half, a third of, two thirds, three-quarters, 3/4."""
        parts = self.language.parts
        half = parts.get(self.word(place)) == 2
        if half and (self.word(place + 1) in self.roles["clock"] or number(self.sentence, place, self.language)):
            return None
        sign = 50.0 if half else self.language.signs.get(self.word(place))
        if sign is not None:
            return Quantity(place + 1, "share", "share", sign, sign)
        over = 1.0 if self.word(place) in self.roles["a"] else self._small(place)
        at = place + 1 + (self.word(place + 1) == "-")
        under = parts.get(self.word(at))
        if over is None or under is None:
            under = self._slashed(place)
            return None if over is None or not under else _share(place + 3, over, under)
        if self.word(place) in self.roles["a"] and self.word(at + 1) not in self.roles["of"]:
            return None
        return _share(at + 1, over, under)

    def _small(self, place: int) -> float | None:
        value = self.language.ones.get(self.word(place))
        return value if value is not None else figure(self.word(place))

    def _slashed(self, place: int) -> int | None:
        under = figure(self.word(place + 2)) if self.word(place + 1) == "/" else None
        # A date such as 9/11 is written alike; people write few other fractions with a stroke.
        return int(under) if under in _STROKES and self.sentence.touches(place + 1) else None

    def _range(self, first: Quantity) -> Quantity:
        joint = self.word(first.end)
        if joint not in self.roles["to"] | self.roles["or"]:
            return first
        if not joint.isalpha() and not (self.sentence.touches(first.end) or first.bare):
            return first
        last = number(self.sentence, first.end + 1, self.language)
        if last is None or last[1] <= first.low:
            return first
        return Quantity(last[0], "range", "count", first.low, last[1])

    def _with_unit(self, amount: Quantity) -> Quantity:
        amount = self._behind(amount)
        percent = self._percent(amount.end)
        if percent:
            unit: Unit = "negative" if amount.unit == "negative" else "share"
            return self._behind(amount._replace(end=percent, unit=unit, kind=_kind(amount, "share"), bare=False))
        if self.word(amount.end) in self.roles["times"]:
            times = amount._replace(end=amount.end + 1, unit="times", kind=_kind(amount, "times"), bare=False)
            return self._behind(self._ratio(times))
        fold = amount.end + (self.word(amount.end) == "-")
        if self.word(fold) in self.roles["fold"]:
            return amount._replace(end=fold + 1, unit="ratio", kind="ratio", bare=False)
        return self._out_of(amount) if amount.low == amount.high else amount

    def _percent(self, place: int) -> int:
        """Where "%" or "per cent" ends; 0 if there is none."""
        if self.word(place) in self.roles["percent"]:
            return place + 1
        spelt = self.word(place) in self.roles["per"] and self.word(place + 1) in self.roles["cent"]
        return place + 2 if spelt else 0

    def _ratio(self, times: Quantity) -> Quantity:
        """30 times less than: a thirtieth; twice as many as: double."""
        following = self.word(times.end)
        if following in self.roles["less"] and times.low > 0:
            return times._replace(end=times.end + 1, unit="ratio", kind="ratio", low=1 / times.high, high=1 / times.low)
        if following not in self.roles["more"]:
            return times
        likened = following == self.word(times.end + 2)
        return times._replace(end=times.end + 3 if likened else times.end, unit="ratio", kind="ratio")

    def _out_of(self, amount: Quantity) -> Quantity:
        """1 in 25,000, nine out of ten, 3 of the 85; "3 from the 85" is what a translator makes of it."""
        at = amount.end + (self.word(amount.end) in self.roles["out_of"])
        from_the = self.word(at) in self.roles["from"] and self.word(at + 1) in self.roles["the"]
        if self.word(at) not in self.roles["of"] and not from_the:
            return amount
        at += 1 + (self.word(at + 1) in self.roles["the"])
        whole = number(self.sentence, at, self.language)
        if whole is None or whole[1] <= amount.low or is_label(self.sentence, at, self.language):
            return amount
        return _share(whole[0], amount.low, whole[1])

    def _behind(self, amount: Quantity) -> Quantity:
        found = self.phrases.behind.at(self.words, amount.end)
        if found is None or number(self.sentence, found[0], self.language) is not None:
            return amount
        return bounded(amount, found[1])._replace(end=found[0])


def bounded(amount: Quantity, bound: Bound) -> Quantity:
    """What a comparison makes of an amount."""
    low, high = amount.low, amount.high
    if bound in {"about", "nearly"}:
        top = high if bound == "nearly" else high * (1 + _ABOUT)
        return amount._replace(low=_whole(low * (1 - _ABOUT)), high=_whole(top), approximate=True, bare=False)
    # At most 30% is a share of a whole, so the other end is known.
    most = 100.0 if amount.unit == "share" else inf
    ranges = {
        "at_least": (low, most),
        "at_most": (0.0, high),
        "more_than": (_above(low if isinf(high) else high), most),
        "less_than": (0.0, _below(low)),
        "exactly": (low, high),
    }
    low, high = ranges[bound]
    kind = amount.kind if bound == "exactly" else bound
    return amount._replace(kind=kind, low=low, high=max(low, high), bare=False)


def _kind(amount: Quantity, kind: str) -> str:
    return kind if amount.kind == "number" else amount.kind


def _share(end: int, over: float, under: float) -> Quantity:
    return Quantity(end, "share", "share", 100 * over / under, 100 * over / under)


def _above(value: float) -> float:
    return value + 1 if value.is_integer() else nextafter(value, inf)


def _below(value: float) -> float:
    return max(0.0, value - 1 if value.is_integer() else nextafter(value, -inf))


def _whole(value: float) -> float:
    return float(round(value)) if 10 <= value < inf else value
