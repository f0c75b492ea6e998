"""Read the places of words in a row's evidence as ranges of its texts; anything malformed is ignored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from concord.model import ROLES

KINDS = (
    "blamed", "missing", "added", "changed", "untranslated", "unexplained", "perhaps", "differs",
    "of", "instead", "aside", "phrase",
)  # fmt: skip
"""Kinds of ranges by priority: of two ranges that overlap, the one whose kind comes first is kept whole."""
BESIDE = frozenset({"of", "instead"})
"""Kinds that only accompany blamed words."""
_ENOUGH = 10_000
"""The most entries of a row's evidence that are read; relations write fewer."""


@dataclass(frozen=True, slots=True)
class Range:
    """A marked span of a text, in code points from `start` up to `end`, with its kind and the reason."""

    start: int
    end: int
    kind: str
    why: str


def blame_text(blame: Mapping[str, Any]) -> str:
    """The reason for a blame: the source word, what the other translation has instead, and why.

    >>> blame_text({"word": "querer", "of": "want", "instead": "quieren", "why": "mistranslation"})
    'for want not quieren: mistranslation'
    """
    phrases = [
        f"{preposition} {blame[key]}"
        for preposition, key in (("for", "of"), ("not", "instead"))
        if text_of(blame.get(key))
    ]
    return ": ".join(filter(None, (" ".join(phrases), text_of(blame.get("why")))))


def evidence_spans(evidence: Mapping[str, Any]) -> Iterator[tuple[str, Range]]:
    """The ranges of blamed words and of places that a relation found, each with its role."""
    for blame in _entries(evidence.get("blamed")):
        why, word = blame_text(blame), text_of(blame.get("word"))
        yield from _place(blame, "blamed", why)
        yield from _place(blame.get("of_place"), "of", f"{word}: {why}")
        yield from _place(blame.get("instead_place"), "instead", f"{word}: {why}")
    for entry in _entries(evidence.get("places")):
        yield from _place(entry, text_of(entry.get("kind")) or "differs", text_of(entry.get("why")))


def plain_spans(row: Mapping[str, Any], marked: Mapping[str, Any]) -> Iterator[tuple[str, Range]]:
    """The ranges of `marked`, which have no kind of their own."""
    compared = row.get("compared")
    for role in ROLES:
        kind = "differs" if isinstance(compared, (list, tuple)) and row.get(role) in compared else "changed"
        for start, end in _spans(marked.get(role)):
            yield role, Range(start, end, kind, "")


def _entries(entries: object) -> Iterator[Mapping[str, Any]]:
    for entry in entries[:_ENOUGH] if isinstance(entries, (list, tuple)) else ():
        if isinstance(entry, Mapping):
            yield entry


def _place(place: object, kind: str, why: str) -> Iterator[tuple[str, Range]]:
    if isinstance(place, Mapping) and isinstance(place.get("role"), str):
        for start, end in _spans([[place.get("start"), place.get("end")]]):
            yield place["role"], Range(start, end, kind, why)


def _spans(pairs: object) -> Iterator[tuple[int, int]]:
    for pair in pairs[:_ENOUGH] if isinstance(pairs, (list, tuple)) else ():
        if isinstance(pair, (list, tuple)) and len(pair) == 2 and all(type(number) is int for number in pair):
            yield pair[0], pair[1]


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


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
