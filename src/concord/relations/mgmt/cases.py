"""The cases of MGMT: of a sentence by a ratio of similarities, of a phrase or a word by how translations are built."""

from __future__ import annotations

from typing import Any, Literal

from rapidfuzz.distance import Levenshtein

from concord.language.tokens import split
from concord.language.trees import Tree
from concord.language.word_diff import differing_spans
from concord.metrics.tree_paths import Path, TreeComparison, structure
from concord.model import ROLES, Case, Text
from concord.relations.mgmt.mutants import Replaced
from concord.relations.mgmt.tree_pairs import Built

Unit = Literal["characters", "words"]
_DIGITS = 12
"""Decimals of a suspicion: quotients that are the same number are meant to be equal."""


def similarity(a: Text, b: Text, unit: Unit = "characters") -> float:
    """1 − 2 · edits / (length of a + length of b), from 0 to 1: what falls below 0 is 0, two empty texts are 1."""
    ones, others = (text.words if unit == "characters" else split(text) for text in (a, b))
    total = len(ones) + len(others)
    return max(0.0, 1 - 2 * Levenshtein.distance(ones, others) / total) if total else 1.0


def ratio(target: float, source: float) -> float:
    """Target-side over source-side similarity. Where nothing of the source came back there is nothing to divide by,
    and the ratio counts as 0."""
    return target / source if source else 0.0


def sentence_case(source: Text, back: Text, output: Text, again: Text, unit: Unit, tolerance: float) -> Case:
    scores = {"source similarity": similarity(source, back, unit), "target similarity": similarity(output, again, unit)}
    scores["ratio"] = ratio(scores["target similarity"], scores["source similarity"])
    marked = dict(zip(ROLES, (*differing_spans(source, back), *differing_spans(output, again)), strict=True))
    return Case(
        source=source,
        follow_up=back,
        source_output=output,
        follow_up_output=again,
        # If the translations are equal, the sentence and its back-translation are compared.
        compared=(source, back) if output == again else (output, again),
        suspicion=round(abs(1 - scores["ratio"]), _DIGITS),
        threshold=tolerance,
        steps={"translation": output, "back translation": back, "translated again": again},
        scores=scores,
        factors={"granularity": "sentence"},
        evidence={"marked": marked},
    )


def structural_case(
    texts: tuple[Text, Text, Text, Text], found: TreeComparison, granularity: str, tolerance: float
) -> Case:
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=round(1 - found.similarity, _DIGITS),
        threshold=tolerance,
        scores={"tree_paths": found.similarity},
        factors={"granularity": granularity},
        evidence={"lost": _written(found.lost), "added": _written(found.added)},
    )


def replacement_case(x: Text, output: Text, built: Built, granularity: str, tolerance: float, kind: str) -> Case:
    texts = x, built.follow_up, output, built.output
    case = structural_case(texts, structure(*built.trees), granularity, tolerance)
    case.evidence |= {"trees": kind, **_replacement_evidence(built.replaced)}
    case.evidence["marked"] |= dict(zip(ROLES[2:], differing_spans(output, built.output), strict=True))
    return case


def _replacement_evidence(replaced: Replaced) -> dict[str, Any]:
    """What was replaced, where in the tree it stood, and what could not be."""
    chosen = replaced.chosen
    evidence: dict[str, Any] = {"path": " ".join(chosen.path), "words": chosen.node.words, "replaced": replaced.pairs}
    if replaced.kept:
        evidence["kept"] = replaced.kept
    sides = {"source": replaced.before, "follow_up": replaced.after}
    return evidence | {"marked": {side: _spans(tree, replaced.numbers) for side, tree in sides.items()}}


def _spans(tree: Tree, numbers: tuple[int, ...]) -> list[list[int]]:
    leaves = tree.leaves()
    return [[leaves[number].start, leaves[number].end] for number in numbers]


def _written(paths: tuple[Path, ...]) -> list[str]:
    return [" ".join(path) for path in paths]
