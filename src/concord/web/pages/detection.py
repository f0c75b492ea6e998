"""The page Evaluate: detectors against labels, thresholds, and overlaps of detectors."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from concord import api
from concord.errors import UserError
from concord.views.detection.detector_charts import by_flagged, by_threshold, overlap_pictures
from concord.views.detection.detector_tables import detector_tables, overlap_tables, threshold_texts
from concord.web.forms import Fields, fields
from concord.web.renderer import page
from concord.web.settings import site_of

if TYPE_CHECKING:
    from concord.api.detection import Detector, ThresholdEffect

OFFERED = 300
OVERLAPS = 6


def evaluate(request: Request) -> Response:
    query = fields(request)
    runs = query.wholes("run", least=1)
    # The address only says that there is a message; its text is fixed.
    message_kept = f"The threshold is written to {site_of(request).config.name}; later runs use it."
    message = message_kept if query.text("said") == "kept" else ""
    queue = query.text("queue", exact=True)
    estimated = api.estimate(site_of(request).workspace, queue) if queue else None
    evaluated = api.detectors(site_of(request).workspace, runs, patient=False)
    detector = evaluated.find(query.whole_or("of", None, least=1))
    point = None if detector is None else _chosen_point(detector, query)
    return page(
        request,
        "detection.html",
        found=evaluated,
        offered=evaluated.offered[::-1][:OFFERED],
        runs=runs,
        tables=detector_tables(evaluated.detectors),
        chosen=detector,
        at=point,
        shown=threshold_texts(point) if point else {},
        link=_link(detector, point) if detector and point else "",
        points="/evaluate/points?" + urlencode([*_repeated(runs), ("of", detector.id)]) if detector else "",
        pictures=[
            chart for chart in (by_flagged(evaluated.detectors), by_threshold(detector) if detector else "") if chart
        ],
        overlaps=[
            (overlap, overlap_pictures(overlap), overlap_tables(overlap)) for overlap in evaluated.overlaps[:OVERLAPS]
        ],
        more=len(evaluated.overlaps[OVERLAPS:]),
        config=site_of(request).config,
        queue=queue,
        estimated=estimated,
        said=message,
    )


def points(request: Request) -> Response:
    """The figures of every threshold of a detector as JSON, for the slider."""
    query = fields(request)
    runs, number = query.wholes("run", least=1), query.whole_or("of", None, least=1)
    detector = api.detectors(site_of(request).workspace, runs, patient=False).find(number)
    linked = [(point, _link(detector, point)) for point in detector.points()] if detector else []
    return JSONResponse(
        [{"at": repr(point.threshold), **threshold_texts(point), "link": link} for point, link in linked]
    )


def keep(request: Request) -> Response:
    """Write a threshold to the configuration file of the server, which later runs read."""
    form, site = fields(request), site_of(request)
    runs = form.wholes("run", least=1)
    if not runs:
        raise UserError("give the runs whose threshold is to be saved")
    kept = api.keep_threshold(site.workspace, runs, form.number("at"), config=site.config)
    kept_query = [*_repeated(form.wholes("runs", least=1)), ("of", runs[0]), ("at", repr(kept.threshold))]
    return RedirectResponse("/evaluate?" + urlencode([*kept_query, ("said", "kept")]) + "#threshold", 303)


def _chosen_point(detector: Detector, query: Fields) -> ThresholdEffect:
    """The requested threshold, unless it was for another detector; else the one in force."""
    threshold = query.number_or("at", None)
    meant = query.whole_or("was", detector.id) == detector.id
    return detector.effect(threshold) if threshold is not None and meant else detector.in_force


def _link(detector: Detector, point: ThresholdEffect) -> str:
    """A link to the cases that are flagged at a threshold; empty if there are none."""
    runs = [*_repeated([run.id for run in detector.runs]), ("by", "case")]
    if not point.flagged:
        return ""
    if point.least is None:
        return "/findings?" + urlencode(runs)
    # A query string has finite numbers only; only an infinite suspicion is above the largest of them.
    least = [] if point.least == -math.inf else [("least", repr(min(point.least, sys.float_info.max)))]
    return "/findings?" + urlencode([*runs, ("flagged", "all"), *least])


def _repeated(runs: Sequence[int]) -> list[tuple[str, object]]:
    return [("run", run) for run in runs]


ROUTES = [
    Route("/evaluate", evaluate),
    Route("/evaluate/points", points),
    Route("/evaluate/keep", keep, methods=["POST"]),
]
