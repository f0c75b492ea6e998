"""What a case of RTI shows: the words that are missing, and where the phrase stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from concord.language.comparison_units import Unit
from concord.language.trees import Tree
from concord.model import Case, Text
from concord.relations._spans import places
from concord.relations.rti.pairs import PhrasePair, around


def difference_evidence(
    output: Text, missing: Sequence[Unit], instead: Sequence[Unit], *, wordless: bool
) -> dict[str, Any]:
    """The words of a phrase's translation that are missing, and those of the container's that replace them."""
    marked = {"follow_up_output": _joined_spans(missing), "source_output": _joined_spans(instead)}
    differing = [
        *places("follow_up_output", marked["follow_up_output"], "missing", "not in the translation of the container"),
        *places("source_output", marked["source_output"], "differs", "not in the translation of the phrase"),
    ]
    return {
        **({"nothing": "the phrase's translation has no word"} if wordless else {}),
        "missing": [output.words[unit.start : unit.end] for unit in missing],
        "marked": marked,
        "places": differing if missing else [],
    }


def show_pair(case: Case, pair: PhrasePair, tree: Tree | None) -> None:
    """Add the spans of phrase and container to the evidence, and their trees if the sentence's tree is given."""
    start = pair.place + pair.start
    spans = {
        "container": (pair.place, pair.place + len(pair.container.words)),
        "phrase": (start, start + len(pair.phrase.words)),
    }
    case.evidence |= {"phrase": pair.label, "container": pair.where}
    within = [[pair.start, pair.start + len(pair.phrase.words)]]
    case.evidence["marked"]["source"] = within
    case.evidence["places"] += places("source", within, "phrase")
    if pair.where != "concatenation":
        case.evidence["span"] = list(spans["container"])
        if tree is not None:
            case.evidence["trees"] = {side: around(tree, *span).bracketed() for side, span in spans.items()}


def _joined_spans(units: Sequence[Unit]) -> list[list[int]]:
    """The spans of units; those that touch are joined."""
    spans: list[list[int]] = []
    for unit in sorted(units, key=lambda unit: unit.start):
        if spans and unit.start <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], unit.end)
        else:
            spans.append([unit.start, unit.end])
    return spans
