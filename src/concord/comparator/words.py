"""A text as the words that are compared, tokens without punctuation by their stems; and the words two texts share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import LCSseq

from concord.language.align.model import form
from concord.language.numbers.digits import GROUPING, amounts, folded
from concord.language.numbers.spelled import spelt
from concord.language.tokens import Token, tokens
from concord.model import Text

COUNTED = frozenset({"word", "number", "address"})
_NUMBER = re.compile(r"[^\w\s]{0,2}\d")
_FIGURE = re.compile(rf"\d+(?:[.,{GROUPING}]\d+)*")
_NO_VALUE = re.compile(r"[^0-9./:]")


def is_number(word: str) -> bool:
    """Whether it begins with digits, signs aside: "42%", "€3.50", but not "G20"."""
    return _NUMBER.match(word) is not None


def value(word: str, lang: str) -> str:
    """A number with its sign, written one way: without what groups its digits, its unit or its currency.

    >>> value("1.234,50 €", "es"), value("1,234.5", "en"), value("10:30", "en")
    ('1234.5', '1234.5', '10:30')
    """
    figures = _FIGURE.sub(lambda found: _amount(found[0], lang), folded(word))
    return ("-" if word[0] in "-−" else "") + _NO_VALUE.sub("", figures).strip(".:/")


@lru_cache(maxsize=100_000)
def values(word: str, lang: str) -> frozenset[str]:
    """The numbers that a word can mean: the value of its digits, or of what it spells; none for any other word.

    >>> sorted(values("2", "es") | values("veinte", "es")), sorted(values("casa", "es"))
    (['2', '20'], [])
    """
    if is_number(word):
        return frozenset({value(word, lang)})
    return frozenset(str(number) for number in spelt(Text(word, lang)))


def same_number(word: str, other_word: str, langs: tuple[str, str]) -> bool:
    """Whether two words, at least one of them in digits, mean the same number: "2" and "dos"."""
    if not is_number(word) and not is_number(other_word):
        return False
    return not values(word, langs[0]).isdisjoint(values(other_word, langs[1]))


def _amount(figure: str, lang: str) -> str:
    """A figure with a point before its decimals; as it is where it can be read in several ways or in none."""
    readings = amounts(figure, lang)
    if len(readings) != 1:
        return figure
    (amount,) = readings
    written = f"{amount:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


def key(word: str, lang: str) -> str:
    """The key that two spellings of one word share: the value of a number, the stem of a word."""
    return value(word, lang) if is_number(word) else form(word.replace("’", "'"), lang)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a text. `places` are those of the words among them; every word has its key."""

    text: Text
    tokens: tuple[Token, ...]
    places: tuple[int, ...]
    keys: tuple[str, ...]

    @staticmethod
    def from_text(text: Text) -> Sentence:
        cut = tuple(tokens(text))
        places = tuple(index for index, token in enumerate(cut) if token.kind in COUNTED)
        return Sentence(text, cut, places, tuple(key(cut[place].text, text.lang) for place in places))

    @property
    def words(self) -> list[str]:
        """All tokens as strings, including marks, for the alignment."""
        return [token.text for token in self.tokens]


@dataclass(frozen=True, slots=True)
class Difference:
    """The shared tokens of either side, each with that of the other side, and the differing tokens.

    Those between the same shared words have the same number in `gaps`.
    """

    shared: tuple[dict[int, int], dict[int, int]]
    own: tuple[tuple[int, ...], tuple[int, ...]]
    gaps: tuple[dict[int, int], dict[int, int]]


def difference(left: Sentence, right: Sentence) -> Difference:
    """The longest common subsequence of the words, and the words outside of it."""
    left_to_right: dict[int, int] = {}
    gaps: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for step in LCSseq.opcodes(left.keys, right.keys):
        ours, theirs = left.places[step.src_start : step.src_end], right.places[step.dest_start : step.dest_end]
        if step.tag == "equal":
            left_to_right.update(zip(ours, theirs, strict=True))
        else:
            gaps[0].update(dict.fromkeys(ours, len(left_to_right)))
            gaps[1].update(dict.fromkeys(theirs, len(left_to_right)))
    right_to_left = {theirs: ours for ours, theirs in left_to_right.items()}
    return Difference((left_to_right, right_to_left), (tuple(gaps[0]), tuple(gaps[1])), gaps)
