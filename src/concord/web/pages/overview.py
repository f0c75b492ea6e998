"""The overview: what was run, how often relations broke, and what is running now."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord.web.rendering import page


def overview(request: Request) -> Response:
    return page(request, "overview.html")


ROUTES = [Route("/", overview)]
