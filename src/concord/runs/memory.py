"""The workspace as a system's memory, the version of the system's answers, and what a run has spent."""

import time
from collections.abc import Collection, Sequence

from concord.engine.batching.question import QuestionCounts
from concord.engine.timings import StageTally
from concord.model import Direction, System
from concord.signature import digest
from concord.store import Spent, Workspace


class Meter:
    """Measures the translations and seconds that a run has spent since the last reading."""

    def __init__(self, run: int, counts: QuestionCounts, tally: StageTally) -> None:
        self._run = run
        self._counts = counts
        self._tally = tally
        self._noted = StageTally()
        self._last = (0, 0, 0, time.monotonic())

    def read(self) -> Spent:
        before = self._last
        self._last = now = (self._counts.asked, self._counts.sent, self._counts.cached, time.monotonic())
        noted, self._noted = self._noted, StageTally(self._tally.rejected.copy(), dict(self._tally.seconds))
        spent = (now[0] - before[0], now[1] - before[1], now[2] - before[2], now[3] - before[3])
        stages = {stage: took - noted.seconds.get(stage, 0.0) for stage, took in self._tally.seconds.items()}
        return Spent(self._run, *spent, self._tally.rejected - noted.rejected, stages)


class StoreMemory:
    """The answers of one system in the workspace, recalled and committed by the engine."""

    def __init__(self, store: Workspace, system: System) -> None:
        self.meter: Meter | None = None
        self._store = store
        self._system = system
        self._versions: dict[Direction, str] = {}

    def recall(self, lane: Direction, items: Sequence[str]) -> Sequence[str | None]:
        return self._store.recall(self._system.id, self._version(lane), lane, items)

    def commit(self, lane: Direction, items: Sequence[str], answers: Sequence[str]) -> None:
        spent = self.meter.read() if self.meter else None
        self._store.remember(self._system.id, self._version(lane), lane, items, answers, spent=spent)

    def _version(self, lane: Direction) -> str:
        if lane not in self._versions:
            self._versions[lane] = _version(self._system, lane, self._store.epoch(self._system.id))
        return self._versions[lane]


def signature_version(
    store: Workspace, system: System, directions: Collection[Direction] | None, direction: Direction
) -> str:
    """The system's version for the signature. A relation may use several directions, so a hash covers all of them."""
    epoch = store.epoch(system.id)
    version = _version(system, direction, epoch)
    if directions is None:
        return version
    versions = [f"{a}-{b}:{_version(system, (a, b), epoch)}" for a, b in sorted(directions)]
    return f"{version}#{digest(*versions, size=4).hex()}"


def _version(system: System, direction: Direction, epoch: int) -> str:
    """The version that a system's answers depend on; a service that reports no version has only an epoch."""
    reported = system.version(*direction)
    if reported is None:
        return f"epoch{epoch}"
    return f"{reported}~{epoch}" if epoch else reported
