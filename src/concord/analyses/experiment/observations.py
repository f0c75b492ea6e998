"""The observations of an experiment, read from its runs: one row for each."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concord.analyses.experiment.design import Design
from concord.analyses.experiment.plan import Experiment
from concord.errors import UserError
from concord.runs.summary import Summary, summary
from concord.store import RunRecord, Workspace


@dataclass(frozen=True, slots=True)
class Observation:
    """The scores of one detour. `score` is the mean of the metrics, `scores` has each of them; higher is better."""

    system: str
    sentence: str
    pivot: str
    target: str
    score: float
    scores: dict[str, float]
    text: str = ""
    direct: str = ""

    @property
    def path(self) -> str:
        return f"{self.pivot}→{self.target}"

    def plain(self) -> dict[str, Any]:
        by_metric = {metric_name(metric): score for metric, score in self.scores.items()}
        head = {"system": self.system, "sentence": self.sentence, "pivot": self.pivot, "target": self.target}
        return {**head, "path": self.path, "score": self.score, **by_metric}


def metric_name(metric: str) -> str:
    """The metric as the experiment names it, without the option `tokens`, which every metric gets."""
    return re.sub(r":tokens=(language|paper)", "", metric)


def runs_of(
    store: Workspace, experiment: Experiment, design: Design, only: Collection[str] | None = None
) -> list[Summary]:
    """The latest run of every system that the experiment names now, or of these."""
    metrics = list(experiment.relation.options["metrics"])
    names = set(map(_name, experiment.systems))
    latest: dict[str, RunRecord] = {}
    for run in store.runs():
        same = (run.corpus, run.source) == (f"{design.name}#{design.digest}", experiment.source)
        selected = run.system in only if only is not None else not run.given or _name(run.given) in names
        # A later run that is unfinished does not replace a finished one.
        better = run.system not in latest or run.finished is not None or latest[run.system].finished is None
        if same and selected and better and list(run.settings.get("metrics", ())) == metrics:
            latest[run.system] = run
    if not latest:
        raise UserError(
            f"the workspace {store.path} has no run of the experiment {experiment.name} as it is written now."
            " Make one: concord experiment run"
        )
    return [summary(store, run.id) for run in latest.values()]


def _name(system: str) -> str:
    """A system as it is written; a file without its folder, since the paths of two runs may differ."""
    return Path(system).name if system.endswith(".toml") else system


def observations(store: Workspace, runs: Sequence[int]) -> Iterator[Observation]:
    """Every observation without an error, system by system."""
    for row in store.rows(runs):
        if row["error"] is None:
            yield Observation(
                system=row["system"],
                sentence=row["segment"],
                pivot=row["factors"]["pivot"],
                target=row["source_output"]["lang"],
                score=1 - row["suspicion"],
                scores=row["scores"],
                text=row["text"],
                direct=row["source_output"]["words"],
            )
