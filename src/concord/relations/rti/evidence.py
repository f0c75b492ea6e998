"""The evidence of a case of RTI: the missing words, and the spans of phrase and container."""

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
    """The missing words of a phrase's translation, and the words of the container's that stand there instead."""
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
    """Add to a case the spans of its phrase and of its container, and their trees if there is a tree."""
    start = pair.container_start + pair.start
    spans = {
        "container": (pair.container_start, pair.container_start + len(pair.container.words)),
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
