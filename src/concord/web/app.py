"""The application: every page's routes behind one safety layer, and errors as pages."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from concord.api.workspace import open_structures
from concord.errors import ConcordError, StoreError, UserError, refusal
from concord.web import events, pages
from concord.web.background_cache import Lately
from concord.web.index_updater import Indexing
from concord.web.jobs import Absent, Jobs
from concord.web.renderer import page, static
from concord.web.safety import Safety
from concord.web.settings import Site

KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
A_YEAR = "public, max-age=31536000, immutable"
STATUSES: dict[type[Exception], int] = {Absent: 404, UserError: 400, StoreError: 503, ConcordError: 500}


def create(site: Site) -> Starlette:
    """The page of one workspace as an ASGI application."""
    app = Starlette(
        routes=[*_routes(), *events.ROUTES, Route("/static/{name}", _static)],
        middleware=[Middleware(Safety, site=site)],
        lifespan=_lifespan,
        exception_handlers={HTTPException: _refused, ConcordError: _failed, OSError: _hindered},
    )
    app.state.site = site
    app.state.jobs = Jobs()
    app.state.lately = Lately()
    app.state.structures = open_structures()
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    indexing = Indexing(app.state.site.workspace)
    indexing.start()
    yield
    indexing.close()
    app.state.lately.close()
    app.state.jobs.close()
    app.state.structures.close()


def _routes() -> Iterator[BaseRoute]:
    for found in pkgutil.iter_modules(pages.__path__):
        yield from importlib.import_module(f"{pages.__name__}.{found.name}").ROUTES


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    kind = KINDS.get(name.rpartition(".")[2])
    try:
        body = static(name) if kind and "/" not in name and not name.startswith(".") else None
    except OSError:
        body = None
    if body is None:
        raise HTTPException(404, "There is no such file.")
    return Response(body, media_type=kind, headers={"Cache-Control": A_YEAR})


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _told(request, error.status_code, error.detail)


def _failed(request: Request, error: Exception) -> Response:
    return _told(request, next(status for kind, status in STATUSES.items() if isinstance(error, kind)), str(error))


def _hindered(request: Request, error: Exception) -> Response:
    refused = refusal(error)
    if refused is None:
        raise error
    return _told(request, 400 if isinstance(refused, UserError) else 503, str(refused))


def _told(request: Request, status: int, message: str) -> Response:
    """What went wrong, and the way back to the form that was sent."""
    sent = "/" + request.url.path.split("/")[1] if request.method == "POST" else ""
    return page(request, "error.html", status=status, message=message, form=sent)
