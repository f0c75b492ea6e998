"""Findings: filtered, sorted, grouped, and each one with all that is known of it under a permanent address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord import api
from concord.api.finding import Findings, Groups
from concord.errors import UserError
from concord.report.charts import links, tree
from concord.report.drawn import Drawn, drawn
from concord.report.translations import Group
from concord.report.wording import NAMES
from concord.store.wanted import LABELS, SORTS, Wanted
from concord.web.rendering import page
from concord.web.site import site_of

LIMIT = 20
LONGEST = 500
MOST = 50
GROUPED: dict[str, Callable[..., Findings | Groups]] = {
    "": api.findings,
    "sentence": api.sentences,
    "translation": api.translations,
}
VIOLATED = {"yes": True, "no": False, "all": None}
FILTERS = {"relation": "relations", "system": "systems", "source": "sources", "to": "targets", "domain": "domains"}


def findings(request: Request) -> Response:
    asked = request.query_params
    wanted = wanted_of(asked)
    group = asked.get("group", "")
    if group not in GROUPED:
        raise UserError(f"findings are grouped by sentence or by translation, not by '{group[:80]}'")
    workspace = site_of(request).workspace
    found = GROUPED[group](workspace, wanted, after=asked.get("after", ""), limit=LIMIT)
    return page(
        request,
        "findings.html",
        found=found,
        groups=_groups(found),
        facets=api.facets(workspace, wanted).choices,
        asked=asked,
        chosen={name: set(asked.getlist(name)) for name in (*FILTERS, "run")},
        group=group,
        labels=LABELS,
        sorts=SORTS,
        query=urlencode([(name, value) for name, value in asked.multi_items() if name != "after" and value]),
        next=_beside(asked, found.next),
        previous=_beside(asked, found.previous),
    )


def finding(request: Request) -> Response:
    asked = request.query_params
    case = request.path_params["case"]
    try:
        found = api.finding(
            site_of(request).workspace, case, run=_whole(asked, "run"), repetition=_whole(asked, "repetition")
        )
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    return page(request, "finding.html", found=found, one=drawn(found.row))


def structure(request: Request) -> Response:
    """Trees and alignment, which take a moment, and so are drawn only when they are asked for."""
    asked, case = request.query_params, request.path_params["case"]
    where: dict[str, Any] = {"run": _whole(asked, "run"), "repetition": _whole(asked, "repetition")}
    where["structures"] = request.app.state.structures
    try:
        found = api.structure(site_of(request).workspace, case, **where)
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    return page(
        request,
        "structure.html",
        found=found,
        row={"case": case, "run": where["run"], "repetition": where["repetition"]},
        trees=[(each, tree(each.tree, title=_title(each.roles)) if each.tree else "") for each in found.parsed],
        links=[links(each.source, each.output, each.links, title=_title(each.roles)) for each in found.linked],
    )


def _title(roles: Sequence[str]) -> str:
    return ", ".join(NAMES.get(role, role) for role in roles)


def _groups(found: Findings | Groups) -> list[tuple[Group | None, list[Drawn]]]:
    """Each group with its cases drawn; findings that are not grouped are one."""
    if isinstance(found, Findings):
        return [(None, [drawn(row) for row in found.rows])]
    return [(group, [drawn(row) for row in group.rows[:MOST]]) for group in found.groups]


def wanted_of(asked: QueryParams) -> Wanted:
    """The findings that an address asks for."""
    violated = asked.get("violated", "yes")
    if violated not in VIOLATED:
        raise UserError(f"cases are wanted that are violated: yes, no or all; not '{violated[:80]}'")
    runs = [_run(each) for each in asked.getlist("run") if each]
    return Wanted(
        runs=tuple(runs),
        **{filter: _given(asked, name) for name, filter in FILTERS.items()},
        text=asked.get("text", "")[:LONGEST],
        least=_bound(asked, "least"),
        most=_bound(asked, "most"),
        label=asked.get("label", ""),
        annotator=asked.get("annotator", "")[:LONGEST],
        violated=VIOLATED[violated],
        sort=asked.get("sort") or "rank",
        reverse=asked.get("reverse") == "1",
    )


def _given(asked: QueryParams, name: str) -> tuple[str, ...]:
    """What is chosen of a filter; a domain may be the empty one, which is written as a dash alone."""
    # Browsers send line breaks as CRLF, whatever they were.
    given = (each.replace("\r\n", "\n") for each in asked.getlist(name))
    return tuple("" if each == "-" else each for each in given if each)


def _run(text: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise UserError(f"'{text[:80]}' is not the number of a run")
    return int(text)


def _whole(asked: QueryParams, name: str) -> int | None:
    return _run(asked[name]) if asked.get(name) else None


def _bound(asked: QueryParams, name: str) -> float | None:
    text = asked.get(name, "").strip()
    try:
        return float(text) if text else None
    except ValueError:
        raise UserError(f"a bound of the suspicion is a number, not '{text[:80]}'") from None


def _beside(asked: QueryParams, after: str) -> str:
    """The address of another page of the same findings."""
    if not after:
        return ""
    kept: Sequence[tuple[str, str]] = [(name, value) for name, value in asked.multi_items() if name != "after"]
    return "/findings?" + urlencode([*kept, ("after", after)])


ROUTES = [Route("/findings", findings), Route("/case/{case}", finding), Route("/case/{case}/structure", structure)]
