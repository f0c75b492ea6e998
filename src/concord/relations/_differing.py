"""Where two texts of one language differ, word by word, for marking."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from concord.model import Text
from concord.text.tokens import tokens

Spans = list[list[int]]


def differing(a: Text, b: Text) -> tuple[Spans, Spans]:
    """The places of each text's words that the other does not have there; of characters, where all words are alike.

    >>> differing(Text("the old bridge", "en"), Text("the bridge", "en"))
    ([[4, 7]], [])
    """
    if a.words == b.words:
        return [], []
    ones, others = ([(each.text, each.start, each.end) for each in tokens(text)] for text in (a, b))
    found = _apart(ones, others)
    if any(found):
        return found
    return _apart(*([(sign, at, at + 1) for at, sign in enumerate(text.words)] for text in (a, b)))


def _apart(ones: Sequence[tuple[str, int, int]], others: Sequence[tuple[str, int, int]]) -> tuple[Spans, Spans]:
    left: Spans = []
    right: Spans = []
    for each in Levenshtein.opcodes([one[0] for one in ones], [other[0] for other in others]):
        if each.tag != "equal":
            left += _span(ones[each.src_start : each.src_end])
            right += _span(others[each.dest_start : each.dest_end])
    return left, right


def _span(pieces: Sequence[tuple[str, int, int]]) -> Spans:
    return [[pieces[0][1], pieces[-1][2]]] if pieces else []
