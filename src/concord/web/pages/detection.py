"""Evaluating: how far each relation can be trusted, at which threshold, and what several find together."""

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
from concord.views.detection.detector_charts import by_findings, by_threshold, overlap_picture
from concord.views.detection.detector_tables import detector_tables, overlap_tables, shown
from concord.web.forms import Fields, fields
from concord.web.renderer import page
from concord.web.settings import site_of

if TYPE_CHECKING:
    from concord.api.detection import Detector, ThresholdEffect

OFFERED = 300
OVERLAPS = 6


def evaluate(request: Request) -> Response:
    asked = fields(request)
    runs = asked.wholes("run", least=1)
    # Only that something was said comes from the address, never what.
    kept = f"The threshold is written to {site_of(request).config.name}; later runs use it."
    message = kept if asked.text("said") == "kept" else ""
    queue = asked.text("queue", exact=True)
    estimated = api.estimate(site_of(request).workspace, queue) if queue else None
    found = api.detectors(site_of(request).workspace, runs, patient=False)
    chosen = found.find(asked.whole_or("of", None, least=1))
    at = None if chosen is None else _at(chosen, asked)
    return page(
        request,
        "detection.html",
        found=found,
        offered=found.offered[::-1][:OFFERED],
        runs=runs,
        tables=detector_tables(found.detectors),
        chosen=chosen,
        at=at,
        shown=shown(at) if at else {},
        link=_link(chosen, at) if chosen and at else "",
        points="/evaluate/points?" + urlencode([*_repeated(runs), ("of", chosen.id)]) if chosen else "",
        pictures=[each for each in (by_findings(found.detectors), by_threshold(chosen) if chosen else "") if each],
        overlaps=[
            (overlap, overlap_picture(overlap), overlap_tables(overlap)) for overlap in found.overlaps[:OVERLAPS]
        ],
        more=len(found.overlaps[OVERLAPS:]),
        config=site_of(request).config,
        queue=queue,
        estimated=estimated,
        said=message,
    )


def points(request: Request) -> Response:
    """Every threshold of a detector in words, so that a slider need not ask at each step."""
    asked = fields(request)
    runs, of = asked.wholes("run", least=1), asked.whole_or("of", None, least=1)
    chosen = api.detectors(site_of(request).workspace, runs, patient=False).find(of)
    made = [(point, _link(chosen, point)) for point in chosen.points()] if chosen else []
    return JSONResponse([{"at": repr(each.threshold), **shown(each), "link": link} for each, link in made])


def keep(request: Request) -> Response:
    """Write a threshold where runs find it, in the one file that the server was told."""
    said, site = fields(request), site_of(request)
    runs = said.wholes("run", least=1)
    if not runs:
        raise UserError("name the runs whose threshold is to be kept")
    made = api.keep_threshold(site.workspace, runs, said.number("at"), config=site.config)
    kept = [*_repeated(said.wholes("runs", least=1)), ("of", runs[0]), ("at", repr(made.threshold))]
    return RedirectResponse("/evaluate?" + urlencode([*kept, ("said", "kept")]) + "#threshold", 303)


def _at(chosen: Detector, asked: Fields) -> ThresholdEffect:
    """The threshold that is asked for; one that was meant for another detector is none for this."""
    threshold = asked.number_or("at", None)
    meant = asked.whole_or("was", chosen.id) == chosen.id
    return chosen.effect(threshold) if threshold is not None and meant else chosen.in_force


def _link(detector: Detector, at: ThresholdEffect) -> str:
    """The findings that a threshold would give; nothing if there are none."""
    runs = _repeated([run.id for run in detector.runs])
    if not at.findings:
        return ""
    if at.least is None:
        return "/findings?" + urlencode(runs)
    # An address has finite numbers alone; nothing but an endless suspicion is above the largest of them.
    least = [] if at.least == -math.inf else [("least", repr(min(at.least, sys.float_info.max)))]
    return "/findings?" + urlencode([*runs, ("violated", "all"), *least])


def _repeated(runs: Sequence[int]) -> list[tuple[str, object]]:
    return [("run", run) for run in runs]


ROUTES = [
    Route("/evaluate", evaluate),
    Route("/evaluate/points", points),
    Route("/evaluate/keep", keep, methods=["POST"]),
]
