"""The words of a text by the rules of its language, remembered for the metric that asks next."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from concord.language.codes import base, is_spaced
from concord.language.tokens import tokens as cut
from concord.model import Text

Tokens = Annotated[
    Literal["auto", "language", "paper"],
    "What counts as a word: by the text's language, as in the paper, or what fits the language better.",
]

_CONTENT = frozenset({"word", "number", "address", "emoji"})
# Metrics take turns on one pair, and detours share their direct translation; more need not be remembered.
# A long text would fill the memory, and whoever scores one waits for other things.
_REMEMBERED = 256
_LONGEST = 2_000


def words(text: Text) -> list[str]:
    """Every token but blanks, marks included: what BLEU counts."""
    return list(_cut(text)[0])


def content(text: Text) -> list[str]:
    """The tokens that say something, without marks and symbols: what cosine counts."""
    return list(_cut(text)[1])


def edited(text: Text, tokens: Tokens) -> list[str]:
    """The words that rates of edits count: by `auto` those between blanks, or by the rules of a language without any.

    Korean is cut by its rules too, since its blanks stand between longer pieces.
    """
    between_blanks = {
        "auto": is_spaced(text.lang) and base(text.lang) != "ko",
        "language": False,
        "paper": True,
    }
    return text.words.split() if between_blanks[tokens] else words(text)


def _cut(text: Text) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return _remembered(text) if len(text.words) <= _LONGEST else _fresh(text)


def _fresh(text: Text) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = cut(text)
    every = tuple([token.text for token in found if token.kind != "blank"])
    return every, tuple([token.text for token in found if token.kind in _CONTENT])


_remembered = lru_cache(maxsize=_REMEMBERED)(_fresh)
