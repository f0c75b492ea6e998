"""The pictures of detectors: precision against findings, measures over thresholds, and what is flagged together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from concord.analyses.detection.detectors import Detector
from concord.analyses.detection.overlap import Overlap
from concord.views import charts
from concord.views.charts import Point, Together

MEASURES = {"precision": "precision", "recall": "recall", "f": "F"}
DRAWN = 12
"""Lines in one picture."""


def by_findings(detectors: Sequence[Detector]) -> str:
    """Precision against the number of findings, from strict thresholds to loose ones; empty without labels."""
    points = [
        Point(each["findings"], each["precision"], detector.name, f"threshold {each['threshold']:g}")
        for detector in detectors[:DRAWN]
        for each in reversed(detector.curve())
        if not math.isnan(each["precision"])
    ]
    title = "Precision by number of findings"
    return charts.lines(points, title=title, x="findings among all cases", y="precision") if points else ""


def by_threshold(detector: Detector) -> str:
    """Precision, recall and F over the thresholds; those that labels do not tell are left out."""
    points = [
        Point(each["threshold"], each[measure], name)
        for measure, name in MEASURES.items()
        for each in detector.curve()
        if not math.isnan(each[measure])
    ]
    title = f"{detector.name}: measures by threshold"
    return charts.lines(points, title=title, x="threshold", y="share") if points else ""


def overlap_picture(overlap: Overlap) -> str:
    """A bar for each combination of detectors that flag a sentence, over the dots of these detectors."""
    known = overlap.labelled > 0
    regions = [
        Together(region.members, region.count, region.confirmed if known else None) for region in overlap.regions
    ]
    return charts.upset(overlap.names, regions, title="Sentences flagged")
