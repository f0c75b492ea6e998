"""The same run over several processes, with identical rows whatever their number.

The unit of distribution is a `Job` (plain data) and a shard of segments. A worker runs the checks;
the translator, its memory and the writer stay in the one process that pays, and workers ask it
through a socket, so that nothing is bought twice and an answer is committed before a check sees it.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import itertools
import json
import multiprocessing
import os
import signal
import tempfile
import threading
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from concord import plugins
from concord.engine.run import Start, bind, run
from concord.engine.services import Local, Terms, left_behind, named_services, needed, service
from concord.engine.tally import STAGES, Stopwatch, Tally
from concord.engine.translating import Translating
from concord.errors import ConcordError, Interrupted, Refused, RunEnding
from concord.model import Direction, Limits, Outcome, Segment, System

LONGEST_LINE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Job:
    """A relation and everything a worker must know to run it, as plain data."""

    relation: str
    options: Mapping[str, Any]
    seed: int
    repetitions: int
    system: str
    directions: tuple[Direction, ...] | None
    limits: Limits
    chosen: Mapping[str, str] = field(default_factory=dict)
    """What stands behind the services besides `translate`, where the user has chosen."""
    source: str = ""
    parsed: tuple[str, ...] = ()
    """The languages whose texts the relation may have parsed; any, if none is named."""
    seconds: float | None = None
    """How long one answer of those services may take, where the user has said so."""
    learnt: bytes = b""
    """What the first pass has learnt about words, for `explain`."""
    fitted: bytes = b""
    """The comparator that labels have taught, for `explain` too; the rule judges where there is none."""

    @classmethod
    def of(
        cls,
        spec: plugins.Spec,
        to: str,
        translate: Translating,
        seed: int,
        repetitions: int = 1,
        chosen: Mapping[str, str] | None = None,
    ) -> Job:
        """The job of a relation into a language, on the system behind `translate`."""
        known = translate.directions
        return cls(
            relation=spec.name,
            options={**plugins.settings("relations", spec), "to": to},
            seed=seed,
            repetitions=repetitions,
            system=translate.system.id,
            directions=None if known is None else tuple(sorted(known)),
            limits=translate.batched.limits,
            chosen=dict(chosen or {}),
        )


async def run_job(
    job: Job,
    segments: Iterable[Segment],
    translate: Translating,
    stop: asyncio.Event | None = None,
    *,
    narrow: bool = False,
    tally: Tally | None = None,
) -> AsyncIterator[Outcome]:
    """The job in this process; `tally` is told what it takes."""
    tally = tally or Tally()
    watches: dict[str, Stopwatch] = {
        "start": Stopwatch(),
        "translate": translate.batched.watch,
        "relation": Stopwatch(),
    }
    with watches["start"]:
        start, others = _prepared(job, translate, tally)
    watches |= {name: each.batched.watch for name, each in others.items()}
    every = [translate.batched, *(each.batched for each in others.values())]
    thinking = watches["relation"]
    try:
        async for outcome in run(
            start, segments, every, repetitions=job.repetitions, stop=stop, narrow=narrow, thinking=thinking
        ):
            tally.time(watches)
            yield outcome
    finally:
        tally.time(watches)
        await asyncio.gather(*(each.close() for each in others.values()))


def _prepared(job: Job, translate: Translating, tally: Tally) -> tuple[Start, dict[str, Local]]:
    relation = plugins.load("relations", job.relation)
    told = Terms(job.source, job.parsed, job.seconds, tally.rejected, job.options["to"])
    terms = replace(told, learnt=job.learnt, fitted=job.fitted)
    others = {name: service(name, job.chosen, terms) for name in needed(relation, job.options)}
    verbs = dict.fromkeys(named_services(relation.check)) | {name: each.verb for name, each in others.items()}
    return bind(relation.check, job.relation, job.options, {"translate": translate, **verbs}, job.seed), others


async def run_sharded(
    job: Job,
    segments: Iterable[Segment],
    translate: Translating,
    workers: int,
    stop: asyncio.Event,
    tally: Tally | None = None,
) -> AsyncIterator[Outcome]:
    """The job over a pool of processes that ask `translate` here."""
    tally = tally or Tally()
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_settle_in)
    desk = _Desk(translate)
    with tempfile.TemporaryDirectory(prefix="concord-", dir=_short_folder()) as folder:
        address = str(Path(folder) / "translate")
        # The server outlives the workers: asyncio forgets, unanswered, who connects just when a server closes,
        # and such a worker would wait for ever.
        with contextlib.closing(await asyncio.start_unix_server(desk.serve, address, limit=LONGEST_LINE)):
            spread = _spread(pool, job, _shards(segments, job.limits), address, 2 * workers, translate, stop)
            try:
                async for shard in spread:
                    translate.batched.counts.asked += shard.shared
                    translate.batched.counts.cached += shard.shared
                    tally.add(shard.tally)
                    tally.seconds[STAGES["translate"]] = translate.batched.watch.seconds
                    for outcome in shard.outcomes:
                        yield outcome
            finally:
                desk.refuse()
                await translate.batched.drain()
                # Workers learn that the run is over, and end their shards. They are not killed: one that dies
                # while it hands over its rows would leave the pool waiting for the rest of them for ever.
                desk.close()
                await asyncio.to_thread(pool.shutdown, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Checked:
    """A shard's outcomes, how many questions the worker answered by sharing another's answer, and what it took."""

    outcomes: list[Outcome]
    shared: int
    tally: Tally


def check_shard(job: Job, segments: list[Segment], address: str) -> Checked:
    """The job on one shard, in a worker. It asks the address for translations and nothing else."""

    async def all_of_it() -> Checked:
        system = Distant(job.system, address, job.limits)
        translate = Translating(system, job.directions)
        tally = Tally()
        try:
            async with _until_the_desk_closes(address) as stop:
                stream = run_job(job, segments, translate, stop, tally=tally)
                outcomes = [outcome async for outcome in stream]
            return Checked(outcomes, translate.batched.counts.cached, tally)
        finally:
            await system.close()

    return asyncio.run(all_of_it())


@contextlib.asynccontextmanager
async def _until_the_desk_closes(address: str) -> AsyncIterator[asyncio.Event]:
    """An event for the end of the run, which a worker that waits for its own services would not learn of otherwise."""
    stop = asyncio.Event()
    try:
        reader, writer = await asyncio.open_unix_connection(address)
    except OSError:
        raise Interrupted("the run was stopped") from None

    async def watch() -> None:
        with contextlib.suppress(ConnectionError):
            await reader.read()
        stop.set()

    watching = asyncio.ensure_future(watch())
    try:
        yield stop
    finally:
        watching.cancel()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


class Distant(System):
    """The translator of another process, asked through a socket: one line of JSON each way."""

    def __init__(self, name: str, address: str, limits: Limits) -> None:
        self.id = name
        # The desk splits into the provider's batches; here a batch only saves trips.
        self.limits = Limits(
            texts=limits.texts * 2, characters=LONGEST_LINE // 16, in_flight=limits.in_flight, seconds=float(10**6)
        )
        self._address = address
        self._open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[Any]:
        try:
            reader, writer = self._open.pop() if self._open else await self._connected()
            writer.write(json.dumps([source, target, list(texts)]).encode() + b"\n")
            await writer.drain()
            line = await reader.readline()
        except OSError:
            line = b""
        if not line:
            raise RunEnding("the run was stopped")
        self._open.append((reader, writer))
        return [answer if isinstance(answer, str) else Refused(answer["error"]) for answer in json.loads(line)]

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(self._address, limit=LONGEST_LINE)

    async def close(self) -> None:
        for _, writer in self._open:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        self._open.clear()


class _Desk:
    """Where the workers' questions are answered."""

    def __init__(self, translate: Translating) -> None:
        self._batched = translate.batched
        self._writers: set[asyncio.StreamWriter] = set()
        self._open = True

    def refuse(self) -> None:
        """Take no more questions; who has asked may still have the answer."""
        self._open = False

    def close(self) -> None:
        """Send everybody away, also those who come later."""
        self.refuse()
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                while self._open and (line := await reader.readline()):
                    source, target, texts = json.loads(line)
                    answers = await self._batched.ask_now((source, target), texts)
                    plain = [str(a) if isinstance(a, str) else {"error": str(a)} for a in answers]
                    writer.write(json.dumps(plain).encode() + b"\n")
                    await writer.drain()
        finally:
            self._writers.discard(writer)
            writer.close()


