"""The possible values of a number in digits, by the conventions of its language.

English writes 1,234.5 where Spanish writes 1.234,5 and French 1 234,5; digits may be those of other scripts.
"""

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache

from concord.language import word_set
from concord.language.codes import base

GROUPING = "\u00a0\u202f\u2009'’٬"
"""Characters that can only separate groups of digits."""
LONGEST = 30
"""Digits of the longest number that is read as a quantity; longer ones are names."""
FRACTIONS = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅛": (1, 8)}
"""The signs of fractions."""

_COMMA = word_set(
    "af az be bg bs ca cs da de el eo es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nn nl pl pt ro ru sk sl sq"
    " sr sv tr uk uz vi"
)
_POINT = word_set("bn cy en ga he hi ja ko mr ms mt ne pa ta te th tl ur yue zh")
_BLANKS = word_set("be bg cs eo es et fi fr hu lt lv nb nn pl pt ru sk sv uk")
_OWN_HABITS = word_set("CH LI MX US PR GT HN NI PA PE SV DO ZA")
"""Regions whose conventions differ from those of their language elsewhere; there both readings are possible."""
_PARTS = re.compile(r"(\D)")
_ENGLISH = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\d+,\d{1,2}", re.ASCII)
_QUANTITY = 25
"""Characters of the longest number in English text that is a quantity and not a name."""


def folded(text: str) -> str:
    """The text with digits of every script as 0 to 9; offsets stay the same.

    >>> folded("٣ و १२ و ５")
    '3 و 12 و 5'
    """
    return text if text.isascii() else "".join(map(_folded, text))


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    if character.isascii() or not character.isdecimal():
        return character
    return str(unicodedata.decimal(character))


def blank_groups(lang: str) -> bool:
    """Whether "12 000" can be one number in the language."""
    return base(lang) in _BLANKS


@lru_cache(maxsize=4096)
def amounts(written: str, lang: str) -> frozenset[Decimal]:
    """The values that digits with separators can have; none for what is no number, such as 1.2.3.

    >>> sorted(amounts("1,234.50", "en")), sorted(amounts("1.234", "es")), sorted(amounts("1.234", "und"))
    ([Decimal('1234.50')], [Decimal('1234')], [Decimal('1.234'), Decimal('1234')])
    """
    plain = written.replace("٫", ".") if "٫" in written else written
    for separator in GROUPING + " ":
        plain = plain.replace(separator, "_")
    first, *rest = _PARTS.split(plain)
    marks, groups = rest[::2], rest[1::2]
    if sum(map(len, (first, *groups))) > LONGEST:
        return frozenset()
    return frozenset(Decimal(f"{whole}.{part}") for whole, part in _readings(first, marks, groups, lang))


def figure(word: str) -> float | None:
    """The number that a word of digits is in English text; None for other words and for ambiguous ones.

    >>> figure("1,234.5"), figure("2,5"), figure("1.2.3"), figure("dog")
    (1234.5, 2.5, None, None)
    """
    if not word[:1].isdecimal() or len(word) > _QUANTITY or not _ENGLISH.fullmatch(word):
        return None
    return next(map(float, amounts(word, "en")), None)


def _readings(first: str, marks: list[str], groups: list[str], lang: str) -> list[tuple[str, str]]:
    """The possible pairs of digits before and after the decimal mark."""
    if not marks:
        return [(first, "")]
    whole, last = "".join((first, *groups)), marks[-1]
    earlier_marks = set(marks[:-1])
    if last == "_":
        return [(whole, "")] if earlier_marks <= {"_"} and _grouped(first, groups) else []
    decimal = ("".join((first, *groups[:-1])), groups[-1])
    if earlier_marks - {last}:
        return [decimal] if len(earlier_marks) == 1 and _grouped(first, groups[:-1]) else []
    if earlier_marks:
        return [(whole, "")] if _grouped(first, groups) else []
    if not _grouped(first, groups):
        return [decimal]
    mark = _decimal_mark(lang)
    return [decimal, (whole, "")] if not mark else [decimal] if last == mark else [(whole, "")]


def _grouped(first: str, groups: list[str]) -> bool:
    """Whether one to three digits precede groups of three or, as in India, groups of two and a last one of three."""
    sized = all(len(group) in (2, 3) for group in groups) and all(len(group) == 3 for group in groups[-1:])
    alike = len({len(group) for group in groups[:-1]}) < 2
    return sized and alike and 1 <= len(first) <= 3 and first != "0"


def _decimal_mark(lang: str) -> str:
    """The decimal mark of the language, or '' if it is not known."""
    if set(lang.split("-")[1:]) & _OWN_HABITS and base(lang) != "en":
        return ""
    return "," if base(lang) in _COMMA else "." if base(lang) in _POINT else ""
