"""The pictures of an evaluation, each an SVG text by the name of its file (figures 5, 6, 8 and 12 of the paper)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from concord.analyses.detection.evaluation import Evaluation, Metric, by_thresholds
from concord.stats.detection import MEASURES
from concord.views import charts
from concord.views.charts import HeatCell, Interval, Point

MOST = 2400
"""Points in one picture; with more, every second threshold, or third, and so on."""
MIXED = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
GAINS = {"more_bugs": "More bugs found", "f": "Gain in F", "at_equal_flagged": "More bugs at equal number of flags"}


def pictures(found: Evaluation) -> dict[str, str]:
    return dict(_drawn(found))


def _drawn(found: Evaluation) -> Iterator[tuple[str, str]]:
    metrics = {metric.score.name: metric for metric in found.metrics}
    areas = [Interval("all rows", name, each.auc, *each.auc_interval) for name, each in metrics.items()]
    yield "areas", charts.intervals(areas, title="Area under the curve; 0.5 is guessing", score="area", level=0.95)
    best = [Interval("all rows", name, each.best("f"), *each.intervals["f"]["best"]) for name, each in metrics.items()]
    yield "best_f", charts.intervals(best, title="Best F over the thresholds", score="F", level=0.95)
    for number, alike in enumerate(by_thresholds(found.metrics), 1):
        part = {each.score.name: each for each in alike}
        for measure in MEASURES:
            yield f"{measure}_{number}".removesuffix("_1"), _curves(part, "threshold", measure, "by threshold")
    yield "precision_by_flagged", _curves(metrics, "flagged", "precision", "by number of rows flagged")
    if found.gains:
        for field, title in GAINS.items():
            cells = [HeatCell(gain.first, gain.second, getattr(gain, field), gain.rows) for gain in found.gains]
            yield f"gain_{field}", charts.heat(cells, title=f"{title}: row's score combined with column's")
    if found.mix:
        yield "mix", _over_k(found)
    mixed = {f"K = {share:g}": each for share, each in found.mix.items() if share in MIXED}
    for measure in ("accuracy", "f") if mixed else ():
        yield f"mix_{measure}", _curves(mixed, "threshold", measure, f"of mixtures of {found.terms.mix}")


def _over_k(found: Evaluation) -> str:
    points = [
        Point(share, value, name)
        for share, each in found.mix.items()
        for name, value in {
            "AUC": each.auc,
            "best F": each.best("f"),
            "mean F": each.mean("f"),
            "best accuracy": each.best("accuracy"),
            "mean accuracy": each.mean("accuracy"),
        }.items()
    ]
    first, second = (name.strip() for name in found.terms.mix.split(","))
    return charts.lines(points, title=f"K × {first} + (1 − K) × {second}", x="K", y="share")


def _curves(metrics: Mapping[str, Metric], across: str, up: str, title: str) -> str:
    """Points that are not flagged at all have no precision, so they have no place in pictures of it."""
    step = -(-sum(len(metric.curve.thresholds) for metric in metrics.values()) // MOST)
    points = [
        Point(point[across], point[up], name, f"threshold {point['threshold']:.3g}")
        for name, each in metrics.items()
        for point in list(each.points())[::step]
        if point["flagged"] or up != "precision"
    ]
    name = "F" if up == "f" else up
    named = {"title": f"{name.capitalize()} {title}", "x": "rows flagged" if across == "flagged" else across, "y": name}
    return charts.lines(points, **named)
