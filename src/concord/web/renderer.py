"""Pages out of templates. Every text on them was written by others: it is escaped, and made neutral first."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import FunctionLoader
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from concord import __version__
from concord.views import visible
from concord.views.charts import STYLE
from concord.views.html.report import environment
from concord.web.long_texts import fold, part_of
from concord.web.settings import site_of

NAVIGATION = (
    ("/", "Overview"),
    ("/findings", "Findings"),
    ("/label", "Label"),
    ("/evaluate", "Evaluate"),
    ("/compare", "Compare"),
    ("/run", "Run"),
    ("/try", "Try"),
    ("/export", "Export"),
)


def page(request: Request, name: str, *, status: int = 200, **told: Any) -> Response:
    """A template with what it is told, and what every page is told: where it is, and the proof for its forms."""
    site = site_of(request)
    text = _template(name).render(
        version=__version__,
        workspace=site.workspace.name,
        navigation=NAVIGATION,
        here=request.url.path,
        address=_address(request),
        csrf=csrf(request),
        **told,
    )
    return HTMLResponse(text, status)


def csrf(request: Request) -> Markup:
    """The hidden field that every form of ours must have."""
    return Markup('<input type="hidden" name="csrf" value="{}">').format(request.state.csrf)


def asset(name: str) -> str:
    """The address of one of our own files; it changes with what is in the file, so that a browser may keep it."""
    return f"/static/{name}?{_mark(name)}"


def static(name: str) -> bytes:
    """What is in one of our own files; `look.css` and `charts.css` are what the report has, too."""
    if name == "charts.css":
        return STYLE.encode()
    place = files("concord.views.html") if name == "look.css" else files("concord.web").joinpath("static")
    return place.joinpath(name).read_bytes()


def picture(svg: str) -> Markup:
    """A chart of ours in a page, which has its style sheet already."""
    return Markup(svg.replace(f"<style>{STYLE}</style>", ""))


def exact(value: object) -> Markup:
    """A text as the value of a control of a form, which must come back as it is: what is hidden in it is written out.

    >>> exact('soft\u00adly "so"')
    Markup('soft&#173;ly &#34;so&#34;')
    """
    return Markup("").join(_written(each) for each in str(value))


def _written(character: str) -> Markup:
    # HTML takes these numbers for characters of another set, and has no way at all to write U+0000.
    if visible(character) == character or 0x80 <= ord(character) <= 0x9F:
        return escape(character)
    return Markup(f"&#{ord(character)};") if character != "\0" else escape(visible(character))


@cache
def _mark(name: str) -> str:
    return hashlib.sha256(static(name)).hexdigest()[:12]


def _address(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


@cache
def _environment() -> Any:
    made = environment()
    ours = files("concord.web").joinpath("templates")
    theirs = files("concord.views.html")

    def source(name: str) -> str | None:
        shared = name.removeprefix("views/")
        place = ours.joinpath(name) if shared == name else theirs.joinpath(shared)
        return place.read_text("utf-8")

    made.loader = FunctionLoader(source)
    made.filters |= {"count": "{:,}".format, "percent": "{:.1%}".format, "exact": exact}
    made.globals |= {"asset": asset, "picture": picture, "fold": fold, "part_of": part_of}
    return made


@cache
def _template(name: str) -> Any:
    return _environment().get_template(name)