async def _spread(
    pool: Executor,
    job: Job,
    shards: Iterator[list[Segment]],
    address: str,
    at_once: int,
    translate: Translating,
    stop: asyncio.Event,
) -> AsyncIterator[Checked]:
    """Keep every worker supplied, a bounded number of shards ahead."""
    loop = asyncio.get_running_loop()
    fatal = asyncio.Event()
    translate.batched.wake = lambda: fatal.set() if translate.batched.fatal else None
    ends: list[asyncio.Future[Any]] = [asyncio.ensure_future(stop.wait()), asyncio.ensure_future(fatal.wait())]
    running: set[asyncio.Future[Checked]] = set()
    try:
        while True:
            for shard in itertools.islice(shards, at_once - len(running)):
                running.add(loop.run_in_executor(pool, check_shard, job, shard, address))
            if not running:
                return
            everything: list[asyncio.Future[Any]] = [*running, *ends]
            await asyncio.wait(everything, return_when=asyncio.FIRST_COMPLETED)
            if translate.batched.fatal is not None:
                raise translate.batched.fatal
            finished = {future for future in running if future.done()}
            running -= finished
            for future in finished:
                yield _result(future)
            if stop.is_set():
                raise Interrupted("stopped; everything that was answered is kept")
    finally:
        for each in [*running, *ends]:
            each.cancel()


def _result(future: asyncio.Future[Checked]) -> Checked:
    try:
        return future.result()
    except BrokenProcessPool:
        raise ConcordError(
            "a worker process died; what is done is stored: run the same command again."
            " (A script of your own needs `if __name__ == '__main__':` around what uses workers)"
        ) from None


def _settle_in() -> None:
    """A worker leaves Ctrl-C to the main process, and leaves the world with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # All that it had to hand over it has handed over by then.
    atexit.register(lambda: os._exit(0) if left_behind() else None)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _short_folder() -> str | None:
    """The usual place for temporary files, unless its name leaves no room for that of a socket."""
    return None if len(tempfile.gettempdir()) < 60 else "/tmp"


def _shards(segments: Iterable[Segment], limits: Limits) -> Iterator[list[Segment]]:
    iterator = iter(segments)
    while shard := list(itertools.islice(iterator, max(256, 4 * limits.texts))):
        yield shard
