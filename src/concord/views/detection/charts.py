"""The charts of an evaluation as SVG, by file name (figures 5, 6, 8 and 12 of the paper)."""

from collections.abc import Iterator, Mapping

from concord.analyses.detection.evaluation import Evaluation, Metric, by_thresholds
from concord.stats.detection import MEASURES
from concord.views import charts
from concord.views.charts import HeatCell, Interval, Point

MOST = 2400
"""The most points in one chart; with more, only every second threshold is drawn, or every third, and so on."""
MIXED = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
GAINS = {"more_bugs": "More bugs found", "f": "Gain in F", "at_equal_flagged": "More bugs at equal number of flags"}


def pictures(evaluation: Evaluation) -> dict[str, str]:
    return dict(_drawn(evaluation))


def _drawn(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    metrics = {metric.score.name: metric for metric in evaluation.metrics}
    areas = [Interval("all rows", name, metric.auc, *metric.auc_interval) for name, metric in metrics.items()]
    yield "areas", charts.intervals(areas, title="Area under the curve; 0.5 is guessing", score="area", level=0.95)
    best = [
        Interval("all rows", name, metric.best("f"), *metric.intervals["f"]["best"]) for name, metric in metrics.items()
    ]
    yield "best_f", charts.intervals(best, title="Best F over the thresholds", score="F", level=0.95)
    for number, alike in enumerate(by_thresholds(evaluation.metrics), 1):
        part = {metric.score.name: metric for metric in alike}
        for measure in MEASURES:
            yield f"{measure}_{number}".removesuffix("_1"), _curves(part, "threshold", measure, "by threshold")
    yield "precision_by_flagged", _curves(metrics, "flagged", "precision", "by number of rows flagged")
    if evaluation.gains:
        for field, title in GAINS.items():
            cells = [HeatCell(gain.first, gain.second, getattr(gain, field), gain.rows) for gain in evaluation.gains]
            yield f"gain_{field}", charts.heat(cells, title=f"{title}: row's score combined with column's")
    if evaluation.mix:
        yield "mix", _over_k(evaluation)
    mixed = {f"K = {share:g}": metric for share, metric in evaluation.mix.items() if share in MIXED}
    for measure in ("accuracy", "f") if mixed else ():
        yield f"mix_{measure}", _curves(mixed, "threshold", measure, f"of mixtures of {evaluation.terms.mix}")


def _over_k(evaluation: Evaluation) -> str:
    points = [
        Point(share, value, name)
        for share, metric in evaluation.mix.items()
        for name, value in {
            "AUC": metric.auc,
            "best F": metric.best("f"),
            "mean F": metric.mean("f"),
            "best accuracy": metric.best("accuracy"),
            "mean accuracy": metric.mean("accuracy"),
        }.items()
    ]
    first, second = (name.strip() for name in evaluation.terms.mix.split(","))
    return charts.lines(points, title=f"K × {first} + (1 − K) × {second}", x="K", y="share")


def _curves(metrics: Mapping[str, Metric], across: str, up: str, title: str) -> str:
    """Curves of metrics; thresholds that flag nothing have no precision, so charts of precision leave them out."""
    step = -(-sum(len(metric.curve.thresholds) for metric in metrics.values()) // MOST)
    points = [
        Point(point[across], point[up], name, f"threshold {point['threshold']:.3g}")
        for name, metric in metrics.items()
        for point in list(metric.points())[::step]
        if point["flagged"] or up != "precision"
    ]
    name = "F" if up == "f" else up
    labels = {
        "title": f"{name.capitalize()} {title}",
        "x": "rows flagged" if across == "flagged" else across,
        "y": name,
    }
    return charts.lines(points, **labels)
