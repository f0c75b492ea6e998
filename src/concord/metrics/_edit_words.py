"""The words that rates of edits count: between blanks where a language writes them, else by its own rules."""

from __future__ import annotations

from concord.language.codes import base, is_spaced
from concord.metrics._tokens import Tokens, words
from concord.model import Text


def edited(text: Text, tokens: Tokens) -> list[str]:
    """The words of a text; `auto` cuts Korean by its rules too, since its blanks stand between longer pieces."""
    return _CUTS[tokens](text)


def _as_usual(text: Text) -> list[str]:
    return _between_blanks(text) if is_spaced(text.lang) and base(text.lang) != "ko" else words(text)


def _between_blanks(text: Text) -> list[str]:
    return text.words.split()


_CUTS = {"auto": _as_usual, "language": words, "paper": _between_blanks}
