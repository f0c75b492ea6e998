"""Quantities in a sentence: numbers with their comparisons, ranges, shares, repetitions and ratios."""

from concord.language.numbers.digits import figure
from concord.language.numbers.english import OFTEN, ONES, PARTS, scale_behind
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
"""The number of words after a number in which a span of time is looked for."""
_NAMED = 4
"""The most words that name what a part is taken of, up to the comma."""


class QuantityReader(Surroundings):
    """Reads the quantity that begins at a word of a sentence, if one does."""

    def read(self, index: int) -> Quantity | None:
        quantity = self._compared(index)
        if quantity is None and self.word(index) not in phrase_index.COMPARING:
            quantity = self._between(index) or self._every(index) or self._from_tables(index)
        return quantity and self._within(quantity)

    def bounds(self, index: int) -> bool:
        """Whether a comparison of several words and its number begin at a word: "not more than 20"."""
        comparison = phrase_index.BEFORE.match(self.words, index)
        return comparison is not None and comparison[0] > index + 1 and self._compared(index) is not None

    def _from_tables(self, index: int) -> Quantity | None:
        vague = phrase_index.VAGUE.match(self.words, index)
        fixed = phrase_index.FIXED.match(self.words, index)
        if vague and (fixed is None or vague[0] >= fixed[0]):
            if self._is_degree(index, vague[0]):
                return None
            low, high = vague[1].read(self.how)
            end, scale = self._hundreds(vague[0]) if vague[1].unit == "count" else (vague[0], 1)
            return Quantity(end, "vague", vague[1].unit, float(low * scale), float(high * scale), approximate=True)
        amount = self._amount(index)
        if fixed is not None and self._is_answer(index):
            return None
        if amount is None and fixed is not None and phrase_index.BEFORE.match(self.words, index) is None:
            kind, unit, low, high = fixed[1]
            return Quantity(fixed[0], kind, unit, float(low), float(high))
        return amount

    def _hundreds(self, index: int) -> tuple[int, int]:
        """Where the scale after a vague word ends, and what it is: "a few hundred thousand", "many thousands of"."""
        end, scale = scale_behind(self.words, index)
        return end + (end > index and self.word(end) == "of"), scale

    def _is_degree(self, index: int, end: int) -> bool:
        """Whether a word is a degree and not a quantity: "as many", "most closely", "5 days at most"."""
        if self.word(index) in phrase_index.BEFORE.firsts:
            return False
        last = self.word(index - 1)
        if self.word(index) == "most" and end == index + 1:
            return last in ROLES["not_most"] or self.word(end).endswith("ly")
        return last in ROLES["not_vague"]

    def _compared(self, index: int) -> Quantity | None:
        comparison = phrase_index.BEFORE.match(self.words, index)
        if comparison is None or (len(self.word(index)) > 3 and figure(self.word(index - 1)) is not None):
            return None
        if self.word(index) in _SIGNS and self.sentence.touches(index) and self.word(index - 1) not in _OPENING:
            # The end of a tag, or of an arrow.
            return None
        signed = self.is_signed(comparison[0] + 1)
        start = self._behind_money(comparison[0] + signed)
        amount = None if self._is_depth(index) else self._amount(start, counted=True) or self._article(index, start)
        if amount is None or phrase_index.BEFORE.match(self.words, start) is not None:
            return None
        soft = comparison[1] in {"about", "nearly"} or comparison[0] - index == 1
        if soft and amount.bare and is_label(self.sentence, start):
            return None
        inside = self.word(index) == "inside"
        if inside and ROLES["spans"].isdisjoint(self.words[amount.end : amount.end + _NOUN]):
            return None
        if amount.kind == "range" and (inside or self.word(index) in ROLES["moment"]):
            # "Within 2 to 3 days" tells both ends.
            return amount
        return bounded(amount, comparison[1], signed=signed)

    def _article(self, index: int, start: int) -> Quantity | None:
        """One, for the article of "at least a window"; None for that of "more than a friend"."""
        if self.word(index) != "at" or self.word(start) not in ROLES["a"]:
            return None
        return Quantity(start + 1, "number", "count", 1.0, 1.0)

    def _within(self, first: Quantity) -> Quantity:
        """A bound with the one after it: "more than 2 but fewer than 5", "at least 3, and at most 7,"."""
        if first.kind not in BOUNDS:
            return first
        comma = self.word(first.end) == ","
        joint = first.end + comma
        if self.word(joint) not in {"and", "but"}:
            return first
        second = self._compared(joint + 1 + (self.word(joint + 1) in ROLES["auxiliary"]))
        joined = None if second is None else within(first, second, self._scale(first.end, second.end))
        if joined is None:
            return first
        return joined._replace(end=joined.end + (comma and self.word(joined.end) == ","))

    def _between(self, index: int) -> Quantity | None:
        """A range: "between 3 and 5", "from 3 to 5", "from 3 up to 5", "between a quarter and a third"."""
        word = self.word(index)
        joint = "and" if word in ROLES["between"] else "to" if word == "from" else ""
        if not joint:
            return None
        if self.is_signed(index + 2):
            return self._below_zero(index + 2, joint)
        begin = self._behind_money(self._behind_ages(index + 1))
        part = self._part(begin, after_part=True)
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
        return self._with_unit(Quantity(high[0], "range", "count", *self._up_to(low, high)), index)

    def _below_zero(self, index: int, joint: str) -> Quantity | None:
        """ "Minus 10 to minus 5", given the number after the first sign; None if no second sign follows."""
        first = number(self.sentence, index)
        if first is None or self.word(first[0]) not in ROLES[joint] or not self.is_signed(first[0] + 2):
            return None
        last = number(self.sentence, first[0] + 2)
        return last and Quantity(last[0], "range", "negative", min(first[1], last[1]), max(first[1], last[1]))

    def _of_parts(self, first: Quantity, joint: str) -> Quantity | None:
        """The range "a quarter to a third"; None if no larger share follows."""
        last = self._part(first.end + 1, after_part=True) if self.word(first.end) in ROLES[joint] else None
        if last is None or last.low <= first.low:
            return None
        return Quantity(last.end, "range", "share", first.low, last.high)

    def _every(self, index: int) -> Quantity | None:
        """The share in "every tenth child"; the step in "every 3 hours" and "every third hour"."""
        if self.word(index) not in ROLES["every"]:
            return None
        nth, end = self._ordinal(index + 1)
        if nth and self.word(end) in ROLES["spans"]:
            return Quantity(end, "every", "step", float(nth), float(nth))
        if nth:
            return Quantity(end, "every", "share", 100 / nth, 100 / nth)
        step = number(self.sentence, index + 1)
        if step is None or step[1] < 1:
            return None
        if step[1] == 1 or self.word(index - 1) in ROLES["of"]:
            # "Every one of us" are all, and "in every five" is a fifth.
            return Quantity(step[0], "every", "share", 100 / step[1], 100 / step[1])
        return self._range(Quantity(step[0], "every", "count", step[1], step[1]))._replace(kind="every", unit="step")

    def _amount(self, index: int, counted: bool = False) -> Quantity | None:
        """A number with what belongs to it; `counted` if a comparison before it says that it counts something."""
        word = self.word(index)
        if word in OFTEN:
            return self._often(index, counted)
        if word in CHANGES or word in BASES:
            return self._changed(index)
        if not (word[:1].isdecimal() or word in phrase_index.NUMBERS or word in ROLES["a"]):
            return None
        share = self._part(index)
        if share is not None:
            return self._of_parts(share, "to") or share
        numeral = number(self.sentence, index)
        if numeral is None or (not counted and self._names(index, numeral[0])):
            return None
        bare = numeral[0] == index + 1 and word[0].isdecimal()
        read = Quantity(numeral[0], "number", "count", numeral[1], numeral[1], bare=bare)
        signed = self.is_signed(index)
        read = (self._below_zero(index, "to") or read) if signed else self._range(read)
        below = signed or self._is_depth(self._behind_degrees(read.end))
        return self._with_unit(read._replace(unit="negative") if below else read, index)

    def _names(self, index: int, end: int) -> bool:
        """Whether a number counts nothing: "the one who", "in 2017"."""
        if self._is_whole(index, end):
            return True
        if end > index + 1:
            return False
        if self._is_depth(index - 1):
            return True
        if ONES.get(self.word(index)) == 1:
            if self.word(index - 1) in ROLES["not_one"]:
                return True
            alone = self.word(end) in ROLES["one_alone"] or end >= len(self.words)
            return alone and not self._goes_on(end)
        return is_label(self.sentence, index)

    def _goes_on(self, index: int) -> bool:
        """Whether a quantity goes on after its number: "one or more", "one to two"."""
        if self.word(index) in ROLES["to"] | ROLES["or"] and self.counts(index + 1):
            return True
        return phrase_index.BEHIND.match(self.words, index) is not None

    def _often(self, index: int, counted: bool) -> Quantity | None:
        value = float(OFTEN[self.word(index)])
        following = self.word(index + 1)
        if value > 1 and following in ROLES["more"] | ROLES["less"]:
            return self._ratio(Quantity(index + 1, "times", "times", value, value))
        again = OFTEN.get(self.word(index + 2), 0) if following in ROLES["or"] else 0
        if again > value:
            return Quantity(index + 3, "range", "times", value, float(again))
        plain = following == "" or following in ROLES["often_next"]
        if value > 1 or counted or plain or self.word(index - 1) in ROLES["often_last"]:
            return self._behind(Quantity(index + 1, "times", "times", value, value))
        return None

    def _changed(self, index: int) -> Quantity | None:
        """The ratio of "threefold" or "doubled"; "double" as a verb or before an object, not in "a double room"."""
        word = self.word(index)
        if word in BASES and not word.endswith("s"):
            as_verb = self.word(index - 1) in ROLES["changed"]
            if not (as_verb or self.word(index + 1) in ROLES["changes_to"]):
                return None
        unit, value = CHANGES.get(word) or BASES[word]
        return Quantity(index + 1, unit, unit, value, value)

    def _part(self, index: int, *, after_part: bool = False) -> Quantity | None:
        """The share of "half", "a third of", "by a third", "three-quarters" or "3/4"; "half as much" is half of it.

        With `after_part`, a part before it shows that "a third" is one.
        """
        half = PARTS.get(self.word(index)) == 2
        if half and (self.word(index + 1) in ROLES["clock"] or number(self.sentence, index)):
            return None
        sign = 50.0 if half else SIGNS.get(self.word(index))
        if sign is not None:
            return Quantity(self._likened(index + 1), "share", "share", sign, sign)
        over = 1.0 if self.word(index) in ROLES["a"] else self._small(index)
        end = index + 2 + (self.word(index + 1) == "-")
        under = PARTS.get(self.word(end - 1))
        if over is None or under is None:
            under = self._slashed(index)
            return None if over is None or not under else share(index + 3, over, under)
        likened = self._likened(end)
        sure = after_part or likened > end or self._stands_alone(index, end)
        return share(likened, over, under) if sure or self.word(index) not in ROLES["a"] else None

    def _stands_alone(self, index: int, end: int) -> bool:
        """Whether "a third" is a share: "a third of them", "by a third"; but not in "by a third party"."""
        following, last = self.word(end), self.word(index - 1)
        if following in ROLES["of"] or last in ROLES["than"]:
            return True
        if following in ROLES["to"] and self._part(end + 1, after_part=True) is not None:
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

    def _with_unit(self, amount: Quantity, index: int) -> Quantity:
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
        return self._out_of(amount, index) if amount.low == amount.high and amount.unit == "count" else amount

    def _ratio(self, times: Quantity) -> Quantity:
        """The ratio of "30 times less than" (a thirtieth) or "twice as many as"."""
        following = self.word(times.end)
        if following in ROLES["less"] and times.low > 0:
            return times._replace(end=times.end + 1, unit="ratio", kind="ratio", low=1 / times.high, high=1 / times.low)
        if following not in ROLES["more"]:
            return times
        likened = following == self.word(times.end + 2)
        return times._replace(end=times.end + 3 if likened else times.end, unit="ratio", kind="ratio")

    def _out_of(self, amount: Quantity, index: int) -> Quantity:
        """The share of "1 in 25,000", "nine out of ten", "3 of the 85" or, as translators write, "3 from the 85"."""
        start = amount.end + (self.word(amount.end) == "out")
        from_the = self.word(start) == "from" and self.word(start + 1) == "the"
        if self.word(start) not in ROLES["of"] and not from_the:
            return self._of_whole(amount, index)
        start += 1 + (self.word(start + 1) in ROLES["every"] | {"the"})
        whole = number(self.sentence, start)
        if whole is None or whole[1] <= amount.low or is_label(self.sentence, start):
            return amount
        return share(whole[0], amount.low, whole[1])

    def _is_whole(self, index: int, end: int) -> bool:
        """Whether it is the 100 of "of the 100 students, 25", which belongs to the 25."""
        of_index = index - 1 - (self.word(index - 1) == "the")
        if self.word(of_index) != "of":
            return False
        before = self.word(of_index - 1 - (self.word(of_index - 1) == "out"))
        if before.isalnum() or before in ROLES["percent"]:
            return False
        comma = next((position for position in range(end, end + _NAMED) if self.word(position) == ","), None)
        part = None if comma is None else number(self.sentence, comma + 1)
        whole = number(self.sentence, index)
        return part is not None and whole is not None and part[1] < whole[1]

    def _of_whole(self, amount: Quantity, index: int) -> Quantity:
        """25 as a share of the 100 before it."""
        if self.word(index - 1) != ",":
            return amount
        for back in range(index - 2, max(index - 3 - _NAMED, 0), -1):
            whole = number(self.sentence, back) if self.counts(back) else None
            if whole is not None:
                return share(amount.end, amount.low, whole[1]) if self._is_whole(back, whole[0]) else amount
        return amount

    def _behind(self, amount: Quantity) -> Quantity:
        """The amount with the comparison after it: "5 or more", "minus 5 degrees or less"."""
        index = self._behind_degrees(amount.end)
        comparison = phrase_index.BEHIND.match(self.words, index + 2 * self._is_depth(index))
        if comparison is None or self.word(comparison[0]) in ROLES["than"]:
            return amount
        # The "and up" of "over 10 and up to 20" belongs to the 20.
        again = comparison[0] + (self.word(comparison[0]) in ROLES["to"])
        if number(self.sentence, again) is not None:
            return amount
        return bounded(amount, comparison[1], signed=amount.unit == "negative")._replace(end=comparison[0])
