"""The overview: what was run, how often relations broke, how that went on, and what is running now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord import api
from concord.views import direction
from concord.views.charts import Point, lines
from concord.web.events import jobs_of
from concord.web.forms import fields
from concord.web.renderer import page
from concord.web.settings import site_of

if TYPE_CHECKING:
    from concord.api.overview import Cell, CountedRun

SHOWN = 50
TRENDS = 8


def overview(request: Request) -> Response:
    found = api.overview(site_of(request).workspace)
    latest = list(reversed(found.runs))
    everything = fields(request).choice("runs", ("all",)) == "all"
    return page(
        request,
        "overview.html",
        found=found,
        runs=latest if everything else latest[:SHOWN],
        more=0 if everything else len(latest[SHOWN:]),
        systems=list(dict.fromkeys(cell.system for cell in found.cells)),
        several=len({cell.corpus for cell in found.cells}) > 1,
        matrix=_matrix(found.cells),
        trend=_trend(found.trends),
        jobs=jobs_of(request).running(),
    )


def _matrix(cells: Sequence[Cell]) -> dict[tuple[str, str, str], dict[str, list[Cell]]]:
    """A line for each relation, direction and corpus, a column for each system; what is whole comes first."""
    lines: dict[tuple[str, str, str], dict[str, list[Cell]]] = {}
    for cell in sorted(cells, key=lambda each: not each.finished):
        line = lines.setdefault((cell.relation, direction(cell.source, cell.target), cell.corpus), {})
        line.setdefault(cell.system, []).append(cell)
    return dict(sorted(lines.items()))


def _trend(trends: Sequence[Sequence[CountedRun]]) -> str:
    """The share of violated cases from run to run, of those that were run most often; nothing if none was run twice."""
    several = sorted((trend for trend in trends if len(trend) > 1), key=len, reverse=True)[:TRENDS]
    points = [
        Point(place, each.share, _name(each), f"run {each.run.id}")
        for kind in several
        for place, each in enumerate(kind, start=1)
        if each.share is not None
    ]
    return (
        lines(points, title="Violated cases from run to run", x="run of its kind", y="share violated") if points else ""
    )


def _name(counted: CountedRun) -> str:
    run = counted.run
    return f"{run.relation} {run.system} {direction(run.source, run.target)}"


ROUTES = [Route("/", overview)]
