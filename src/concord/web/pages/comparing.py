"""Comparing: two runs, or two systems, as a regression; and all systems by how often relations hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord import api
from concord.comparing.pairing import by_kind, latest_pair
from concord.comparing.regression import KINDS
from concord.comparing.tables import comparison_tables, said_p, suspicions
from concord.comparing.wording import answers
from concord.errors import UserError
from concord.store import RunRecord
from concord.web.reading import fields
from concord.web.rendering import page
from concord.web.site import site_of

LISTED = 10
OFFERED = 300
FURTHEST = 10**9
T = TypeVar("T")


def compare(request: Request) -> Response:
    """The choice of two sides and, once they are chosen, what became of their cases."""
    asked = fields(request)
    before, after = asked.text("before"), asked.text("after")
    kind = asked.choice("list", KINDS, "newly failing")
    start = asked.whole_or("start", 0, most=FURTHEST)
    runs = api.runs(site_of(request).workspace)
    found, age, message = None, None, ""
    try:
        if before and after:
            ask = partial(api.compare_runs, before=before, after=after, kind=kind, limit=LISTED, start=start)
            found, age = _latest(request, ("runs", before, after, kind, start), ask, runs)
    except UserError as error:
        message = str(error)
    pair = latest_pair(runs)
    preparing = bool(before and after and found is None and not message)
    # Only a page without any choice is given one: who chose one side is not to find another there.
    chosen = (str(pair.before.id), str(pair.after.id)) if pair and not (before or after) else (before, after)
    return page(
        request,
        "comparing.html",
        status=400 if message else 200,
        kinds_of_runs=by_kind(runs[::-1][:OFFERED]),
        count=len(runs),
        pair=pair,
        chosen=chosen,
        preparing=preparing,
        age=age,
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
        said_p=said_p,
    )


def systems(request: Request) -> Response:
    """The systems of the latest runs; large runs are ranked in the background, and the page waits for it."""
    found, age, message = None, None, ""
    try:
        found, age = _standings(request)
    except UserError as error:
        message = str(error)
    preparing = found is None and not message
    status = 400 if message else 200
    return page(request, "systems.html", found=found, age=age, message=message, preparing=preparing, status=status)


def picture(request: Request) -> Response:
    """The picture of one table of the systems; it has a style sheet of its own, so it is a file of its own."""
    found, _ = _standings(request)
    number = request.path_params["number"]
    if found is None or number >= len(found["tables"]):
        raise HTTPException(404, "There is no such picture.")
    return Response(found["tables"][number]["picture"], media_type="image/svg+xml")


def _standings(request: Request) -> tuple[dict[str, Any] | None, float | None]:
    return _latest(request, "systems", api.standings, api.runs(site_of(request).workspace))


def _latest(
    request: Request, name: Hashable, ask: Callable[..., T | None], runs: Sequence[RunRecord]
) -> tuple[T | None, float | None]:
    """What is found at once; of a run that goes on, what was found last, with its age in seconds."""
    workspace, lately = site_of(request).workspace, request.app.state.lately
    found = ask(workspace, patient=False)
    if found is None and (lately.knows(name) or any(run.finished is None for run in runs)):
        made = lately.ask(name, partial(ask, workspace))
        return (made.what, made.age) if made else (None, None)
    return found, None


ROUTES = [
    Route("/compare", compare),
    Route("/compare/systems", systems),
    Route("/compare/systems/{number:int}.svg", picture),
]
