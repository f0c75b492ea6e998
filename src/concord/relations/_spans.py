"""Places and marks: the forms in which evidence says which words of a case to highlight."""

from collections.abc import Iterable, Sequence
from typing import Any

from concord.language.word_diff import differing_spans
from concord.model import ROLES, Text


def place(role: str, span: Sequence[int]) -> dict[str, Any]:
    """The role of a text of the case, and a span of its characters, counted as code points.

    >>> place("source_output", (4, 7))
    {'role': 'source_output', 'start': 4, 'end': 7}
    """
    start, end = span
    return {"role": role, "start": start, "end": end}


def places(role: str, spans: Iterable[Sequence[int]], kind: str, why: str = "") -> list[dict[str, Any]]:
    """Entries of the evidence `places`: spans to highlight, each with its kind and, for people, the reason.

    `concord.views.highlight.ranges` reads them, and lists the kinds.

    >>> places("source", [[0, 3]], "phrase")
    [{'role': 'source', 'start': 0, 'end': 3, 'kind': 'phrase'}]
    """
    more = {"kind": kind, "why": why} if why else {"kind": kind}
    return [{**place(role, span), **more} for span in spans]


def differing_marks(source: Text, follow_up: Text, output: Text, follow_up_output: Text) -> dict[str, list[list[int]]]:
    """The evidence `marked` of the words in which the two texts of a case differ, and of those of their outputs."""
    spans = (*differing_spans(source, follow_up), *differing_spans(output, follow_up_output))
    return dict(zip(ROLES, spans, strict=True))
