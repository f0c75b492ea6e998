"""The charts of an experiment as SVG, by file name."""

import re
from collections.abc import Iterator
from pathlib import Path

from concord.analyses.experiment.results import ExperimentResults
from concord.atomic import write_texts
from concord.views import charts


def pictures(findings: ExperimentResults) -> dict[str, str]:
    """Figures 2 and 3 of the 2018 paper, metrics by language, paths, and human scores if there are any."""
    return dict(_drawn(findings))


def write_pictures(findings: ExperimentResults, folder: Path) -> list[Path]:
    """Write each chart as SVG, and return the paths."""
    return write_texts(folder, {f"{name}.svg": svg for name, svg in pictures(findings).items()}, " for the charts")


def _drawn(findings: ExperimentResults) -> Iterator[tuple[str, str]]:
    level = findings.analysis.level
    yield (
        "systems_by_target",
        charts.intervals(list(_by_target(findings)), title="Score by target, within each system", level=level),
    )
    yield (
        "metrics_by_target",
        charts.intervals(
            [
                charts.Interval(name, mean.level, mean.mean, mean.lower, mean.upper)
                for name, analysis in findings.metrics.items()
                for mean in analysis.compared.overall["target"].means
            ],
            title="Metrics by target, all systems",
            level=level,
        ),
    )
    for number, (system, cells) in enumerate(findings.paths().items(), 1):
        rows = [charts.HeatCell(pivot, target, mean, n) for (pivot, target), (mean, n) in cells.items()]
        name = re.sub(r"[^A-Za-z0-9.=-]+", "_", system)[:60]
        yield f"paths_{number}_{name}", charts.heat(rows, title=f"Paths of {system}: pivot (row) → target (column)")
    fitted, residuals = findings.residuals()
    yield "residuals", charts.residuals(fitted, residuals, title="Residuals against fitted values")
    yield "quantiles", charts.qq(residuals, title="Residuals against the normal distribution")
    if findings.human is not None:
        stacks = [charts.Stack(system, counts) for system, counts in findings.human.counts.items()]
        yield "human_scores", charts.stacked(stacks, title="Human scores")
        points = [charts.Point(x, y, system) for system, x, y in findings.human.points]
        yield (
            "human_and_metamorphic",
            charts.scatter(points, title="Human and metamorphic scores", x="metamorphic score", y="human score"),
        )


def _by_target(findings: ExperimentResults) -> Iterator[charts.Interval]:
    """Intervals of targets within each system; with a single target, of the systems."""
    compared = findings.analysis.compared
    for system, effect in (compared.within.get("target|system") or {"systems": compared.overall["system"]}).items():
        for mean in effect.means:
            yield charts.Interval(system, mean.level, mean.mean, mean.lower, mean.upper, mean.letters or "")
