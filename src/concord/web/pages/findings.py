"""Findings: filtered, sorted, grouped, and each one with all that is known of it under a permanent address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord import api
from concord.api.findings import LABELS, SORTS, FindingsPage, GroupsPage
from concord.errors import UserError
from concord.views.case import Drawn
from concord.views.charts import links, tree
from concord.views.wording import NAMES
from concord.web.forms import Fields, fields
from concord.web.long_texts import Room, shown
from concord.web.renderer import page
from concord.web.settings import site_of

LIMIT = 20
LONGEST_NAME, LONGEST_PLACE = 2_000, 2_000
MOST = 50
GROUPED: dict[str, Callable[..., FindingsPage | GroupsPage]] = {
    "": api.findings,
    "sentence": api.sentences,
    "translation": api.translations,
}
VIOLATED = {"yes": True, "no": False, "all": None}
FILTERS = {"relation": "relations", "system": "systems", "source": "sources", "to": "targets", "domain": "domains"}


def findings(request: Request) -> Response:
    asked, given = fields(request), request.query_params
    wanted = wanted_of(asked)
    group = asked.choice("group", GROUPED)
    workspace = site_of(request).workspace
    found = GROUPED[group](workspace, wanted, after=asked.text("after", longest=LONGEST_PLACE), limit=LIMIT)
    return page(
        request,
        "findings.html",
        found=found,
        groups=_groups(found),
        facets=api.facets(workspace, wanted).choices,
        asked=given,
        chosen={name: set(given.getlist(name)) for name in (*FILTERS, "run")},
        group=group,
        labels=LABELS,
        sorts=SORTS,
        query=urlencode(asked.rest(("after",))),
        next=_beside(asked, found.next),
        previous=_beside(asked, found.previous),
    )


def finding(request: Request) -> Response:
    where, case = place_of(fields(request)), request.path_params["case"]
    try:
        found = api.finding(site_of(request).workspace, case, **where)
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    return page(request, "finding.html", found=found, one=shown(found.row))


def structure(request: Request) -> Response:
    """Trees and alignment, which take a moment, and so are drawn only when they are asked for."""
    where, case = place_of(fields(request)), request.path_params["case"]
    structures = request.app.state.structures
    try:
        found = api.structure(site_of(request).workspace, case, **where, structures=structures)
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    return page(
        request,
        "structure.html",
        found=found,
        row={"case": case, **where},
        trees=[(each, tree(each.tree, title=_title(each.roles)) if each.tree else "") for each in found.parsed],
        links=[links(each.source, each.output, each.links, title=_title(each.roles)) for each in found.linked],
    )


def _title(roles: Sequence[str]) -> str:
    return ", ".join(NAMES.get(role, role) for role in roles)


def _groups(found: FindingsPage | GroupsPage) -> list[tuple[api.Group | None, list[Drawn]]]:
    """Each group with its cases drawn; findings that are not grouped are one."""
    room = Room()
    if isinstance(found, FindingsPage):
        return [(None, [room.shown(row) for row in found.rows])]
    return [(group, [room.shown(row) for row in group.rows[:MOST]]) for group in found.groups]


def wanted_of(asked: Fields) -> api.Filter:
    """The findings that an address asks for."""
    return api.Filter(
        runs=tuple(asked.wholes("run", least=1)),
        **{filter: _given(asked, name) for name, filter in FILTERS.items()},
        text=asked.text("text", exact=True),
        least=asked.number_or("least", None),
        most=asked.number_or("most", None),
        label=asked.choice("label", LABELS),
        annotator=asked.text("annotator", exact=True),
        violated=VIOLATED[asked.choice("violated", VIOLATED, "yes")],
        sort=asked.choice("sort", SORTS, "rank"),
        reverse=asked.flag("reverse"),
    )


def place_of(asked: Fields) -> dict[str, Any]:
    """The run and the repetition in which a case is looked at."""
    return {"run": asked.whole_or("run", None, least=1), "repetition": asked.whole_or("repetition", None)}


def _given(asked: Fields, name: str) -> tuple[str, ...]:
    """What is chosen of a filter; a domain may be the empty one, which is written as a dash alone."""
    return tuple("" if text == "-" else text for text in asked.texts(name, longest=LONGEST_NAME))


def _beside(asked: Fields, after: str) -> str:
    """The address of another page of the same findings."""
    return "/findings?" + urlencode([*asked.rest(("after",)), ("after", after)]) if after else ""


ROUTES = [Route("/findings", findings), Route("/case/{case}", finding), Route("/case/{case}/structure", structure)]
