"""Charts of detectors: precision against flagged cases, measures over thresholds, and overlaps."""

import math
from collections.abc import Sequence

from concord.analyses.detection.detectors import Detector
from concord.analyses.detection.overlap import Overlap
from concord.views import charts
from concord.views.charts import Point, Together

MEASURES = {"precision": "precision", "recall": "recall", "f": "F"}
DRAWN = 12
"""The most lines in one chart."""


def by_flagged(detectors: Sequence[Detector]) -> str:
    """Precision against the number of flagged cases, from strict thresholds to loose ones; empty without labels."""
    points = [
        Point(point["flagged"], point["precision"], detector.name, f"threshold {point['threshold']:g}")
        for detector in detectors[:DRAWN]
        for point in reversed(detector.curve())
        if not math.isnan(point["precision"])
    ]
    title = "Precision by number of flagged cases"
    return charts.lines(points, title=title, x="flagged cases among all", y="precision") if points else ""


def by_threshold(detector: Detector) -> str:
    """Precision, recall and F over the thresholds, where the labels allow an estimate."""
    points = [
        Point(point["threshold"], point[measure], name)
        for measure, name in MEASURES.items()
        for point in detector.curve()
        if not math.isnan(point[measure])
    ]
    title = f"{detector.name}: measures by threshold"
    return charts.lines(points, title=title, x="threshold", y="share") if points else ""


def overlap_pictures(overlap: Overlap) -> list[str]:
    """A bar for each combination of detectors over its dots: sentences flagged, wrong translations if labelled."""
    labelled = overlap.labelled > 0
    flagged = [Together(each.members, each.count, each.confirmed if labelled else None) for each in overlap.regions]
    wrong = [Together(each.members, each.count) for each in overlap.wrong]
    titled = [("Sentences flagged", flagged), *([("Wrong translations reported", wrong)] if wrong else [])]
    return [charts.upset(overlap.names, regions, title=title) for title, regions in titled]
