"""Matches the literals of a text with those of its translation: which are missing, added or changed.

Notations may differ as languages do: 1,000 and 1.000, 3/4/2026 and 2026-04-03, 5 p.m. and 17:00, 12 and "doce". A
change is marked as not sure if the number may be spelt in words that Concord does not know.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal
from itertools import accumulate, chain
from typing import Literal as OneOf
from typing import NamedTuple

from concord.language.literals.find import Literal, literals
from concord.language.numbers.context import can_be_equal, is_essential, may_tell_negative
from concord.language.numbers.spelled import and_said, half_said, months, reads_every_number, spelt
from concord.model import Text

How = OneOf["missing", "added", "changed"]
FEW = 200
"""The most unmatched literals whose parts are compared; more are a table, or an attack."""
LOOKED_AT = 5
"""The most candidates of one key that are compared: they differ at most in a scale."""
_SMALL, _ORDERED = 20, 31
_ROUND = frozenset({*range(20, 100, 10), 100, 1_000, 10**6})
_IN_EVERY_WORD = frozenset({Decimal("0.5"), Decimal(1)})
"""One half and one, which articles and many other words can express."""
_HALVED = frozenset({Decimal(1), Decimal(2)})
_IN_TURN = re.compile(r"%[-+0#]?[0-9]*(?:\.[0-9]+)?(?:ll|l|h|z)?[a-zA-Z@]")
_DIGITS = re.compile(r"\d+")
_TAG_NAME = re.compile(r"[\w:-]+")
_MEASURED = frozenset({"number", "date", "time"})
_YEARS = 1_000
_MARKS = ('"“”„«»‹›「」『』', "'‘’‚‹›`", "-‐‑–—―,:(", "…")
"""Groups of signs that replace each other in translation."""


class LiteralChange(NamedTuple):
    """A literal that is missing, added or changed: in the source, and in the translation if it is there.

    `sure` is false if the number may be there in words, or if another like it is there.
    """

    how: How
    source: Literal | None
    output: Literal | None
    sure: bool = True

    def __str__(self) -> str:
        sides = [side for side in (self.source, self.output) if side]
        details = _distinction(*sides) if len(sides) > 1 and sides[0].text == sides[1].text else ["", ""]
        return f"{sides[0].kind} {' → '.join(side.text + detail for side, detail in zip(sides, details, strict=False))}"


def _distinction(a: Literal, b: Literal) -> list[str]:
    """The difference of two literals with the same text: their units, their months, or their values."""
    pair = (a, b)
    if a.unit != b.unit:
        return [f" {literal.unit}" if literal.unit else "" for literal in pair]
    if a.month != b.month:
        return [f" (month {literal.month})" for literal in pair]
    return [f" ({min(_values(literal)):f})" if _values(literal) else "" for literal in pair]


def survival(source: Text, output: Text) -> list[LiteralChange]:
    """The literals that are missing, added or changed, in the order of the source.

    >>> [str(each) for each in survival(Text("It took 30 to 40 days.", "en"), Text("Llevó de 30 a 50 días.", "es"))]
    ['number 40 → 50']
    """
    ours, theirs = literals(source), literals(output)
    if not ours and not theirs:
        return []
    pairing = _Pairing(ours, theirs)
    # Of several with the same text, those with one unit or one month belong together.
    pairing.join(lambda literal: [(literal.text, literal.unit, literal.month)])
    pairing.join(lambda literal: [literal.text])
    pairing.join(lambda literal: literal.readings)
    changes = [LiteralChange("changed", *pair, sure) for pair in pairing.pairs if (sure := _differ(*pair)) is not None]
    # An untranslated text has all its literals, however either language groups the digits.
    if (pairing.ours or pairing.theirs) and source.words != output.words:
        pairing.join_freely(source, output)
        changes += _unmatched(pairing, _Doubt(ours, output), _Doubt(ours, source))
    return sorted([*changes, *_out_of_turn(ours, theirs), *_unopened(ours, theirs)], key=_order)


class _Pairing:
    """The unmatched literals of both sides, and the pairs of matched ones."""

    def __init__(self, ours: list[Literal], theirs: list[Literal]) -> None:
        self.ours, self.theirs = ours, theirs
        self.pairs: list[tuple[Literal, Literal]] = []

    def join(self, keys: Callable[[Literal], Iterable[Hashable]]) -> None:
        """Pair literals that have a key in common, from left to right."""
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for index, literal in reversed(list(enumerate(self.theirs))):
            for key in keys(literal):
                waiting[key].append(index)
        taken: set[int] = set()
        unmatched = []
        for own in self.ours:
            candidates = (index for key in keys(own) for index in _first_waiting(waiting.get(key, []), taken))
            partner = next((candidate for candidate in candidates if _can_be_same(own, self.theirs[candidate])), None)
            if partner is None:
                unmatched.append(own)
            else:
                taken.add(partner)
                self.pairs.append((own, self.theirs[partner]))
        self.ours, self.theirs = unmatched, [literal for index, literal in enumerate(self.theirs) if index not in taken]

    def join_freely(self, source: Text, output: Text) -> None:
        """Match literals in another form: a date in parts, a number in words, an entity as its character."""
        if len(self.ours) + len(self.theirs) <= FEW:
            self.ours, self.theirs = _in_parts(self.ours, self.theirs, months(output))
            self.theirs, self.ours = _in_parts(self.theirs, self.ours, months(source))
        self.ours = _unsaid(self.ours, output)
        self.theirs = _unsaid(self.theirs, source)


def _first_waiting(waiting: list[int], taken: set[int]) -> list[int]:
    """The first few waiting indices that are not taken; the list is in reverse order."""
    while waiting and waiting[-1] in taken:
        waiting.pop()
    return [index for index in waiting[: -LOOKED_AT - 1 : -1] if index not in taken]


def _can_be_same(a: Literal, b: Literal) -> bool:
    """Whether two literals with a common key can be the same: "billion" is ambiguous, and 5 a.m. is not 5 p.m."""
    ambiguous = (a.scaled and b.scaled) or a.kind == b.kind == "time"
    return not ambiguous or a.means(b)


class _Doubt:
    """Tells whether an unmatched literal may be in a text after all, for example as a number in words."""

    def __init__(self, source: list[Literal], text: Text) -> None:
        self._words_known = reads_every_number(text.lang)
        self._and_known = and_said(text) is not None
        self._times = Counter(literal.text for literal in source)

    def missing(self, literal: Literal) -> bool:
        return self._times[literal.text] > 1 or self._may_be_spelt(literal)

    def added(self, literal: Literal) -> bool:
        spelt = self._may_be_spelt(literal) or (literal.kind == "number" and not self._words_known)
        return spelt or self._times[literal.text] > 0

    def _may_be_spelt(self, literal: Literal) -> bool:
        if literal.kind != "number":
            return literal.kind == "entity" and ("entity", "&") in literal.readings and not self._and_known
        if literal.fraction:
            return True
        values = [abs(value) for value in _values(literal)]
        if any(value in _IN_EVERY_WORD for value in values):
            return True
        if literal.ordinal and any(value <= _ORDERED or value % 10 == 0 for value in values):
            return True
        return not self._words_known and any(value <= _SMALL or value in _ROUND for value in values)


def _differ(a: Literal, b: Literal) -> bool | None:
    """True if two matched literals surely differ, False if they may differ, None if they do not.

    Equal digits do not differ: many translations keep the separators of their source.
    """
    units_differ = a.unit and b.unit and not can_be_equal(a.unit, b.unit)
    months_differ = a.month and b.month and a.month != b.month
    if units_differ or months_differ or _blank_added(a.text, b.text):
        return True
    lost = is_essential(a.unit) and a.unit != b.unit and (not b.unit or is_essential(b.unit))
    digits = (a.exact or b.exact) and _DIGITS.findall(a.text) != _DIGITS.findall(b.text)
    return False if lost or digits else None


def _blank_added(source: str, output: str) -> bool:
    """Whether {0} became { 0 }, which most programs do not fill in, unlike {{ x }} and ${ x }."""
    simple = all(text.startswith("{") and not text.startswith("{{") and text.endswith("}") for text in (source, output))
    return simple and any(map(str.isspace, output)) and not any(map(str.isspace, source))


def _in_parts(
    wholes: list[Literal], singles: list[Literal], month_numbers: frozenset[int] | None
) -> tuple[list[Literal], list[Literal]]:
    """The rest of both sides after dates, times and grouped digits are matched with single numbers of the other side.

    The month of a date may be one of the months that the other side names.
    """
    unmatched = []
    for whole in wholes:
        used = _parts(whole, singles, month_numbers)
        if used is None:
            unmatched.append(whole)
        else:
            singles = [single for single in singles if single not in used]
    return unmatched, singles


def _parts(whole: Literal, singles: list[Literal], month_numbers: frozenset[int] | None) -> list[Literal] | None:
    """The separate numbers that together mean the same as a date, a time or the like; None if one is missing."""
    numbers = [single for single in singles if single.kind == "number"]
    if whole.kind == "date":
        combinations = (_date_parts(reading, numbers, month_numbers) for reading in sorted(whole.readings, key=str))
        return next((combination for combination in combinations if combination is not None), None)
    parts: list[set[Decimal]] = [{part} for part in whole.parts()] if whole.kind in _MEASURED else []
    if len(parts) < 2:
        return None
    if whole.kind == "time":
        parts[0] |= {Decimal(hour) for kind, hour, *_ in whole.readings if kind == "time"}
        parts = parts[:1] if parts[1:] == [{Decimal(0)}] else parts
    return _each_of(parts, numbers)


def _each_of(parts: Iterable[set[Decimal]], numbers: list[Literal]) -> list[Literal] | None:
    """A different number for each part; None if a part has none."""
    matches: list[Literal] = []
    for part in parts:
        meant = {("number", value.normalize()) for value in part}
        single = next((number for number in numbers if meant & number.readings and number not in matches), None)
        if single is None:
            return None
        matches.append(single)
    return matches


def _date_parts(
    reading: tuple[object, ...], numbers: list[Literal], month_numbers: frozenset[int] | None
) -> list[Literal] | None:
    """The numbers that give the year, the day and, unless a word names it, the month of a date, if all occur."""
    _, year, month, day = (Decimal(part) if isinstance(part, int) else Decimal(0) for part in reading)
    years = {value for number in numbers for value in _values(number) if value >= _YEARS and value % 100 == year}
    parts = [years or {year}, {day}]
    fitting = [number for number in numbers if number.month in (0, month)]
    if month_numbers is None or month not in month_numbers:
        matches = _each_of([*parts, {month}], fitting)
        if matches or month_numbers is not None:
            return matches
    # The first of a month is often an ordinal in words.
    return _each_of(parts, fitting) or (_each_of(parts[:1], fitting) if day == 1 else None)


def _values(literal: Literal) -> list[Decimal]:
    return [value for _, value, *_ in literal.readings if isinstance(value, Decimal)]


def _unsaid(unmatched: list[Literal], text: Text) -> list[Literal]:
    """The literals that a text does not express in words either."""
    if not unmatched:
        return unmatched
    words, month_numbers = dict(spelt(text)), months(text) or frozenset()
    return [literal for literal in unmatched if not _is_spelt(literal, text, words, month_numbers)]


def _is_spelt(literal: Literal, text: Text, words: dict[int, int], month_numbers: frozenset[int]) -> bool:
    if literal.kind == "entity":
        return any(_written(str(meaning), text) for _, meaning in literal.readings)
    values = _values(literal)
    # A number can stand for a month that is named, as 3月 for March, if it is not the day of a month. A word that only
    # looks like a month ("may") does no harm: it allows a number, and requires none.
    if literal.kind == "number" and not literal.month and not month_numbers.isdisjoint(values):
        return True
    if literal.fraction and _HALVED.issuperset(values) and half_said(text):
        return True
    for number in values if literal.kind in _MEASURED else ():
        if number != int(number) and (number % 1 != Decimal("0.5") or not half_said(text)):
            continue
        spelt_number = abs(int(number))
        if (number >= 0 or may_tell_negative(text.words)) and words.get(spelt_number):
            words[spelt_number] -= 1
            return True
    return False


def _written(sign: str, text: Text) -> bool:
    """Whether the text has the character of an entity, or a sign that replaces it."""
    if sign.isspace() or sign in text.words or (sign == "&" and ("+" in text.words or and_said(text))):
        return True
    if sign == "…":
        return "..." in text.words
    return any(sign in marks and not set(marks).isdisjoint(text.words) for marks in _MARKS)


def _unmatched(pairing: _Pairing, in_output: _Doubt, in_source: _Doubt) -> list[LiteralChange]:
    """The changes for unmatched literals; two of one kind, one on each side, count as changed."""
    changes = []
    theirs: dict[str, list[Literal]] = defaultdict(list)
    for literal in reversed(pairing.theirs):
        theirs[_family(literal)].append(literal)
    for own in pairing.ours:
        partner = theirs[_family(own)][-1:]
        if partner and (not in_output.missing(own) or (own.fraction and partner[0].fraction)):
            changes.append(LiteralChange("changed", own, theirs[_family(own)].pop()))
        else:
            changes.append(LiteralChange("missing", own, None, not in_output.missing(own)))
    rest = chain.from_iterable(theirs.values())
    return changes + [LiteralChange("added", None, literal, not in_source.added(literal)) for literal in rest]


def _family(literal: Literal) -> str:
    return "number" if literal.kind in _MEASURED else literal.kind


def _out_of_turn(ours: list[Literal], theirs: list[Literal]) -> list[LiteralChange]:
    """Positional placeholders that are all there but in another order."""
    mine, yours = (
        [literal for literal in side if literal.kind == "placeholder" and _IN_TURN.fullmatch(literal.text)]
        for side in (ours, theirs)
    )
    written = [[literal.text for literal in side] for side in (mine, yours)]
    if written[0] == written[1] or sorted(written[0]) != sorted(written[1]):
        return []
    return [LiteralChange("changed", *next((a, b) for a, b in zip(mine, yours, strict=True) if a.text != b.text))]


def _unopened(ours: list[Literal], theirs: list[Literal]) -> list[LiteralChange]:
    """Pairs of tags that are all there, but closed before they are opened."""
    mine, yours = _tags(ours), _tags(theirs)
    changes = []
    for name in mine.keys() & yours.keys():
        alike = sorted(map(_closes, mine[name])) == sorted(map(_closes, yours[name]))
        early = _early(yours[name])
        if alike and early and not _early(mine[name]):
            changes.append(LiteralChange("changed", mine[name][0], early))
    return changes


def _tags(side: list[Literal]) -> dict[str, list[Literal]]:
    """The opening and closing tags by name, without self-closing ones."""
    by_name: dict[str, list[Literal]] = defaultdict(list)
    for literal in side:
        if literal.kind == "tag" and not literal.text.endswith("/>"):
            by_name[_TAG_NAME.findall(literal.text)[0].casefold()].append(literal)
    return by_name


def _closes(tag: Literal) -> bool:
    return tag.text.startswith("</")


def _early(tags: list[Literal]) -> Literal | None:
    """The first closing tag without an opening one."""
    depths = accumulate(-1 if _closes(tag) else 1 for tag in tags)
    return next((tag for tag, depth in zip(tags, depths, strict=True) if depth < 0), None)


def _order(change: LiteralChange) -> tuple[bool, int]:
    side = change.source or change.output
    return change.source is None, side.start if side else 0
