"""The page Overview: runs, the share of flagged cases and its trend, and running jobs."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from concord import api
from concord.api.overview import Cell, CountedRun
from concord.views import direction
from concord.views.charts import Point, lines
from concord.web.events import jobs_of
from concord.web.forms import fields
from concord.web.renderer import page
from concord.web.settings import site_of

SHOWN = 50
TRENDS = 8


def overview(request: Request) -> Response:
    workspace_overview = api.overview(site_of(request).workspace)
    latest = list(reversed(workspace_overview.runs))
    everything = fields(request).choice("runs", ("all",)) == "all"
    return page(
        request,
        "overview.html",
        found=workspace_overview,
        runs=latest if everything else latest[:SHOWN],
        more=0 if everything else len(latest[SHOWN:]),
        systems=list(dict.fromkeys(cell.system for cell in workspace_overview.cells)),
        several=len({cell.corpus for cell in workspace_overview.cells}) > 1,
        matrix=_matrix(workspace_overview.cells),
        trend=_trend(workspace_overview.trends),
        jobs=jobs_of(request).running(),
    )


def _matrix(cells: Sequence[Cell]) -> dict[tuple[str, str, str], dict[str, list[Cell]]]:
    """A row for each relation, direction and corpus, a column for each system; finished runs come first in a cell."""
    lines: dict[tuple[str, str, str], dict[str, list[Cell]]] = {}
    for cell in sorted(cells, key=lambda cell: not cell.finished):
        line = lines.setdefault((cell.relation, direction(cell.source, cell.target), cell.corpus), {})
        line.setdefault(cell.system, []).append(cell)
    return dict(sorted(lines.items()))


def _trend(trends: Sequence[Sequence[CountedRun]]) -> str:
    """A chart of the share of flagged cases from run to run, for the most frequent kinds of runs; empty without any."""
    several = sorted((trend for trend in trends if len(trend) > 1), key=len, reverse=True)[:TRENDS]
    points = [
        Point(number, counted.share, _name(counted), f"run {counted.run.id}")
        for kind in several
        for number, counted in enumerate(kind, start=1)
        if counted.share is not None
    ]
    return (
        lines(points, title="Flagged cases from run to run", x="number of the run of its kind", y="share flagged")
        if points
        else ""
    )


def _name(counted: CountedRun) -> str:
    run = counted.run
    return f"{run.relation} {run.system} {direction(run.source, run.target)}"


ROUTES = [Route("/", overview)]
