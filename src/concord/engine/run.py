"""A window of live checks over a corpus; outcomes are yielded as they finish.

Checks are plain coroutines that await nothing but services, so they are driven by hand: what a
check awaits comes up here as an `Ask`, is filed with its service, and the check goes on when the
answer is there. That makes "every runnable check has spoken" a fact instead of a guess.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any

from concord.bounds import LONGEST_TEXT, comparable
from concord.engine.batching.batcher import Batched
from concord.engine.batching.question import Ask
from concord.engine.rng import rng
from concord.engine.timings import Stopwatch
from concord.errors import ConcordError, Interrupted, NotJudged, ServiceError, UserError
from concord.model import Case, Outcome, Segment
from concord.relations._protocol import EXPLAIN, RelationForm

Check = Callable[..., Coroutine[Any, Any, list[Case]]]
Start = Callable[[Segment, int], Coroutine[Any, Any, list[Case]]]

LONGEST_ERROR = 500
SLICE = 0.01
NARROW = 32


def bind(relation: RelationForm, options: Mapping[str, Any], services: Mapping[str, Any], seed: int) -> Start:
    """A relation's check with its services supplied by name; `rng` depends on the text, not on the order."""
    names = relation.asks
    unknown = [name for name in names if name != "rng" and name not in services]
    if unknown:
        raise UserError(f"the relation '{relation.name}' needs a service that this run lacks: {', '.join(unknown)}")
    check: Check = relation.module.check

    def start(segment: Segment, repetition: int) -> Coroutine[Any, Any, list[Case]]:
        words = segment.text.words
        supplied = [rng(seed, relation.base, words, repetition) if name == "rng" else services[name] for name in names]
        own = {**options, **dict(segment.told)} if segment.told else options
        cases = check(segment.text, *supplied, **relation.arguments(own))
        return judge(cases, own) if relation.selects else cases

    async def judge(cases: Coroutine[Any, Any, list[Case]], own: Mapping[str, Any]) -> list[Case]:
        checked = await cases
        return checked if unsound(checked) else await relation.judged(checked, services.get(EXPLAIN), own)

    return start


class LiveCheck:
    """One check under way."""

    __slots__ = ("ask", "check", "ready", "repetition", "segment")

    def __init__(
        self, check: Coroutine[Any, Any, list[Case]], segment: Segment, repetition: int, ready: deque[LiveCheck]
    ) -> None:
        self.check = check
        self.segment = segment
        self.repetition = repetition
        self.ready = ready
        self.ask: Ask | None = None

    def resume(self) -> None:
        self.ready.append(self)

    def step(self) -> Outcome | None:
        """Go on until the next question (None) or the end (an outcome)."""
        try:
            asked = self.check.send(None)
            while not isinstance(asked, Ask):
                asked = self.check.throw(UserError("a check may await services only, no tasks, clocks or connections"))
        except StopIteration as end:
            wrong = unsound(end.value)
            return self._failed(wrong) if wrong else Outcome(self.segment, self.repetition, cases=end.value)
        except UserError:
            raise
        except (ServiceError, NotJudged) as error:
            return self._failed(str(error))
        except Exception as error:
            return self._failed(f"{type(error).__name__}: {error}")
        asked.done = self.resume
        self.ask = asked
        asked.service.file(asked)
        return None

    def _failed(self, why: str) -> Outcome:
        told = why[:LONGEST_ERROR].encode("utf-8", "backslashreplace").decode()
        return Outcome(self.segment, self.repetition, error=told)


def unsound(cases: Any) -> str | None:
    """What is wrong with what a check returned, if it could not be stored or compared."""
    if not isinstance(cases, list) or not all(isinstance(case, Case) for case in cases):
        return "the relation did not return a list of cases"
    for case in cases:
        try:
            case.suspicion, case.threshold = float(case.suspicion), float(case.threshold)
            case.scores = {name: float(score) for name, score in case.scores.items()}
            if not (math.isfinite(case.suspicion) and math.isfinite(case.threshold)):
                return f"the relation's suspicion {case.suspicion} or threshold {case.threshold} is not a number"
            json.dumps((case.factors, case.evidence), allow_nan=False)
        except (TypeError, ValueError, AttributeError) as error:
            return f"the relation returned a case that cannot be stored: {error}"
    return None


