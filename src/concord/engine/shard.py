"""One run over several processes; the rows are the same however many there are.

The unit of distribution is a `Job` (plain data) and a shard of segments. A worker runs the checks;
the translator, its cache and the writer stay in the main process, which workers ask through a
socket, so that no answer is bought twice and each is committed before a check sees it.
"""

import asyncio
import atexit
import contextlib
import itertools
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from concord import plugins
from concord.engine.job import Job, run_job
from concord.engine.services import left_behind
from concord.engine.timings import STAGES, StageTally
from concord.engine.translate import Translating
from concord.engine.worker_rpc import LONGEST_LINE, RemoteSystem, TranslationServer, event_of_the_end
from concord.errors import KEPT, ConcordError, Interrupted
from concord.interruption import CODES
from concord.language.parse._choice import shared_parsers
from concord.model import Limits, Outcome, Segment
from concord.scratch import temporary_folder
from concord.signature import option_text

QUIET = "ignore:resource_tracker:UserWarning"
"""The resource tracker of `multiprocessing` cleans up after a run that ends at once, and would warn about it."""

MOST_CHARACTERS = 8_000_000
"""The characters at which a shard ends: those of a few hundred of the longest texts that are compared."""


async def run_sharded(
    job: Job,
    segments: Iterable[Segment],
    translate: Translating,
    workers: int,
    stop: asyncio.Event,
    tally: StageTally | None = None,
) -> AsyncIterator[Outcome]:
    """Run the job in a pool of processes, which ask `translate` in this one."""
    tally = tally or StageTally()
    if QUIET not in sys.warnoptions:  # which Python hands on to the processes that it starts
        sys.warnoptions.append(QUIET)
    pool = ProcessPoolExecutor(workers, mp_context=_Context(), initializer=_settle_in)
    server = TranslationServer(translate)
    with temporary_folder(_short_folder()) as folder:
        address = str(folder / "translate")
        # The server outlives the workers: asyncio forgets, unanswered, who connects just when a server closes,
        # and such a worker would wait for ever.
        with contextlib.closing(await asyncio.start_unix_server(server.serve, address, limit=LONGEST_LINE)):
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
                server.refuse()
                await translate.batched.drain()
                # Workers learn that the run is over, and end their shards. They are not killed: one that dies
                # while it hands over its rows would leave the pool waiting for the rest of them for ever.
                server.close()
                await asyncio.to_thread(pool.shutdown, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Checked:
    """A shard's outcomes, how many questions the worker answered from another's answer, and its timings."""

    outcomes: list[Outcome]
    shared: int
    tally: StageTally


def check_shard(job: Job, segments: list[Segment], address: str) -> Checked:
    """Run the job on one shard, in a worker, which asks the address for translations and nothing else."""

    # The command that sends the job has been told these files.
    plugins.admit(job.relation, *(option_text(value) for value in job.options.values()))

    async def checked() -> Checked:
        system = RemoteSystem(job.system, address, job.limits)
        translate = Translating(system, job.directions)
        tally = StageTally()
        try:
            async with event_of_the_end(address) as stop:
                with shared_parsers():
                    stream = run_job(job, segments, translate, stop, tally=tally)
                    outcomes = [outcome async for outcome in stream]
            return Checked(outcomes, translate.batched.counts.cached, tally)
        finally:
            await system.close()

    return asyncio.run(checked())


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
            ready = list(itertools.islice(shards, at_once - len(running)))
            with _signals_held_back():  # handing over a shard may start a worker
                for shard in ready:
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
                raise Interrupted(KEPT)
    finally:
        for future in [*running, *ends]:
            future.cancel()


def _result(future: asyncio.Future[Checked]) -> Checked:
    try:
        return future.result()
    except BrokenProcessPool:
        raise ConcordError(
            "a worker process died; what is done is stored: run the same command again."
            " (A script of your own needs `if __name__ == '__main__':` around what uses workers)"
        ) from None


class _Worker(SpawnProcess):
    """A process that is killed where a pool would send SIGTERM, to which workers do not react."""

    def terminate(self) -> None:
        self.kill()


class _Context(SpawnContext):
    Process = _Worker


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Block signals: a process that starts meanwhile gets none until `_settle_in`; this one gets them at the end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, CODES)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _settle_in() -> None:
    """Let a worker leave Ctrl-C and SIGTERM, which may go to a whole group, to the main process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it forgets a Ctrl-C that was held back, too
    signal.signal(signal.SIGTERM, lambda *_: None)  # not ignored, lest what a plug-in starts inherits that
    signal.pthread_sigmask(signal.SIG_UNBLOCK, CODES)
    # By then it has sent everything that it had to send.
    atexit.register(lambda: os._exit(0) if left_behind() else None)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _short_folder() -> str | None:
    """The usual folder for temporary files, unless its path is too long for that of a socket."""
    return None if len(tempfile.gettempdir()) < 60 else "/tmp"


def _shards(segments: Iterable[Segment], limits: Limits) -> Iterator[list[Segment]]:
    """Cut the corpus into shards, shorter where texts are long: each process has several of them in memory."""
    shard: list[Segment] = []
    left = MOST_CHARACTERS
    for segment in segments:
        shard.append(segment)
        left -= len(segment.text.words)
        if len(shard) == max(256, 4 * limits.texts) or left <= 0:
            yield shard
            shard, left = [], MOST_CHARACTERS
    if shard:
        yield shard
