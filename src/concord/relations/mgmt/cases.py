"""The cases of MGMT: sentences of judged by a ratio of similarities, phrases and words by structure."""

from typing import Any, Literal

from rapidfuzz.distance import Levenshtein

from concord.language.tokens import split
from concord.language.word_diff import differing_spans
from concord.metrics.tree_paths import Path, TreeComparison, structure
from concord.model import ROLES, Case, Text
from concord.relations._spans import differing_marks
from concord.relations.mgmt.tree_pairs import TreePair

Unit = Literal["characters", "words"]
_DIGITS = 12
"""Decimals of a suspicion: quotients that are the same number are meant to be equal."""


def similarity(a: Text, b: Text, unit: Unit = "characters") -> float:
    """1 − 2 · edits / (length of a + length of b), at least 0; 1 for two empty texts."""
    units_a, units_b = (text.words if unit == "characters" else split(text) for text in (a, b))
    total = len(units_a) + len(units_b)
    return max(0.0, 1 - 2 * Levenshtein.distance(units_a, units_b) / total) if total else 1.0


def sentence_case(source: Text, back: Text, output: Text, again: Text, unit: Unit, tolerance: float) -> Case:
    of_sources, of_targets = similarity(source, back, unit), similarity(output, again, unit)
    # If nothing of the source came back, there is nothing to divide by.
    ratio = of_targets / of_sources if of_sources else 0.0
    return Case(
        source=source,
        follow_up=back,
        source_output=output,
        follow_up_output=again,
        # If the translations are equal, only the back-translation differs.
        compared=(source, back) if output == again else (output, again),
        suspicion=round(abs(1 - ratio), _DIGITS),
        threshold=tolerance,
        steps={"translation": output, "back translation": back, "translated again": again},
        scores={"source similarity": of_sources, "target similarity": of_targets, "ratio": ratio},
        factors={"granularity": "sentence"},
        evidence={"marked": differing_marks(source, back, output, again)},
    )


def structural_case(
    texts: tuple[Text, Text, Text, Text], trees: TreeComparison, granularity: str, tolerance: float
) -> Case:
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=round(1 - trees.similarity, _DIGITS),
        threshold=tolerance,
        scores={"tree_paths": trees.similarity},
        factors={"granularity": granularity},
        evidence={"lost": _written(trees.lost), "added": _written(trees.added)},
    )


def replacement_case(x: Text, output: Text, pair: TreePair, granularity: str, tolerance: float, kind: str) -> Case:
    texts = x, pair.follow_up, output, pair.output
    case = structural_case(texts, structure(*pair.trees), granularity, tolerance)
    case.evidence |= {"trees": kind, **_replacement_evidence(pair)}
    case.evidence["marked"] |= dict(zip(ROLES[2:], differing_spans(output, pair.output), strict=True))
    return case


def _replacement_evidence(pair: TreePair) -> dict[str, Any]:
    """The words that were replaced, and their path in the tree."""
    replaced = pair.replaced()
    sides = zip(("source", "follow_up"), zip(*replaced, strict=True), strict=True)
    return {
        "path": " ".join(pair.drawn.path),
        "words": pair.drawn.node.words,
        "replaced": [[old.words, new.words] for old, new in replaced],
        "marked": {role: [[word.start, word.end] for word in words] for role, words in sides},
    }


def _written(paths: tuple[Path, ...]) -> list[str]:
    return [" ".join(path) for path in paths]
