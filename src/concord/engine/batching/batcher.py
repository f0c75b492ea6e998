"""Many single questions become few full batches.

A check asks one question at a time; a service answers many at once. `Batched` stands between:
identical questions in flight are asked once, a full batch is sent as soon as a connection is idle,
a partial batch only when every runnable check has asked its question. There is no timer. The same
wrapper serves every slow service.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from concord.engine.batching.budget import Gate
from concord.engine.batching.concurrency import SendQueue
from concord.engine.batching.health import Health, Waits
from concord.engine.batching.pending import Questions
from concord.engine.batching.question import Ask, Batch, Lane, Memory
from concord.engine.batching.rate_limit import RateLimit
from concord.engine.batching.request import Answer, Exchange, Usable
from concord.engine.batching.retry import Attempts
from concord.errors import ConcordError, Exhausted, RunEnding, Unauthorised
from concord.model import Limits

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
        usable: Usable = lambda item, answer, last: answer,
        retries: int = 0,
        gate: Gate | None = None,
        rate_limit: RateLimit | None = None,
        waits: Waits | None = None,
        grace: float | None = None,
        name: str = "the service",
    ) -> None:
        waits = waits or Waits()
        self.limits = limits
        self.fatal: ConcordError | None = None
        self.wake: Callable[[], None] = lambda: None
        self._questions = Questions(limits, memory, size, name, retries)
        self.counts = self._questions.counts
        self._exchange = Exchange(answer, limits.seconds, usable, gate, self.counts, name)
        self.watch = self._exchange.watch
        self._health = Health(name, limits.in_flight, waits, limits.throttled_for)
        rate_limit = rate_limit or RateLimit(waits.clock)
        self._queue = SendQueue(self._health, rate_limit, waits, limits.per_second, self._over)
        self._grace = limits.seconds if grace is None else grace
        self._attempts = Attempts(self._questions, self._exchange, self._queue, self._health, self)
        self._requests: set[asyncio.Task[None]] = set()
        self._stopped = False
        self._driven = True

    # -- asking ---------------------------------------------------------------------------------

    def ask(self, lane: Lane, items: Sequence[Any]) -> Ask:
        return Ask(self, lane, items)

    def file(self, ask: Ask) -> None:
        """Take the questions of an ask; its `on_answered` is called once every one has an answer."""
        self._questions.file(ask)

    async def ask_now(self, lane: Lane, items: Sequence[Any]) -> list[Any]:
        """Ask from ordinary asyncio code; an item that cannot be answered comes back as its error."""
        # Nobody knows when such callers have asked everything: an idle connection takes what there is.
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
            ask.on_answered = one_less
            self.file(ask)
        if asks:
            asyncio.get_running_loop().call_soon(self.pump, True)
            await future
        return [ask.error or ask.answers[0] for ask in asks]

    # -- sending --------------------------------------------------------------------------------

    def pump(self, quiet: bool) -> None:
        """Send what can be sent: full batches always, partial ones when it is quiet (no check can go on)."""
        try:
            self._pump(quiet)
        except ConcordError as error:  # the memory cannot be read
            self._end(error)

    def _pump(self, quiet: bool) -> None:
        self._questions.recall(quiet)
        leftover = self._questions.leftover
        while not self._over() and self._idle:
            if leftover and self._requests and self._exchange.exceeds_budget(leftover[0]):
                return
            batch = leftover.popleft() if leftover else self._questions.next_batch(quiet, alone=self._health.dead)
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
        return len(self._questions) >= self.limits.texts and self._idle

    @property
    def _idle(self) -> bool:
        # A request that waits after a failure leaves the connection to others: they can show that the service lives.
        return len(self._requests) - self._queue.resting < self._health.width

    def waiting(self) -> float:
        """Seconds until the service is asked again."""
        return self._queue.pause_left()

    def throttled(self) -> float:
        """Seconds since the service began to throttle; 0 once it has answered."""
        return self._health.throttled_since()

    async def drain(self) -> None:
        """Send nothing more, but wait for the requests under way, which are paid for, up to their timeout."""
        self._stopped = True
        self._queue.end()
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

    def _over(self) -> bool:
        return self._stopped or self.fatal is not None

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._requests.discard(task)
        if not task.cancelled() and task.exception() is not None:
            error = task.exception()
            self._end(error if isinstance(error, ConcordError) else ConcordError(f"{type(error).__name__}: {error}"))
        self.send_next()

    def send_next(self) -> None:
        """Send what can be sent now, and wake the checks."""
        self.pump(not self._driven)
        self.wake()

    def _end(self, error: ConcordError) -> None:
        """End all requests: every further question would meet the same error."""
        self.fatal = self.fatal or error
        if not self._driven:
            # The loop over checks sees `fatal`; other callers wait for an answer.
            self._questions.fail_all(error)
        self.wake()

    async def _request(self, batch: Batch) -> None:
        try:
            await self._attempts.send(batch)
        except RunEnding as error:
            self._end(error)
