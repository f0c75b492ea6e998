"""One self-contained HTML page of an experiment: tables, pictures, notes and signatures."""

from __future__ import annotations

from math import nan
from pathlib import Path

from concord.analyses.experiment.results import ExperimentResults, tokenisation
from concord.atomic import write_text
from concord.stats.ls_means import PairwiseDifference
from concord.views.experiment.charts import pictures
from concord.views.experiment.tables import tables
from concord.views.html import report
from concord.views.tables import TextTable


def write_page(findings: ExperimentResults, path: Path) -> None:
    """Write the page, whole or not at all."""
    write_text(path, render_page(findings))


def render_page(findings: ExperimentResults) -> str:
    """The page as a text."""
    return report.render_page(
        "concord.views.experiment",
        pictures(findings).values(),
        experiment=findings.experiment,
        observations=len(findings.observed),
        lead=lead(findings),
        notes=findings.notes,
        runs=findings.runs,
        tables=[*tables(findings), *_tokenisation(findings)],
    )


def lead(findings: ExperimentResults) -> str:
    """The outcome in a sentence, by the clustered errors where there are some: those are to be believed."""
    analysis = findings.analysis
    compared = analysis.clustered.compared if analysis.clustered else analysis.compared
    found = compared.overall["system"]
    ranked = sorted((mean for mean in found.means if mean.mean == mean.mean), key=lambda each: -each.mean)
    if len(ranked) < 2:
        return f"{ranked[0].level} scores {ranked[0].mean:.3f}." if ranked else "No mean can be estimated."
    best = ranked[0]
    chances = {other: pair.p for pair in found.pairs for other in _other(pair, best.level)}
    highest = f"{best.level} has the highest score ({best.mean:.3f})"
    if any(chances.get(each.level, nan) != chances.get(each.level, nan) for each in ranked[1:]):
        return f"{highest}, but the difference could not be tested: make more replications."
    tied = [each.level for each in ranked[1:] if chances[each.level] >= 1 - analysis.level]
    if tied:
        return f"{highest}, but is not told apart from {', '.join(tied)}."
    return f"{best.level} is the most consistent: {best.mean:.3f}, {best.mean - ranked[1].mean:.3f} above the next."


def _other(pair: PairwiseDifference, level: str) -> tuple[str, ...]:
    """The one that a level is compared with, if the pair is about it."""
    return (pair.b,) if pair.a == level else (pair.a,) if pair.b == level else ()


def _tokenisation(findings: ExperimentResults) -> list[TextTable]:
    rows = [
        (row["target"], f"{row['language']:.4f}", f"{row['paper']:.4f}", f"{row['language'] - row['paper']:+.4f}")
        for row in tokenisation(findings)
    ]
    note = (
        "Language: words as each language has them. Paper: whatever stands between blanks, which punishes languages"
        " that are written without them. The difference is due to the cutting alone."
    )
    return [TextTable("What is due to tokens", ("target", "language", "paper", "difference"), rows, note)]
