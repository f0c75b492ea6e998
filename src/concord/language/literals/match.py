"""Whether the literals of a text survive its translation: which are missing, which were added, which are changed.

Notations may differ as languages do: 1,000 and 1.000, 3/4/2026 and 2026-04-03, 5 p.m. and 17:00, 12 and "doce". Where
nobody can be sure, because a number may be spelt in words that are not known here, a finding says so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal
from typing import Literal as OneOf
from typing import NamedTuple

from concord.language.literals.find import Literal, literals
from concord.language.numbers.context import can_be_equal, is_essential, may_tell_negative
from concord.language.numbers.spelled import and_said, half_said, months, reads_every_number, spelt
from concord.model import Text

How = OneOf["missing", "added", "changed"]
FEW = 200
"""Literals without a partner up to which their parts are looked at; more are a table, or meant to take long."""
LOOKED_AT = 5
"""Partners of one key that are looked at: they differ at most in a scale."""
_SMALL, _ORDERED = 20, 31
_ROUND = frozenset({*range(20, 100, 10), 100, 1_000, 10**6})
_IN_EVERY_WORD = frozenset({Decimal("0.5"), Decimal(1)})
"""A half and one, which articles and many words say."""
_HALVED = frozenset({Decimal(1), Decimal(2)})
_IN_TURN = re.compile(r"%[-+0#]?[0-9]*(?:\.[0-9]+)?(?:ll|l|h|z)?[a-zA-Z@]")
_DIGITS = re.compile(r"\d+")
_TAG_NAME = re.compile(r"[\w:-]+")
_MEASURED = frozenset({"number", "date", "time"})
_YEARS = 1_000
_MARKS = ('"“”„«»‹›「」『』', "'‘’‚‹›`", "-‐‑–—―,:(", "…")
"""Signs that stand for each other when a text is written in another language."""


class Found(NamedTuple):
    """What became of a literal: the one in the source, and the one in the translation, where there is one.

    `sure` is false where the number may be there in words, or where one of several like it is.
    """

    how: How
    source: Literal | None
    output: Literal | None
    sure: bool = True

    def __str__(self) -> str:
        sides = [each for each in (self.source, self.output) if each]
        beside = _beside(*sides) if len(sides) > 1 and sides[0].text == sides[1].text else ["", ""]
        return f"{sides[0].kind} {' → '.join(each.text + more for each, more in zip(sides, beside, strict=False))}"


def _beside(one: Literal, other: Literal) -> list[str]:
    """What tells two apart that are written alike: their units, their months, or what they amount to."""
    both = (one, other)
    if one.unit != other.unit:
        return [f" {each.unit}" if each.unit else "" for each in both]
    if one.month != other.month:
        return [f" (month {each.month})" for each in both]
    return [f" ({min(_whole(each)):f})" if _whole(each) else "" for each in both]


def survival(source: Text, output: Text) -> list[Found]:
    """What did not survive, and what was added, in the order of the source.

    >>> [str(each) for each in survival(Text("It took 30 to 40 days.", "en"), Text("Llevó de 30 a 50 días.", "es"))]
    ['number 40 → 50']
    """
    ours, theirs = literals(source), literals(output)
    if not ours and not theirs:
        return []
    pairing = _Pairing(ours, theirs)
    # Of several that are written alike, those with one unit or one month belong together.
    pairing.join(lambda each: [(each.text, each.unit, each.month)])
    pairing.join(lambda each: [each.text])
    pairing.join(lambda each: each.readings)
    found = [Found("changed", *pair, sure) for pair in pairing.pairs if (sure := _differ(*pair)) is not None]
    # What is left as it is has all its literals, however either language groups the digits.
    if (pairing.ours or pairing.theirs) and source.words != output.words:
        pairing.join_freely(source, output)
        found += _left(pairing, _Doubt(ours, output), _Doubt(ours, source))
    return sorted([*found, *_out_of_turn(ours, theirs), *_unopened(ours, theirs)], key=_place)


class _Pairing:
    """The literals of either side that have found no partner yet, and the pairs of those that have."""

    def __init__(self, ours: list[Literal], theirs: list[Literal]) -> None:
        self.ours, self.theirs = ours, theirs
        self.pairs: list[tuple[Literal, Literal]] = []

    def join(self, keys: Callable[[Literal], Iterable[Hashable]]) -> None:
        """Join those that have a key in common, from left to right."""
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for at, each in reversed(list(enumerate(self.theirs))):
            for key in keys(each):
                waiting[key].append(at)
        gone: set[int] = set()
        alone = []
        for one in self.ours:
            ways = (at for key in keys(one) for at in _first(waiting.get(key, []), gone))
            partner = next((way for way in ways if _agree(one, self.theirs[way])), None)
            if partner is None:
                alone.append(one)
            else:
                gone.add(partner)
                self.pairs.append((one, self.theirs[partner]))
        self.ours, self.theirs = alone, [each for at, each in enumerate(self.theirs) if at not in gone]

    def join_freely(self, source: Text, output: Text) -> None:
        """Join what says the same in another way: a date in parts, a number in words, an entity as its character."""
        if len(self.ours) + len(self.theirs) <= FEW:
            self.ours, self.theirs = _in_parts(self.ours, self.theirs, months(output))
            self.theirs, self.ours = _in_parts(self.theirs, self.ours, months(source))
        self.ours = _unsaid(self.ours, output)
        self.theirs = _unsaid(self.theirs, source)


def _first(waiting: list[int], gone: set[int]) -> list[int]:
    """The first few that wait, none of them gone; those at the end came first."""
    while waiting and waiting[-1] in gone:
        waiting.pop()
    return [at for at in waiting[: -LOOKED_AT - 1 : -1] if at not in gone]


def _agree(one: Literal, other: Literal) -> bool:
    """Whether two that have a key in common are the same: a billion is not one everywhere, nor 5 a.m. 5 p.m."""
    more = (one.scaled and other.scaled) or one.kind == other.kind == "time"
    return not more or one.means(other)


class _Doubt:
    """Whether a literal that has no partner may be there all the same."""

    def __init__(self, source: list[Literal], text: Text) -> None:
        """Whether it may be there in the words of the text."""
        self._words_known = reads_every_number(text.lang)
        self._and_known = and_said(text) is not None
        self._times: dict[str, int] = defaultdict(int)
        for each in source:
            self._times[each.text] += 1

    def missing(self, each: Literal) -> bool:
        return self._times[each.text] > 1 or self._may_be_spelt(each)

    def added(self, each: Literal) -> bool:
        return (
            self._times[each.text] > 0 or (each.kind == "number" and not self._words_known) or self._may_be_spelt(each)
        )

    def _may_be_spelt(self, each: Literal) -> bool:
        if each.kind != "number":
            return each.kind == "entity" and ("entity", "&") in each.readings and not self._and_known
        if each.fraction:
            return True
        values = [abs(value) for _, value in each.readings if isinstance(value, Decimal)]
        if any(
            value in _IN_EVERY_WORD or (each.ordinal and (value <= _ORDERED or value % 10 == 0)) for value in values
        ):
            return True
        return not self._words_known and any(value <= _SMALL or value in _ROUND for value in values)


def _differ(one: Literal, other: Literal) -> bool | None:
    """Whether two that belong together surely differ, or perhaps; nothing if they do not.

    Digits that are written alike do not: many translations keep the separators of their source.
    """
    if _blank_added(one.text, other.text):
        return True
    if one.unit and other.unit and not can_be_equal(one.unit, other.unit):
        return True
    if one.month and other.month and one.month != other.month:
        return True
    lost = is_essential(one.unit) and one.unit != other.unit and (not other.unit or is_essential(other.unit))
    digits = (one.exact or other.exact) and _DIGITS.findall(one.text) != _DIGITS.findall(other.text)
    return False if lost or digits else None


def _blank_added(one: str, other: str) -> bool:
    """Whether {0} became { 0 }, which most programs do not fill in; {{ x }} and ${ x } they do."""
    simple = all(each.startswith("{") and not each.startswith("{{") and each.endswith("}") for each in (one, other))
    return simple and any(each.isspace() for each in other) and not any(each.isspace() for each in one)


def _in_parts(
    wholes: list[Literal], singles: list[Literal], named: frozenset[int] | None
) -> tuple[list[Literal], list[Literal]]:
    """What is left when dates, times and digits in groups are found again in the single numbers of the other side.

    The month of a date may be among the months that are named there.
    """
    kept = []
    for whole in wholes:
        used = _parts(whole, singles, named)
        if used is None:
            kept.append(whole)
        else:
            singles = [single for single in singles if single not in used]
    return kept, singles


def _parts(whole: Literal, singles: list[Literal], named: frozenset[int] | None) -> list[Literal] | None:
    """The single numbers that say the same as the whole, if there are."""
    numbers = [single for single in singles if single.kind == "number"]
    if whole.kind == "date":
        ways = (_date_parts(reading, numbers, named) for reading in sorted(whole.readings, key=str))
        return next((way for way in ways if way is not None), None)
    parts: list[set[Decimal]] = [{part} for part in whole.parts()] if whole.kind in _MEASURED else []
    if len(parts) < 2:
        return None
    if whole.kind == "time":
        parts[0] |= {Decimal(hour) for kind, hour, *_ in whole.readings if kind == "time"}
        parts = parts[:1] if parts[1:] == [{Decimal(0)}] else parts
    return _each_of(parts, numbers)


def _each_of(parts: Iterable[set[Decimal]], numbers: list[Literal]) -> list[Literal] | None:
    """One number for each part, none twice."""
    found: list[Literal] = []
    for part in parts:
        meant = {("number", each.normalize()) for each in part}
        single = next((number for number in numbers if meant & number.readings and number not in found), None)
        if single is None:
            return None
        found.append(single)
    return found


def _date_parts(
    reading: tuple[object, ...], numbers: list[Literal], named: frozenset[int] | None
) -> list[Literal] | None:
    """The year and the day of one reading, if its month is named there or a number too."""
    _, year, month, day = (Decimal(each) if isinstance(each, int) else Decimal(0) for each in reading)
    years = {value for number in numbers for value in _whole(number) if value >= _YEARS and value % 100 == year} or {
        year
    }
    fitting = [number for number in numbers if number.month in (0, month)]
    if named is None or month not in named:
        found = _each_of([years, {day}, {month}], fitting)
        if found or named is not None:
            return found
    # The first of a month is often an ordinal in words.
    return _each_of([years, {day}], fitting) or (_each_of([years], fitting) if day == 1 else None)


def _whole(each: Literal) -> list[Decimal]:
    return [value for _, value, *_ in each.readings if isinstance(value, Decimal)]


def _unsaid(found: list[Literal], text: Text) -> list[Literal]:
    """Those that the words of a text do not say either."""
    if not found:
        return found
    words, named = dict(spelt(text)), months(text) or frozenset()
    # What is a month only by its spelling ("may") does no harm: it allows a number, and asks for none.
    return [each for each in found if not _named(each, named) and not _said(each, text, words)]


def _named(each: Literal, months: frozenset[int]) -> bool:
    """Whether a number is that of a month by name, as 3月 is March; the day of a month is none."""
    return each.kind == "number" and not each.month and not months.isdisjoint(_whole(each))


def _said(each: Literal, text: Text, words: dict[int, int]) -> bool:
    if each.kind == "entity":
        return any(_written(str(meaning), text) for _, meaning in each.readings)
    if each.fraction and _HALVED.issuperset(_whole(each)) and half_said(text):
        return True
    for number in _whole(each) if each.kind in _MEASURED else ():
        if number != int(number) and (number % 1 != Decimal("0.5") or not half_said(text)):
            continue
        if (number >= 0 or may_tell_negative(text.words)) and _take(words, abs(int(number))):
            return True
    return False


def _written(sign: str, text: Text) -> bool:
    """Whether the character of an entity is in the text, or what stands for it there."""
    if sign.isspace() or sign in text.words or (sign == "&" and ("+" in text.words or and_said(text))):
        return True
    if sign == "…":
        return "..." in text.words
    return any(sign in marks and not set(marks).isdisjoint(text.words) for marks in _MARKS)


def _take(words: dict[int, int], number: int) -> bool:
    if not words.get(number):
        return False
    words[number] -= 1
    return True


def _left(pairing: _Pairing, here: _Doubt, there: _Doubt) -> list[Found]:
    """What has no partner; of one kind on both sides, it was changed."""
    found = []
    theirs: dict[str, list[Literal]] = defaultdict(list)
    for each in reversed(pairing.theirs):
        theirs[_family(each)].append(each)
    for one in pairing.ours:
        other = theirs[_family(one)][-1:]
        if other and (not here.missing(one) or (one.fraction and other[0].fraction)):
            found.append(Found("changed", one, theirs[_family(one)].pop()))
        else:
            found.append(Found("missing", one, None, not here.missing(one)))
    return found + [Found("added", None, each, not there.added(each)) for rest in theirs.values() for each in rest]


def _family(each: Literal) -> str:
    return "number" if each.kind in _MEASURED else each.kind


def _out_of_turn(ours: list[Literal], theirs: list[Literal]) -> list[Found]:
    """Placeholders that are filled in turn, if they are all there but in another order."""
    mine, yours = ([each for each in side if _in_turn(each)] for side in (ours, theirs))
    written = [[each.text for each in side] for side in (mine, yours)]
    if written[0] == written[1] or sorted(written[0]) != sorted(written[1]):
        return []
    return [Found("changed", *next((a, b) for a, b in zip(mine, yours, strict=True) if a.text != b.text))]


def _unopened(ours: list[Literal], theirs: list[Literal]) -> list[Found]:
    """Pairs of tags that are all there, but closed before they are opened."""
    mine, yours = _tags(ours), _tags(theirs)
    found = []
    for name in mine.keys() & yours.keys():
        alike = sorted(map(_closes, mine[name])) == sorted(map(_closes, yours[name]))
        early = _early(yours[name])
        if alike and early and not _early(mine[name]):
            found.append(Found("changed", mine[name][0], early))
    return found


def _tags(found: list[Literal]) -> dict[str, list[Literal]]:
    """The tags of every name, but for those that are a pair of their own."""
    made: dict[str, list[Literal]] = defaultdict(list)
    for each in found:
        if each.kind == "tag" and not each.text.endswith("/>"):
            made[_TAG_NAME.findall(each.text)[0].casefold()].append(each)
    return made


def _closes(tag: Literal) -> bool:
    return tag.text.startswith("</")


def _early(tags: list[Literal]) -> Literal | None:
    """The first tag that closes what is not open."""
    depth = 0
    for tag in tags:
        depth += -1 if _closes(tag) else 1
        if depth < 0:
            return tag
    return None


def _in_turn(each: Literal) -> bool:
    return each.kind == "placeholder" and _IN_TURN.fullmatch(each.text) is not None


def _place(found: Found) -> tuple[bool, int]:
    side = found.source or found.output
    return found.source is None, side.start if side else 0
