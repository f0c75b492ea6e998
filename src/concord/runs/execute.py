"""The runs of one command: engine, store and system joined."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.engine.batching.budget import Budget, Gate, account
from concord.engine.batching.question import QuestionCounts
from concord.engine.batching.rate_limit import RateLimit
from concord.engine.first_pass import SHARE, Allowance, with_first_pass
from concord.engine.job import Job, run_job
from concord.engine.services import ServicePool
from concord.engine.shard import run_sharded
from concord.engine.timings import StageTally
from concord.engine.translate import Translating
from concord.errors import Interrupted, RunEnding, ServiceError, UserError
from concord.interruption import heard
from concord.model import Direction, Limits, Outcome, Segment, System, Text
from concord.relations._protocol import load_relation
from concord.runs.plan import Segments, Task, chosen_for
from concord.runs.summary import Progress, Summary, summary
from concord.signature import digest, signature
from concord.store import RunRecord, Spent, Workspace
from concord.store.alignment_blobs import Learnt
from concord.store.comparators import Comparator, Comparators

SEED = 12345
LARGEST_SEED = 2**63 - 1
TICK = 0.2
FLUSH_ROWS = 500
FLUSH_CHARACTERS = 10_000_000
FLUSH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run, as opposed to what.

    `seconds` is how long one request may take, `throttled_for` how long a system may only throttle before it is given
    up, in place of the system's own limits. `max_characters` and `max_cost` are hard caps on what the command may be
    billed for; `price` is what a million characters cost, in place of a system's list price. `services` says which
    plug-in stands behind a service: `{"parse": "concord_en"}`, and what explains differences: the files `glossary` and
    `synonyms`, and the installed `dictionaries`.
    """

    seed: int = SEED
    repetitions: int | None = None
    workers: int = 1
    fresh: bool = False
    seconds: float | None = None
    throttled_for: float | None = None
    max_characters: int | None = None
    max_cost: float | None = None
    price: float | None = None
    services: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("repetitions", "workers"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise UserError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.seed <= LARGEST_SEED:
            raise UserError(f"the seed must be between 0 and {LARGEST_SEED}, not {self.seed}")
        if self.seconds is not None and not self.seconds > 0:
            raise UserError(f"the timeout must be more than 0 seconds, not {self.seconds:g}")
        if self.throttled_for is not None and not self.throttled_for > 0:
            raise UserError(f"a system may throttle for more than 0 seconds, not for {self.throttled_for:g}")

    def repeats(self, relation: str) -> int:
        """How often each check of a relation is made: as the user says, or else as its paper does in `NAME:paper`."""
        return self.repetitions or load_relation(relation).repetitions


class RunExecutor:
    """The runs of a command over one workspace, under one budget."""

    def __init__(self, store: Workspace, settings: Settings, watch: Callable[[Progress], None]) -> None:
        self._store = store
        self._settings = settings
        self._watch = watch
        caps = (settings.max_characters, settings.max_cost, settings.price)
        self._budget = Budget(*caps, store.spent_this_month, store.note_sent)
        self._rate_limits: defaultdict[str, RateLimit] = defaultdict(RateLimit)

    async def each(self, tasks: Sequence[Task]) -> list[Summary]:
        """One after the other; what ends a run ends the command, and tells which runs had finished."""
        summaries: list[Summary] = []
        with self._begun(tasks) as stop:
            try:
                for task in tasks:
                    summaries.append(await self._one(task, stop))
            except RunEnding as error:
                error.finished = summaries
                if summaries:
                    goes_on = "" if "the same command" in str(error) else "; the same command goes on"
                    error.add_note(f"Runs that finished are kept (concord runs){goes_on}")
                raise
        return summaries

    async def side_by_side(self, tasks: Sequence[Task]) -> tuple[list[Summary], list[ServiceError]]:
        """All at once; what ends the run of one system leaves the others alone, and is told beside them."""
        with self._begun(tasks) as stop:
            ended = await asyncio.gather(*(self._one(task, stop) for task in tasks), return_exceptions=True)
        unexpected = [each for each in ended if isinstance(each, BaseException) and not isinstance(each, ServiceError)]
        if unexpected:
            raise unexpected[0]
        pairs = zip(tasks, ended, strict=True)
        found = [each if isinstance(each, Summary) else self._so_far(task) for task, each in pairs]
        return [each for each in found if each], [each for each in ended if isinstance(each, ServiceError)]

    def _so_far(self, task: Task) -> Summary | None:
        run = self._store.unfinished(facts_of(self._store, self._settings, task)["signature"])
        return summary(self._store, run.id) if run else None

    @contextlib.contextmanager
    def _begun(self, tasks: Sequence[Task]) -> Iterator[asyncio.Event]:
        for task in tasks:
            self._budget.gate(task.system)  # a price that is missing is said before anything is sent
        self._renew(tasks)
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        with heard(lambda: loop.call_soon_threadsafe(stop.set)):
            yield stop
        if stop.is_set():
            raise Interrupted("stopped; everything that was answered is kept")

    def _renew(self, tasks: Sequence[Task]) -> None:
        for system in to_renew(self._store, self._settings, tasks):
            self._store.epoch(system, renew=True)

    async def _one(self, task: Task, stop: asyncio.Event) -> Summary:
        facts = facts_of(self._store, self._settings, task)
        record = self._store.unfinished(facts["signature"]) or self._store.begin(facts)
        limits = task.system.limits
        if self._settings.seconds is not None:
            limits = dataclasses.replace(limits, seconds=self._settings.seconds)
        if self._settings.throttled_for is not None:
            limits = dataclasses.replace(limits, throttled_for=self._settings.throttled_for)
        memory = StoreMemory(self._store, task.system)
        gate = self._budget.gate(task.system)
        rate_limit = self._rate_limits[account(task.system)]
        translate = Translating(
            task.system, task.directions, memory=memory, limits=limits, gate=gate, rate_limit=rate_limit
        )
        tally = StageTally()
        memory.meter = meter = Meter(record.id, translate.batched.counts, tally)
        try:
            async with self._shown(record, task.segments.size, translate, stop) as count:
                allowance = _allowance(gate, memory, task)
                job = await self._taught(record, task, translate, stop, allowance)
                undone = self._undone(record, task.segments)
                await self._write(record, self._outcomes(job, undone, translate, stop, tally, task.pool), count, meter)
        except UserError:
            if not self._store.tally(record.id)["checks"]:
                self._store.discard(record)
            raise
        self._store.finish(record)
        return summary(self._store, record.id)

    async def _taught(
        self,
        record: RunRecord,
        task: Task,
        translate: Translating,
        stop: asyncio.Event,
        allowance: Allowance | None,
    ) -> Job:
        """The job with what labels and the first pass teach.

        A run that is taken up again keeps to what its checks were judged by; if it has none yet, it learns anew, since
        it may have been allowed too little to learn from.
        """
        known = Learnt(self._store).load(record.id) if self._store.tally(record.id)["checks"] else None
        fitted = _comparator(self._store, task)
        if fitted:
            from concord.comparator.learned import load

            load(fitted.data)  # one that this version cannot read is said before anything is sent
        job = dataclasses.replace(
            job_of(task, translate, self._settings), learnt=known or b"", fitted=fitted.data if fitted else b""
        )
        job = await with_first_pass(job, task.segments, translate, stop, allowance)
        if job.learnt and known is None:
            Learnt(self._store).keep(record.id, job.learnt)
        return job

    def _narrow(self, limits: Limits) -> bool:
        capped = self._settings.max_characters is not None or self._settings.max_cost is not None
        return capped or limits.per_month is not None

    async def _outcomes(
        self,
        job: Job,
        segments: Iterator[Segment],
        translate: Translating,
        stop: asyncio.Event,
        tally: StageTally,
        pool: ServicePool,
    ) -> AsyncIterator[Outcome]:
        if self._settings.workers == 1:
            narrow = self._narrow(job.limits)
            stream = run_job(job, segments, translate, stop, narrow=narrow, tally=tally, pool=pool)
        else:
            pool.clear()  # each worker has its own
            stream = run_sharded(job, segments, translate, self._settings.workers, stop, tally)
        async with contextlib.aclosing(stream):  # type: ignore[type-var]
            async for outcome in stream:
                yield outcome

    def _undone(self, record: RunRecord, segments: Segments) -> Iterator[Segment]:
        repetitions = range(self._settings.repeats(record.relation))
        for segment in segments:
            if not all(self._store.is_checked(record.id, segment.position, repetition) for repetition in repetitions):
                yield segment

    async def _write(self, record: RunRecord, outcomes: AsyncIterator[Outcome], count: _Count, meter: Meter) -> None:
        """Store outcomes in handfuls; what is lost in a crash is made again from stored translations."""
        held: list[Outcome] = []
        characters = 0
        written = time.monotonic()
        try:
            async for outcome in outcomes:
                held.append(outcome)
                count.done += 1
                count.errors += outcome.error is not None
                characters += len(outcome.segment.text.words)
                full = len(held) >= FLUSH_ROWS or characters > FLUSH_CHARACTERS
                if full or time.monotonic() - written > FLUSH_SECONDS:
                    handful, held, characters = held, [], 0
                    self._store.add(record, handful, spent=meter.read())
                    written = time.monotonic()
        finally:
            self._store.add(record, held, spent=meter.read())

    @contextlib.asynccontextmanager
    async def _shown(
        self, record: RunRecord, size: int, translate: Translating, stop: asyncio.Event
    ) -> AsyncIterator[_Count]:
        """Report progress every moment, also while nothing moves."""
        total = size * self._settings.repeats(record.relation)
        count = _Count(done=self._store.tally(record.id)["checks"])
        label = f"{record.system} {record.source}→{record.target} {record.relation}"

        def show() -> None:
            spent = translate.batched.counts
            done = min(count.done, total)
            waiting = translate.batched.waiting()
            stopping = translate.batched.busy if stop.is_set() else 0
            moved = (done, total, count.errors, spent.sent, spent.cached)
            self._watch(Progress(record.id, label, *moved, waiting, stopping, translate.batched.throttled()))

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


def to_renew(store: Workspace, settings: Settings, tasks: Sequence[Task]) -> list[str]:
    """With `fresh`, the systems to ask everything again; but the same command after an interruption goes on."""
    if not settings.fresh:
        return []
    begun: dict[str, bool] = {}
    for task in tasks:
        run = store.unfinished(facts_of(store, settings, task)["signature"])
        begun[task.system.id] = begun.get(task.system.id, False) or (run is not None and run.fresh)
    return [system for system, going_on in begun.items() if not going_on]


def job_of(task: Task, translate: Translating, how: Settings) -> Job:
    """The task as the engine's job."""
    services = chosen_for(task.system, how.services)
    job = Job.for_relation(task.spec, task.target, translate, how.seed, how.repeats(task.spec.name), services)
    return dataclasses.replace(job, source=task.segments.lang, parsed=task.parsed, seconds=how.seconds)


def facts_of(store: Workspace, settings: Settings, task: Task) -> dict[str, Any]:
    """What a run is, for its record."""
    source, system = task.segments.lang, task.system
    corpus = f"{task.segments.name}#{task.segments.digest}"
    shown = next(iter(task.plan.directions), (source, task.target))
    services = {"mt": f"{system.id}@{identity(store, system, task.directions, shown)}", **task.services}
    if fitted := _comparator(store, task):
        services["explain"] += f"+{fitted.name}"
    chance = (settings.seed, settings.repeats(task.spec.name))
    return {
        "signature": signature(task.spec.name, task.options, (source, task.target), services, corpus, *chance),
        "relation": task.spec.name,
        "settings": task.options,
        "facts": load_relation(task.spec.name).facts(task.options),
        "system": system.id,
        "given": system.given,
        "source": source,
        "target": task.target,
        "corpus": corpus,
        "seed": settings.seed,
        "notes": list(task.plan.notes),
        "fresh": settings.fresh,
    }


def _comparator(store: Workspace, task: Task) -> Comparator | None:
    """The comparator that labels have taught for such runs, where differences are explained at all."""
    if "explain" not in task.services:
        return None
    return Comparators(store).used(task.spec.name, (task.segments.lang, task.target))


def _allowance(gate: Gate | None, memory: StoreMemory, task: Task) -> Allowance | None:
    """What the first pass may send of a budget that is capped."""
    room = gate.remaining() if gate else None
    if room is None:
        return None

    def known(text: Text) -> bool:
        return memory.recall((text.lang, task.target), [text.words])[0] is not None

    return Allowance(room // SHARE, known)


class Meter:
    """What a run has taken since the last reading."""

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
    """The workspace as one system's memory."""

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
            self._versions[lane] = version(self._store, self._system, lane)
        return self._versions[lane]


def version(store: Workspace, system: System, direction: Direction) -> str:
    """What a system's answers depend on; a service that tells no version has only an epoch."""
    return _version(system, direction, store.epoch(system.id))


def identity(store: Workspace, system: System, directions: Collection[Direction] | None, direction: Direction) -> str:
    """The version for the signature. Relations go more ways than one, so a hash covers every direction."""
    epoch = store.epoch(system.id)
    shown = _version(system, direction, epoch)
    if directions is None:
        return shown
    every = [f"{a}-{b}:{_version(system, (a, b), epoch)}" for a, b in sorted(directions)]
    return f"{shown}#{digest(*every, size=4).hex()}"


def _version(system: System, direction: Direction, epoch: int) -> str:
    told = system.version(*direction)
    if told is None:
        return f"epoch{epoch}"
    return f"{told}~{epoch}" if epoch else told
