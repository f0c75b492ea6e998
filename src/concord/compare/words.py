"""A text as the words that are compared: tokens without marks, by what inflected forms have in common."""

from __future__ import annotations

import re
from dataclasses import dataclass

from concord.model import Text
from concord.text.align.model import form
from concord.text.tokens import Token, tokens

COUNTED = frozenset({"word", "number", "address"})
_NUMBER = re.compile(r"[^\w\s]{0,2}\d")
_VALUE = re.compile(r"[^0-9./:]")


def is_number(word: str) -> bool:
    """Whether it begins with digits, signs aside: "42%", "€3.50", but not "G20"."""
    return _NUMBER.match(word) is not None


def value(word: str) -> str:
    """The digits of a number with its sign, without what groups them, its unit or its currency."""
    return ("-" if word[0] in "-−" else "") + _VALUE.sub("", word).strip(".:/")


def key(word: str, lang: str) -> str:
    """What two spellings of one word have in common: the value of a number, the stem of a word."""
    return value(word) if is_number(word) else form(word.replace("’", "'"), lang)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a text. `places` are those of the words among them; every word has its key."""

    text: Text
    tokens: tuple[Token, ...]
    places: tuple[int, ...]
    keys: tuple[str, ...]

    @staticmethod
    def of(text: Text) -> Sentence:
        found = tuple(tokens(text))
        places = tuple(at for at, token in enumerate(found) if token.kind in COUNTED)
        return Sentence(text, found, places, tuple(key(found[at].text, text.lang) for at in places))

    @property
    def words(self) -> list[str]:
        """All tokens as strings, marks too: what is aligned."""
        return [token.text for token in self.tokens]
