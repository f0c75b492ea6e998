"""Marked ranges of a text: the kinds that there are, and how ranges that overlap are cut."""

from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise

from concord.store.evidence import Range

KINDS = (
    "blamed", "missing", "added", "changed", "untranslated", "unexplained", "perhaps", "differs",
    "of", "instead", "aside", "phrase",
)  # fmt: skip
"""Kinds of ranges by priority: of two ranges that overlap, the one whose kind comes first is kept whole."""
BESIDE = frozenset({"of", "instead"})
"""Kinds that only accompany blamed words."""


def without_overlap(spans: Sequence[Range], text: str) -> list[Range]:
    """The ranges cut so that none overlaps another; the one of higher priority is kept whole, or else the first.

    Blanks at a cut are left out: between two words that are marked for other reasons they say nothing.
    """
    rank = {kind: number for number, kind in enumerate(KINDS)}
    inside = [replace(span, start=max(0, span.start), end=min(len(text), span.end)) for span in spans]
    waiting = sorted((span for span in inside if span.start < span.end), key=lambda span: span.start)
    edges = sorted({edge for span in waiting for edge in (span.start, span.end)})
    active: list[tuple[int, int, Range]] = []
    separated: list[tuple[int, int, Range]] = []
    last_index, number = -1, 0
    for start, end in pairwise(edges):
        while number < len(waiting) and waiting[number].start <= start:
            span = waiting[number]
            heappush(active, (rank.get(span.kind, len(KINDS)), number, span))
            number += 1
        while active and active[0][2].end <= start:
            heappop(active)
        if not active:
            continue
        _, index, span = active[0]
        if index == last_index and separated[-1][1] == start:
            start, *_ = separated.pop()
        separated.append((start, end, span))
        last_index = index
    cut = (_without_blanks(start, end, span, text) for start, end, span in separated)
    return [span for span in cut if span.start < span.end]


def _without_blanks(start: int, end: int, span: Range, text: str) -> Range:
    """The part of a range from `start` to `end`, without blanks where the range was cut."""
    part = text[start:end]
    if start > span.start:
        start += len(part) - len(part.lstrip())
    if end < span.end:
        end -= len(part) - len(part.rstrip())
    return replace(span, start=start, end=end)
