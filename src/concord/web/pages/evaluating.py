"""Evaluating: how far each relation can be trusted, at which threshold, and what several find together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from concord import api
from concord.errors import UserError
from concord.evaluating.detector_pictures import by_findings, by_threshold, overlap_picture
from concord.evaluating.detector_tables import detector_tables, overlap_tables, shown
from concord.evaluating.detectors import At, Detector
from concord.web.rendering import field, page
from concord.web.site import site_of

OFFERED = 300
OVERLAPS = 6


def evaluate(request: Request) -> Response:
    asked = request.query_params
    runs = _runs(asked.getlist("run"))
    # Only that something was said comes from the address, never what.
    kept = f"The threshold is written to {site_of(request).config.name}; later runs use it."
    message = kept if asked.get("said") == "kept" else ""
    queue = asked.get("queue", "")
    estimated = api.estimate(site_of(request).workspace, queue) if queue else None
    found = api.detectors(site_of(request).workspace, runs, patient=False)
    chosen = found.named(_number(asked.get("of", "")))
    at = None if chosen is None else _at(chosen, asked)
    return page(
        request,
        "evaluating.html",
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
        overlaps=[(each, overlap_picture(each), overlap_tables(each)) for each in found.overlaps[:OVERLAPS]],
        more=len(found.overlaps[OVERLAPS:]),
        config=site_of(request).config,
        queue=queue,
        estimated=estimated,
        said=message,
    )


def points(request: Request) -> Response:
    """Every threshold of a detector in words, so that a slider need not ask at each step."""
    asked = request.query_params
    runs, of = _runs(asked.getlist("run")), _number(asked.get("of", ""))
    chosen = api.detectors(site_of(request).workspace, runs, patient=False).named(of)
    made = [(each, _link(chosen, each)) for each in chosen.points()] if chosen else []
    return JSONResponse([{"at": repr(each.threshold), **shown(each), "link": link} for each, link in made])


def keep(request: Request) -> Response:
    """Write a threshold where runs find it, in the one file that the server was told."""
    form, site = request.state.form, site_of(request)
    runs = _runs([each for each in form.getlist("run") if isinstance(each, str)])
    if not runs:
        raise UserError("name the runs whose threshold is to be kept")
    made = api.keep_threshold(site.workspace, runs, _threshold(field(request, "at", 40)), config=site.config)
    kept = [*_repeated(_runs(field(request, "runs", 4_000).split())), ("of", runs[0]), ("at", repr(made.threshold))]
    return RedirectResponse("/evaluate?" + urlencode([*kept, ("said", "kept")]) + "#threshold", 303)


def _at(chosen: Detector, asked: QueryParams) -> At:
    """The threshold that is asked for; one that was meant for another detector is none for this."""
    text = asked.get("at", "").strip()
    meant = asked.get("was", "") in ("", str(chosen.id))
    return chosen.at(_threshold(text)) if text and meant else chosen.in_force


def _threshold(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UserError(f"a threshold is a number, such as 0.4, not '{text[:80]}'")
    return value


def _link(detector: Detector, at: At) -> str:
    """The findings that a threshold would give; nothing if there are none."""
    runs = _repeated([run.id for run in detector.runs])
    if not at.findings:
        return ""
    if at.least is None:
        return "/findings?" + urlencode(runs)
    return "/findings?" + urlencode([*runs, ("violated", "all"), ("least", repr(at.least))])


def _repeated(runs: Sequence[int]) -> list[tuple[str, object]]:
    return [("run", run) for run in runs]


def _runs(texts: Sequence[str]) -> list[int]:
    found = [_number(each) for each in texts[:OFFERED]]
    return [each for each in found if each is not None]


def _number(text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise UserError(f"'{text[:80]}' is not the number of a run")
    return int(text)


ROUTES = [
    Route("/evaluate", evaluate),
    Route("/evaluate/points", points),
    Route("/evaluate/keep", keep, methods=["POST"]),
]
