"""Which runs a command needs, each known to be possible before anything is sent."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path
from typing import Any, Protocol

from concord import plugins
from concord.engine.batching.health import retried
from concord.engine.services import ServicePool, done_without, versions
from concord.engine.translate import between
from concord.errors import Unavailable, UserError
from concord.model import Direction, Plan, Segment, System
from concord.relations._protocol import load_relation

FAMILIES = {"parse": "parsers", "substitutes": "substitutes", "embed": "encoders"}
"""What the plug-ins are that stand behind services."""
_ANY = ("en", "es", "fr")
"""Languages to ask a relation about its options with: source, target and a way between."""


class Segments(Protocol):
    """What is checked: a corpus, or the drawn observations of an experiment. Iterated anew each time."""

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
    """One run to be: a relation on a system over segments into a language.

    `services` are those besides the system that its rows depend on, each with its version, `parsed` the languages
    whose texts are parsed. The tasks of a command have one `pool` of services.
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
    chosen: Mapping[str, str] | None = None,
) -> list[Task]:
    """Each relation on each system and direction, once it is sure that the system can do what they need.

    `chosen` says what stands behind a service, such as `{"parse": "concord_en"}`.
    """
    check_services(chosen or {})
    found = [task for system in systems for task in await _of_system(segments, specs, system, targets, seconds)]
    pool = ServicePool()
    return [_served(task, chosen or {}, pool) for task in found]


def check_services(chosen: Mapping[str, str]) -> None:
    """Refuse what there is not, also where no relation would ask for it: a slip would be passed over without a word."""
    for service, family in FAMILIES.items():
        name = chosen.get(service, "")
        if name and (service, name) != ("parse", "auto"):
            plugins.parse(family, name)
    if any(map(chosen.get, ("glossary", "synonyms", "dictionaries"))):
        from concord.comparator.dictionaries import read_lines, selected_dictionaries

        selected_dictionaries(chosen.get("dictionaries") or "all")
        for name, kind in (("glossary", "glossary"), ("synonyms", "file of synonyms")):
            if chosen.get(name):
                read_lines(Path(chosen[name]), kind)


def chosen_for(system: System, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """What stands behind the services of a system's runs: by default, its own dictionaries are no evidence on it.

    Whatever it says is in them, so that they would excuse the words that it confuses.
    """
    if chosen.get("dictionaries", "auto") != "auto" or not system.dictionaries:
        return chosen
    return {**chosen, "dictionaries": _others(system)}


def _others(system: System) -> str:
    """The dictionaries besides the system's own."""
    from concord.comparator.dictionaries import INSTALLED

    return ",".join(name for name in INSTALLED if name != system.dictionaries)


def _dictionaries(system: System, chosen: str) -> list[str]:
    """What a run should say of the dictionaries that are left out."""
    if system.dictionaries and chosen == _others(system):
        name = system.dictionaries.capitalize()
        return [f"{name}'s own dictionaries do not explain what {name} says; --dictionaries all uses them"]
    return [] if chosen in ("all", "auto") else [f"of installed dictionaries, those that were chosen: {chosen}"]


def _served(task: Task, given: Mapping[str, str], pool: ServicePool) -> Task:
    """The task with the services that its relation asks for; one that cannot serve is said here."""
    judged = load_relation(task.spec.name)
    langs = (task.segments.lang, task.target)
    chosen = chosen_for(task.system, given)
    told: list[str] = []
    found = versions(judged, chosen, *langs, task.options, told.append, pool) | {
        f"file[{Path(file).name}]": _fingerprint(file) for file in task.plan.files
    }
    if "explain" in found:
        told += _dictionaries(task.system, chosen.get("dictionaries", "auto"))
    plan = replace(task.plan, notes=[*task.plan.notes, *done_without(judged, found, task.options), *told])
    return replace(task, plan=plan, services=found, parsed=judged.parsed(*langs), pool=pool)


def _fingerprint(file: str) -> str:
    return hashlib.blake2b(Path(file).read_bytes(), digest_size=4).hexdigest()


async def directions(system: System, seconds: float | None = None) -> Collection[Direction] | None:
    """What a system says that it can do, if it says so in time; one that is busy is asked again."""
    patience = seconds or system.limits.seconds
    try:
        async with asyncio.timeout(patience):
            return await retried(system.directions)
    except TimeoutError:
        raise Unavailable(f"{system.id} did not say within {patience:g} s which languages it can do") from None


async def _of_system(
    segments: Segments, specs: Sequence[plugins.Spec], system: System, targets: Sequence[str], seconds: float | None
) -> list[Task]:
    known = await directions(system, seconds)
    wanted = [(spec, to, _plan(spec, segments.lang, known, to)) for to in targets for spec in specs]
    for source, target in dict.fromkeys(way for _, _, plan in wanted for way in plan.directions):
        if known is not None and (source, target) not in known:
            raise UserError(system.lacks(source, target, known))
    return [Task(spec, system, known, to, plan, segments) for spec, to, plan in wanted]


def _plan(spec: plugins.Spec, source: str, known: Collection[Direction] | None, to: str) -> Plan:
    def ways(a: str, b: str) -> tuple[str, ...]:
        return between(known or (), a, b)

    plan = load_relation(spec.name).plan(source, to, ways, plugins.settings("relations", spec))
    file = spec.name.partition(":")[0]
    return replace(plan, files=[*plan.files, file]) if file.endswith(".py") else plan


def refusal(spec: plugins.Spec) -> str:
    """Why a run would refuse these options, whatever its languages; an empty text if it would not."""
    try:
        plugins.spec("relations", spec.name, settings=spec.options)
        _plan(spec, _ANY[0], list(permutations(_ANY, 2)), _ANY[1])
    except UserError as error:
        return str(error)
    return ""
