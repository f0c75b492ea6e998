"""The page Export: downloads of rows, cases, findings, problems, labels and corrections."""

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
"""The most exports at a time: each reads whole runs, which slows the pages down."""
PASSED_ON = frozenset((*FILTERS, "text", "least", "most", "label", "annotator", "flagged", "sort", "reverse"))
"""The fields of a findings query string that filter or sort; others are dropped."""

_under_way = threading.BoundedSemaphore(AT_ONCE)


class Download(StreamingResponse):
    """A streamed file, which releases its slot among the exports when it ends."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            _under_way.release()


def choices(request: Request) -> Response:
    """The exports of the chosen runs and filters."""
    query = fields(request)
    wanted = wanted_of(query)  # invalid fields are reported here, not only by the links of the page
    query.choice("what", api.exports())
    query.choice("format", KINDS)
    runs = [("run", str(run)) for run in wanted.runs]
    filters = [(name, value) for name, value in query.rest(()) if name in PASSED_ON]
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
    kind, format = request.path_params["what"], request.path_params["format"]
    query = fields(request)
    wanted, raw = wanted_of(query), query.flag("raw")
    pieces = api.exported(site_of(request).workspace, wanted.runs, kind=kind, format=format, filters=wanted, raw=raw)
    name = f"concord-{kind}.{ENDINGS.get(format, format)}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if not _under_way.acquire(blocking=False):
        raise HTTPException(
            429, f"{AT_ONCE} exports are in progress already. Wait until one has finished, then try again."
        )
    return Download(pieces, media_type=KINDS[format], headers=headers)


ROUTES = [Route("/export", choices), Route("/export/{what}/{format}", download)]
