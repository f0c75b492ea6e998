"""How fast an account may be asked: its requests a second and the pauses it wants, shared by all who ask it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class Pace:
    """The moments at which one account may be sent a request.

    Systems of one account, and the runs of one command after each other, share one: what a provider allows a
    second, or how long it wants to be left alone, concerns them together. A moment is taken, never reserved:
    who waits for one and is told of a pause meanwhile waits on. `queue` lets askers wait in the order they came.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.queue = asyncio.Lock()
        self._clock = clock
        self._free_at = float("-inf")
        self._held_until = float("-inf")

    def wait(self) -> float:
        """Seconds until the next request may leave."""
        return max(0.0, max(self._free_at, self._held_until) - self._clock())

    def take(self, per_second: float | None) -> None:
        """A request leaves now."""
        if per_second is not None:
            self._free_at = self._clock() + 1 / per_second

    def hold(self, seconds: float) -> None:
        """Nobody is to ask for a while."""
        self._held_until = max(self._held_until, self._clock() + seconds)

    def held(self) -> float:
        """Seconds until the account wants to be asked again."""
        return max(0.0, self._held_until - self._clock())


class Paces:
    """One pace for each account, for as long as a command takes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[str, Pace] = {}

    def of(self, account: str) -> Pace:
        if account not in self._known:
            self._known[account] = Pace(self._clock)
        return self._known[account]
