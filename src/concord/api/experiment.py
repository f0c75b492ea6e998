"""Experiments over many detours, and the same statistics on any table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.analyses.experiment import Asked, Design, Experiment, design, execution, read_experiment
from concord.analyses.experiment.observations import runs_of
from concord.api._common import asked_for, looked_at, now
from concord.corpus import read
from concord.engine.batching.budget import Budget
from concord.errors import WORKSPACE, ServiceError
from concord.model import System
from concord.runs import plan as planning
from concord.runs.estimate import Estimate, estimate
from concord.runs.execute import SEED, RunExecutor, Settings
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
    """Make the observations of an experiment file, all systems side by side; run again, it continues.

    Gives a summary for each system, and what ended the run of a system before its time (a quota, a wrong key).
    `systems` take the place of those in the file; they may be systems made in Python.
    """
    plan, drawn, chosen, how = _experiment(path, settings, systems)

    async def made(store: Workspace) -> tuple[list[Summary], list[ServiceError]]:
        async with planning.closing(chosen):
            tasks, failed = await execution.tasks(plan, drawn, chosen, how.seconds)
            if not tasks:
                raise failed[0]
            summaries, ended = await RunExecutor(store, how, watch or (lambda progress: None)).side_by_side(tasks)
            return summaries, [*failed, *ended]

    with Workspace(workspace) as store:
        store.claim()
        return now(made(store))


def dry_run_experiment(
    path: str | Path, *, workspace: str | Path = WORKSPACE, settings: Settings | None = None
) -> list[Estimate]:
    """What `run_experiment` would send and cost; nothing is sent."""
    plan, drawn, systems, how = _experiment(path, settings)

    async def guessed(store: Workspace) -> list[Estimate]:
        async with planning.closing(systems):
            tasks, failed = await execution.tasks(plan, drawn, systems, how.seconds)
            if failed:
                raise failed[0]
            return await estimate(tasks, store, how, Budget(per_million=how.price))

    with looked_at(workspace) as store:
        return now(guessed(store))


def analyse_experiment(
    path: str | Path,
    *,
    systems: Sequence[str | System] = (),
    workspace: str | Path = WORKSPACE,
    asked: Asked | None = None,
) -> ExperimentResults:
    """The statistics of what the workspace has of an experiment; no system is needed.

    `systems` are those that took the place of the file's in `run_experiment`.
    """
    from concord.analyses.experiment.results import findings

    plan = read_experiment(path)
    drawn = design(plan, read(plan.corpus, plan.source))
    with Workspace(workspace, create=False) as store:
        only = {system.id for system in asked_for(["pivot"], systems, plan.targets)[1]} if systems else None
        return findings(store, plan, runs_of(store, plan, drawn, only), asked or Asked())


def report_experiment(found: ExperimentResults, page: str | Path, *, charts: str | Path | None = None) -> list[Path]:
    """Write an experiment as a page and, into a folder, each picture as SVG; gives the files."""
    from concord.views.experiment.charts import write_pictures
    from concord.views.experiment.page import write_page

    write_page(found, Path(page))
    return [Path(page), *(write_pictures(found, Path(charts)) if charts is not None else [])]


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
    chosen = asked_for(["pivot"], systems or plan.systems, plan.targets)[1]
    return plan, drawn, chosen, replace(settings or Settings(), seed=plan.seed)
