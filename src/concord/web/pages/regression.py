"""Comparing: two runs, or two systems, as a regression; and all systems by how often relations hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar
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
from concord.web.forms import fields
from concord.web.renderer import page
from concord.web.settings import site_of

LISTED = 10
OFFERED = 300
FURTHEST = 10**9
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Latest(Generic[T]):
    """What there is to show; if it is not of now, its age in seconds, and whether one of its runs goes on."""

    found: T | None = None
    age: float | None = None
    going_on: bool = False


def compare(request: Request) -> Response:
    """The choice of two sides and, once they are chosen, what became of their cases."""
    asked = fields(request)
    before, after = asked.text("before"), asked.text("after")
    kind = asked.choice("list", KINDS, "newly failing")
    start = asked.whole_or("start", 0, most=FURTHEST)
    runs = api.runs(site_of(request).workspace)
    latest: Latest[Any] = Latest()
    message = ""
    try:
        if before and after:
            ask = partial(api.compare_runs, before=before, after=after, kind=kind, limit=LISTED, start=start)
            name = ("runs", before, after, kind, start)
            latest = _latest(request, name, ask, partial(unfinished, sides=(before, after)))
    except UserError as error:
        message = str(error)
    found, pair = latest.found, latest_pair(runs)
    preparing = bool(before and after and found is None and not message)
    # Only a page without any choice is given one: who chose one side is not to find another there.
    chosen = (str(pair.before.id), str(pair.after.id)) if pair and not (before or after) else (before, after)
    return page(
        request,
        "regression.html",
        status=400 if message else 200,
        kinds_of_runs=by_kind(runs[::-1][:OFFERED]),
        count=len(runs),
        pair=pair,
        chosen=chosen,
        preparing=preparing,
        age=latest.age,
        going_on=latest.going_on,
        systems=list(dict.fromkeys(run.system for run in runs)),
        found=found,
        tables=comparison_tables(found) if found else [],
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
    """The systems of the latest runs; large runs are ranked in the background, and the page waits for it."""
    latest: Latest[dict[str, Any]] = Latest()
    message = ""
    try:
        latest = _standings(request)
    except UserError as error:
        message = str(error)
    return page(
        request,
        "systems.html",
        status=400 if message else 200,
        found=latest.found,
        age=latest.age,
        going_on=latest.going_on,
        preparing=latest.found is None and not message,
        message=message,
    )


def picture(request: Request) -> Response:
    """The picture of one table of the systems; it has a style sheet of its own, so it is a file of its own."""
    found = _standings(request).found
    number = request.path_params["number"]
    if found is None or number >= len(found["tables"]):
        raise HTTPException(404, "There is no such picture.")
    return Response(found["tables"][number]["picture"], media_type="image/svg+xml")


def _standings(request: Request) -> Latest[dict[str, Any]]:
    return _latest(request, "systems", api.standings, unfinished)


def _latest(
    request: Request,
    name: Hashable,
    ask: Callable[..., T | None],
    is_unfinished: Callable[[Path], bool],
) -> Latest[T]:
    """What is found at once; of a run that goes on, what was found last."""
    workspace, lately = site_of(request).workspace, request.app.state.lately
    found = ask(workspace, patient=False)
    if found is not None:
        return Latest(found)
    going_on = is_unfinished(workspace)
    # What was found while a run went on is shown until what is kept of its end can be read.
    made = lately.ask(name, partial(ask, workspace)) if going_on or lately.knows(name) else None
    return Latest(made.what, made.age, going_on) if made else Latest()


ROUTES = [
    Route("/compare", compare),
    Route("/compare/systems", systems),
    Route("/compare/systems/{number:int}.svg", picture),
]