async def run(
    start: Start,
    segments: Iterable[Segment],
    services: Iterable[Batched],
    *,
    repetitions: int = 1,
    stop: asyncio.Event | None = None,
    narrow: bool = False,
    thinking: Stopwatch | None = None,
) -> AsyncIterator[Outcome]:
    """Check every segment; a check that fails is an outcome with an error, never the end of the run.

    Many checks live at once, so that batches are full. With `narrow` there are few, and the first are done soon:
    then a budget that ends the run has bought finished checks, not the first halves of all of them. `thinking`
    runs while a check works itself.
    """
    batched = list(services)
    window = max([4 * each.limits.texts * each.limits.in_flight for each in batched], default=64)
    if narrow:
        window = min(NARROW, window)
    work = ((segment, repetition) for segment in segments for repetition in range(repetitions))
    checks = Window(start, work, batched, window, thinking or Stopwatch())
    wake = asyncio.Event()
    for each in batched:
        each.wake = wake.set
    try:
        while checks.going:
            wake.clear()
            for outcome in checks.advance():
                yield outcome
            checks.raise_what_ends_the_run(stop)
            if checks.ready:
                await asyncio.sleep(0)
            elif checks.going:
                await _either(wake, stop)
    finally:
        # Also after Ctrl-C or a fatal error: answers under way are paid for and must reach the memory.
        await asyncio.gather(*(each.drain() for each in batched))
        checks.close()


async def _either(wake: asyncio.Event, stop: asyncio.Event | None) -> None:
    if stop is None:
        await wake.wait()
        return
    waits = [asyncio.ensure_future(wake.wait()), asyncio.ensure_future(stop.wait())]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


async def _bounded(start: Start, segment: Segment, repetition: int) -> list[Case]:
    """The check of a segment, unless its text is too long for any."""
    comparable(segment.text.words)
    return await start(segment, repetition)


class Window:
    """The checks that are alive, those of them that can go on, and the work still to come."""

    def __init__(
        self,
        start: Start,
        work: Iterator[tuple[Segment, int]],
        services: list[Batched],
        size: int,
        thinking: Stopwatch,
    ) -> None:
        self._thinking = thinking
        self.ready: deque[LiveCheck] = deque()
        self._start = start
        self._work = work
        self._services = services
        self._size = size
        self._alive: set[LiveCheck] = set()
        self._exhausted = False

    @property
    def going(self) -> bool:
        return bool(self._alive) or not self._exhausted

    def advance(self) -> Iterator[Outcome]:
        """Let every runnable check speak, for a slice of time, then send what they asked."""
        until = time.monotonic() + SLICE
        while True:
            self._refill()
            while self.ready:
                live = self.ready.popleft()
                with self._thinking:
                    outcome = live.step()
                if outcome is not None:
                    self._alive.discard(live)
                    yield outcome
                elif live.ask is not None and live.ask.service.full:
                    live.ask.service.pump(False)
                if self.ready and time.monotonic() > until:
                    return
            self._refill()
            if not self.ready:
                for service in self._services:
                    service.pump(True)
            if not self.ready:
                return

    def raise_what_ends_the_run(self, stop: asyncio.Event | None) -> None:
        for service in self._services:
            if service.fatal is not None:
                raise service.fatal
        if stop is not None and stop.is_set():
            raise Interrupted("stopped; everything that was answered is kept")
        if self._alive and not self.ready and not any(service.busy for service in self._services):
            raise ConcordError("the checks wait for answers, but no request is under way")

    def close(self) -> None:
        for live in self._alive:
            live.check.close()

    def _refill(self) -> None:
        while not self._exhausted and len(self._alive) < self._size:
            try:
                segment, repetition = next(self._work)
            except StopIteration:
                self._exhausted = True
                return
            live = LiveCheck(_bounded(self._start, segment, repetition), segment, repetition, self.ready)
            self._alive.add(live)
            self.ready.append(live)
            if len(segment.text.words) > LONGEST_TEXT:  # done at its first step, so that there are never many of them
                return
