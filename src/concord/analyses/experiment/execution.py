"""The runs of an experiment: one for each system, executed side by side."""

from collections.abc import Collection, Iterator, Sequence

from concord.analyses.experiment.design import Design, Path
from concord.analyses.experiment.plan import Experiment
from concord.errors import ServiceError, UserError
from concord.language import segmenters, tokens
from concord.model import Direction, Plan, System
from concord.runs.plan import Task, directions


async def tasks(
    experiment: Experiment, design: Design, systems: Sequence[System], seconds: float | None = None
) -> tuple[list[Task], list[ServiceError]]:
    """A task for each system over the paths that it can do, and errors of systems that cannot list languages.

    UserError if a system can do none of the paths.
    """
    planned, failed = list[Task](), list[ServiceError]()
    for system in systems:
        try:
            planned.append(_task(experiment, design, system, await directions(system, seconds)))
        except ServiceError as error:
            failed.append(error)
    return planned, failed


def _task(experiment: Experiment, design: Design, system: System, available: Collection[Direction] | None) -> Task:
    by_path = {path: list(_steps(experiment.source, path)) for path in experiment.paths}
    lost = [path for path, steps in by_path.items() if available is not None and not set(steps) <= set(available)]
    if len(lost) == len(experiment.paths):
        assert available is not None
        source, target = next(step for step in by_path[lost[0]] if step not in available)
        raise UserError(f"{system.id} can do none of the paths. {system.lacks(source, target, available)}")
    remaining = design.without(lost)
    requests = list(dict.fromkeys(step for path in remaining.paths for step in by_path[path]))
    notes = segmenter_notes(experiment)
    if lost:
        notes.append(f"{system.id} cannot do: {', '.join(map('→'.join, lost))}")
    target = "+".join(experiment.targets)
    return Task(experiment.relation, system, available, target, Plan(requests, notes), remaining, _services(experiment))


def segmenter_notes(experiment: Experiment) -> list[str]:
    """Notes on the segmenters that the targets need, but that are not installed."""
    if experiment.tokens == "paper":
        return []
    return list(dict.fromkeys(filter(None, map(segmenters.note, experiment.targets))))


def _services(experiment: Experiment) -> dict[str, str]:
    """The versions of the tokenisers of the targets, which are part of the signature, since scores depend on them."""
    if experiment.tokens == "paper":
        return {}
    versions = {tokens.version(target) for target in experiment.targets}
    # All languages share the rules; only a segmenter is worth naming beside them.
    return {
        "tokens": "+".join(
            [tokens.RULES, *sorted(version.removeprefix(f"{tokens.RULES}+") for version in versions - {tokens.RULES})]
        )
    }


def _steps(source: str, path: Path) -> Iterator[Direction]:
    """The directions that an observation translates in; a round trip has no direct one."""
    pivot, target = path
    if source != target:
        yield source, target
    yield source, pivot
    yield pivot, target
