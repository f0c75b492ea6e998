"""Quantities in a sentence: numbers with their comparisons, ranges, shares, repetitions and ratios."""

from __future__ import annotations

from concord.language.numbers.digits import figure
from concord.language.numbers.english import OFTEN, ONES, PARTS, RANKS, scale_behind
from concord.relations.semmt.logic import phrase_index
from concord.relations.semmt.logic.amounts import BOUNDS, Quantity, bounded, kind_of, share, within
from concord.relations.semmt.logic.english import BASES, CHANGES, ROLES, SIGNS
from concord.relations.semmt.logic.kinds import Unit
from concord.relations.semmt.logic.number_context import Surroundings
from concord.relations.semmt.logic.numbers import is_label, number

_NEAR = 1.5
"""How far apart "ten or fifteen" may be to mean a range; "two or ten" are two choices."""
_SIGNS, _OPENING = frozenset("<>"), frozenset("([{,;:")
_NOUN = 3
"""The words behind a number among which a span of time is looked for."""
_NTH = RANKS | {"other": 2}
_NAMED = 4
"""The most words that name what a part is taken of, up to the comma."""


class QuantityReader(Surroundings):
    """Reads the quantity that begins at a word of a sentence, if one does."""

    def read(self, place: int) -> Quantity | None:
        found = self._compared(place)
        if found is None and self.word(place) not in phrase_index.COMPARING:
            found = self._between(place) or self._every(place) or self._named(place)
        return found and self._within(found)

    def bounds(self, place: int) -> bool:
        """Whether a comparison of several words and its number begin at a word: "not more than 20"."""
        found = phrase_index.BEFORE.at(self.words, place)
        return found is not None and found[0] > place + 1 and self._compared(place) is not None

    def _named(self, place: int) -> Quantity | None:
        vague = phrase_index.VAGUE.at(self.words, place)
        fixed = phrase_index.FIXED.at(self.words, place)
        if vague and (fixed is None or vague[0] >= fixed[0]):
            if self._is_degree(place, vague[0]):
                return None
            low, high = vague[1].read(self.how)
            end, scale = self._hundreds(vague[0]) if vague[1].unit == "count" else (vague[0], 1)
            return Quantity(end, "vague", vague[1].unit, float(low * scale), float(high * scale), approximate=True)
        amount = self._amount(place)
        if fixed is not None and self._is_answer(place):
            return None
        if amount is None and fixed is not None and phrase_index.BEFORE.at(self.words, place) is None:
            kind, unit, low, high = fixed[1]
            return Quantity(fixed[0], kind, unit, float(low), float(high))
        return amount

    def _hundreds(self, place: int) -> tuple[int, int]:
        """Where the scale behind a vague word ends, and what it is: "a few hundred thousand", "many thousands of"."""
        end, scale = scale_behind(self.words, place)
        return end + (end > place and self.word(end) == "of"), scale

    def _is_degree(self, place: int, end: int) -> bool:
        """Whether it says how much and not how many: "as many", "most closely", "5 days at most"."""
        if self.word(place) in phrase_index.BEFORE.firsts:
            return False
        last = self.word(place - 1)
        if self.word(place) == "most" and end == place + 1:
            return last in ROLES["not_most"] or self.word(end).endswith("ly")
        return last in ROLES["not_vague"]

    def _compared(self, place: int) -> Quantity | None:
        found = phrase_index.BEFORE.at(self.words, place)
        if found is None or (len(self.word(place)) > 3 and figure(self.word(place - 1)) is not None):
            return None
        if self.word(place) in _SIGNS and self.sentence.touches(place) and self.word(place - 1) not in _OPENING:
            # The end of a tag, or of an arrow.
            return None
        signed = self.is_signed(found[0] + 1)
        at = self._behind_money(found[0] + signed)
        amount = None if self._is_depth(place) else self._amount(at, counted=True) or self._one(place, at)
        if amount is None or phrase_index.BEFORE.at(self.words, at) is not None:
            return None
        soft = found[1] in {"about", "nearly"} or found[0] - place == 1
        if soft and amount.bare and is_label(self.sentence, at):
            return None
        inside = self.word(place) == "inside"
        if inside and ROLES["spans"].isdisjoint(self.words[amount.end : amount.end + _NOUN]):
            return None
        if amount.kind == "range" and (inside or self.word(place) in ROLES["moment"]):
            # "Within 2 to 3 days" tells both ends.
            return amount
        return bounded(amount, found[1], signed=signed)

    def _one(self, place: int, at: int) -> Quantity | None:
        """The article of "at least a window"; "more than a friend" is no number."""
        if self.word(place) != "at" or self.word(at) not in ROLES["a"]:
            return None
        return Quantity(at + 1, "number", "count", 1.0, 1.0)

    def _within(self, first: Quantity) -> Quantity:
        """A bound with the one behind it: "more than 2 but fewer than 5", "at least 3, and at most 7,"."""
        if first.kind not in BOUNDS:
            return first
        comma = self.word(first.end) == ","
        at = first.end + comma
        if self.word(at) not in {"and", "but"}:
            return first
        other = self._compared(at + 1 + (self.word(at + 1) in ROLES["auxiliary"]))
        both = None if other is None else within(first, other, self._scale(first.end, other.end))
        if both is None:
            return first
        return both._replace(end=both.end + (comma and self.word(both.end) == ","))

    def _between(self, place: int) -> Quantity | None:
        """Between 3 and 5, from 3 to 5, from 3 up to 5, between a quarter and a third."""
        word = self.word(place)
        joint = "and" if word in ROLES["between"] else "to" if word == "from" else ""
        if not joint:
            return None
        if self.is_signed(place + 2):
            return self._below_zero(place + 2, joint)
        begin = self._behind_money(self._behind_ages(place + 1))
        part = self._part(begin, told=True)
        if part is not None:
            return self._of_parts(part, joint)
        low = number(self.sentence, begin)
        if low is None or is_label(self.sentence, begin):
            return None
        end = self._percent(low[0]) or low[0]
        end += self._unit_again(end, ROLES[joint])
        end += joint == "to" and self.word(end) == "up"
        if self.word(end) not in ROLES[joint]:
            return None
        high = number(self.sentence, self._behind_money(end + 1))
        if high is None or high[1] < low[1]:
            return None
        return self._with_unit(Quantity(high[0], "range", "count", *self._up_to(low, high)), place)

    def _below_zero(self, place: int, joint: str) -> Quantity | None:
        """Minus 10 to minus 5, by the number behind the first sign; None if no second sign follows."""
        first = number(self.sentence, place)
        if first is None or self.word(first[0]) not in ROLES[joint] or not self.is_signed(first[0] + 2):
            return None
        last = number(self.sentence, first[0] + 2)
        return last and Quantity(last[0], "range", "negative", min(first[1], last[1]), max(first[1], last[1]))

    def _of_parts(self, first: Quantity, joint: str) -> Quantity | None:
        """A quarter to a third; None if no larger share follows."""
        last = self._part(first.end + 1, told=True) if self.word(first.end) in ROLES[joint] else None
        if last is None or last.low <= first.low:
            return None
        return Quantity(last.end, "range", "share", first.low, last.high)

    def _every(self, place: int) -> Quantity | None:
        """Every tenth child is a share; every 3 hours is a step, and so is every third hour."""
        if self.word(place) not in ROLES["every"]:
            return None
        nth, end = self._ordinal(place + 1)
        if nth and self.word(end) in ROLES["spans"]:
            return Quantity(end, "every", "step", float(nth), float(nth))
        if nth:
            return Quantity(end, "every", "share", 100 / nth, 100 / nth)
        step = number(self.sentence, place + 1)
        if step is None or step[1] < 1:
            return None
        if step[1] == 1 or self.word(place - 1) in ROLES["of"]:
            # "Every one of us" are all, and "in every five" is a fifth.
            return Quantity(step[0], "every", "share", 100 / step[1], 100 / step[1])
        return self._range(Quantity(step[0], "every", "count", step[1], step[1]))._replace(kind="every", unit="step")

    def _ordinal(self, place: int) -> tuple[float, int]:
        """What "tenth" or "10th" says, and where it ends; 0 if it is none."""
        nth = _NTH.get(self.word(place))
        if nth is not None:
            return nth, place + 1
        touching = self.word(place + 1) in ROLES["ordinal"] and self.sentence.touches(place + 1)
        return (figure(self.word(place)) or 0.0, place + 2) if touching else (0.0, place)

    def _amount(self, place: int, counted: bool = False) -> Quantity | None:
        """A number with what belongs to it; `counted` if a comparison before it says that it counts something."""
        word = self.word(place)
        if word in OFTEN:
            return self._often(place, counted)
        if word in CHANGES or word in BASES:
            return self._changed(place)
        if not (word[:1].isdecimal() or word in phrase_index.NUMBERS or word in ROLES["a"]):
            return None
        share = self._part(place)
        if share is not None:
            return self._of_parts(share, "to") or share
        found = number(self.sentence, place)
        if found is None or (not counted and self._names(place, found[0])):
            return None
        bare = found[0] == place + 1 and word[0].isdecimal()
        read = Quantity(found[0], "number", "count", found[1], found[1], bare=bare)
        signed = self.is_signed(place)
        read = (self._below_zero(place, "to") or read) if signed else self._range(read)
        below = signed or self._is_depth(self._behind_degrees(read.end))
        return self._with_unit(read._replace(unit="negative") if below else read, place)

    def _names(self, place: int, end: int) -> bool:
        """Whether it looks like a number and is none: "the one who", "in 2017"."""
        if self._is_whole(place, end):
            return True
        if end > place + 1:
            return False
        if self._is_depth(place - 1):
            return True
        if ONES.get(self.word(place)) == 1:
            if self.word(place - 1) in ROLES["not_one"]:
                return True
            alone = self.word(end) in ROLES["one_alone"] or end >= len(self.words)
            return alone and not self._goes_on(end)
        return is_label(self.sentence, place)

    def _goes_on(self, place: int) -> bool:
        """Whether a quantity goes on behind its number: "one or more", "one to two"."""
        if self.word(place) in ROLES["to"] | ROLES["or"] and self.counts(place + 1):
            return True
        return phrase_index.BEHIND.at(self.words, place) is not None

    def _often(self, place: int, counted: bool) -> Quantity | None:
        value = float(OFTEN[self.word(place)])
        following = self.word(place + 1)
        if value > 1 and following in ROLES["more"] | ROLES["less"]:
            return self._ratio(Quantity(place + 1, "times", "times", value, value))
        again = OFTEN.get(self.word(place + 2), 0) if following in ROLES["or"] else 0
        if again > value:
            return Quantity(place + 3, "range", "times", value, float(again))
        plain = following == "" or following in ROLES["often_next"]
        if value > 1 or counted or plain or self.word(place - 1) in ROLES["often_last"]:
            return self._behind(Quantity(place + 1, "times", "times", value, value))
        return None

    def _changed(self, place: int) -> Quantity | None:
        """Threefold, doubled; "double" only as a verb or before what is doubled, not in "a double room"."""
        word = self.word(place)
        if word in BASES and not word.endswith("s"):
            told = self.word(place - 1) in ROLES["changed"]
            if not (told or self.word(place + 1) in ROLES["changes_to"]):
                return None
        unit, value = CHANGES.get(word) or BASES[word]
        return Quantity(place + 1, unit, unit, value, value)

    def _part(self, place: int, *, told: bool = False) -> Quantity | None:
        """Half, a third of, by a third, two thirds, three-quarters, 3/4; "half as much" is half of it.

        `told` if another part before it tells that "a third" is one.
        """
        half = PARTS.get(self.word(place)) == 2
        if half and (self.word(place + 1) in ROLES["clock"] or number(self.sentence, place)):
            return None
        sign = 50.0 if half else SIGNS.get(self.word(place))
        if sign is not None:
            return Quantity(self._likened(place + 1), "share", "share", sign, sign)
        over = 1.0 if self.word(place) in ROLES["a"] else self._small(place)
        at = place + 1 + (self.word(place + 1) == "-")
        under = PARTS.get(self.word(at))
        if over is None or under is None:
            under = self._slashed(place)
            return None if over is None or not under else share(place + 3, over, under)
        likened = self._likened(at + 1)
        if self.word(place) in ROLES["a"] and not (told or likened > at + 1 or self._stands_alone(place, at + 1)):
            return None
        return share(likened, over, under)

    def _stands_alone(self, place: int, end: int) -> bool:
        """Whether "a third" is a share: "a third of them", "by a third"; but not in "by a third party"."""
        following, last = self.word(end), self.word(place - 1)
        if following in ROLES["of"] or last in ROLES["than"]:
            return True
        if following in ROLES["to"] and self._part(end + 1, told=True) is not None:
            return True
        return last in ROLES["by"] and (following == "" or following in ROLES["behind_part"])

    def _range(self, first: Quantity) -> Quantity:
        percent = self._percent(first.end)
        end = percent or first.end + self._unit_again(first.end, ROLES["to"] | ROLES["or"])
        joint = self.word(end)
        if joint not in ROLES["to"] | ROLES["or"]:
            return first
        if not joint.isalpha() and not (self.sentence.touches(end) or first.bare):
            return first
        last = number(self.sentence, self._behind_money(end + 1))
        if last is None or last[1] <= first.low or (percent and not self._percent(last[0])):
            return first
        low, high = self._up_to((first.end, first.low), last)
        if joint in ROLES["or"] and high > max(low + 1, _NEAR * low):
            return first
        return Quantity(last[0], "range", "count", low, high)

    def _with_unit(self, amount: Quantity, place: int) -> Quantity:
        amount = self._behind(amount)
        percent = self._percent(amount.end)
        if percent:
            unit: Unit = "negative" if amount.unit == "negative" else "share"
            return self._behind(amount._replace(end=percent, unit=unit, kind=kind_of(amount, "share"), bare=False))
        if self.word(amount.end) in ROLES["times"]:
            times = amount._replace(end=amount.end + 1, unit="times", kind=kind_of(amount, "times"), bare=False)
            return self._behind(self._ratio(times))
        fold = amount.end + (self.word(amount.end) == "-")
        if self.word(fold) == "fold":
            return amount._replace(end=fold + 1, unit="ratio", kind="ratio", bare=False)
        return self._out_of(amount, place) if amount.low == amount.high and amount.unit == "count" else amount

    def _ratio(self, times: Quantity) -> Quantity:
        """30 times less than: a thirtieth; twice as many as: double."""
        following = self.word(times.end)
        if following in ROLES["less"] and times.low > 0:
            return times._replace(end=times.end + 1, unit="ratio", kind="ratio", low=1 / times.high, high=1 / times.low)
        if following not in ROLES["more"]:
            return times
        likened = following == self.word(times.end + 2)
        return times._replace(end=times.end + 3 if likened else times.end, unit="ratio", kind="ratio")

    def _out_of(self, amount: Quantity, place: int) -> Quantity:
        """1 in 25,000, nine out of ten, 3 of the 85; "3 from the 85" is what a translator makes of it."""
        at = amount.end + (self.word(amount.end) == "out")
        from_the = self.word(at) == "from" and self.word(at + 1) == "the"
        if self.word(at) not in ROLES["of"] and not from_the:
            return self._of_whole(amount, place)
        at += 1 + (self.word(at + 1) in ROLES["every"] | {"the"})
        whole = number(self.sentence, at)
        if whole is None or whole[1] <= amount.low or is_label(self.sentence, at):
            return amount
        return share(whole[0], amount.low, whole[1])

    def _is_whole(self, place: int, end: int) -> bool:
        """Whether it is the 100 of "of the 100 students, 25", which is told with the 25."""
        of = place - 1 - (self.word(place - 1) == "the")
        if self.word(of) != "of":
            return False
        before = self.word(of - 1 - (self.word(of - 1) == "out"))
        if before.isalnum() or before in ROLES["percent"]:
            return False
        comma = next((at for at in range(end, end + _NAMED) if self.word(at) == ","), None)
        part = None if comma is None else number(self.sentence, comma + 1)
        whole = number(self.sentence, place)
        return part is not None and whole is not None and part[1] < whole[1]

    def _of_whole(self, amount: Quantity, place: int) -> Quantity:
        """25 as a share of the 100 that stand before it."""
        if self.word(place - 1) != ",":
            return amount
        for back in range(place - 2, max(place - 3 - _NAMED, 0), -1):
            whole = number(self.sentence, back) if self.counts(back) else None
            if whole is not None:
                return share(amount.end, amount.low, whole[1]) if self._is_whole(back, whole[0]) else amount
        return amount

    def _behind(self, amount: Quantity) -> Quantity:
        """The amount with the comparison behind it: "5 or more", "minus 5 degrees or less"."""
        place = self._behind_degrees(amount.end)
        found = phrase_index.BEHIND.at(self.words, place + 2 * self._is_depth(place))
        if found is None or self.word(found[0]) in ROLES["than"]:
            return amount
        # The "and up" of "over 10 and up to 20" belongs to the 20.
        again = found[0] + (self.word(found[0]) in ROLES["to"])
        if number(self.sentence, again) is not None:
            return amount
        return bounded(amount, found[1], signed=amount.unit == "negative")._replace(end=found[0])
