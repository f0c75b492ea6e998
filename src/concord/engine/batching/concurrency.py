"""When a request may leave: not with too many others, not too soon after them, and not after the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from concord.engine.batching.health import Patience, Waits
from concord.engine.batching.rate_limit import Pace
from concord.errors import Throttled, Unavailable


class Turns:
    """The requests to a service that wait, and those that are under way. `over` says whether the run is at its end.

    Nothing is paid for while a request waits, so the end of the run ends the wait.
    """

    def __init__(
        self, patience: Patience, pace: Pace, waits: Waits, per_second: float | None, over: Callable[[], bool]
    ) -> None:
        self.resting = 0
        """How many wait after a failure of their own."""
        self._patience = patience
        self._pace = pace
        self._waits = waits
        self._per_second = per_second
        self._over = over
        self._napping: set[asyncio.Task[Any]] = set()
        self._sending = 0
        self._ways: list[asyncio.Future[None]] = []

    async def take(self) -> None:
        """Wait until a request may leave; whoever has sent it then makes way."""
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
            self._pace.take(self._per_second)
            self._sending += 1
            return True

    def make_way(self) -> None:
        self._sending -= 1
        ways, self._ways = self._ways, []
        for way in ways:
            if not way.done():
                way.set_result(None)

    async def rest(self, attempt: int, meanwhile: Callable[[], None]) -> None:
        """Wait after a failure, the longer the more there were; `meanwhile` lets others go ahead."""
        seconds = self._waits.backoff(attempt)
        task = self._not_at_the_end()
        self._napping.add(task)
        self.resting += 1
        meanwhile()
        try:
            await self._waits.sleep(seconds)
        finally:
            self.resting -= 1
            self._napping.discard(task)

    def endure(self, error: Unavailable, throttles: int) -> None:
        """Take note that the service did not answer; raises what ends the run, once it has been too long."""
        if isinstance(error, Throttled):
            self._pace.hold(self._patience.throttled(error, throttles))
        else:
            self._patience.failed(error)

    def left(self) -> float:
        """Seconds until the service is asked again."""
        return max(self._pace.held(), self._patience.wait())

    def end(self) -> None:
        """End every wait."""
        for task in self._napping:
            task.cancel()

    def _not_at_the_end(self) -> asyncio.Task[Any]:
        task = asyncio.current_task()
        assert task is not None
        if self._over():
            raise asyncio.CancelledError
        return task
