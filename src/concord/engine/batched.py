"""Many single questions become few full batches.

A check asks one question at a time; a service answers many at once. `Batched` stands between:
identical questions in flight are asked once, full batches leave as soon as a connection is idle,
a partial batch only when every runnable check has spoken. There is no timer. The same wrapper
serves every slow service.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from concord.engine.question import Ask, Counts, Lane, Memory, Question, Waits
from concord.errors import (
    BadAnswer,
    ConcordError,
    Down,
    Exhausted,
    Refused,
    RunEnding,
    ServiceError,
    Throttled,
    Unauthorised,
    Unavailable,
)
from concord.model import Limits

Answer = Callable[[Any, list[Any]], Awaitable[Sequence[Any]]]
ATTEMPTS = 3
PATIENCE = 120.0
LONGEST_WAIT = 900.0
MOST_THROTTLES = 60
GRACE = 10.0
PATIENCE_AT_FIRST = 20.0
FAILURES_OF_A_DEAD_SERVICE = 5


class Batched:
    """A service that answers batches, made to answer single questions."""

    def __init__(
        self,
        answer: Answer,
        limits: Limits,
        *,
        memory: Memory | None = None,
        size: Callable[[Any], int] = len,
        usable: Callable[[Any, Any], str | None] = lambda item, answer: None,
        gate: Callable[[list[Any]], None] | None = None,
        waits: Waits | None = None,
        name: str = "the service",
    ) -> None:
        self.limits = limits
        self.counts = Counts()
        self.waiting_until = 0.0
        self.fatal: ConcordError | None = None
        self.wake: Callable[[], None] = lambda: None
        self._answer = answer
        self._memory = memory
        self._size = size
        self._usable = usable
        self._gate = gate
        self._waits = waits or Waits()
        self._name = name
        self._pending: dict[tuple[Lane, Any], Question] = {}
        self._unrecalled: list[Question] = []
        self._queues: dict[Lane, deque[Question]] = {}
        self._halves: deque[list[Question]] = deque()
        self._requests: set[asyncio.Task[None]] = set()
        self._width = float(limits.in_flight)
        self._narrowed_at = float("-inf")
        self._slot = float("-inf")
        self._failures = 0
        self._throttled = 0
        self._napping: set[asyncio.Task[Any]] = set()
        self._answered_at: float | None = None
        self._began_at: float | None = None
        self._stopped = False
        self._driven = True

    # -- asking ---------------------------------------------------------------------------------

    def ask(self, lane: Lane, items: Sequence[Any]) -> Ask:
        return Ask(self, lane, items)

    def file(self, ask: Ask) -> None:
        """Take the questions of an Ask; its `done` is called once every one has an answer."""
        self.counts.asked += len(ask.items)
        pending, lane = self._pending, ask.lane
        for index, item in enumerate(ask.items):
            question = pending.get((lane, item))
            if question is not None:
                self.counts.cached += 1
                question.waiters.append((ask, index))
                continue
            question = pending[(lane, item)] = Question(lane, item, self._size(item))
            question.waiters.append((ask, index))
            (self._unrecalled.append if self._memory else self._enqueue)(question)

    async def ask_now(self, lane: Lane, items: Sequence[Any]) -> list[Any]:
        """Ask from ordinary asyncio code; an item that cannot be answered comes back as its error."""
        # Nobody tells when such askers have all spoken: an idle connection then takes what there is.
        self._driven = False
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        asks = [self.ask(lane, [item]) for item in items]
        left = len(asks)

        def one_less() -> None:
            nonlocal left
            left -= 1
            if not left and not future.done():
                future.set_result(None)

        for ask in asks:
            ask.done = one_less
            self.file(ask)
        if asks:
            asyncio.get_running_loop().call_soon(self.pump, True)
            await future
        return [ask.error or ask.answers[0] for ask in asks]

    # -- sending --------------------------------------------------------------------------------

    def pump(self, quiet: bool) -> None:
        """Send what can be sent: full batches always, partial ones when it is quiet."""
        try:
            self._pump(quiet)
        except ConcordError as error:  # the memory cannot be read
            self._end(error)

    def _pump(self, quiet: bool) -> None:
        if quiet or len(self._unrecalled) >= self.limits.texts:
            self._recall()
        while not self._stopped and self.fatal is None and len(self._requests) < int(self._width):
            batch = self._halves.popleft() if self._halves else self._next_batch(quiet)
            if not batch:
                return
            task = asyncio.ensure_future(self._request(batch))
            self._requests.add(task)
            task.add_done_callback(self._finished)

    @property
    def busy(self) -> int:
        """How many requests are under way."""
        return len(self._requests)

    @property
    def full(self) -> bool:
        """Whether a full batch could leave now."""
        return len(self._requests) < int(self._width) and len(self._pending) >= self.limits.texts

    def waiting(self) -> float:
        """Seconds until the service wants to be asked again."""
        return max(0.0, self.waiting_until - self._waits.clock())

    async def drain(self) -> None:
        """Send nothing more, but take in what is already paid for, as long as an answer may take."""
        self._stopped = True
        for task in self._napping:
            task.cancel()
        if self._requests:
            hopeless = self.fatal is not None and not isinstance(self.fatal, (Exhausted, Unauthorised))
            grace = min(self.limits.seconds, GRACE) if hopeless else self.limits.seconds
            _, late = await asyncio.wait(set(self._requests), timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _recall(self) -> None:
        fresh, self._unrecalled = self._unrecalled, []
        lanes: dict[Lane, list[Question]] = {}
        for question in fresh:
            lanes.setdefault(question.lane, []).append(question)
        for lane, questions in lanes.items():
            assert self._memory is not None
            known = self._memory.recall(lane, [question.item for question in questions])
            for question, answer in zip(questions, known, strict=True):
                if answer is None:
                    self._enqueue(question)
                else:
                    self.counts.cached += 1
                    self._resolve(question, answer)

    def _enqueue(self, question: Question) -> None:
        if question.size > self.limits.characters:
            limit = self.limits.characters
            self._fail(question, Refused(f"the text has {question.size:,} characters; {self._name} takes {limit:,}"))
            return
        queue = self._queues.get(question.lane)
        if queue is None:
            queue = self._queues[question.lane] = deque()
        queue.append(question)

    def _next_batch(self, quiet: bool) -> list[Question]:
        queue = max(self._queues.values(), key=len, default=None)
        if not queue or (len(queue) < self.limits.texts and not quiet):
            return []
        batch: list[Question] = []
        room = self.limits.characters
        while queue and len(batch) < self.limits.texts and queue[0].size <= room:
            room -= queue[0].size
            batch.append(queue.popleft())
        return batch

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._requests.discard(task)
        if not task.cancelled() and task.exception() is not None:
            error = task.exception()
            self._end(error if isinstance(error, ConcordError) else ConcordError(f"{type(error).__name__}: {error}"))
        self.pump(not self._driven)
        self.wake()

    def _end(self, error: ConcordError) -> None:
        """Every further question would meet the same error."""
        self.fatal = self.fatal or error
        if not self._driven:
            # A driver sees `fatal` and leaves its checks alone; other askers wait for an answer.
            for question in list(self._pending.values()):
                self._fail(question, error)
        self.wake()

    # -- one request ----------------------------------------------------------------------------

    async def _request(self, batch: list[Question]) -> None:
        try:
            answers = await self._attempts(batch)
        except RunEnding as error:
            self._end(error)
        except ServiceError as error:
            self._give_up(batch, error)
        else:
            self._accept(batch, answers)

    async def _attempts(self, batch: list[Question]) -> Sequence[Any]:
        failures = throttles = 0
        while True:
            await self._until_wanted()
            try:
                return await self._once(batch)
            except Throttled as error:
                self._narrow()
                self.waiting_until = max(self.waiting_until, self._waits.clock() + self._pause(error, throttles))
                throttles += 1
            except Unavailable as error:
                self._narrow()
                self._note_failure(error)
                failures += 1
                if failures >= self._attempts_for(batch):
                    raise
                await self._nap(self._waits.backoff(failures))

    def _attempts_for(self, batch: list[Question]) -> int:
        """A half has failed before, as part of the whole; the last text left gets a second chance."""
        if not batch[0].halved:
            return ATTEMPTS
        return 2 if len(batch) == 1 else 1

    async def _once(self, batch: list[Question]) -> Sequence[Any]:
        if self._gate is not None:
            self._gate([question.item for question in batch])
        self.counts.sent += len(batch)
        self.counts.requests += 1
        self._began_at = self._waits.clock() if self._began_at is None else self._began_at
        try:
            async with asyncio.timeout(self.limits.seconds):
                answers = await self._answer(batch[0].lane, [question.item for question in batch])
        except TimeoutError:
            late = Unavailable(f"{self._name} gave no answer within {self.limits.seconds:g} s")
            self._note_failure(late)
            raise BadAnswer(str(late)) from None
        except ConcordError:
            raise
        except Exception as error:
            raise BadAnswer(f"{self._name} failed with {type(error).__name__}: {error}") from error
        if not isinstance(answers, (list, tuple)) or len(answers) != len(batch):
            count = len(answers) if isinstance(answers, (list, tuple)) else type(answers).__name__
            raise BadAnswer(f"{self._name} gave {count} answers to {len(batch)} texts")
        self._note_success()
        return answers

    def _pause(self, error: Throttled, attempt: int) -> float:
        self._throttled += 1
        wanted = error.retry_after or 0.0
        if wanted > LONGEST_WAIT:
            raise Exhausted(f"{self._name} wants to be left alone for {wanted:.0f} s: {error}") from error
        if self._throttled > MOST_THROTTLES:
            raise Exhausted(f"{self._name} has asked for patience {MOST_THROTTLES} times in a row: {error}") from error
        # Also when it says "at once": a clock that is wrong must not make us hammer it.
        return max(wanted, self._waits.backoff(attempt))

    async def _until_wanted(self) -> None:
        if self.limits.per_second is not None:
            self._slot = max(self._waits.clock(), self._slot + 1 / self.limits.per_second)
            await self._nap(self._slot - self._waits.clock())
        while (seconds := self.waiting()) > 0:
            await self._nap(seconds)

    async def _nap(self, seconds: float) -> None:
        """Sleep, but not beyond the end of the run: nothing is paid for while one sleeps."""
        task = asyncio.current_task()
        assert task is not None
        if self._stopped:
            raise asyncio.CancelledError
        self._napping.add(task)
        try:
            await self._waits.sleep(seconds)
        finally:
            self._napping.discard(task)

    def _note_success(self) -> None:
        self._failures = self._throttled = 0
        self._answered_at = self._waits.clock()
        self._width = min(float(self.limits.in_flight), self._width + 1 / self._width)

    def _note_failure(self, error: Unavailable) -> None:
        self._failures += 1
        silent = self._waits.clock() - (self._answered_at or self._began_at or 0.0)
        patience = PATIENCE_AT_FIRST if self._answered_at is None else PATIENCE
        if self._failures >= FAILURES_OF_A_DEAD_SERVICE and silent > patience:
            raise Down(f"{self._name} has not answered for {silent:.0f} s; last: {error}") from error

    def _narrow(self) -> None:
        # Requests in flight together fail together: they count as one sign of overload.
        if self._waits.clock() - self._narrowed_at > 1.0:
            self._width = max(1.0, self._width / 2)
            self._narrowed_at = self._waits.clock()

    def _give_up(self, batch: list[Question], error: ServiceError) -> None:
        if len(batch) == 1:
            self._fail(batch[0], error)
        else:
            middle = len(batch) // 2
            for question in batch:
                question.halved = True
            # The first half first, and its halves before the second: so a good text is soon found.
            self._halves.extendleft([batch[middle:], batch[:middle]])

    def _accept(self, batch: list[Question], answers: Sequence[Any]) -> None:
        good: list[tuple[Question, Any]] = []
        for question, answer in zip(batch, answers, strict=True):
            if isinstance(answer, ServiceError):
                self._fail(question, answer)
            elif (complaint := self._usable(question.item, answer)) is not None:
                self._fail(question, BadAnswer(f"{self._name} {complaint}"))
            else:
                good.append((question, answer))
        if self._memory and good:
            self._memory.commit(batch[0].lane, [question.item for question, _ in good], [answer for _, answer in good])
        for question, answer in good:
            self._resolve(question, answer)

    # -- answering ------------------------------------------------------------------------------

    def _resolve(self, question: Question, answer: Any) -> None:
        self._pending.pop((question.lane, question.item), None)
        for ask, index in question.waiters:
            ask.answers[index] = answer
            self._one_less(ask)
        question.waiters.clear()

    def _fail(self, question: Question, error: ConcordError) -> None:
        self._pending.pop((question.lane, question.item), None)
        for ask, _ in question.waiters:
            ask.error = ask.error or error
            self._one_less(ask)
        question.waiters.clear()

    def _one_less(self, ask: Ask) -> None:
        ask.left -= 1
        if not ask.left and ask.done is not None:
            ask.done()
