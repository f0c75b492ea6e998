"""Where two texts of one language differ, word by word, for marking."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from concord.language.tokens import tokens
from concord.model import Text

Spans = list[list[int]]
_Piece = tuple[str, int, int]


def differing_spans(a: Text, b: Text) -> tuple[Spans, Spans]:
    """The places of each text's words that the other does not have there; of characters, where all words are alike.

    >>> differing_spans(Text("the old bridge", "en"), Text("the bridge", "en"))
    ([[4, 7]], [])
    """
    if a.words == b.words:
        return [], []
    ones, others = ([(each.text, each.start, each.end) for each in tokens(text)] for text in (a, b))
    found = _apart(ones, others)
    if any(found):
        return found
    return _apart(*([(sign, at, at + 1) for at, sign in enumerate(text.words)] for text in (a, b)))


def _apart(ones: Sequence[_Piece], others: Sequence[_Piece]) -> tuple[Spans, Spans]:
    kept = Levenshtein.opcodes([one[0] for one in ones], [other[0] for other in others])
    alike = [each for each in kept if each.tag == "equal"]
    left = _between(ones, [(each.src_start, each.src_end) for each in alike])
    return left, _between(others, [(each.dest_start, each.dest_end) for each in alike])


def _between(pieces: Sequence[_Piece], alike: Sequence[tuple[int, int]]) -> Spans:
    """The stretches that lie before, between and behind those that are alike."""
    starts, ends = [0, *(end for _, end in alike)], [*(start for start, _ in alike), len(pieces)]
    return [[pieces[a][1], pieces[b - 1][2]] for a, b in zip(starts, ends, strict=True) if a < b]
