"""Spans in evidence: the one format in which a relation says which words of a case are to be marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def place(role: str, span: Sequence[int]) -> dict[str, Any]:
    """Which text of the case, and the characters of it from `start` up to `end`, counted as code points.

    >>> place("source_output", (4, 7))
    {'role': 'source_output', 'start': 4, 'end': 7}
    """
    start, end = span
    return {"role": role, "start": start, "end": end}


def places(role: str, spans: Iterable[Sequence[int]], kind: str, why: str = "") -> list[dict[str, Any]]:
    """Entries of the evidence `places`: words to mark, of what kind they are and, for people, why.

    `concord.views.highlight.ranges` reads them, and lists the kinds.

    >>> places("source", [[0, 3]], "phrase")
    [{'role': 'source', 'start': 0, 'end': 3, 'kind': 'phrase'}]
    """
    more = {"kind": kind, "why": why} if why else {"kind": kind}
    return [{**place(role, span), **more} for span in spans]
