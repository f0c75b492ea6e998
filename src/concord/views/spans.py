"""Places of words as a row's evidence has them, read as ranges of its texts; whatever is no place is passed over."""

from __future__ import annotations

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
"""What a range can be, the most telling first: of two that overlap, the first in this row is kept whole."""
BESIDE = frozenset({"of", "instead"})
"""Kinds that only belong to blamed words."""
_ENOUGH = 10_000
"""Entries of a row's evidence that are looked at; no relation writes so many."""


@dataclass(frozen=True, slots=True)
class Range:
    """Characters of a text, as code points from `start` up to `end`, that are marked: of what kind, and why."""

    start: int
    end: int
    kind: str
    why: str


def told(blame: Mapping[str, Any]) -> str:
    """Why a word is blamed, in words: for which word of the source, and what the other translation has.

    >>> told({"word": "querer", "of": "want", "instead": "quieren", "why": "mistranslation"})
    'for want not quieren: mistranslation'
    """
    known = [f"{said} {blame[name]}" for said, name in (("for", "of"), ("not", "instead")) if text_of(blame.get(name))]
    return ": ".join(filter(None, (" ".join(known), text_of(blame.get("why")))))


def placed(evidence: Mapping[str, Any]) -> list[tuple[str, Range]]:
    """The places of blamed words and of what a relation found by itself, each with its role."""
    return [*_blames(evidence.get("blamed")), *_listed(evidence.get("places"))]


def _blames(found: object) -> Iterator[tuple[str, Range]]:
    for blame in _entries(found):
        why, word = told(blame), text_of(blame.get("word"))
        yield from _place(blame, "blamed", why)
        yield from _place(blame.get("of_place"), "of", f"{word}: {why}")
        yield from _place(blame.get("instead_place"), "instead", f"{word}: {why}")


def _listed(found: object) -> Iterator[tuple[str, Range]]:
    for entry in _entries(found):
        yield from _place(entry, text_of(entry.get("kind")) or "differs", text_of(entry.get("why")))


def bare(row: Mapping[str, Any], marked: Mapping[str, Any]) -> Iterator[tuple[str, Range]]:
    """Spans of which no more is said than that they are marked."""
    both = row.get("compared")
    for role in ROLES:
        kind = "differs" if isinstance(both, (list, tuple)) and row.get(role) in both else "changed"
        for start, end in _spans(marked.get(role)):
            yield role, Range(start, end, kind, "")


def _entries(found: object) -> Iterator[Mapping[str, Any]]:
    for each in found[:_ENOUGH] if isinstance(found, (list, tuple)) else ():
        if isinstance(each, Mapping):
            yield each


def _place(found: object, kind: str, why: str) -> Iterator[tuple[str, Range]]:
    if isinstance(found, Mapping) and isinstance(found.get("role"), str):
        for start, end in _spans([[found.get("start"), found.get("end")]]):
            yield found["role"], Range(start, end, kind, why)


def _spans(found: object) -> Iterator[tuple[int, int]]:
    for span in found[:_ENOUGH] if isinstance(found, (list, tuple)) else ():
        if isinstance(span, (list, tuple)) and len(span) == 2 and all(type(each) is int for each in span):
            yield span[0], span[1]


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def apart(found: Sequence[Range], length: int) -> list[Range]:
    """The ranges cut so that none overlaps another: the more telling one is kept whole, or the first of two alike."""
    rank = {kind: number for number, kind in enumerate(KINDS)}
    inside = [replace(each, start=max(0, each.start), end=min(length, each.end)) for each in found]
    waiting = sorted((each for each in inside if each.start < each.end), key=lambda each: each.start)
    edges = sorted({edge for each in waiting for edge in (each.start, each.end)})
    active: list[tuple[int, int, Range]] = []
    made: list[Range] = []
    last, number = -1, 0
    for start, end in pairwise(edges):
        while number < len(waiting) and waiting[number].start <= start:
            each = waiting[number]
            heappush(active, (rank.get(each.kind, len(KINDS)), number, each))
            number += 1
        while active and active[0][2].end <= start:
            heappop(active)
        if not active:
            continue
        _, at, each = active[0]
        if at == last and made[-1].end == start:
            made[-1] = replace(made[-1], end=end)
        else:
            made.append(replace(each, start=start, end=end))
        last = at
    return made
