"""Carrying out an experiment: one run for each system, all of them side by side."""

from __future__ import annotations

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
    """A run for each system over the paths that it can do, and what keeps a system from telling its languages.

    A system that can do none of the paths is an error: the experiment is not as the user thinks.
    """
    made, failed = list[Task](), list[ServiceError]()
    for system in systems:
        try:
            made.append(_task(experiment, design, system, await directions(system, seconds)))
        except ServiceError as error:
            failed.append(error)
    return made, failed


def _task(experiment: Experiment, design: Design, system: System, known: Collection[Direction] | None) -> Task:
    ways = {path: list(_ways(experiment.source, path)) for path in experiment.paths}
    lost = [path for path, each in ways.items() if known is not None and not set(each) <= set(known)]
    if len(lost) == len(experiment.paths):
        assert known is not None
        source, target = next(way for way in ways[lost[0]] if way not in known)
        raise UserError(f"{system.id} can do none of the paths. {system.lacks(source, target, known)}")
    left = design.without(lost)
    asked = list(dict.fromkeys(way for path in left.paths for way in ways[path]))
    notes = [*cutting(experiment), *([f"{system.id} cannot do: {', '.join(map(named, lost))}"] if lost else [])]
    target = "+".join(experiment.targets)
    return Task(experiment.relation, system, known, target, Plan(asked, notes), left, _services(experiment))


def cutting(experiment: Experiment) -> list[str]:
    """What would cut a target into words, but is not installed."""
    if experiment.tokens == "paper":
        return []
    return list(dict.fromkeys(filter(None, map(segmenters.note, experiment.targets))))


def _services(experiment: Experiment) -> dict[str, str]:
    """What cuts the targets into words: its version stands in the signature, since scores depend on it."""
    if experiment.tokens == "paper":
        return {}
    cutting = {tokens.version(target) for target in experiment.targets}
    # All languages share the rules; only a segmenter is worth naming beside them.
    return {
        "tokens": "+".join(
            [tokens.RULES, *sorted(each.removeprefix(f"{tokens.RULES}+") for each in cutting - {tokens.RULES})]
        )
    }


def named(path: Path) -> str:
    """`ca→es`"""
    return "→".join(path)


def _ways(source: str, path: Path) -> Iterator[Direction]:
    """The translations that an observation takes; a round trip has no direct one."""
    pivot, target = path
    if source != target:
        yield source, target
    yield source, pivot
    yield pivot, target
