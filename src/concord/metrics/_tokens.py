"""The words of a text by the rules of its language, cached for the next metric that asks for them."""

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
# Several metrics score one pair in a row, and round trips share their direct translation; older texts need no cache.
# Long texts would fill the memory, and scoring one takes much longer than cutting it.
_REMEMBERED = 256
_LONGEST = 2_000


def words(text: Text) -> list[str]:
    """All tokens but blanks, including marks, as BLEU counts them."""
    return list(_cut(text)[0])


def content(text: Text) -> list[str]:
    """The tokens without marks and symbols, as cosine counts them."""
    return list(_cut(text)[1])


def edited(text: Text, tokens: Tokens) -> list[str]:
    """The words that edit rates count: with `auto` those between blanks, or the tokeniser's where there are no blanks.

    Korean is cut by the tokeniser too, since its blanks separate longer pieces.
    """
    spaced = is_spaced(text.lang) and base(text.lang) != "ko"
    between_blanks = {"auto": spaced, "language": False, "paper": True}
    return text.words.split() if between_blanks[tokens] else words(text)


def _cut(text: Text) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return _remembered(text) if len(text.words) <= _LONGEST else _fresh(text)


def _fresh(text: Text) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pieces = cut(text)
    words = tuple([token.text for token in pieces if token.kind != "blank"])
    return words, tuple([token.text for token in pieces if token.kind in _CONTENT])


_remembered = lru_cache(maxsize=_REMEMBERED)(_fresh)
