"""Comparing: two runs, or two systems, as a regression; and all systems by how often relations hold."""

from __future__ import annotations

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
from concord.web.rendering import page
from concord.web.site import site_of

LISTED = 10
OFFERED = 300
LONGEST = 500


def compare(request: Request) -> Response:
    """The choice of two sides and, once they are chosen, what became of their cases."""
    asked = request.query_params
    before, after = asked.get("before", "")[:LONGEST], asked.get("after", "")[:LONGEST]
    kind = asked.get("list") if asked.get("list") in KINDS else "newly failing"
    begin = asked.get("start", "")
    start = int(begin) if begin.isdecimal() and len(begin) < 9 else 0
    found, message = None, ""
    try:
        if before and after:
            where = site_of(request).workspace
            found = api.compare_runs(where, before, after, kind=str(kind), limit=LISTED, start=start, patient=False)
    except UserError as error:
        message = str(error)
    runs = api.runs(site_of(request).workspace)
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
    found, message = None, ""
    try:
        found = api.standings(site_of(request).workspace, patient=False)
    except UserError as error:
        message = str(error)
    preparing = found is None and not message
    status = 400 if message else 200
    return page(request, "systems.html", found=found, message=message, preparing=preparing, status=status)


def picture(request: Request) -> Response:
    """The picture of one table of the systems; it has a style sheet of its own, so it is a file of its own."""
    found = api.standings(site_of(request).workspace, patient=False)
    number = request.path_params["number"]
    if found is None or number >= len(found["tables"]):
        raise HTTPException(404, "There is no such picture.")
    return Response(found["tables"][number]["picture"], media_type="image/svg+xml")


ROUTES = [
    Route("/compare", compare),
    Route("/compare/systems", systems),
    Route("/compare/systems/{number:int}.svg", picture),
]
