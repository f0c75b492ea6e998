"""Literals: what a translation has to keep as it is, found in a text.

Numbers, dates and times (in any notation), units behind numbers, placeholders of programs, markup, addresses. A
literal knows what it can mean, as a set of readings: two literals say the same where these meet.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal as OneOf

from concord.language.numbers.context import (
    decade,
    is_negative,
    ordinal,
    scale,
    scale_of_money,
    unit,
    unit_before,
    version,
)
from concord.language.numbers.digits import FRACTIONS, GROUPING, amounts, blank_groups, folded
from concord.language.numbers.spelled import month_beside
from concord.model import Text

Kind = OneOf["number", "date", "time", "placeholder", "tag", "entity", "url", "email", "term"]
Reading = tuple[str | int | Decimal, ...]

# Every repetition is bounded or begins where no other can, so that no text takes longer than its length.
_ENDS = r"\s<>\"“”«»「」『』、。，；）】"
_URL = rf"(?i:https?|ftp)://[^{_ENDS}]+|(?<![\w.])www\.[^{_ENDS}]+"
_EMAIL = r"(?<![\w.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
_TAG = r"</?[A-Za-z][\w:-]{0,30}(?:\s[^<>]{0,500})?/?>"
_ENTITY = r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});"
_NAMED = (
    r"%\{\w{1,60}\}|\[\[[\w.:|-]{1,60}\]\]|(?<![\w$])\$[A-Z][A-Z0-9_]{1,40}\b|\{\{[^{}]{1,100}\}\}|\$\{[^{}]{1,100}\}|\{\}|\{\s?[A-Za-z0-9_][\w.\[\]-]{0,60}\s?(?:[:!][^{}\s]{0,20})?\}"
    r"|\{\s?\w{1,60}\s?,\s?(?:plural|select|selectordinal|number|date|time)\b|%\(\w{1,60}\)[-+0\#]?\d*(?:\.\d+)?[a-zA-Z]"
)
_PRINTF = (
    r"%%|(?<![\d%])(?<!\d[ \u00a0\u202f])%(?:[A-Za-z_]\w{1,40}%(?!%)|(?:[0-9]{1,2}\$)?"
    r"[-+0\#]?[0-9]{0,3}(?:\.[0-9]{1,3})?(?:ll|l|h|z)?[sdiufxXgeco@](?![A-Za-z]))"
    r"|(?<![\d%])(?<!\d[ \u00a0\u202f])%[0-9]{1,2}(?![\d%$])"
)
_DATE = (
    r"(?<![\d.,/-])(?:[0-9]{4}(?P<a>[-/.])[0-9]{1,2}(?P=a)[0-9]{1,2}|[0-9]{1,2}(?P<b>[-/.])[0-9]{1,2}(?P=b)[0-9]{4}"
    r"|[0-9]{1,2}(?P<c>[-/.])[0-9]{1,2}(?P=c)[0-9]{2})(?![\d/-]|[.,]\d)|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日"
)
_MORNING = (
    r"(?:de la|in the|di|del|du|da|de)[ \u00a0](?:mañana|madrugada|matinada|morning|mattin[ao]|matin|manhã)"
    r"|del matí|morgens|vormittags|утра"
)
_AFTERNOON = (
    r"(?:de la|in the|di|del|du|da)[ \u00a0](?:tarde|tarda|afternoon|evening|pomeriggio|sera|soir)"
    r"|del vespre|de l['’]après-midi|nachmittags|abends|вечера"
)
_NIGHT = r"(?:de la|at|di|da)[ \u00a0](?:noche|nit|night|notte|noite)|du soir|nachts|ночи"
_HALF = (
    rf"[ \u00a0\u202f]?(?:[aApP]\.[ \u00a0]?[mM]\.|[aApP]\.?[mM]\b)"
    rf"|[ \u00a0](?:(?P<am>{_MORNING})|(?P<pm>{_AFTERNOON})|(?P<night>{_NIGHT}))\b"
)
_CLOCK = r"(?:[ \u00a0](?:Uhr|heures|h|horas|часов|часа))?"
_TIME = (
    rf"(?<![\d.,:])(?:[0-9]{{1,2}}(?:[:.h][0-9]{{2}})?{_CLOCK}(?P<half>{_HALF})|[0-9]{{1,2}}"
    r"(?:[:h]|[ \u00a0\u202f](?:h|Uhr)[ \u00a0\u202f])[0-9]{2}(?::[0-9]{2})?)(?![\d:])"
)
_SIGNS = f"[{''.join(FRACTIONS)}]"
_MIXED = rf"[0-9]{{1,3}}[ \u00a0]?{_SIGNS}|(?<![\d.,/])[0-9]{{1,3}}[ \u00a0][1-9]/[2-9](?![\d/])"
_NUMBER = rf"[0-9]{{1,3}}(?:[{GROUPING}BLANK][0-9]{{3}})+(?![0-9])(?:[.,][0-9]+)?|[0-9]+(?:[.,٫'’][0-9]+)*|{_SIGNS}"

_FRACTION = re.compile(r"(?<![\d.,/-])[1-9]/[2-9](?![\d/-]|[.,]\d)")
_ATTRIBUTE = re.compile(r"\s([A-Za-z][\w:.-]*)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+?(?=\s|/?>))")
_KEPT = frozenset({"class", "href", "id", "name", "src"})
"""Attributes for programs; others, such as alt and title, are read by people."""
_WORTH_A_LOOK = re.compile(rf"[\d@<&{{%$]|{_SIGNS}|\[\[|://|www\.")
_ADDRESS = re.compile(r"@|://|www\.")
_DIGITS = re.compile(r"[0-9]+")
_HOST = re.compile(r"\A[^/?#]*(?://[^/?#]*)?")
_HOURS, _MINUTES, _NOON, _DUSK = 24, 60, 12, 6


@dataclass(frozen=True, slots=True)
class Literal:
    """What stands at `start:end` of a text. `text` is as it is written.

    `readings` are what it can mean. A number may have a `unit`, be the day of a `month`, `scaled` ("5 million"),
    `ordinal` ("5th", "1990s"), in a `fraction` (1/2), or `exact` as that of a version, where 2.10 is not 2.1.
    """

    kind: Kind
    text: str
    start: int
    end: int
    readings: frozenset[Reading]
    unit: str = ""
    scaled: bool = False
    ordinal: bool = False
    month: int = 0
    exact: bool = False
    fraction: bool = False

    def means(self, other: Literal) -> bool:
        """Whether the two can say the same, whatever their notation."""
        if self.scaled and other.scaled:
            return max(self.readings, key=_size) == max(other.readings, key=_size)
        shared = self.readings & other.readings
        return any(kind == "time" for kind, *_ in shared) if self.kind == other.kind == "time" else bool(shared)

    def parts(self) -> list[Decimal]:
        """The single numbers of a date, a time, a fraction or digits in groups."""
        digits = _DIGITS.findall(folded(unicodedata.normalize("NFKC", self.text)))
        return [Decimal(digit) for digit in digits if len(digit) < 10]


def literals(text: Text) -> list[Literal]:
    """The literals of a text, from left to right.

    >>> [(each.kind, each.text) for each in literals(Text("Pay {sum} by 3/4/2026, 5 p.m., for 1,000 units.", "en"))]
    [('placeholder', '{sum}'), ('date', '3/4/2026'), ('time', '5 p.m.'), ('number', '1,000')]
    """
    if not _WORTH_A_LOOK.search(text.words):
        return []
    words = folded(text.words)
    found = _pattern(blank_groups(text.lang), _ADDRESS.search(words) is not None).finditer(words)
    return _joined([made for each in found for made in _made(each, text, words)])


def _joined(found: list[Literal]) -> list[Literal]:
    """With numbers of two scales as one: 1亿730万."""
    made: list[Literal] = []
    for each in found:
        last = made[-1] if made else each
        if last.scaled and each.scaled and last.end == each.start:
            total = sum(_size(max(one.readings, key=_size)) for one in (last, each))
            readings = frozenset({("number", Decimal(total).normalize())})
            made[-1] = Literal("number", last.text + each.text, last.start, each.end, readings, each.unit, scaled=True)
        else:
            made.append(each)
    return made


@cache
def _pattern(blanks: bool, addresses: bool) -> re.Pattern[str]:
    """What finds every literal; without addresses, which alone begin with a letter, most places need but one look."""
    kinds = {
        **({"url": _URL, "email": _EMAIL} if addresses else {}),
        "tag": _TAG,
        "entity": _ENTITY,
        "placeholder": f"{_NAMED}|{_PRINTF}",
        "date": _DATE,
        "time": _TIME,
        "mixed": _MIXED,
        "number": _NUMBER.replace("BLANK", " " if blanks else ""),
    }
    first = "" if addresses else rf"(?=[0-9<&{{%$\[]|{_SIGNS})"
    return re.compile(f"{first}(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items()) + ")")


@cache
def _inner() -> re.Pattern[str]:
    """What has to survive within a tag."""
    return re.compile(f"(?P<url>{_URL})|(?P<email>{_EMAIL})|(?P<placeholder>{_NAMED}|{_PRINTF})")


def _made(found: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    yield from _READERS[found.lastgroup or ""](found, text, words)


def _url(found: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    written = found[0].rstrip(".,;:!?'’…")
    if "(" not in written:
        written = written.rstrip(")]")
    yield _plain("url", found, text, _HOST.sub(lambda host: host[0].casefold(), written.rstrip("/")), len(written))


def _tag(found: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    """The name, whether it opens or closes, and what programs read; addresses and placeholders are literals too."""
    name = re.split(r"[\s>/]", found[0].lstrip("</"), maxsplit=1)[0].casefold()
    meaning = " ".join([("/" if found[0].startswith("</") else "") + name, *_kept(found[0])])
    yield _plain("tag", found, text, meaning)
    for each in _inner().finditer(words, found.start() + 1, found.end() - 1):
        yield from _made(each, text, words)


def _kept(tag: str) -> list[str]:
    """The attributes that have to stay as they are, without what is compared of its own."""
    found = ((each[1].casefold(), each[2].strip("\"'")) for each in _ATTRIBUTE.finditer(tag))
    return sorted(f"{name}={_inner().sub('', value)}" for name, value in found if name in _KEPT)


def _date(found: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    readings = frozenset(_days(found[0]))
    if readings:
        yield Literal("date", *_place(found, text), readings)
        return
    for each in _DIGITS.finditer(found[0]):
        yield _number_at(found.start() + each.start(), found.start() + each.end(), text, words)


def _days(written: str) -> Iterator[Reading]:
    """The days that three numbers can name: a year comes first or last, a day before or behind the month."""
    groups = _DIGITS.findall(written)
    one, two, three = map(int, groups)
    first = len(groups[0]) > 2
    year, middle, last = (one, two, three) if first else (three, two, one)
    for month, day in ((middle, last),) if first else ((middle, last), (last, middle)):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield "day", year % 100, month, day


def _time(found: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    hour, minute, *_ = [*map(int, _DIGITS.findall(found[0])), 0]
    if hour > _HOURS or minute >= _MINUTES:
        for each in _DIGITS.finditer(found[0]):
            yield _number_at(found.start() + each.start(), found.start() + each.end(), text, words)
        return
    hours = _hours(hour, found)
    readings: set[Reading] = {("time", each % _HOURS, minute) for each in hours}
    shown = {hour, *hours}
    readings |= {("number", Decimal(f"{each}.{minute:02d}").normalize()) for each in shown}
    yield Literal("time", *_place(found, text), frozenset(readings))


def _hours(hour: int, found: re.Match[str]) -> set[int]:
    """The hours of the day that are meant, by "p.m.", "de la tarde" or the like; both where nothing is said."""
    if hour > _NOON or hour == 0:
        return {hour}
    late = found["half"] is not None and found["half"].strip("\u00a0\u202f ")[:1].casefold() == "p"
    if found["pm"] or (found["night"] and hour >= _DUSK) or (late and not found["am"]):
        return {hour % _NOON + _NOON} if not (found["night"] and hour == _NOON) else {0}
    return {hour % _NOON} if found["half"] else {hour % _NOON, hour % _NOON + _NOON}


def _mixed(found: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    """A number and a fraction: 2½, 2 1/2."""
    whole = _DIGITS.match(found[0])
    rest = found[0][whole.end() :].strip(" \u00a0") if whole else found[0]
    value = Decimal(whole[0] if whole else 0) + _fraction(rest)
    measure = unit_before(words, found.start()) or unit(words, found.end())
    yield Literal("number", *_place(found, text), frozenset({("number", value.normalize())}), measure)


def _number_at(start: int, end: int, text: Text, words: str) -> Literal:
    written = words[start:end]
    values = set(amounts(written, text.lang)) if written not in FRACTIONS else {_fraction(written)}
    name = {("name", written)} if not values else set()
    factor, after = scale(words, end, text.lang)
    if factor == 1:
        factor, after = scale_of_money(words, start, end)
    if decade(words, end) and len(written) > 2:
        values |= {value % 100 for value in values}
    readings: set[Reading] = {("number", value.normalize()) for value in values}
    if factor > 1:
        readings |= {("number", (value * factor).normalize()) for value in values}
    sign = start > 0 and words[start - 1] in "-−" and not words[max(0, start - 2) : start - 1].strip(" \u00a0(")
    if sign:
        start -= 1
    if sign or is_negative(words, start, after):
        opposite: set[Reading] = {("number", -value) for _, value in readings if isinstance(value, Decimal)}
        # Where only words say so, they may belong to something else.
        readings = opposite if sign else readings | opposite
    told = after if factor > 1 else end
    return Literal(
        "number",
        text.words[start:told],
        start,
        told,
        frozenset(readings | name),
        unit_before(words, start) or unit(words, after),
        scaled=factor > 1,
        ordinal=ordinal(words, end) or decade(words, end),
        month=month_beside(words, start, end, text.lang) if len(written) < 3 else 0,
        exact="." in written and version(words, start),
        fraction=_in_fraction(words, start, end),
    )


def _in_fraction(words: str, start: int, end: int) -> bool:
    if words[start - 1 : start] == "/":
        start -= 2
    elif words[end : end + 1] != "/":
        return False
    return start >= 0 and _FRACTION.match(words, start) is not None


def _fraction(written: str) -> Decimal:
    over, under = FRACTIONS.get(written) or written.split("/")
    return Decimal(over) / Decimal(under)


def _plain(kind: Kind, found: re.Match[str], text: Text, meaning: str, size: int | None = None) -> Literal:
    start = found.start()
    end = found.end() if size is None else start + size
    return Literal(kind, text.words[start:end], start, end, frozenset({(kind, meaning)}))


def _place(found: re.Match[str], text: Text) -> tuple[str, int, int]:
    return text.words[found.start() : found.end()], found.start(), found.end()


def _size(reading: Reading) -> Decimal:
    return abs(reading[1]) if isinstance(reading[1], Decimal) else Decimal(0)


_READERS: dict[str, Callable[[re.Match[str], Text, str], Iterable[Literal]]] = {
    "url": _url,
    "email": lambda found, text, _: [_plain("email", found, text, found[0].casefold())],
    "tag": _tag,
    "entity": lambda found, text, _: [_plain("entity", found, text, html.unescape(found[0]))],
    "placeholder": lambda found, text, _: [_plain("placeholder", found, text, re.sub(r"\s", "", found[0]))],
    "date": _date,
    "time": _time,
    "mixed": _mixed,
    "number": lambda found, text, words: [_number_at(found.start(), found.end(), text, words)],
}
