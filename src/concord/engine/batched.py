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

from concord.engine.budget import Gate
from concord.engine.pace import Pace
from concord.engine.patience import Patience, Waits, unbilled
from concord.engine.question import Ask, Batch, Counts, Lane, Memory, Question
from concord.engine.tally import Stopwatch
from concord.errors import (
    BadAnswer,
    ConcordError,
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
Failure = tuple[Question, Unavailable]
GRACE = 10.0


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
        gate: Gate | None = None,
        pace: Pace | None = None,
        waits: Waits | None = None,
        grace: float | None = None,
        name: str = "the service",
    ) -> None:
        self.limits = limits
        self.counts = Counts()
        self.fatal: ConcordError | None = None
        self.wake: Callable[[], None] = lambda: None
        self._answer = answer
        self.watch = Stopwatch()
        self._memory = memory
        self._size = size
        self._usable = usable
        self._gate = gate
        self._waits = waits or Waits()
        self._grace = limits.seconds if grace is None else grace
        self._pace = pace or Pace(self._waits.clock)
        self._patience = Patience(name, limits.in_flight, self._waits)
        self._name = name
        self._pending: dict[tuple[Lane, Any], Question] = {}
        self._unrecalled: list[Question] = []
        self._queues: dict[Lane, deque[Question]] = {}
        self._leftover: deque[Batch] = deque()
        self._known: dict[Lane, Question] = {}
        self._requests: set[asyncio.Task[None]] = set()
        self._napping: set[asyncio.Task[Any]] = set()
        self._resting = 0
        self._sending = 0
        self._ways: list[asyncio.Future[None]] = []
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
        while not self._stopped and self.fatal is None and self._idle:
            if self._leftover and self._requests and self._too_dear(self._leftover[0]):
                return
            batch = self._leftover.popleft() if self._leftover else self._next_batch(quiet)
            if batch is None:
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
        return len(self._pending) >= self.limits.texts and self._idle

    @property
    def _idle(self) -> bool:
        # Who rests after a failure leaves the connection to others: only they can show that the service is alive.
        return len(self._requests) - self._resting < self._patience.width

    def waiting(self) -> float:
        """Seconds until the service is asked again."""
        return max(self._pace.held(), self._patience.wait())

    async def drain(self) -> None:
        """Send nothing more, but take in what is under way; what is paid for, as long as an answer may take."""
        self._stopped = True
        for task in self._napping:
            task.cancel()
        if self._requests:
            hopeless = self.fatal is not None and not isinstance(self.fatal, (Exhausted, Unauthorised))
            grace = min(self._grace, GRACE) if hopeless else self._grace
            _, late = await asyncio.wait(set(self._requests), timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def reopen(self) -> None:
        """Send again, for the next pass over the same texts."""
        self._stopped = False

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

    def _next_batch(self, quiet: bool) -> Batch | None:
        queue = max(self._queues.values(), key=len, default=None)
        if not queue or (len(queue) < self.limits.texts and not quiet):
            return None
        questions: list[Question] = []
        most = 1 if self._patience.dead else self.limits.texts
        room = self.limits.characters
        while queue and len(questions) < most and queue[0].size <= room:
            room -= queue[0].size
            questions.append(queue.popleft())
        return Batch(questions)

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

    async def _request(self, batch: Batch) -> None:
        try:
            while batch.questions:
                await self._turn()
                batch = self._turn_about(batch)
                known = self._proof(batch)
                await (self._attempt(batch) if known is None else self._prove(known))
        except RunEnding as error:
            self._end(error)
        except ServiceError as error:
            self._give_up(batch, error)

    async def _attempt(self, batch: Batch) -> None:
        """Send a batch once; afterwards it holds what is to be sent again."""
        before = self._patience.answers
        try:
            sent = self._admitted(batch)
            failures = await self._once(sent) if sent else []
        finally:
            self._make_way()
        if not failures and len(sent) == len(batch.questions):
            batch.questions = []
            return
        batch.questions = [*batch.questions[len(sent) :], *(question for question, _ in failures)]
        if failures:
            partly = len(failures) < len(sent)
            await self._failed(batch, _gravest(failures), before, before if partly else self._patience.answers)

    def _turn_about(self, batch: Batch) -> Batch:
        """Try a service that looks dead with another text each time, untried ones first: some may be at fault."""
        if not (self._patience.dead and batch.failures):
            return batch
        untried = self._leftover and not self._leftover[0].failures
        other = None if untried else self._next_batch(quiet=True)
        if other is None and self._leftover:
            other = self._leftover.popleft()
        if other is None:
            return batch
        self._leftover.append(batch)
        return other

    def _proof(self, batch: Batch) -> Question | None:
        """Where all that is left has failed already: a question that the service has answered before."""
        if not (self._patience.dead and batch.failures and self._known):
            return None
        known = self._known.get(batch.questions[0].lane) or next(iter(self._known.values()))
        room = self._gate.room() if self._gate else None
        return known if room is None or known.size <= room else None

    async def _prove(self, known: Question) -> None:
        """Ask again what was answered before: nothing else tells a dead service from texts that it cannot do."""
        try:
            self._admit([known])
            (answer,) = await self._answers(known.lane, [known.item])
            if isinstance(answer, RunEnding | Unavailable):
                raise answer
        except Unavailable as error:
            self._refund([(known, error)])
            self._endure(error, 0)
        except (BadAnswer, Refused):
            self._patience.answered()
        else:
            self._patience.answered()
        finally:
            self._make_way()

    def _admitted(self, batch: Batch) -> list[Question]:
        """What of the batch, from its beginning, may be sent now."""
        if self._too_dear(batch) and len(self._requests) > 1:
            # Others may give back what they were admitted with, so it is put off until they have ended.
            self._leftover.appendleft(batch.moved())
            return []
        # One text is enough to find out whether a service is alive, and costs the least.
        probing = self._patience.dead or batch.doubtful(self._patience.answers)
        room = self._gate.room() if self._gate else None
        if room is not None and (fitting := batch.fitting(room)) < len(batch.questions):
            self._leftover.appendleft(Batch(batch.questions[fitting:], batch if batch.halved else None))
            batch.questions = batch.questions[:fitting]
        return batch.questions[:1] if probing else batch.questions

    def _too_dear(self, batch: Batch) -> bool:
        room = self._gate.room() if self._gate else None
        return room is not None and batch.questions[0].size > room

    def _admit(self, sent: list[Question]) -> None:
        if self._gate is not None:
            self._gate.admit([question.item for question in sent])
        self.counts.sent += len(sent)
        self.counts.requests += 1

    def _refund(self, failures: list[Failure]) -> None:
        if self._gate is not None and (free := [question.item for question, error in failures if unbilled(error)]):
            self._gate.give_back(free)

    async def _once(self, sent: list[Question]) -> list[Failure]:
        """Ask, and take in the answers; gives the questions to be asked again."""
        self._admit(sent)
        try:
            answers = await self._answers(sent[0].lane, [question.item for question in sent])
        except Unavailable as error:
            failures = [(question, error) for question in sent]
        else:
            failures = self._accept(sent, answers)
        self._refund(failures)
        return failures

    async def _answers(self, lane: Any, items: list[Any]) -> Sequence[Any]:
        try:
            async with asyncio.timeout(self.limits.seconds):
                with self.watch:
                    answers = await self._answer(lane, items)
        except TimeoutError:
            raise _Late(f"{self._name} gave no answer within {self.limits.seconds:g} s") from None
        except ConcordError:
            raise
        except Exception as error:
            raise BadAnswer(f"{self._name} failed with {type(error).__name__}: {error}") from error
        if not isinstance(answers, (list, tuple)) or len(answers) != len(items):
            count = len(answers) if isinstance(answers, (list, tuple)) else type(answers).__name__
            raise BadAnswer(f"{self._name} gave {count} answers to {len(items)} texts")
        return answers

    def _accept(self, sent: list[Question], answers: Sequence[Any]) -> list[Failure]:
        good: list[tuple[Question, Any]] = []
        wrong: list[tuple[Question, ServiceError]] = []
        for question, answer in zip(sent, answers, strict=True):
            if isinstance(answer, ServiceError):
                wrong.append((question, answer))
            elif (complaint := self._usable(question.item, answer)) is not None:
                wrong.append((question, BadAnswer(f"{self._name} {complaint}")))
            else:
                good.append((question, answer))
        failures = [(question, error) for question, error in wrong if isinstance(error, Unavailable)]
        if len(failures) < len(sent):
            self._patience.answered()
        if self._memory and good:
            self._memory.commit(sent[0].lane, [question.item for question, _ in good], [answer for _, answer in good])
        for question, answer in good:
            self._resolve(question, answer)
        if good and sent[0].lane not in self._known:
            self._known[sent[0].lane] = good[0][0]
        for question, error in wrong:
            if isinstance(error, RunEnding):
                raise error
            if not isinstance(error, Unavailable):
                self._fail(question, error)
        return failures

    # -- patience -------------------------------------------------------------------------------

    async def _turn(self) -> None:
        """Wait until a request may leave: nothing is paid for meanwhile, so the end of the run ends the wait."""
        task = self._not_at_the_end()
        self._napping.add(task)
        try:
            while True:
                if self._sending >= self._patience.width:
                    way: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                    self._ways.append(way)
                    await way
                elif (seconds := self._patience.wait()) > 0:
                    await self._waits.sleep(seconds)
                elif await self._left_in_order():
                    return
        finally:
            self._napping.discard(task)

    async def _left_in_order(self) -> bool:
        async with self._pace.queue:
            while (seconds := self._pace.wait()) > 0:
                await self._waits.sleep(seconds)
            self._not_at_the_end()
            # While this one waited, the service may have narrowed, or have died.
            if self._sending >= self._patience.width or self._patience.wait() > 0:
                return False
            self._pace.take(self.limits.per_second)
            self._sending += 1
            return True

    def _make_way(self) -> None:
        self._sending -= 1
        ways, self._ways = self._ways, []
        for way in ways:
            if not way.done():
                way.set_result(None)

    async def _failed(self, batch: Batch, error: Unavailable, before: int, answers: int) -> None:
        """Return when it is worth another attempt, raise when not.

        `before` and `answers` tell how many answers the service had given when the attempt began, and when it failed.
        """
        self._endure(error, batch.throttles)
        if isinstance(error, Throttled):
            batch.throttles += 1
            return
        batch.failed(answers, isinstance(error, _Late))
        # Only where others get through is it the batch that is to blame.
        if batch.failures >= batch.attempts and before > batch.answers and not self._patience.dead:
            raise error
        await self._rest(self._waits.backoff(batch.failures))

    def _endure(self, error: Unavailable, throttles: int) -> None:
        if isinstance(error, Throttled):
            self._pace.hold(self._patience.throttled(error, throttles))
        else:
            self._patience.failed(error)

    async def _rest(self, seconds: float) -> None:
        task = self._not_at_the_end()
        self._napping.add(task)
        self._resting += 1
        self.pump(not self._driven)
        self.wake()
        try:
            await self._waits.sleep(seconds)
        finally:
            self._resting -= 1
            self._napping.discard(task)

    def _not_at_the_end(self) -> asyncio.Task[Any]:
        task = asyncio.current_task()
        assert task is not None
        if self._stopped or self.fatal is not None:
            raise asyncio.CancelledError
        return task

    def _give_up(self, batch: Batch, error: ServiceError) -> None:
        if len(batch.questions) == 1:
            self._fail(batch.questions[0], error)
        else:
            # The first half first, and its halves before the second: so a good text is soon found.
            self._leftover.extendleft(reversed(batch.halves()))

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


class _Late(Unavailable):
    """No answer in time: it may take as long again, so it is tried less often."""


def _gravest(failures: list[Failure]) -> Unavailable:
    """The error to heed where the texts of one request met several: the longest pause that is asked for."""
    errors = [error for _, error in failures]
    throttled = [error for error in errors if isinstance(error, Throttled)]
    return max(throttled, key=lambda error: error.retry_after or 0.0) if throttled else errors[0]
