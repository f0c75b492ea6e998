"""The same run over several processes, with identical rows whatever their number.

The unit of distribution is a `Job` (plain data) and a shard of segments. A worker runs the checks;
the translator, its memory and the writer stay in the one process that pays, and workers ask it
through a socket, so that nothing is bought twice and an answer is committed before a check sees it.
"""

from __future__ import annotations

import asyncio
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
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from concord import plugins
from concord.engine.run import bind, run
from concord.engine.services import named_services, service
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
) -> AsyncIterator[Outcome]:
    """The job in this process."""
    check = plugins.load("relations", job.relation).check
    others = {name: service(name, job.chosen) for name in named_services(check)}
    start = bind(check, job.relation, job.options, {"translate": translate, **others}, job.seed)
    every = [translate.batched, *(each.batched for each in others.values())]
    async for outcome in run(start, segments, every, repetitions=job.repetitions, stop=stop, narrow=narrow):
        yield outcome


async def run_sharded(
    job: Job, segments: Iterable[Segment], translate: Translating, workers: int, stop: asyncio.Event
) -> AsyncIterator[Outcome]:
    """The job over a pool of processes that ask `translate` here."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_settle_in)
    desk = _Desk(translate)
    with tempfile.TemporaryDirectory(prefix="concord-", dir=_short_folder()) as folder:
        address = str(Path(folder) / "translate")
        server = await asyncio.start_unix_server(desk.serve, address, limit=LONGEST_LINE)
        try:
            async for shard in _spread(pool, job, _shards(segments, job.limits), address, 2 * workers, translate, stop):
                translate.batched.counts.asked += shard.shared
                translate.batched.counts.cached += shard.shared
                for outcome in shard.outcomes:
                    yield outcome
        finally:
            server.close()
            await translate.batched.drain()
            # Workers that still ask learn that the run is over, and end their shards. They are not killed: one
            # that dies while it hands over its rows would leave the pool waiting for the rest of them for ever.
            desk.close()
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Checked:
    """A shard's outcomes, and how many questions the worker answered by sharing another's answer."""

    outcomes: list[Outcome]
    shared: int


def check_shard(job: Job, segments: list[Segment], address: str) -> Checked:
    """The job on one shard, in a worker. It asks the address for translations and nothing else."""

    async def all_of_it() -> Checked:
        system = Distant(job.system, address, job.limits)
        translate = Translating(system, job.directions)
        try:
            outcomes = [outcome async for outcome in run_job(job, segments, translate)]
            return Checked(outcomes, translate.batched.counts.cached)
        finally:
            await system.close()

    return asyncio.run(all_of_it())


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

    def close(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                while line := await reader.readline():
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
