"""Executes the runs of a command: the engine checks, the system translates, the workspace stores."""

import asyncio
import contextlib
import dataclasses
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.engine.batching.budget import Budget, Gate, account
from concord.engine.batching.rate_limit import RateLimit
from concord.engine.first_pass import SHARE, Allowance, has_first_pass, with_first_pass
from concord.engine.job import Job, run_job
from concord.engine.services import ServicePool
from concord.engine.shard import run_sharded
from concord.engine.timings import StageTally
from concord.engine.translate import Translating
from concord.errors import KEPT, Interrupted, RunEnding, ServiceError, UserError
from concord.interruption import heard
from concord.language.sanity.profile import AnswerProfile
from concord.model import Outcome, Segment, Text
from concord.relations._protocol import load_relation
from concord.runs.memory import Meter, StoreMemory, signature_version
from concord.runs.plan import Segments, Task, services_for
from concord.runs.summary import Progress, Summary, summary
from concord.signature import signature
from concord.store import RunRecord, Workspace
from concord.store.comparators import Comparator, Comparators, Learnt

SEED = 12345
LARGEST_SEED = 2**63 - 1
TICK = 0.2
FLUSH_ROWS = 500
FLUSH_CHARACTERS = 10_000_000
FLUSH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """How runs are executed.

    `seconds` is how long one request may take, `throttled_for` how long a system may do nothing but throttle before it
    is given up; both replace the system's own limits. `max_characters` and `max_cost` are hard caps on what the command
    may be billed for; `price` is the price of a million characters, in place of the system's list price. `services`
    maps a service to its plug-in, `{"parse": "concord_en"}`, and names what explains differences: the files `glossary`
    and `synonyms`, and the installed `dictionaries`.
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
        """How often each check of a relation is repeated: as the user says, or else as the relation does by default."""
        return self.repetitions or load_relation(relation).repetitions


class RunExecutor:
    """Executes the runs of a command in one workspace, under one budget."""

    def __init__(self, store: Workspace, settings: Settings, watch: Callable[[Progress], None]) -> None:
        self._store = store
        self._settings = settings
        self._watch = watch
        caps = (settings.max_characters, settings.max_cost, settings.price)
        self._budget = Budget(*caps, store.spent_this_month, store.note_sent)
        self._rate_limits: defaultdict[str, RateLimit] = defaultdict(RateLimit)

    async def in_sequence(self, tasks: Sequence[Task]) -> list[Summary]:
        """Execute the runs one after the other; an error ends the command, and tells which runs had finished."""
        summaries: list[Summary] = []
        with self._begun(tasks) as stop:
            try:
                for task in tasks:
                    summaries.append(await self._execute(task, stop))
            except RunEnding as error:
                error.finished = summaries
                if summaries:
                    goes_on = "" if "the same command" in str(error) else "; the same command goes on"
                    error.add_note(f"Runs that finished are kept (concord runs){goes_on}")
                raise
        return summaries

    async def side_by_side(self, tasks: Sequence[Task]) -> tuple[list[Summary], list[ServiceError]]:
        """Execute all runs at once. A service error ends the run of one system only, and is returned."""
        with self._begun(tasks) as stop:
            ends = await asyncio.gather(*(self._execute(task, stop) for task in tasks), return_exceptions=True)
        summaries, errors = [], []
        for task, end in zip(tasks, ends, strict=True):
            if isinstance(end, ServiceError):
                errors.append(end)
            elif isinstance(end, BaseException):
                raise end
            if run_summary := end if isinstance(end, Summary) else self._so_far(task):
                summaries.append(run_summary)
        return summaries, errors

    def _so_far(self, task: Task) -> Summary | None:
        run = self._store.unfinished(facts_of(self._store, self._settings, task)["signature"])
        return summary(self._store, run.id) if run else None

    @contextlib.contextmanager
    def _begun(self, tasks: Sequence[Task]) -> Iterator[asyncio.Event]:
        for task in tasks:
            self._budget.gate(task.system)  # a missing price is reported before anything is sent
        for system in to_renew(self._store, self._settings, tasks):
            self._store.epoch(system, renew=True)
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        with heard(lambda: loop.call_soon_threadsafe(stop.set)):
            yield stop
        if stop.is_set():
            raise Interrupted(KEPT)

    async def _execute(self, task: Task, stop: asyncio.Event) -> Summary:
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
            async with self._progress_reported(record, task.segments.size, translate, stop) as count:
                allowance = _allowance(gate, memory, task)
                job = await self._taught_job(record, task, translate, stop, allowance)
                unchecked = self._unchecked(record, task.segments)
                outcomes = self._outcomes(job, unchecked, translate, stop, tally, task.pool)
                await self._write(record, outcomes, count, meter)
        except UserError:
            if not self._store.tally(record.id)["checks"]:
                self._store.discard(record)
            raise
        self._store.finish(record)
        return summary(self._store, record.id)

    async def _taught_job(
        self,
        record: RunRecord,
        task: Task,
        translate: Translating,
        stop: asyncio.Event,
        allowance: Allowance | None,
    ) -> Job:
        """The job of a run with what labels and the first pass have taught.

        A resumed run keeps what its checks were judged by. A run without checks learns anew, since its
        first pass may have been allowed too little to learn from.
        """
        learnt, is_begun = Learnt(self._store), self._store.tally(record.id)["checks"]
        recorded = seen = learnt.profile(record.id) if is_begun else None
        if seen is None and not has_first_pass(task.spec.name):
            seen = learnt.sane_profile(record) or {}
        fitted = _comparator(self._store, task)
        if fitted:
            from concord.comparator.learned import load

            load(fitted.data)  # one that this version cannot read is reported before anything is sent
        job = dataclasses.replace(
            job_of(task, translate, self._settings),
            learnt=(is_begun and learnt.load(record.id)) or b"",
            profile=None if seen is None else AnswerProfile(**seen),
            fitted=fitted.data if fitted else b"",
        )
        job = await with_first_pass(job, task.segments, translate, stop, allowance, task.pool)
        if job.profile and recorded is None:
            learnt.keep(record.id, job.learnt, dataclasses.asdict(job.profile))
        return job

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
            # Few checks run at once where what may be sent is capped.
            caps = (self._settings.max_characters, self._settings.max_cost, job.limits.per_month)
            narrow = any(cap is not None for cap in caps)
            stream = run_job(job, segments, translate, stop, narrow=narrow, tally=tally, pool=pool)
        else:
            pool.clear()  # each worker has its own
            stream = run_sharded(job, segments, translate, self._settings.workers, stop, tally)
        async with contextlib.aclosing(stream):  # type: ignore[type-var]
            async for outcome in stream:
                yield outcome

    def _unchecked(self, record: RunRecord, segments: Segments) -> Iterator[Segment]:
        repetitions = range(self._settings.repeats(record.relation))
        for segment in segments:
            if not all(self._store.is_checked(record.id, segment.position, repetition) for repetition in repetitions):
                yield segment

    async def _write(self, record: RunRecord, outcomes: AsyncIterator[Outcome], count: "_Count", meter: Meter) -> None:
        """Store outcomes in groups; checks lost in a crash are repeated from stored translations."""
        unwritten: list[Outcome] = []
        characters = 0
        written = time.monotonic()
        try:
            async for outcome in outcomes:
                unwritten.append(outcome)
                count.checks += 1
                count.errors += outcome.error is not None
                characters += len(outcome.segment.text.words)
                full = len(unwritten) >= FLUSH_ROWS or characters > FLUSH_CHARACTERS
                if full or time.monotonic() - written > FLUSH_SECONDS:
                    group, unwritten, characters = unwritten, [], 0
                    self._store.add(record, group, spent=meter.read())
                    written = time.monotonic()
        finally:
            self._store.add(record, unwritten, spent=meter.read())

    @contextlib.asynccontextmanager
    async def _progress_reported(
        self, record: RunRecord, size: int, translate: Translating, stop: asyncio.Event
    ) -> "AsyncIterator[_Count]":
        """Report progress several times a second, even while nothing changes."""
        total = size * self._settings.repeats(record.relation)
        count = _Count(checks=self._store.tally(record.id)["checks"])
        label = f"{record.system} {record.source}→{record.target} {record.relation}"

        def show() -> None:
            spent = translate.batched.counts
            checks = min(count.checks, total)
            waiting = translate.batched.waiting()
            stopping = translate.batched.busy if stop.is_set() else 0
            counts = (checks, total, count.errors, spent.sent, spent.cached)
            self._watch(Progress(record.id, label, *counts, waiting, stopping, translate.batched.throttled()))

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
    checks: int = 0
    errors: int = 0


def to_renew(store: Workspace, settings: Settings, tasks: Sequence[Task]) -> list[str]:
    """The systems whose answers `fresh` renews; the same command after an interruption goes on with its answers."""
    if not settings.fresh:
        return []
    resumed: dict[str, bool] = {}
    for task in tasks:
        run = store.unfinished(facts_of(store, settings, task)["signature"])
        resumed[task.system.id] = resumed.get(task.system.id, False) or (run is not None and run.fresh)
    return [system for system, is_resumed in resumed.items() if not is_resumed]


def job_of(task: Task, translate: Translating, how: Settings) -> Job:
    """The task as the engine's job."""
    services = services_for(task.system, how.services)
    job = Job.for_relation(task.spec, task.target, translate, how.seed, how.repeats(task.spec.name), services)
    return dataclasses.replace(job, source=task.segments.lang, parsed=task.parsed, seconds=how.seconds)


def facts_of(store: Workspace, settings: Settings, task: Task) -> dict[str, Any]:
    """The facts that the record of a run begins with."""
    source, system = task.segments.lang, task.system
    corpus = f"{task.segments.name}#{task.segments.digest}"
    direction = next(iter(task.plan.directions), (source, task.target))
    version = signature_version(store, system, task.directions, direction)
    services = {"mt": f"{system.id}@{version}", **task.services}
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
    """The comparator that was fitted to labels of such runs; None where differences are not explained."""
    if "explain" not in task.services:
        return None
    return Comparators(store).used(task.spec.name, (task.segments.lang, task.target))


def _allowance(gate: Gate | None, memory: StoreMemory, task: Task) -> Allowance | None:
    """What the first pass may send of a capped budget; None without a cap."""
    remaining = gate.remaining() if gate else None
    if remaining is None:
        return None

    def is_stored(text: Text) -> bool:
        return memory.recall((text.lang, task.target), [text.words])[0] is not None

    return Allowance(remaining // SHARE, is_stored)
