"""Experiments over many pivot languages, and the same statistics on any table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.analyses.experiment import Asked, Design, Experiment, design, execution, read_experiment
from concord.analyses.experiment.observations import observations, runs_of
from concord.analyses.experiment.rating_sheet import COLUMNS, rating_lines
from concord.api._common import now, open_or_empty, resolve_names
from concord.corpus import read
from concord.engine.batching.budget import Budget
from concord.errors import WORKSPACE, ServiceError, UserError
from concord.labels.spreadsheets import write_sheet
from concord.model import System
from concord.runs import plan as planning
from concord.runs.estimate import Estimate, estimate
from concord.runs.execute import SEED, RunExecutor, Settings
from concord.runs.select import refuse_overwriting
from concord.runs.summary import Progress, Summary
from concord.store import Workspace

if TYPE_CHECKING:  # they bring scipy along, which only an analysis should wait for
    from concord.analyses.experiment.results import ExperimentResults
    from concord.stats.analysis import Analysis


def run_experiment(
    path: str | Path,
    *,
    systems: Sequence[str | System] = (),
    workspace: str | Path = WORKSPACE,
    settings: Settings | None = None,
    watch: Callable[[Progress], None] | None = None,
) -> tuple[list[Summary], list[ServiceError]]:
    """Make the observations of an experiment file, all systems at once; a second call resumes it.

    Returns a summary for each system, and the errors that ended the run of a system early (a quota, a wrong key).
    `systems` replace those of the file; they may be systems made in Python.
    """
    plan, drawn, tested, how = _experiment(path, settings, systems)

    async def observe(store: Workspace) -> tuple[list[Summary], list[ServiceError]]:
        async with planning.closing(tested):
            tasks, failed = await execution.tasks(plan, drawn, tested, how.seconds)
            if not tasks:
                raise failed[0]
            summaries, ended = await RunExecutor(store, how, watch or (lambda progress: None)).side_by_side(tasks)
            return summaries, [*failed, *ended]

    with Workspace(workspace) as store:
        store.claim()
        return now(observe(store))


def dry_run_experiment(
    path: str | Path, *, workspace: str | Path = WORKSPACE, settings: Settings | None = None
) -> list[Estimate]:
    """What `run_experiment` would send and cost; nothing is sent."""
    plan, drawn, systems, how = _experiment(path, settings)

    async def estimated(store: Workspace) -> list[Estimate]:
        async with planning.closing(systems):
            tasks, failed = await execution.tasks(plan, drawn, systems, how.seconds)
            if failed:
                raise failed[0]
            return await estimate(tasks, store, how, Budget(per_million=how.price))

    with open_or_empty(workspace) as store:
        return now(estimated(store))


def analyse_experiment(
    path: str | Path,
    *,
    systems: Sequence[str | System] = (),
    workspace: str | Path = WORKSPACE,
    terms: Asked | None = None,
) -> ExperimentResults:
    """The statistics of an experiment's observations in the workspace; no system is needed.

    `systems` are those that replaced the file's in `run_experiment`.
    """
    from concord.analyses.experiment.results import findings

    plan = read_experiment(path)
    drawn = design(plan, read(plan.corpus, plan.source))
    with Workspace(workspace, create=False) as store:
        only = {system.id for system in resolve_names(["pivot"], systems, plan.targets)[1]} if systems else None
        return findings(store, plan, runs_of(store, plan, drawn, only), terms or Asked())


def report_experiment(results: ExperimentResults, page: str | Path, *, charts: str | Path | None = None) -> list[Path]:
    """Write an experiment as a page and, into a folder, each chart as SVG; return the files."""
    from concord.views.experiment.charts import write_pictures
    from concord.views.experiment.page import write_page

    write_page(results, Path(page))
    return [Path(page), *(write_pictures(results, Path(charts)) if charts is not None else [])]


def rating_sheet(
    path: str | Path,
    sheet: str | Path,
    *,
    workspace: str | Path = WORKSPACE,
    size: int = 140,
    target: str = "",
    seed: int = SEED,
    force: bool = False,
) -> int:
    """Write a sheet to score direct translations of an experiment from 0 to 3; return the number of its lines.

    An existing file may hold somebody's work, and is replaced only by `force`.
    """
    if Path(sheet).exists() and not force:
        raise UserError(f"{sheet} is there already, and may hold scores. Choose another name, or --force")
    plan = read_experiment(path)
    drawn = design(plan, read(plan.corpus, plan.source))
    with Workspace(workspace, create=False) as store:
        refuse_overwriting(workspace, sheet)
        observed = list(observations(store, [run.run.id for run in runs_of(store, plan, drawn)]))
        return write_sheet(Path(sheet), COLUMNS, rating_lines(observed, size, target, seed))


def analyse(
    table: str | Path,
    response: str,
    factors: Sequence[str],
    *,
    level: float = 0.95,
    nested: Mapping[str, str] | None = None,
    cluster: str | None = None,
    interaction: bool = True,
    resamples: int = 0,
    seed: int = SEED,
) -> Analysis:
    """The same statistics on any table: a CSV, TSV or JSONL file with a column of numbers and columns of factors."""
    from concord.stats import analysis as stats

    how: dict[str, Any] = {"nested": nested, "cluster": cluster, "interaction": interaction}
    return stats.analyse(table, response, factors, level=level, resamples=resamples, seed=seed, **how)


def _experiment(
    path: str | Path, settings: Settings | None, systems: Sequence[str | System] = ()
) -> tuple[Experiment, Design, list[System], Settings]:
    plan = read_experiment(path)
    drawn = design(plan, read(plan.corpus, plan.source))
    tested = resolve_names(["pivot"], systems or plan.systems, plan.targets)[1]
    return plan, drawn, tested, replace(settings or Settings(), seed=plan.seed)
