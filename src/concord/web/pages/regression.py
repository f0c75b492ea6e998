"""The page Compare: two runs or two systems as a regression, and a ranking of all systems."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord import api
from concord.api.regression import KINDS, by_kind, latest_pair, unfinished
from concord.errors import UserError
from concord.views.regression.case_change import answers
from concord.views.regression.tables import comparison_tables, p_value_text, suspicions
from concord.web.background_cache import CachedValue
from concord.web.forms import fields
from concord.web.renderer import page
from concord.web.settings import site_of

LISTED = 10
OFFERED = 300
FURTHEST = 10**9


def compare(request: Request) -> Response:
    """The choice of two sides and, once they are chosen, their comparison."""
    query = fields(request)
    before, after = query.text("before"), query.text("after")
    kind = query.choice("list", KINDS, "newly failing")
    start = query.whole_or("start", 0, most=FURTHEST)
    runs = api.runs(site_of(request).workspace)
    latest, message = CachedValue(), ""
    try:
        if before and after:
            ask = partial(api.compare_runs, before=before, after=after, kind=kind, limit=LISTED, start=start)
            name = ("runs", before, after, kind, start)
            latest = _latest(request, name, ask, partial(unfinished, sides=(before, after)))
    except UserError as error:
        message = str(error)
    comparison, pair = latest.value, latest_pair(runs)
    preparing = bool(before and after and comparison is None and not message)
    # The default pair is offered only if no side is chosen.
    sides = (str(pair.before.id), str(pair.after.id)) if pair and not (before or after) else (before, after)
    return page(
        request,
        "regression.html",
        status=400 if message else 200,
        kinds_of_runs=by_kind(runs[::-1][:OFFERED]),
        count=len(runs),
        pair=pair,
        chosen=sides,
        preparing=preparing,
        age=latest.age,
        going_on=latest.going_on,
        systems=list(dict.fromkeys(run.system for run in runs)),
        found=comparison,
        tables=comparison_tables(comparison) if comparison else [],
        kinds=KINDS,
        kind=kind,
        start=start,
        listed=LISTED,
        message=message,
        link=lambda **more: "/compare?" + urlencode({"before": before, "after": after, "list": kind, **more}),
        answers=answers,
        suspicions=suspicions,
        said_p=p_value_text,
    )


def systems(request: Request) -> Response:
    """The ranking of systems by their latest runs; large runs are ranked in the background."""
    latest, message = CachedValue(), ""
    try:
        latest = _standings(request)
    except UserError as error:
        message = str(error)
    return page(
        request,
        "systems.html",
        status=400 if message else 200,
        found=latest.value,
        age=latest.age,
        going_on=latest.going_on,
        preparing=latest.value is None and not message,
        message=message,
    )


def picture(request: Request) -> Response:
    """The chart of one table of systems, as a file because it has its own style sheet."""
    standings = _standings(request).value
    number = request.path_params["number"]
    if standings is None or number >= len(standings["tables"]):
        raise HTTPException(404, "There is no such chart.")
    return Response(standings["tables"][number]["picture"], media_type="image/svg+xml")


def _standings(request: Request) -> CachedValue:
    return _latest(request, "systems", api.standings, unfinished)


def _latest(
    request: Request, name: Hashable, ask: Callable[..., Any], is_unfinished: Callable[[Path], bool]
) -> CachedValue:
    """The current result or, while a run is in progress, the last one."""
    workspace, cache = site_of(request).workspace, request.app.state.background_cache
    current = ask(workspace, patient=False)
    if current is not None:
        return CachedValue(current)
    going_on = is_unfinished(workspace)
    # After the run, the last result is shown until the index has the final one.
    cached = cache.ask(name, partial(ask, workspace)) if going_on or cache.knows(name) else None
    return replace(cached, going_on=going_on) if cached else CachedValue()


ROUTES = [
    Route("/compare", compare),
    Route("/compare/systems", systems),
    Route("/compare/systems/{number:int}.svg", picture),
]
