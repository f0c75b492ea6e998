"""Finds the literals of a text, which a translation must preserve.

They are numbers, dates and times (in any notation), units after numbers, placeholders of programs, markup and
addresses. A literal has the set of its possible readings; two literals can mean the same if they share a reading.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal as OneOf

from concord.language.codes import base
from concord.language.numbers import context
from concord.language.numbers.digits import FRACTIONS, GROUPING, amounts, blank_groups, folded
from concord.language.numbers.spelled import month_beside
from concord.model import Text

Kind = OneOf["number", "date", "time", "placeholder", "tag", "entity", "url", "email", "term"]
Reading = tuple[str | int | Decimal, ...]

# Every repetition is bounded or starts where no other can, so that the time is linear in the length of the text.
_ENDS = r"\s<>\"“”«»「」『』、。，；）】"
_URL = rf"(?i:https?|ftp)://[^{_ENDS}]+|(?<![\w.])www\.[^{_ENDS}]+"
_EMAIL = r"(?<![\w.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
_TAG = r"</?[A-Za-z][\w:-]{0,30}(?:\s[^<>]{0,500})?/?>"
_ENTITY = r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});"
_NAMED_FIELD = (
    r"%\{\w{1,60}\}|\[\[[\w.:|-]{1,60}\]\]|(?<![\w$])\$[A-Z][A-Z0-9_]{1,40}\b|\{\{[^{}]{1,100}\}\}|\$\{[^{}]{1,100}\}|\{\}|\{\s?[A-Za-z0-9_][\w.\[\]-]{0,60}\s?(?:[:!][^{}\s]{0,20})?\}"
    r"|\{\s?\w{1,60}\s?,\s?(?:plural|select|selectordinal|number|date|time)\b|%\(\w{1,60}\)[-+0\#]?\d*(?:\.\d+)?[a-zA-Z]"
)
_PRINTF = (
    r"%%|(?<![\d%])(?<!\d[ \u00a0\u202f])%(?:[A-Za-z_]\w{1,40}%(?!%)|(?:[0-9]{1,2}\$)?"
    r"[-+0\#]?[0-9]{0,3}(?:\.[0-9]{1,3})?(?:ll|l|h|z)?[sdiufxXgeco@](?![A-Za-z]))"
)
_NUMBERED = r"(?<![\d%])(?<!\d[ \u00a0\u202f])%[0-9]{1,2}(?![\d%$])"
_SHARE_FIRST = frozenset({"az", "eu", "tr"})
"""Languages in which %50 is a percentage."""
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
_PROGRAM_ATTRIBUTES = frozenset({"class", "href", "id", "name", "src"})
"""Attributes that programs read; people read others, such as alt and title."""
_MAY_HAVE_LITERALS = re.compile(rf"[\d@<&{{%$]|{_SIGNS}|\[\[|://|www\.")
_ADDRESS = re.compile(r"@|://|www\.")
_DIGITS = re.compile(r"[0-9]+")
_HOST = re.compile(r"\A[^/?#]*(?://[^/?#]*)?")
_HOURS, _MINUTES, _NOON, _DUSK = 24, 60, 12, 6


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal at `start:end` of a text, with its `text` as written.

    `readings` are its possible meanings. A number may have a `unit`, be the day of a `month`, `scaled` ("5 million"),
    `ordinal` ("5th", "1990s"), part of a `fraction` (1/2), or `exact` like that of a version, where 2.10 is not 2.1.
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

    def means(self, literal: "Literal") -> bool:
        """Whether two literals can mean the same, whatever their notation."""
        if self.scaled and literal.scaled:
            return max(self.readings, key=_size) == max(literal.readings, key=_size)
        shared = self.readings & literal.readings
        return any(kind == "time" for kind, *_ in shared) if self.kind == literal.kind == "time" else bool(shared)

    def parts(self) -> list[Decimal]:
        """The single numbers of a date, a time, a fraction or digits in groups."""
        digits = _DIGITS.findall(folded(unicodedata.normalize("NFKC", self.text)))
        return [Decimal(digit) for digit in digits if len(digit) < 10]


def literals(text: Text) -> list[Literal]:
    """The literals of a text, from left to right.

    >>> [(each.kind, each.text) for each in literals(Text("Pay {sum} by 3/4/2026, 5 p.m., for 1,000 units.", "en"))]
    [('placeholder', '{sum}'), ('date', '3/4/2026'), ('time', '5 p.m.'), ('number', '1,000')]
    """
    if not _MAY_HAVE_LITERALS.search(text.words):
        return []
    words = folded(text.words)
    lang = base(text.lang)
    pattern = _pattern(blank_groups(lang), _ADDRESS.search(words) is not None, lang in _SHARE_FIRST)
    found = [literal for match in pattern.finditer(words) for literal in _literals_of(match, text, words)]
    return _joined(found, text.words)


def _joined(parts: list[Literal], text: str) -> list[Literal]:
    """The literals, with neighbouring numbers of two scales merged into one: 1亿730万, 3만 5천."""
    merged: list[Literal] = []
    for literal in parts:
        last = merged[-1] if merged else literal
        gap = text[last.end : literal.start]
        if merged and last.scaled and literal.scaled and (not gap or (gap == " " and last.text[-1] in "만억")):
            total = sum(_size(max(part.readings, key=_size)) for part in (last, literal))
            readings = frozenset({("number", Decimal(total).normalize())})
            words = last.text + gap + literal.text
            merged[-1] = Literal("number", words, last.start, literal.end, readings, literal.unit, scaled=True)
        else:
            merged.append(literal)
    return merged


@cache
def _pattern(blanks: bool, addresses: bool, share_first: bool) -> re.Pattern[str]:
    """The pattern of all literals; it is faster without addresses, which alone start with a letter."""
    kinds = {
        **({"url": _URL, "email": _EMAIL} if addresses else {}),
        "tag": _TAG,
        "entity": _ENTITY,
        "placeholder": f"{_NAMED_FIELD}|{_PRINTF}" + ("" if share_first else f"|{_NUMBERED}"),
        "date": _DATE,
        "time": _TIME,
        "mixed": _MIXED,
        "number": _NUMBER.replace("BLANK", " " if blanks else ""),
    }
    first = "" if addresses else rf"(?=[0-9<&{{%$\[]|{_SIGNS})"
    return re.compile(f"{first}(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items()) + ")")


@cache
def _inner() -> re.Pattern[str]:
    """The pattern of literals within a tag."""
    return re.compile(f"(?P<url>{_URL})|(?P<email>{_EMAIL})|(?P<placeholder>{_NAMED_FIELD}|{_PRINTF}|{_NUMBERED})")


def _literals_of(match: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    yield from _READERS[match.lastgroup or ""](match, text, words)


def _url(match: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    written = match[0].rstrip(".,;:!?'’…")
    if "(" not in written:
        written = written.rstrip(")]")
    yield _plain("url", match, text, _HOST.sub(lambda host: host[0].casefold(), written.rstrip("/")), len(written))


def _tag(match: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    """The tag by its name, kind and program attributes, and the addresses and placeholders in it."""
    name = re.split(r"[\s>/]", match[0].lstrip("</"), maxsplit=1)[0].casefold()
    meaning = " ".join([("/" if match[0].startswith("</") else "") + name, *_program_attributes(match[0])])
    yield _plain("tag", match, text, meaning)
    for inner in _inner().finditer(words, match.start() + 1, match.end() - 1):
        yield from _literals_of(inner, text, words)


def _program_attributes(tag: str) -> list[str]:
    """The attributes that must not change, without the literals in them, which are compared separately."""
    attributes = ((match[1].casefold(), match[2].strip("\"'")) for match in _ATTRIBUTE.finditer(tag))
    return sorted(f"{name}={_inner().sub('', value)}" for name, value in attributes if name in _PROGRAM_ATTRIBUTES)


def _date(match: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    readings = frozenset(_days(match[0]))
    if readings:
        yield Literal("date", *_text_and_span(match, text), readings)
    else:
        yield from _numbers_in(match, text, words)


def _days(written: str) -> Iterator[Reading]:
    """The days that three numbers can name: the year comes first or last, the day before or after the month."""
    groups = _DIGITS.findall(written)
    year_first = len(groups[0]) > 2
    year, middle, last = map(int, groups if year_first else groups[::-1])
    for month, day in ((middle, last),) if year_first else ((middle, last), (last, middle)):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield "day", year % 100, month, day


def _time(match: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    hour, minute, *_ = [*map(int, _DIGITS.findall(match[0])), 0]
    if hour > _HOURS or minute >= _MINUTES:
        yield from _numbers_in(match, text, words)
        return
    hours = _hours(hour, match)
    readings: set[Reading] = {("time", meant % _HOURS, minute) for meant in hours}
    readings |= {("number", Decimal(f"{meant}.{minute:02d}").normalize()) for meant in {hour, *hours}}
    yield Literal("time", *_text_and_span(match, text), frozenset(readings))


def _numbers_in(match: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    """The single numbers of what is neither a date nor a time."""
    for digits in _DIGITS.finditer(match[0]):
        yield _number_at(match.start() + digits.start(), match.start() + digits.end(), text, words)


def _hours(hour: int, match: re.Match[str]) -> set[int]:
    """The hours that a time can mean with "p.m.", "de la tarde" or the like; one in each half of the day without."""
    if hour > _NOON or hour == 0:
        return {hour}
    late = match["half"] is not None and match["half"].strip("\u00a0\u202f ")[:1].casefold() == "p"
    if match["pm"] or (match["night"] and hour >= _DUSK) or (late and not match["am"]):
        return {hour % _NOON + _NOON} if not (match["night"] and hour == _NOON) else {0}
    return {hour % _NOON} if match["half"] else {hour % _NOON, hour % _NOON + _NOON}


def _mixed(match: re.Match[str], text: Text, words: str) -> Iterator[Literal]:
    """A number and a fraction: 2½, 2 1/2."""
    whole = _DIGITS.match(match[0])
    rest = match[0][whole.end() :].strip(" \u00a0") if whole else match[0]
    value = Decimal(whole[0] if whole else 0) + _fraction(rest)
    measure = context.unit_before(words, match.start()) or context.unit(words, match.end())
    yield Literal("number", *_text_and_span(match, text), frozenset({("number", value.normalize())}), measure)


def _number_at(start: int, end: int, text: Text, words: str) -> Literal:
    written = words[start:end]
    values = set(amounts(written, text.lang)) if written not in FRACTIONS else {_fraction(written)}
    name = {("name", written)} if not values else set()
    factor, after = context.scale(words, end, text.lang)
    if factor == 1:
        factor, after = context.scale_of_money(words, start, end)
    if context.decade(words, end) and len(written) > 2:
        values |= {value % 100 for value in values}
    readings: set[Reading] = {("number", value.normalize()) for value in values}
    if factor > 1:
        readings |= {("number", (value * factor).normalize()) for value in values}
    sign = start > 0 and words[start - 1] in "-−" and not words[max(0, start - 2) : start - 1].strip(" \u00a0(")
    if sign:
        start -= 1
    if sign or context.is_negative(words, start, after):
        opposite: set[Reading] = {("number", -value) for _, value in readings if isinstance(value, Decimal)}
        # Words that make a number negative may belong to something else.
        readings = opposite if sign else readings | opposite
    literal_end = after if factor > 1 else end
    return Literal(
        "number",
        text.words[start:literal_end],
        start,
        literal_end,
        frozenset(readings | name),
        context.unit_before(words, start) or context.unit(words, after),
        scaled=factor > 1,
        ordinal=context.ordinal(words, end) or context.decade(words, end),
        month=month_beside(words, start, end, text.lang) if len(written) < 3 else 0,
        exact="." in written and context.version(words, start),
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


def _plain(kind: Kind, match: re.Match[str], text: Text, meaning: str, size: int | None = None) -> Literal:
    start = match.start()
    end = match.end() if size is None else start + size
    return Literal(kind, text.words[start:end], start, end, frozenset({(kind, meaning)}))


def _text_and_span(match: re.Match[str], text: Text) -> tuple[str, int, int]:
    return text.words[match.start() : match.end()], match.start(), match.end()


def _size(reading: Reading) -> Decimal:
    return abs(reading[1]) if isinstance(reading[1], Decimal) else Decimal(0)


_READERS: dict[str, Callable[[re.Match[str], Text, str], Iterable[Literal]]] = {
    "url": _url,
    "email": lambda match, text, _: [_plain("email", match, text, match[0].casefold())],
    "tag": _tag,
    "entity": lambda match, text, _: [_plain("entity", match, text, html.unescape(match[0]))],
    "placeholder": lambda match, text, _: [_plain("placeholder", match, text, re.sub(r"\s", "", match[0]))],
    "date": _date,
    "time": _time,
    "mixed": _mixed,
    "number": lambda match, text, words: [_number_at(match.start(), match.end(), text, words)],
}
