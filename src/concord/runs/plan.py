"""Plans the runs of a command: what cannot work is refused before anything is sent."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from pathlib import Path
from typing import Any, Protocol

from concord import plugins
from concord.engine.batching.health import retried
from concord.engine.services import ServicePool, done_without, versions
from concord.engine.translate import between
from concord.errors import Missing, Unavailable, UserError
from concord.language.plugin_choice import check_setting
from concord.model import Direction, Plan, Segment, System
from concord.relations._protocol import load_relation, plugin_files
from concord.runs.config import FAMILIES

_ANY = ("en", "es", "fr")
"""Languages with which a relation's options are tried: source, target and pivot."""


class Segments(Protocol):
    """The segments that are checked: a corpus, or the drawn observations of an experiment. Iterated several times."""

    @property
    def name(self) -> str: ...
    @property
    def lang(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def size(self) -> int: ...
    def __iter__(self) -> Iterator[Segment]: ...


@dataclass(frozen=True, slots=True)
class Task:
    """A run that is planned: a relation on a system over segments into a language.

    `services` are the services besides the system that its rows depend on, each with its version; `parsed` are the
    languages whose texts are parsed. The tasks of a command share one `pool` of services.
    """

    spec: plugins.Spec
    system: System
    directions: Collection[Direction] | None
    target: str
    plan: Plan
    segments: Segments
    services: Mapping[str, str] = field(default_factory=dict)
    parsed: tuple[str, ...] = ()
    pool: ServicePool = field(default_factory=ServicePool, compare=False)

    @property
    def options(self) -> dict[str, Any]:
        return plugins.settings("relations", self.spec)


@contextlib.asynccontextmanager
async def closing(systems: Sequence[System]) -> AsyncIterator[None]:
    """Close the systems at the end, whatever happens."""
    async with contextlib.AsyncExitStack() as stack:
        for system in systems:
            stack.push_async_callback(system.close)
        yield


async def tasks(
    segments: Segments,
    specs: Sequence[plugins.Spec],
    systems: Sequence[System],
    targets: Sequence[str],
    seconds: float | None = None,
    choices: Mapping[str, str] | None = None,
) -> list[Task]:
    """Each relation on each system and direction; a system that lacks a direction is refused.

    `choices` maps a service to its plug-ins, such as `{"parse": "zh=stanza;en=concord_en"}`.
    """
    check_services(choices or {})
    left_out = _LeftOut()
    planned = [
        task for system in systems for task in await _system_tasks(segments, specs, system, targets, seconds, left_out)
    ]
    pool, served = ServicePool(), []
    for task in planned:
        with left_out.if_impossible(task.spec, task.system, task.target, chosen=bool(choices)):
            served.append(_served(task, choices or {}, pool))
    return [left_out.noted(task) for task in served]


@dataclass(frozen=True, slots=True)
class _LeftOut:
    """The relations of the recommended set that a system or a pair of languages cannot have, with the reasons."""

    reasons: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    """By system and target language, the reason for each relation."""

    @contextlib.contextmanager
    def if_impossible(self, spec: plugins.Spec, system: System, to: str, *, chosen: bool = False) -> Iterator[None]:
        """Leave out an optional relation that cannot work, unless a plug-in that the user has `chosen` is missing."""
        try:
            yield
        except UserError as error:
            if not spec.optional or (chosen and isinstance(error, Missing)):
                raise
            self.reasons.setdefault((system.id, to), {})[spec.name] = str(error)

    def noted(self, task: Task) -> Task:
        """The task, with one note on all that is left out if it is the first of its system and target language."""
        reasons = self.reasons.pop((task.system.id, task.target), None)
        if not reasons:
            return task
        return replace(task, plan=replace(task.plan, notes=[*task.plan.notes, left_out_note(reasons)]))


def left_out_note(reasons: Mapping[str, str]) -> str:
    """The note on relations of the recommended set that are left out, by their reasons."""
    by_reason = {why: [name for name in reasons if reasons[name] == why] for why in reasons.values()}
    listed = "; ".join(f"{', '.join(names)} ({why})" for why, names in by_reason.items())
    return f"left out of the recommended set: {listed}"


def check_services(choices: Mapping[str, str]) -> None:
    """Refuse plug-ins and files that do not exist, even if no relation uses them: a slip would go unnoticed."""
    plugins.admit(*choices.values())
    for service, family in FAMILIES.items():
        check_setting(family, choices.get(service, ""))
    if any(map(choices.get, ("glossary", "synonyms", "dictionaries"))):
        from concord.comparator.dictionaries import read_lines, selected_dictionaries

        selected_dictionaries(choices.get("dictionaries") or "all")
        for name, kind in (("glossary", "glossary"), ("synonyms", "file of synonyms")):
            if choices.get(name):
                read_lines(Path(choices[name]), kind)


def services_for(system: System, choices: Mapping[str, str]) -> Mapping[str, str]:
    """The services of a system's runs: by default, without the system's own dictionaries.

    They have whatever the system says, so that they would excuse the words that it confuses.
    """
    if choices.get("dictionaries", "auto") != "auto" or not system.dictionaries:
        return choices
    return {**choices, "dictionaries": _independent_dictionaries(system)}


def _independent_dictionaries(system: System) -> str:
    """The installed dictionaries without the system's own."""
    from concord.comparator.dictionaries import INSTALLED

    return ",".join(name for name in INSTALLED if name != system.dictionaries)


def _dictionary_notes(system: System, dictionaries: str) -> list[str]:
    """A note on the dictionaries that a run does not use."""
    if system.dictionaries and dictionaries == _independent_dictionaries(system):
        name = system.dictionaries.capitalize()
        return [f"{name}'s own dictionaries do not explain what {name} says; --dictionaries all uses them"]
    if dictionaries in ("all", "auto"):
        return []
    return [f"of installed dictionaries, those that were chosen: {dictionaries}"]


def _served(task: Task, choices: Mapping[str, str], pool: ServicePool) -> Task:
    """The task with the services that its relation asks; one that cannot serve is refused."""
    relation = load_relation(task.spec.name)
    langs = (task.segments.lang, task.target)
    choices = services_for(task.system, choices)
    notes: list[str] = []
    services = versions(relation, choices, *langs, task.options, notes.append, pool) | {
        f"file[{Path(file).name}]": plugins.fingerprint(file) for file in task.plan.files
    }
    if "explain" in services:
        notes += _dictionary_notes(task.system, choices.get("dictionaries", "auto"))
    plan = replace(task.plan, notes=[*task.plan.notes, *done_without(relation, services, task.options), *notes])
    return replace(task, plan=plan, services=services, parsed=relation.parsed(*langs), pool=pool)


async def directions(system: System, seconds: float | None = None) -> Collection[Direction] | None:
    """The directions that a system reports; a busy system is asked again until the time is up."""
    patience = seconds or system.limits.seconds
    try:
        async with asyncio.timeout(patience):
            return await retried(system.directions)
    except TimeoutError:
        raise Unavailable(f"{system.id} did not say within {patience:g} s which languages it can do") from None


async def _system_tasks(
    segments: Segments,
    specs: Sequence[plugins.Spec],
    system: System,
    targets: Sequence[str],
    seconds: float | None,
    left_out: _LeftOut,
) -> list[Task]:
    available = await directions(system, seconds)
    planned: list[Task] = []
    for to, spec in product(targets, specs):
        with left_out.if_impossible(spec, system, to):
            plan = plan_of(spec, segments.lang, available, to)
            for source, target in plan.directions:
                if available is not None and (source, target) not in available:
                    raise UserError(system.lacks(source, target, available))
            planned.append(Task(spec, system, available, to, plan, segments))
    return planned


def plan_of(spec: plugins.Spec, source: str, available: Collection[Direction] | None, to: str) -> Plan:
    def pivots(a: str, b: str) -> tuple[str, ...]:
        return between(available or (), a, b)

    plan = load_relation(spec.name).plan(source, to, pivots, plugins.settings("relations", spec))
    own = plugin_files({"relation": spec.name, **spec.options})
    return replace(plan, files=[*plan.files, *own]) if own else plan


def refusal(spec: plugins.Spec) -> str:
    """Why a run would refuse these options, whatever its languages; empty if it would not."""
    try:
        plugins.spec("relations", spec.name, settings=spec.options)
        plan_of(spec, _ANY[0], list(permutations(_ANY, 2)), _ANY[1])
    except UserError as error:
        return str(error)
    return ""
