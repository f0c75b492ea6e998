"""The runs of one command: engine, store and system joined."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from concord import plugins
from concord.corpus import Corpus
from concord.engine.shard import Job, run_job, run_sharded
from concord.engine.translating import Direction, Translating
from concord.errors import UserError
from concord.model import Outcome, Segment, System
from concord.report.summary import Summary, summary
from concord.signature import digest, signature
from concord.store import RunRecord, Workspace

SEED = 12345
TICK = 0.2
FLUSH_ROWS = 500
FLUSH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands; `waiting` is how long the provider wants to be left alone.

    `stopping` is how many requests are still under way after Ctrl-C.
    """

    label: str
    done: int
    total: int
    errors: int
    sent: int
    cached: int
    waiting: float
    stopping: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run, as opposed to what."""

    seed: int = SEED
    repetitions: int = 1
    workers: int = 1
    fresh: bool = False
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("repetitions", "workers"):
            if getattr(self, name) < 1:
                raise UserError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.seconds is not None and not self.seconds > 0:
            raise UserError(f"the timeout must be more than 0 seconds, not {self.seconds:g}")


def relation_spec(text: str) -> plugins.Spec:
    """The relation that a text such as `rtt,metric=bleu` describes, with the metrics it names known to exist."""
    chosen = plugins.parse("relations", text)
    for name, value in plugins.settings("relations", chosen).items():
        if name in ("metric", "metrics"):
            for metric in (value,) if isinstance(value, str) else value:
                plugins.load("metrics", metric)
    return chosen


class Runs:
    """Each relation on each system and direction, one after the other, over one workspace."""

    def __init__(self, corpus: Corpus, store: Workspace, settings: Settings, watch: Callable[[Progress], None]) -> None:
        self._corpus = corpus
        self._store = store
        self._settings = settings
        self._watch = watch

    async def all(self, specs: list[plugins.Spec], systems: list[System], targets: list[str]) -> list[Summary]:
        stop = asyncio.Event()
        summaries = []
        with _ctrl_c(stop):
            known = [await self._directions(system, targets) for system in systems]
            for system, directions in zip(systems, known, strict=True):
                self._renew(system)
                try:
                    for target in targets:
                        for spec in specs:
                            summaries.append(await self._one(spec, system, directions, target, stop))
                finally:
                    await system.close()
        return summaries

    def _renew(self, system: System) -> None:
        """With `fresh`, ask everything again; but the same command after an interruption goes on where it was."""
        if self._settings.fresh and not any(
            run.fresh and run.finished is None and run.system == system.id for run in self._store.runs()
        ):
            self._store.epoch(system.id, renew=True)

    async def _directions(self, system: System, targets: list[str]) -> Collection[Direction] | None:
        """What the system can do, once it is sure that every wanted direction is among it."""
        known = await system.directions()
        for target in targets:
            if target != self._corpus.lang and known is not None and (self._corpus.lang, target) not in known:
                raise UserError(system.lacks(self._corpus.lang, target, known))
        return known

    async def _one(
        self,
        spec: plugins.Spec,
        system: System,
        directions: Collection[Direction] | None,
        target: str,
        stop: asyncio.Event,
    ) -> Summary:
        facts = self._facts(spec, system, directions, target)
        record = self._store.unfinished(facts["signature"]) or self._store.begin(facts)
        limits = system.limits
        if self._settings.seconds is not None:
            limits = dataclasses.replace(limits, seconds=self._settings.seconds)
        translate = Translating(system, directions, memory=StoreMemory(self._store, system), limits=limits)
        options = {**plugins.settings("relations", spec), "to": target}
        job = Job(
            relation=spec.name,
            options=options,
            seed=self._settings.seed,
            repetitions=self._settings.repetitions,
            system=system.id,
            directions=None if directions is None else tuple(sorted(directions)),
            limits=limits,
        )
        async with self._shown(record, translate, stop) as count:
            await self._write(record, self._outcomes(job, record, translate, stop), count, _Meter(translate))
        self._store.finish(record)
        return summary(self._store, record.id)

    def _facts(
        self, spec: plugins.Spec, system: System, directions: Collection[Direction] | None, target: str
    ) -> dict[str, Any]:
        source = self._corpus.lang
        settings = plugins.settings("relations", spec)
        corpus = f"{self._corpus.name}#{self._corpus.digest}"
        services = {"mt": f"{system.id}@{identity(self._store, system, directions, (source, target))}"}
        chance = (self._settings.seed, self._settings.repetitions)
        return {
            "signature": signature(spec.name, settings, (source, target), services, corpus, *chance),
            "relation": spec.name,
            "settings": settings,
            "system": system.id,
            "source": source,
            "target": target,
            "corpus": corpus,
            "seed": self._settings.seed,
            "fresh": self._settings.fresh,
        }

    async def _outcomes(
        self, job: Job, record: RunRecord, translate: Translating, stop: asyncio.Event
    ) -> AsyncIterator[Outcome]:
        segments = self._undone(record)
        if self._settings.workers == 1:
            stream = run_job(job, segments, translate, stop)
        else:
            stream = run_sharded(job, segments, translate, self._settings.workers, stop)
        async with contextlib.aclosing(stream):  # type: ignore[type-var]
            async for outcome in stream:
                yield outcome

    def _undone(self, record: RunRecord) -> Iterator[Segment]:
        repetitions = range(self._settings.repetitions)
        for segment in self._corpus:
            if not all(self._store.done(record.id, segment.position, each) for each in repetitions):
                yield segment

    async def _write(self, record: RunRecord, outcomes: AsyncIterator[Outcome], count: _Count, meter: _Meter) -> None:
        """Store outcomes in handfuls; what is lost in a crash is made again from stored translations."""
        held: list[Outcome] = []
        written = time.monotonic()
        try:
            async for outcome in outcomes:
                held.append(outcome)
                count.done += 1
                count.errors += outcome.error is not None
                if len(held) >= FLUSH_ROWS or time.monotonic() - written > FLUSH_SECONDS:
                    handful, held = held, []
                    self._store.add(record, handful, *meter.read())
                    written = time.monotonic()
        finally:
            self._store.add(record, held, *meter.read())

    @contextlib.asynccontextmanager
    async def _shown(self, record: RunRecord, translate: Translating, stop: asyncio.Event) -> AsyncIterator[_Count]:
        """Report progress every moment, also while nothing moves."""
        total = self._corpus.size * self._settings.repetitions
        count = _Count(done=self._store.tally(record.id)["checks"])
        label = f"{record.system} {record.source}→{record.target} {record.relation}"

        def show() -> None:
            spent = translate.batched.counts
            done = min(count.done, total)
            waiting = translate.batched.waiting()
            stopping = translate.batched.busy if stop.is_set() else 0
            self._watch(Progress(label, done, total, count.errors, spent.sent, spent.cached, waiting, stopping))

        async def tick() -> None:
            while True:
                show()
                await asyncio.sleep(TICK)

        ticker = asyncio.ensure_future(tick())
        try:
            yield count
        finally:
            ticker.cancel()
            show()


@dataclass(slots=True)
class _Count:
    done: int = 0
    errors: int = 0


class _Meter:
    """What a run has taken since the last reading: questions asked, sent and answered from memory, seconds."""

    def __init__(self, translate: Translating) -> None:
        self._counts = translate.batched.counts
        self._last = (0, 0, 0, time.monotonic())

    def read(self) -> tuple[int, int, int, float]:
        before = self._last
        counts = self._counts
        self._last = now = (counts.asked, counts.sent, counts.cached, time.monotonic())
        return now[0] - before[0], now[1] - before[1], now[2] - before[2], now[3] - before[3]


class StoreMemory:
    """The workspace as one system's memory."""

    def __init__(self, store: Workspace, system: System) -> None:
        self._store = store
        self._system = system
        self._versions: dict[Direction, str] = {}

    def recall(self, lane: Direction, items: Sequence[str]) -> Sequence[str | None]:
        return self._store.recall(self._system.id, self._version(lane), lane, items)

    def commit(self, lane: Direction, items: Sequence[str], answers: Sequence[str]) -> None:
        self._store.remember(self._system.id, self._version(lane), lane, items, answers)

    def _version(self, lane: Direction) -> str:
        if lane not in self._versions:
            self._versions[lane] = version(self._store, self._system, lane)
        return self._versions[lane]


def version(store: Workspace, system: System, direction: Direction) -> str:
    """What a system's answers depend on; a service that tells no version has only an epoch."""
    told = system.version(*direction)
    epoch = store.epoch(system.id)
    if told is None:
        return f"epoch{epoch}"
    return f"{told}~{epoch}" if epoch else told


def identity(store: Workspace, system: System, directions: Collection[Direction] | None, direction: Direction) -> str:
    """The version for the signature. Relations go more ways than one, so a hash covers every direction."""
    shown = version(store, system, direction)
    if directions is None:
        return shown
    every = [f"{a}-{b}:{version(store, system, (a, b))}" for a, b in sorted(directions)]
    return f"{shown}#{digest(*every, size=2).hex()}"


@contextlib.contextmanager
def _ctrl_c(stop: asyncio.Event) -> Iterator[None]:
    """The first Ctrl-C ends the run cleanly, the second one at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()

    def once() -> None:
        stop.set()
        loop.remove_signal_handler(signal.SIGINT)

    loop.add_signal_handler(signal.SIGINT, once)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
