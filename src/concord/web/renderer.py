"""Render pages from templates. All texts are untrusted: they are escaped, and control characters made visible."""

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
from concord.views.wording import NAMES
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


def page(request: Request, name: str, *, status: int = 200, **variables: Any) -> Response:
    """Render a template with its variables and those of every page: navigation, address and CSRF token."""
    site = site_of(request)
    text = _template(name).render(
        version=__version__,
        workspace=site.workspace.name,
        navigation=NAVIGATION,
        here=request.url.path,
        address=_address(request),
        csrf=csrf(request),
        **variables,
    )
    return HTMLResponse(text, status)


def csrf(request: Request) -> Markup:
    """The hidden CSRF field that every form must have."""
    return Markup('<input type="hidden" name="csrf" value="{}">').format(request.state.csrf)


def asset(name: str) -> str:
    """The address of a static file, with a hash of its contents, so that browsers can cache it."""
    return f"/static/{name}?{_hash(name)}"


def static(name: str) -> bytes:
    """The contents of a static file; `look.css` and `charts.css` are shared with the report."""
    if name == "charts.css":
        return STYLE.encode()
    place = files("concord.views.html") if name == "look.css" else files("concord.web").joinpath("static")
    return place.joinpath(name).read_bytes()


def picture(svg: str) -> Markup:
    """An SVG chart for a page, without its style sheet, which every page has."""
    return Markup(svg.replace(f"<style>{STYLE}</style>", ""))


def exact(value: object) -> Markup:
    """A text as the value of a form field that must be sent back unchanged: invisible characters become references.

    >>> exact('soft\u00adly "so"')
    Markup('soft&#173;ly &#34;so&#34;')
    """
    return Markup("").join(_escaped(character) for character in str(value))


def side(wrong: str) -> str:
    """What people call the value of a label's field `wrong`."""
    return {"source output": NAMES["source_output"], "follow-up output": NAMES["follow_up_output"]}.get(wrong, wrong)


def _escaped(character: str) -> Markup:
    # HTML reads references 128 to 159 as Windows-1252, and cannot contain U+0000.
    if visible(character) == character or 0x80 <= ord(character) <= 0x9F:
        return escape(character)
    return Markup(f"&#{ord(character)};") if character != "\0" else escape(visible(character))


@cache
def _hash(name: str) -> str:
    return hashlib.sha256(static(name)).hexdigest()[:12]


def _address(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


@cache
def _environment() -> Any:
    pages = environment()
    ours = files("concord.web").joinpath("templates")
    theirs = files("concord.views.html")

    def source(name: str) -> str | None:
        shared = name.removeprefix("views/")
        place = ours.joinpath(name) if shared == name else theirs.joinpath(shared)
        return place.read_text("utf-8")

    pages.loader = FunctionLoader(source)
    pages.filters |= {"count": "{:,}".format, "percent": "{:.1%}".format, "exact": exact, "side": side}
    pages.globals |= {"asset": asset, "picture": picture, "fold": fold, "part_of": part_of}
    return pages


@cache
def _template(name: str) -> Any:
    return _environment().get_template(name)
