"""The results of an experiment: the papers' tables and the data of their figures, for the user's own systems."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from concord.analyses.experiment.human_scores import Human, compare_human_scores
from concord.analyses.experiment.observations import Observation, metric_name, observations
from concord.analyses.experiment.plan import Asked, Experiment
from concord.errors import UserError
from concord.plural import plural
from concord.runs.summary import Summary
from concord.stats.analysis import Analysis, analyse
from concord.store import Workspace

MOST_RESIDUALS = 100_000
MOST_NAMED = 8
STUB = 20  # a system with a twentieth of the others' observations has hardly begun


@dataclass(frozen=True, slots=True)
class ExperimentResults:
    """The analysis of an experiment, and the data of its charts."""

    experiment: Experiment
    runs: Sequence[Summary]
    analysis: Analysis
    metrics: dict[str, Analysis]
    observed: Sequence[Observation]
    notes: Sequence[str]
    human: Human | None
    replications: dict[str, int] | None

    def json(self) -> dict[str, Any]:
        by_target = {name: analysis.json()["means"].get("target", []) for name, analysis in self.metrics.items()}
        return {
            "experiment": self.experiment.name,
            "runs": [run.plain() for run in self.runs],
            **self.analysis.json(),
            "notes": list(self.notes),
            "metrics": by_target,
            **({"human": self.human.json()} if self.human else {}),
            **({"replications": self.replications} if self.replications else {}),
        }

    def residuals(self) -> tuple[list[float], list[float]]:
        """Fitted values and residuals, of every observation or of evenly spaced ones."""
        total, count = defaultdict[tuple[str, str], float](float), defaultdict[tuple[str, str], int](int)
        for obs in self.observed:
            total[self._cell(obs)] += obs.score
            count[self._cell(obs)] += 1
        step = len(self.observed) // MOST_RESIDUALS + 1
        fitted = [total[self._cell(obs)] / count[self._cell(obs)] for obs in self.observed[::step]]
        pairs = zip(self.observed[::step], fitted, strict=True)
        return fitted, [obs.score - mean for obs, mean in pairs]

    def _cell(self, observation: Observation) -> tuple[str, str]:
        factorial = self.experiment.allocation == "factorial"
        return observation.system, observation.path if factorial else observation.target

    def paths(self) -> dict[str, dict[tuple[str, str], tuple[float, int]]]:
        """For each system: the mean score and the number of observations by (pivot, target)."""
        by_system = defaultdict[str, dict[tuple[str, str], list[float]]](lambda: defaultdict(list))
        for obs in self.observed:
            by_system[obs.system][obs.pivot, obs.target].append(obs.score)
        return {
            system: {path: (sum(scores) / len(scores), len(scores)) for path, scores in cells.items()}
            for system, cells in by_system.items()
        }


def findings(store: Workspace, experiment: Experiment, runs: Sequence[Summary], terms: Asked) -> ExperimentResults:
    """Analyse the observations of these runs of an experiment, finished or not."""
    everything = list(observations(store, [run.run.id for run in runs]))
    if not everything:
        raise UserError(f"the experiment {experiment.name} has no observation without an error yet")
    observed, notes = _comparable(everything)
    analysis = _analysed(experiment, observed, terms)
    metrics = {
        name: analyse((obs.plain() for obs in observed), name, ["system", "target"], level=terms.level)
        for name in map(metric_name, observed[0].scores)
    }
    return ExperimentResults(
        experiment=experiment,
        runs=runs,
        analysis=analysis,
        metrics=metrics,
        observed=observed,
        notes=list(dict.fromkeys([*_state(runs), *notes, *analysis.notes])),
        human=compare_human_scores(terms.human, everything, terms.level, runs) if terms.human else None,
        replications=analysis.replications(terms.width) if terms.width else None,
    )


def _analysed(experiment: Experiment, observed: Sequence[Observation], terms: Asked) -> Analysis:
    """The analysis by paths and their targets in the factorial design, by targets alone if pivots were random."""
    factorial = experiment.allocation == "factorial"
    return analyse(
        (obs.plain() for obs in observed),
        "score",
        ["system", "path" if factorial else "target"],
        nested={"path": "target"} if factorial else None,
        level=terms.level,
        cluster="sentence",
        resamples=terms.resamples,
        seed=experiment.seed,
    )


def _comparable(everything: list[Observation]) -> tuple[list[Observation], list[str]]:
    """The observations of those paths that every system has, since means over different paths are not comparable.

    A system that has hardly begun is left out, or it would remove the others' paths.
    """
    counts = Counter(obs.system for obs in everything)
    stubs = [name for name, count in counts.items() if STUB * count < max(counts.values())]
    notes = [f"{name} is left out: it has only {plural(counts[name], 'observation')}." for name in stubs]
    enough = [obs for obs in everything if obs.system not in stubs]
    paths = defaultdict[str, set[str]](set)
    for obs in enough:
        paths[obs.system].add(obs.path)
    common = set.intersection(*paths.values())
    uneven = sorted(set.union(*paths.values()) - common)
    if not common:
        return enough, [*notes, "No path has observations of every system: the means of systems are over other paths."]
    if uneven:
        more = f" and {len(uneven) - MOST_NAMED} more" if len(uneven) > MOST_NAMED else ""
        paths_left_out = ", ".join(uneven[:MOST_NAMED]) + more
        notes.append(f"Left out, because not every system has observations of them: {paths_left_out}.")
    return [obs for obs in enough if obs.path in common], notes


def _state(runs: Sequence[Summary]) -> Iterator[str]:
    """Notes on what is missing from the table."""
    for summary in runs:
        yield from summary.notes
        if summary.run.finished is None:
            yield f"{summary.run.system} is not finished: {plural(summary.cases, 'observation')} so far."
        if summary.errors:
            failed = plural(summary.errors, "observation failed and is", "observations failed and are")
            yield f"{summary.run.system}: {failed} not in the analysis."
