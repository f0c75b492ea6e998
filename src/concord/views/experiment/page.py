"""The self-contained HTML page of an experiment: tables, charts, notes and signatures."""

from math import nan
from pathlib import Path

from concord.analyses.experiment.results import ExperimentResults
from concord.atomic import write_text
from concord.stats.ls_means import PairwiseDifference
from concord.views.experiment.charts import pictures
from concord.views.experiment.tables import tables
from concord.views.html import report


def write_page(findings: ExperimentResults, path: Path) -> None:
    """Write the page atomically."""
    write_text(path, render_page(findings))


def render_page(findings: ExperimentResults) -> str:
    """The page as HTML."""
    return report.render_page(
        "concord.views.experiment",
        pictures(findings).values(),
        experiment=findings.experiment,
        observations=len(findings.observed),
        lead=lead(findings),
        notes=findings.notes,
        runs=findings.runs,
        tables=tables(findings),
    )


def lead(findings: ExperimentResults) -> str:
    """The outcome in a sentence, by clustered standard errors where there are any, which are more reliable."""
    analysis = findings.analysis
    compared = analysis.clustered.compared if analysis.clustered else analysis.compared
    effect = compared.overall["system"]
    ranked = sorted((mean for mean in effect.means if mean.mean == mean.mean), key=lambda mean: -mean.mean)
    if len(ranked) < 2:
        return f"{ranked[0].level} scores {ranked[0].mean:.3f}." if ranked else "No mean can be estimated."
    best = ranked[0]
    p_values = {rival: pair.p for pair in effect.pairs for rival in _rival(pair, best.level)}
    highest = f"{best.level} has the highest score ({best.mean:.3f})"
    if any(p_values.get(mean.level, nan) != p_values.get(mean.level, nan) for mean in ranked[1:]):
        return f"{highest}, but the difference could not be tested: make more replications."
    tied = [mean.level for mean in ranked[1:] if p_values[mean.level] >= 1 - analysis.level]
    if tied:
        return f"{highest}, but does not differ significantly from {', '.join(tied)}."
    return f"{best.level} is the most consistent: {best.mean:.3f}, {best.mean - ranked[1].mean:.3f} above the next."


def _rival(pair: PairwiseDifference, level: str) -> tuple[str, ...]:
    """The level that the given one is compared with in this pair, if any."""
    return (pair.b,) if pair.a == level else (pair.a,) if pair.b == level else ()
