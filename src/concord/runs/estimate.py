"""Estimates what a run would send and cost, without sending anything."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concord.engine.batching.budget import Budget
from concord.engine.first_pass import ask_all
from concord.engine.translate import Translating
from concord.model import Direction, Limits, System
from concord.runs.execute import Settings, job_of, to_renew
from concord.runs.memory import StoreMemory
from concord.runs.plan import Task
from concord.signature import digest
from concord.store import Workspace


@dataclass(frozen=True, slots=True)
class Estimate:
    """The texts and characters that a run would send; texts of later steps are taken to be as long as the first."""

    task: Task
    texts: int
    characters: int
    cost: float | None
    listed: bool
    """Whether the cost is by the system's list price, not by the user's."""

    def plain(self) -> dict[str, Any]:
        price = self.task.system.price if self.listed else None
        return {
            "system": self.task.system.id,
            "relation": self.task.spec.name,
            "target_lang": self.task.target,
            "texts": self.texts,
            "characters": self.characters,
            "cost": self.cost,
            "currency": price.currency if price else None,
            "price": dataclasses.asdict(price) if price else None,
            "notes": list(self.task.plan.notes),
        }


async def estimate(tasks: Sequence[Task], store: Workspace, settings: Settings, budget: Budget) -> list[Estimate]:
    """One estimate per run. A text that an earlier run of the command would have stored is not counted again."""
    counted: set[bytes] = set()
    renewed = set(to_renew(store, settings, tasks))
    return [await _estimate(task, store, settings, budget, counted, task.system.id in renewed) for task in tasks]


async def _estimate(
    task: Task, store: Workspace, settings: Settings, budget: Budget, counted: set[bytes], renewed: bool
) -> Estimate:
    memory = _CountingMemory(store, task.system, counted, renewed)
    translate = Translating(_Echo(task.system), task.directions, memory=memory)
    await ask_all(job_of(task, translate, settings), task.segments, translate)
    rate = budget.rate(task.system)
    cost = None if rate is None else memory.characters * rate / 1_000_000
    return Estimate(task, memory.texts, memory.characters, cost, budget.per_million is None)


class _Echo(System):
    """Stands in for the system: returns every text as its translation, so that later steps have texts to send."""

    limits = Limits(texts=256, characters=10_000_000, in_flight=1)
    made_up = True

    def __init__(self, system: System) -> None:
        self.id = system.id

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        return list(texts)


class _CountingMemory:
    """The workspace's answers, and a count of the texts that would have been sent."""

    def __init__(self, store: Workspace, system: System, counted: set[bytes], renewed: bool) -> None:
        self.texts = 0
        self.characters = 0
        self._renewed = renewed
        self._stored = StoreMemory(store, system)
        self._system = system
        self._counted = counted

    def recall(self, lane: Direction, items: Sequence[str]) -> Sequence[str | None]:
        return [None] * len(items) if self._renewed else self._stored.recall(lane, items)

    def commit(self, lane: Direction, items: Sequence[str], answers: Sequence[str]) -> None:
        for item in items:
            key = digest(self._system.id, *lane, item)
            if key not in self._counted and len(item) <= self._system.limits.characters:
                self._counted.add(key)
                self.texts += 1
                self.characters += len(item)
