"""The ASGI application: the routes of all pages behind one security layer, and error pages."""

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
from concord.web.background_cache import BackgroundCache
from concord.web.index_updater import Indexing
from concord.web.jobs import Absent, Jobs
from concord.web.renderer import page, static
from concord.web.safety import Safety
from concord.web.settings import Site

KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
A_YEAR = "public, max-age=31536000, immutable"
STATUSES: dict[type[Exception], int] = {Absent: 404, UserError: 400, StoreError: 503, ConcordError: 500}


def create(site: Site) -> Starlette:
    """The application that serves one workspace."""
    app = Starlette(
        routes=[*_routes(), *events.ROUTES, Route("/static/{name}", _static)],
        middleware=[Middleware(Safety, site=site)],
        lifespan=_lifespan,
        exception_handlers={HTTPException: _http_error, ConcordError: _concord_error, OSError: _system_error},
    )
    app.state.site = site
    app.state.jobs = Jobs()
    app.state.background_cache = BackgroundCache()
    app.state.structures = open_structures()
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    indexing = Indexing(app.state.site.workspace)
    indexing.start()
    yield
    indexing.close()
    app.state.background_cache.close()
    app.state.jobs.close()
    app.state.structures.close()


def _routes() -> Iterator[BaseRoute]:
    for module in pkgutil.iter_modules(pages.__path__):
        yield from importlib.import_module(f"{pages.__name__}.{module.name}").ROUTES


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


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error_page(request, error.status_code, error.detail)


def _concord_error(request: Request, error: Exception) -> Response:
    return _error_page(
        request, next(status for kind, status in STATUSES.items() if isinstance(error, kind)), str(error)
    )


def _system_error(request: Request, error: Exception) -> Response:
    refused = refusal(error)
    if refused is None:
        raise error
    return _error_page(request, 400 if isinstance(refused, UserError) else 503, str(refused))


def _error_page(request: Request, status: int, message: str) -> Response:
    """The error page, with a link back to the form that was sent."""
    form = "/" + request.url.path.split("/")[1] if request.method == "POST" else ""
    return page(request, "error.html", status=status, message=message, form=form)
