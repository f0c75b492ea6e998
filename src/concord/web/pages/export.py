"""Exports: what can be taken out of the workspace, each in its formats."""

from __future__ import annotations

import threading
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from concord import api
from concord.web.forms import fields
from concord.web.pages.findings import FILTERS, wanted_of
from concord.web.renderer import page
from concord.web.settings import site_of

KINDS = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "sheet": "text/csv",
    "tsv": "text/tab-separated-values",
    "tmx": "application/xml",
}
ENDINGS = {"sheet": "csv"}
AT_ONCE = 2
"""So many exports may be under way: each reads whole runs, and pages are to stay quick meanwhile."""
PASSED_ON = frozenset((*FILTERS, "text", "least", "most", "label", "annotator", "violated", "sort", "reverse"))
"""What of the address of a list of findings says which they are and in what order; anything else filters nothing."""

_under_way = threading.BoundedSemaphore(AT_ONCE)


class Download(StreamingResponse):
    """A file that is sent as it is made; it gives its place among the exports back, however it ends."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            _under_way.release()


def choices(request: Request) -> Response:
    """What there is, for the runs and the findings that are chosen."""
    asked = fields(request)
    wanted = wanted_of(asked)  # what means nothing is told here, and not by every link of the page
    asked.choice("what", api.exports())
    asked.choice("format", KINDS)
    runs = [("run", str(run)) for run in wanted.runs]
    filters = [(name, value) for name, value in asked.rest(()) if name in PASSED_ON]
    return page(
        request,
        "export.html",
        runs=api.runs(site_of(request).workspace),
        chosen={run for _, run in runs},
        kinds=api.exports(),
        offered=KINDS,
        filters=filters,
        runs_query=urlencode(runs),
        full_query=urlencode([*runs, *filters]),
    )


def download(request: Request) -> Response:
    what, format = request.path_params["what"], request.path_params["format"]
    asked = fields(request)
    wanted, raw = wanted_of(asked), asked.flag("raw")
    pieces = api.exported(site_of(request).workspace, wanted.runs, kind=what, format=format, filters=wanted, raw=raw)
    name = f"concord-{what}.{ENDINGS.get(format, format)}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if not _under_way.acquire(blocking=False):
        raise HTTPException(429, f"{AT_ONCE} exports are under way already. Wait until one is done, then ask again.")
    return Download(pieces, media_type=KINDS[format], headers=headers)


ROUTES = [Route("/export", choices), Route("/export/{what}/{format}", download)]
