"""The pages of findings: a list of findings, problems or cases to filter and sort, and a page for each case."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord import api
from concord.api.findings import LABELS, SORTS, FindingsPage
from concord.errors import UserError
from concord.views.charts import links, tree
from concord.views.highlight import Piece
from concord.views.reason import reason
from concord.views.wording import role_names
from concord.web.forms import Fields, fields
from concord.web.long_texts import TextBudget, drawn_whole
from concord.web.renderer import page
from concord.web.settings import site_of

LIMIT = 20
LONGEST_NAME, LONGEST_CURSOR = 2_000, 2_000
BY: dict[str, Callable[..., FindingsPage]] = {"finding": api.findings, "problem": api.problems, "case": api.cases}
FLAGGED = {"yes": True, "no": False, "all": None}
FILTERS = {"relation": "relations", "system": "systems", "source": "sources", "to": "targets", "domain": "domains"}


def findings(request: Request) -> Response:
    query, address = fields(request), request.query_params
    wanted = wanted_of(query)
    # Findings and problems have flagged cases only.
    by = query.choice("by", BY, "finding") if wanted.flagged else "case"
    workspace = site_of(request).workspace
    page_found = BY[by](workspace, wanted, after=query.text("after", longest=LONGEST_CURSOR), limit=LIMIT)
    return page(
        request,
        "findings.html",
        found=page_found,
        **_listed(page_found),
        facets=api.facets(workspace, wanted).choices,
        asked=address,
        chosen={name: set(address.getlist(name)) for name in (*FILTERS, "run")},
        by=by,
        labels=LABELS,
        sorts=SORTS,
        query=urlencode(query.rest(("after",))),
        next=_other_page(query, page_found.next),
        previous=_other_page(query, page_found.previous),
    )


def case(request: Request) -> Response:
    location, key = location_of(fields(request)), request.path_params["case"]
    try:
        case_found = api.case(site_of(request).workspace, key, **location)
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    return page(request, "case.html", found=case_found, one=drawn_whole(case_found.row))


def structure(request: Request) -> Response:
    """Trees and word alignment, on a page of their own because they are slow to compute."""
    location, case = location_of(fields(request)), request.path_params["case"]
    structures = request.app.state.structures
    try:
        case_structure = api.structure(site_of(request).workspace, case, **location, structures=structures)
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    parsed = case_structure.parsed
    texts = {role: {"lang": part.text.lang, "words": part.text.words} for part in parsed for role in part.roles}

    def title(roles: Sequence[str]) -> str:
        return ", ".join(role_names(texts, roles))

    return page(
        request,
        "structure.html",
        found=case_structure,
        row={"case": case, **location},
        trees=[
            (part, title(part.roles), tree(part.tree, title=title(part.roles)) if part.tree else "") for part in parsed
        ],
        links=[links(part.source, part.output, part.links, title=title(part.roles)) for part in case_structure.linked],
    )


def _listed(found: FindingsPage) -> dict[str, Any]:
    """What a page lists: cases as they are drawn, findings with their worst case, or problems with their examples."""
    budget = TextBudget()
    return {
        "cases": [budget.drawn(row) for row in found.rows],
        "findings": [
            (finding, budget.drawn(finding.rows[0]), _examples(finding.rows[1:])) for finding in found.findings
        ],
        "problems": [(problem, _examples(problem.rows)) for problem in found.problems],
        "shown": len(found.rows) + len(found.findings) + len(found.problems),
    }


def _examples(rows: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], list[Piece]]]:
    return [(row, reason(row)) for row in rows]


def wanted_of(query: Fields) -> api.Filter:
    """The filters of a query string."""
    return api.Filter(
        runs=tuple(query.wholes("run", least=1)),
        **{filter: _filter_values(query, name) for name, filter in FILTERS.items()},
        text=query.text("text", exact=True),
        least=query.number_or("least", None),
        most=query.number_or("most", None),
        label=query.choice("label", LABELS),
        annotator=query.text("annotator", exact=True),
        flagged=FLAGGED[query.choice("flagged", FLAGGED, "yes")],
        sort=query.choice("sort", SORTS, "rank"),
        reverse=query.flag("reverse"),
    )


def location_of(query: Fields) -> dict[str, Any]:
    """The run and the repetition of a case, as the query string has them."""
    return {"run": query.whole_or("run", None, least=1), "repetition": query.whole_or("repetition", None)}


def _filter_values(query: Fields, name: str) -> tuple[str, ...]:
    """The chosen values of a filter; the empty domain is written as a dash."""
    return tuple("" if text == "-" else text for text in query.texts(name, longest=LONGEST_NAME))


def _other_page(query: Fields, after: str) -> str:
    """The address of another page of the same findings."""
    return "/findings?" + urlencode([*query.rest(("after",)), ("after", after)]) if after else ""


ROUTES = [Route("/findings", findings), Route("/case/{case}", case), Route("/case/{case}/structure", structure)]
