"""What stands around a number: its scale ("million", 万), its unit (km, €), and whether it counts or orders."""

from __future__ import annotations

import re
from decimal import Decimal

from concord.text.languages import base


def _listed(text: str) -> dict[str, str]:
    """Every spelling with the first one of its row."""
    return {each: row.split()[0] for row in text.split(",") for each in row.split()}


_UNITS = {
    spelling: (kind, name)
    for kind, rows in {
        "length": "km км, m м, cm см, mm мм, mi, ft, yd",
        "mass": "kg кг, g г, mg мг, lb lbs, oz",
        "volume": "l L л, ml mL мл, cl, gal",
        "temperature": "°C ℃, °F ℉, K",
        "data": "kB KB кБ КБ ko, MB МБ Mo, GB ГБ Go, TB ТБ To",
        "speed": "km/h км/ч, mph, m/s м/с",
        "power": "W Вт, kW кВт, MW МВт",
        "share": "%, ‰",
        "money": "$ US$ USD, € EUR, £ GBP, ₽ RUB, ₹ INR, ¥ JPY CNY, CHF",
    }.items()
    for spelling, name in _listed(rows).items()
}
_UNIT = re.compile(
    r"[ \u00a0\u202f]?("
    + "|".join(re.escape(each) for each in sorted(_UNITS, key=len, reverse=True))
    + r")(?![A-Za-zА-Яа-я/])"
)
_BEFORE = re.compile(r"(US\$|[$€£₽₹¥])[ \u00a0\u202f]?\Z")

_THOUSANDS = "thousand thousands mil mila mille tausend tsd. тысяча тысячи тысяч тыс. mil k"
_MILLIONS = (
    "million millions millón millones milió milions milhão milhões milione milioni millionen mio. mln миллион миллиона"
    " миллионов млн millóns miliono milionoj"
)
_THOUSAND_MILLIONS = (
    "bn milliard milliards milliarde milliarden mrd. miliardo miliardi миллиард миллиарда миллиардов млрд"
)
_SCALES = {
    word: factor
    for words, factor in ((_THOUSANDS, 10**3), (_MILLIONS, 10**6), (_THOUSAND_MILLIONS, 10**9))
    for word in words.split()
}
_BILLIONS = "billón billones bilió bilions bilione bilioni billionen billóns biliono bilionoj"
_SCALES |= dict.fromkeys(_BILLIONS.split(), 10**12) | {"bilhão": 10**9, "bilhões": 10**9}
_ENGLISH = {"billion": 10**9, "billions": 10**9, "trillion": 10**12, "trillions": 10**12}
_LONG = frozenset({"cs", "da", "de", "fr", "nb", "nl", "nn", "pl", "sv"})
"""Where the English word means a million millions, as most of Europe counts."""
_HAN = {
    "千": 10**3,
    "万": 10**4,
    "萬": 10**4,
    "亿": 10**8,
    "億": 10**8,
    "百": 100,
    "만": 10**4,
    "억": 10**8,
    "천": 10**3,
}
_WORD = re.compile(r"[ \u00a0\u202f]?([^\W\d_]{1,12}(?![^\W\d_])\.?)")
_HAN_SCALE = re.compile(rf"[ \u00a0\u202f]?([{''.join(_HAN)}])")
_ORDINAL = re.compile(
    r"世[纪紀]|(?:st|nd|rd|th)\b|\.?[ºª°]|(?:er|ère|re|e|ème|è|n|r|t|a|te|ten|ter)\b|-?(?:й|я|е|го|му)\b"
)
_DECADE = re.compile(r"年代|['’]?s\b|er\b|-х\b")


def scale(words: str, end: int, lang: str) -> tuple[Decimal, int]:
    """The factor that follows a number, 1 if none does, and where it ends."""
    factor = Decimal(1)
    for _ in range(2):
        found = _HAN_SCALE.match(words, end) or _WORD.match(words, end)
        word = found[1].casefold() if found else ""
        size = _HAN.get(word) or _size(word, lang)
        if not found or not size:
            break
        # A full stop belongs to an abbreviation, and otherwise to the sentence.
        ends = word.endswith(".") and word not in _SCALES
        factor, end = factor * size, found.end() - ends
    return factor, end


def _size(word: str, lang: str) -> int:
    bare = word.rstrip(".")
    if bare in _ENGLISH:
        return _ENGLISH[bare] if base(lang) not in _LONG else _ENGLISH[bare] ** 2 // 10**6
    return _SCALES.get(word) or _SCALES.get(bare, 0)


def unit(words: str, end: int) -> str:
    """The unit that follows, by one name whatever its script; nothing for what is none."""
    found = _UNIT.match(words, end)
    return _UNITS[found[1]][1] if found else ""


def currency_before(words: str, start: int) -> str:
    """The currency whose sign stands before a number."""
    found = _BEFORE.search(words, max(0, start - 4), start)
    return _UNITS[found[1]][1] if found else ""


def alike(one: str, other: str) -> bool:
    """Whether two units can be of one amount: the same, or of different kinds, so that one was misread."""
    return one == other or _KINDS[one] != _KINDS[other]


_KINDS = {name: kind for kind, name in _UNITS.values()}


def ordinal(words: str, end: int) -> bool:
    """Whether what touches a number makes it an ordinal one: 1st, 1º, 1er, 20世纪."""
    return _ORDINAL.match(words, end) is not None


def decade(words: str, end: int) -> bool:
    """Whether a year stands for its decade: 1990s."""
    return _DECADE.match(words, end) is not None
