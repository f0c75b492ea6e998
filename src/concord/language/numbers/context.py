"""The context of a number: its scale ("million", 万), its unit (km, €), its sign, and whether it is an ordinal."""

import re
from decimal import Decimal
from functools import lru_cache

from concord.language import word_tables
from concord.language.codes import base
from concord.language.numbers.english import SCALES
from concord.language.numbers.spelled import HAN_SCALES
from concord.language.scripts import marks

_TABLES: dict[str, dict[str, str]] = word_tables(__file__)
_UNITS = {
    spelling: (kind, row.split()[0])
    for kind, rows in _TABLES["symbols"].items()
    for row in rows.split(",")
    for spelling in row.split()
}
"""For each spelling, the kind of the unit, and its name, which is the first spelling of its row."""
_KINDS = {name: kind for kind, name in _UNITS.values()} | dict.fromkeys(_TABLES["time"]["units"].split(), "time")
_NAMES = {word: name for name, words in _TABLES["words"].items() for word in words.split()}
_SYMBOLS = "|".join(map(re.escape, sorted(_UNITS, key=len, reverse=True)))
_PREPOSITION = r"(?:(?:de|di|of)[ \u00a0](?=[$€£](?![ \u00a0]?\d)))?"
_UNIT = re.compile(rf"[ \u00a0\u202f]?{_PREPOSITION}({_SYMBOLS})(?![^\W\d_\u3040-\u9fff\uac00-\ud7a3]|/)")
_RANGE = re.compile(
    r"[ \u00a0\u202f]?(?:[-–—~]|(?:to|and|or|a|o|y|i|e|à|et|ou|bis|und|до|и)[ \u00a0])"
    r"(?:el[ ])?[ \u00a0\u202f]?[$€£]?[0-9](?:[0-9.,]{0,12}[0-9])?(?![0-9])"
)
_UNIT_WORD = re.compile(r"[ \u00a0\u202f-]?(?:(?:de|di|of) |d['’])?([^\W\d_]+(?:·[^\W\d_]+)?)")
_SHARE = re.compile(r"[ \u00a0\u202f]p(?:or|er|our|el)[ \u00a0](?:cent|ciento|cento)\b", re.IGNORECASE)
_SHARE_BEFORE = re.compile(r"(?:百分之|%[ \u00a0]?)\Z")
_BEFORE = re.compile(r"(US\$|[$€£₽₹¥￥]|(?<![A-Z])(?:USD|EUR|GBP|RUB|INR|JPY|CNY|CHF))[ \u00a0\u202f]?[-−]?\Z")
_BELOW_BEFORE = re.compile(
    r"(?<!\bal )(?<!\bau )(?<!\bdu )(?<!\bao )(?<!\blo )(?<!\bpelo )"
    r"(?:\b(?:minus|menos|menys|moins|meno|negativ\w{0,2}|минус)[ \u00a0]|零下|负|負|マイナス|영하[ ]?)[$€£]?\Z",
    re.IGNORECASE,
)
_BELOW_ZERO = (
    r"(?:bajo cero|sota zero|baixo cero|abaixo de zero|sous z[ée]ro|au-dessous de z[ée]ro|sotto (?:lo )?zero|unter null"
    r"|below zero|below freezing|under noll|under null|onder nul|ниже нуля|мороза)"
)
_BELOW_STEMS = (
    "minus", "menos", "menys", "moins", "meno", "negativ", "минус", "零下", "负", "負", "マイナス", "영하",
    "zero", "cero", "zéro", "null", "noll", "nul", "freezing", "нуля", "мороза",
)  # fmt: skip
_BELOW_AFTER = re.compile(rf"[ \u00a0]?(?:[^\d\s.;!?]{{1,12}}[ \u00a0]){{0,2}}{_BELOW_ZERO}", re.IGNORECASE)
_NEGATIVE = re.compile(
    rf"{_BELOW_ZERO}|(?<!al )(?<!au )(?<!ao )(?<!lo )\b(?:minus|menos|menys|moins|meno|минус)\b|零下|负|負",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(?:\bv\.?|\bversi\w{0,4}|\brelease|\bверси\w{1,2}|版本?|バージョン)[ \u00a0]?\Z", re.IGNORECASE)

_SCALES: dict[str, int] = {
    word: 10 ** int(exponent) for exponent, words in _TABLES["scales"].items() for word in words.split()
}
_ENGLISH = {word: size for word, size in SCALES.items() if size > 10**6}
_LONG = frozenset({"cs", "da", "de", "fr", "nb", "nl", "nn", "pl", "sv"})
"""Where the English word means a million millions, as most of Europe counts."""
_HAN = {sign: size for sign, size in HAN_SCALES.items() if size >= 100} | {"천": 10**3, "만": 10**4, "억": 10**8}
_WORD = re.compile(rf"[ \u00a0\u202f]?([^\W\d_](?:[^\W\d_]|[{marks()}]){{0,11}}(?![^\W\d_])\.?)")
_HAN_SCALE = re.compile(rf"[ \u00a0\u202f]?([{''.join(_HAN)}])")
_LETTERS = {"k": 10**3, "m": 10**6, "b": 10**9}
_LETTER_AFTER_MONEY = re.compile(r"(?:[ \u00a0\u202f](?=[KMB]))?([kKmMbB])(?![^\W_])")
_LETTER_BEFORE_MONEY = re.compile(r"[ \u00a0\u202f]?([kKM])(?=[ \u00a0\u202f]?[$€£])")
_ORDINAL = re.compile(
    r"世[纪紀]|(?:st|nd|rd|th)\b|\.?[ºª°]|(?:er|ère|re|e|ème|è|n|r|t|a|te|ten|ter)\b|-?(?:й|я|е|го|му)\b"
)
_DECADE = re.compile(r"年代|['’]?s\b|er\b|-х\b")


def scale(words: str, end: int, lang: str) -> tuple[Decimal, int]:
    """The scale that follows a number, or 1, and the offset where it ends."""
    factor = Decimal(1)
    for _ in range(2):
        match = _HAN_SCALE.match(words, end) or _WORD.match(words, end)
        word = match[1].casefold() if match else ""
        size = _HAN.get(word) or _size(word, lang)
        if not match or not size:
            break
        # A full stop that is not part of an abbreviation belongs to the sentence.
        ends = word.endswith(".") and word not in _SCALES
        factor, end = factor * size, match.end() - ends
    return factor, end


def scale_of_money(words: str, start: int, end: int) -> tuple[Decimal, int]:
    """The scale of a letter beside a currency, where it cannot be a unit, or 1, and the offset where it ends."""
    before = _BEFORE.search(words, max(0, start - 6), start)
    match = (_LETTER_AFTER_MONEY if before else _LETTER_BEFORE_MONEY).match(words, end)
    return (Decimal(_LETTERS[match[1].casefold()]), match.end()) if match else (Decimal(1), end)


def _size(word: str, lang: str) -> int:
    bare = word.rstrip(".")
    if bare in _ENGLISH:
        return _ENGLISH[bare] if base(lang) not in _LONG else _ENGLISH[bare] ** 2 // 10**6
    return _SCALES.get(word) or _SCALES.get(bare, 0)


def unit(words: str, end: int) -> str:
    """The name of the unit that follows, the same for all scripts and languages; '' if none follows.

    In "5 to 10%", the percentage applies to both numbers.
    """
    own_unit = _unit_at(words, end)
    range_end = _RANGE.match(words, end) if not own_unit else None
    range_unit = _unit_at(words, range_end.end()) if range_end else ""
    return range_unit if is_essential(range_unit) else own_unit


def _unit_at(words: str, end: int) -> str:
    match = _UNIT.match(words, end)
    if match:
        return _UNITS[match[1]][1]
    word = _UNIT_WORD.match(words, end)
    if not word:
        return ""
    return _NAMES.get(word[1].casefold(), "") or ("%" if _SHARE.match(words, end) else "")


def unit_before(words: str, start: int) -> str:
    """The currency whose sign precedes a number, or the percentage, as in 百分之5; '' if there is neither."""
    match = _BEFORE.search(words, max(0, start - 6), start)
    if match:
        return _UNITS[match[1]][1]
    return "%" if _SHARE_BEFORE.search(words, max(0, start - 4), start) else ""


def can_be_equal(unit_a: str, unit_b: str) -> bool:
    """Whether two units can belong to one amount: the same unit, or units of different kinds, one of them misread."""
    return unit_a == unit_b or _KINDS[unit_a] != _KINDS[unit_b]


def is_essential(unit: str) -> bool:
    """Whether a number means something else without the unit, as with money and percentages."""
    return _KINDS.get(unit, "") in ("money", "share")


def is_negative(words: str, start: int, end: int) -> bool:
    """Whether words beside a number make it negative: minus 5, 5 grados bajo cero; not "al menos 5"."""
    if not _has_negative_stem(words):
        return False
    before = _BELOW_BEFORE.search(words, max(0, start - 16), start)
    return before is not None or _BELOW_AFTER.match(words, end) is not None


@lru_cache(maxsize=8)
def _has_negative_stem(words: str) -> bool:
    """Whether a text has a stem of a negative word; cached, since few texts have one."""
    small = words.casefold()
    return any(stem in small for stem in _BELOW_STEMS)


def may_tell_negative(words: str) -> bool:
    """Whether the words of a text can express a negative number."""
    return _NEGATIVE.search(words) is not None


def version(words: str, start: int) -> bool:
    """Whether the words before a number make it a version, in which every digit counts: version 2.10."""
    return _VERSION.search(words, max(0, start - 12), start) is not None


def ordinal(words: str, end: int) -> bool:
    """Whether a suffix makes a number an ordinal: 1st, 1º, 1er, 20世纪."""
    return _ORDINAL.match(words, end) is not None


def decade(words: str, end: int) -> bool:
    """Whether a suffix makes a year a decade: 1990s."""
    return _DECADE.match(words, end) is not None
