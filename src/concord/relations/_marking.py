"""Where two texts differ word by word, as spans to be marked."""

from __future__ import annotations

from concord.language.tokens import Token, tokens
from concord.model import Text
from concord.relations.transrepair.set_aside import Span, differences, sides


def differing_spans(one: Text, other: Text) -> tuple[list[list[int]], list[list[int]]]:
    """The stretches of either text that the other does not have in that place.

    >>> differing_spans(Text("the old bridge", "en"), Text("the bridge", "en"))
    ([[4, 7]], [])
    """
    ours, theirs = _words(one), _words(other)
    mine, yours = sides(differences([each.text for each in ours], [each.text for each in theirs]))
    return _spans(ours, mine), _spans(theirs, yours)


def _words(text: Text) -> list[Token]:
    return [token for token in tokens(text) if token.kind != "blank"]


def _spans(words: list[Token], found: list[Span]) -> list[list[int]]:
    return [[words[start].start, words[end - 1].end] for start, end in found]
