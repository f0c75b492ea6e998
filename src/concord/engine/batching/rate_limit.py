"""The rate limit of an account: its requests a second and the pauses it asks for."""

import asyncio
import time
from collections.abc import Callable


class RateLimit:
    """The moments at which one account may be sent a request.

    Systems of one account, and the runs of a command one after the other, share a rate limit. A moment is taken, never
    reserved: a request that waits for one waits on if a pause is asked for meanwhile. `queue` keeps requests in order.
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
        """Count a request that is sent now."""
        if per_second is not None:
            self._free_at = self._clock() + 1 / per_second

    def hold(self, seconds: float) -> None:
        """Send nothing for `seconds`."""
        self._held_until = max(self._held_until, self._clock() + seconds)

    def pause_left(self) -> float:
        """Seconds until the pause that the account asked for ends."""
        return max(0.0, self._held_until - self._clock())
