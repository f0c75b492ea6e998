"""A window of live checks over a corpus; outcomes are yielded as they finish.

Checks are plain coroutines that await nothing but services, so no event loop drives them: each `await` yields an `Ask`
to this module, which files it with its service and resumes the check when the answer is there. So it is known, not
guessed, when every runnable check has asked its question.
"""

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from concord.bounds import LONGEST_TEXT, comparable
from concord.engine.batching.batcher import Batched
from concord.engine.batching.question import Ask
from concord.engine.checked_answers import CheckedAnswers
from concord.engine.rng import rng
from concord.engine.timings import Stopwatch
from concord.errors import KEPT, ConcordError, Interrupted, NotJudged, ServiceError, Untested, UserError
from concord.model import Case, Outcome, Segment
from concord.relations._protocol import EXPLAIN, SANITY, RelationForm

Judged = tuple[list[Case], str | None]
"""The cases of a check, and why other cases of it are not judged."""
Start = Callable[[Segment, int], Coroutine[Any, Any, Judged]]

LONGEST_ERROR = 500
SLICE = 0.01
NARROW = 32


def bind(relation: RelationForm, options: Mapping[str, Any], services: Mapping[str, Any], seed: int) -> Start:
    """A relation's check with its services supplied by name; `rng` depends on the text, not on the order."""
    names = relation.asks
    unknown = [name for name in names if name != "rng" and name not in services]
    if unknown:
        raise UserError(f"the relation '{relation.name}' needs a service that this run lacks: {', '.join(unknown)}")
    check, usual, selects = relation.check, relation.arguments(options), relation.selects

    async def start(segment: Segment, repetition: int) -> Judged:
        answers = CheckedAnswers(services.get("translate"), services.get(SANITY))
        # The relation that judges answers sees them all.
        translate = services.get("translate") if SANITY in names else answers
        own_services = {"translate": translate}
        if "rng" in names:
            own_services["rng"] = rng(seed, relation.base, segment.text.words, repetition)
        own = {**options, **dict(segment.told)} if segment.told else options
        supplied = [own_services.get(name, services.get(name)) for name in names]
        try:
            cases = await check(segment.text, *supplied, **(relation.arguments(own) if segment.told else usual))
        except Exception as error:  # of a service that cannot read an answer that is not sane, perhaps
            if isinstance(error, (UserError, NotJudged)) or not answers.failed:
                raise
            raise NotJudged(next(iter(answers.failed.values()))) from None
        fault = cases_fault(cases)
        sound, unjudged = ([], None) if fault else answers.judged(cases)
        if sound and selects:
            sound = await relation.judged(sound, services.get(EXPLAIN), own)
            fault = cases_fault(sound)
        return ([], fault) if fault else (sound, unjudged)

    return start


@dataclass(slots=True, eq=False)
class LiveCheck:
    """One check under way, which appends itself to `ready` when it can go on."""

    check: Coroutine[Any, Any, Judged]
    segment: Segment
    repetition: int
    ready: "deque[LiveCheck]"
    ask: Ask | None = None

    def step(self) -> Outcome | None:
        """Run until the next question (None) or the end (an outcome)."""
        try:
            ask = self.check.send(None)
            while not isinstance(ask, Ask):
                ask = self.check.throw(UserError("a check may await services only, no tasks, clocks or connections"))
        except StopIteration as end:
            return self._ended(*end.value)
        except UserError:
            raise
        except Untested as why:
            return Outcome(self.segment, self.repetition, untested=_shortened(str(why)))
        except (ServiceError, NotJudged) as error:
            return self._ended([], str(error))
        except Exception as error:
            return self._ended([], f"{type(error).__name__}: {error}")
        ask.on_answered = lambda: self.ready.append(self)
        self.ask = ask
        ask.service.file(ask)
        return None

    def _ended(self, cases: list[Case], why: str | None) -> Outcome:
        return Outcome(self.segment, self.repetition, cases, why and _shortened(why))


def _shortened(message: str) -> str:
    return message[:LONGEST_ERROR].encode("utf-8", "backslashreplace").decode()


def cases_fault(cases: Any) -> str | None:
    """What is wrong with the cases that a check returned, if they cannot be stored or compared."""
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

    Many checks live at once, so that batches are full. With `narrow` there are few, and the first finish soon: then a
    budget that ends the run has bought finished checks, not the first halves of all of them. `thinking` runs while a
    check computes.
    """
    batched = list(services)
    window = max([4 * service.limits.texts * service.limits.in_flight for service in batched], default=64)
    if narrow:
        window = min(NARROW, window)
    work = ((segment, repetition) for segment in segments for repetition in range(repetitions))
    checks = Window(start, work, batched, window, thinking or Stopwatch())
    wake = asyncio.Event()
    for service in batched:
        service.wake = wake.set
    try:
        while checks.going:
            wake.clear()
            for outcome in checks.advance():
                yield outcome
            checks.raise_fatal(stop)
            if checks.ready:
                await asyncio.sleep(0)
            elif checks.going:
                await _either(wake, stop)
    finally:
        # Also after Ctrl-C or a fatal error: answers under way are paid for and must reach the cache.
        await asyncio.gather(*(service.drain() for service in batched))
        checks.close()


async def _either(wake: asyncio.Event, stop: asyncio.Event | None) -> None:
    if stop is None:
        await wake.wait()
        return
    waits = [asyncio.ensure_future(wake.wait()), asyncio.ensure_future(stop.wait())]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


async def _bounded(start: Start, segment: Segment, repetition: int) -> Judged:
    """The check of a segment, unless its text is too long for any."""
    comparable(segment.text.words)
    return await start(segment, repetition)


@dataclass(slots=True)
class Window:
    """The checks that are alive, those of them that can go on (`ready`), and the work still to come."""

    start: Start
    work: Iterator[tuple[Segment, int]]
    services: list[Batched]
    size: int
    thinking: Stopwatch
    ready: deque[LiveCheck] = field(default_factory=deque)
    _alive: set[LiveCheck] = field(default_factory=set)
    _exhausted: bool = False

    @property
    def going(self) -> bool:
        return bool(self._alive) or not self._exhausted

    def advance(self) -> Iterator[Outcome]:
        """Run every check that can go on, for a slice of time, then send their questions."""
        until = time.monotonic() + SLICE
        while True:
            self._refill()
            while self.ready:
                live = self.ready.popleft()
                with self.thinking:
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
                for service in self.services:
                    service.pump(True)
            if not self.ready:
                return

    def raise_fatal(self, stop: asyncio.Event | None) -> None:
        for service in self.services:
            if service.fatal is not None:
                raise service.fatal
        if stop is not None and stop.is_set():
            raise Interrupted(KEPT)
        if self._alive and not self.ready and not any(service.busy for service in self.services):
            raise ConcordError("the checks wait for answers, but no request is under way")

    def close(self) -> None:
        for live in self._alive:
            live.check.close()

    def _refill(self) -> None:
        while not self._exhausted and len(self._alive) < self.size:
            try:
                segment, repetition = next(self.work)
            except StopIteration:
                self._exhausted = True
                return
            live = LiveCheck(_bounded(self.start, segment, repetition), segment, repetition, self.ready)
            self._alive.add(live)
            self.ready.append(live)
            if len(segment.text.words) > LONGEST_TEXT:  # it ends at its first step, so that few of them are alive
                return
