"""Exports: what can be taken out of the workspace, each in its formats."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from concord import api
from concord.web.rendering import page
from concord.web.site import site_of

KINDS = {
    "jsonl": "application/x-ndjson",
    "json": "application/json",
    "csv": "text/csv",
    "sheet": "text/csv",
    "tsv": "text/tab-separated-values",
    "tmx": "application/xml",
}
ENDINGS = {"sheet": "csv"}


def choices(request: Request) -> Response:
    """What there is, for the runs that are chosen."""
    runs = [each for each in request.query_params.getlist("run") if each]
    return page(
        request,
        "exporting.html",
        runs=api.runs(site_of(request).workspace),
        chosen=set(runs),
        kinds={
            name: (kind.what, [each for each in kind.formats if each in KINDS]) for name, kind in api.exports().items()
        },
        query=request.url.query,
    )


def download(request: Request) -> Response:
    what, format = request.path_params["what"], request.path_params["format"]
    runs = [each for each in request.query_params.getlist("run") if each]
    pieces = api.exported(site_of(request).workspace, runs, what=what, format=format)
    name = f"concord-{what}.{ENDINGS.get(format, format)}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(pieces, media_type=KINDS[format], headers=headers)


ROUTES = [Route("/export", choices), Route("/export/{what}/{format}", download)]
