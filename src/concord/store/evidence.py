"""Read the evidence of a row: blamed words, and the places of words in its texts; anything malformed is ignored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from concord.model import ROLES

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
    for blame in entries(evidence.get("blamed")):
        why, word = blame_text(blame), text_of(blame.get("word"))
        yield from _place(blame, "blamed", why)
        yield from _place(blame.get("of_place"), "of", f"{word}: {why}")
        yield from _place(blame.get("instead_place"), "instead", f"{word}: {why}")
    for entry in entries(evidence.get("places")):
        yield from _place(entry, text_of(entry.get("kind")) or "differs", text_of(entry.get("why")))


def plain_spans(row: Mapping[str, Any], marked: Mapping[str, Any]) -> Iterator[tuple[str, Range]]:
    """The ranges of `marked`, which have no kind of their own."""
    compared = row.get("compared")
    for role in ROLES:
        kind = "differs" if isinstance(compared, (list, tuple)) and row.get(role) in compared else "changed"
        for start, end in _spans(marked.get(role)):
            yield role, Range(start, end, kind, "")


def entries(listed: object) -> Iterator[Mapping[str, Any]]:
    """The entries of a list that are objects."""
    for entry in listed[:_ENOUGH] if isinstance(listed, (list, tuple)) else ():
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
