"""When a request may be sent: within the concurrency and the rate limit of the service, and before the run ends."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from concord.engine.batching.health import Health, Waits
from concord.engine.batching.rate_limit import RateLimit
from concord.errors import Throttled, Unavailable


@dataclass(slots=True, eq=False)
class SendQueue:
    """The requests to a service that wait, and those in flight. `_over` says whether the run has ended.

    Nothing is paid for while a request waits, so the end of the run ends the wait.
    """

    _health: Health
    _rate_limit: RateLimit
    _waits: Waits
    _per_second: float | None
    _over: Callable[[], bool]
    resting: int = 0
    """How many requests wait after a failure."""
    _waiting: set[asyncio.Task[Any]] = field(default_factory=set)
    _sending: int = 0
    _released: list[asyncio.Future[None]] = field(default_factory=list)

    async def acquire(self) -> None:
        """Wait until a request may be sent; `release` when it has ended."""
        task = self._task_unless_over()
        self._waiting.add(task)
        try:
            while True:
                if self._sending >= self._health.width:
                    released: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                    self._released.append(released)
                    await released
                elif (seconds := self._health.wait()) > 0:
                    await self._waits.sleep(seconds)
                elif await self._acquired_in_order():
                    return
        finally:
            self._waiting.discard(task)

    async def _acquired_in_order(self) -> bool:
        async with self._rate_limit.queue:
            while (seconds := self._rate_limit.wait()) > 0:
                await self._waits.sleep(seconds)
            self._task_unless_over()
            # While this one waited, the service may have narrowed, or have died.
            if self._sending >= self._health.width or self._health.wait() > 0:
                return False
            self._rate_limit.take(self._per_second)
            self._sending += 1
            return True

    def release(self) -> None:
        self._sending -= 1
        futures, self._released = self._released, []
        for future in futures:
            if not future.done():
                future.set_result(None)

    async def back_off(self, attempt: int, meanwhile: Callable[[], None]) -> None:
        """Wait after a failure, longer after each; `meanwhile` lets others be sent."""
        seconds = self._waits.backoff(attempt)
        task = self._task_unless_over()
        self._waiting.add(task)
        self.resting += 1
        meanwhile()
        try:
            await self._waits.sleep(seconds)
        finally:
            self.resting -= 1
            self._waiting.discard(task)

    def count_failure(self, error: Unavailable, throttles: int) -> None:
        """Count a request that was not answered; raises what ends the run once there were too many."""
        if isinstance(error, Throttled):
            self._rate_limit.hold(self._health.throttled(error, throttles))
        else:
            self._health.failed(error)

    def pause_left(self) -> float:
        """Seconds until the service is asked again."""
        return max(self._rate_limit.pause_left(), self._health.wait())

    def end(self) -> None:
        """Cancel every task that is waiting."""
        for task in self._waiting:
            task.cancel()

    def _task_unless_over(self) -> asyncio.Task[Any]:
        task = asyncio.current_task()
        assert task is not None
        if self._over():
            raise asyncio.CancelledError
        return task
