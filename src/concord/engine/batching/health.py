"""The health of a service, judged by its last requests, and how long to retry one that does not answer."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from concord.errors import Down, Exhausted, ServiceError, Throttled, Unavailable

T = TypeVar("T")

PATIENCE = 120.0
PATIENCE_AT_FIRST = 20.0
FAILURES_OF_A_DEAD_SERVICE = 5
LONGEST_BACKOFF = 30.0
LONGEST_BETWEEN_PROBES = 10.0
LONGEST_WAIT = 900.0
MOST_THROTTLES = 60
LARGEST_JITTER = 5.0
TRIES_OF_A_QUESTION = 4
GO_ON = "To go on: the same command later"


@dataclass(frozen=True, slots=True)
class Waits:
    """Sleep, clock and jitter of retries; tests replace them."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: random.Random = field(default_factory=random.Random)

    def backoff(self, attempt: int) -> float:
        return min(LONGEST_BACKOFF, 0.25 * 2.0 ** min(attempt, 20)) * self.jitter.uniform(0.5, 1.5)

    def pause(self, error: Throttled, attempt: int) -> float:
        """Never less than the service asks for; a little more, so that requests do not return all at once."""
        seconds = error.retry_after or 0.0
        # The backoff also applies to a pause of 0 s: a clock that is wrong must not make us hammer the service.
        return max(seconds + self.jitter.uniform(0.0, min(0.1 * seconds, LARGEST_JITTER)), self.backoff(attempt))


class Health:
    """The health of a service, and how many requests at once it is trusted with.

    A service looks dead when several requests in a row were not answered. It is then probed with one text at a time,
    ever more rarely, until it answers or has been silent for too long.
    """

    def __init__(self, name: str, in_flight: int, waits: Waits, throttled_for: float) -> None:
        self.answers = 0
        self.dead = False
        self.width = in_flight
        """How many requests may be in flight."""
        self._name = name
        self._most = float(in_flight)
        self._waits = waits
        self._trusted = self._most
        self._narrowed_at = float("-inf")
        self._failures = 0
        self._failing_since = 0.0
        self._throttles = 0
        self._throttled_for = throttled_for
        self._throttled_at: float | None = None
        self._vague_since: float | None = None
        self._probe_at = float("-inf")

    def wait(self) -> float:
        """Seconds until a service that looks dead may be tried again."""
        return max(0.0, self._probe_at - self._waits.clock()) if self.dead else 0.0

    def answered(self) -> None:
        self.answers += 1
        self._failures = self._throttles = 0
        self._throttled_at = self._vague_since = None
        self.dead = False
        self._trust(min(self._most, self._trusted + 1 / self._trusted))

    def failed(self, error: ServiceError) -> None:
        """Count a failure; raises Down if the service has been silent for too long, sooner if it never answered."""
        self._narrow()
        now = self._waits.clock()
        self._failing_since = self._failing_since if self._failures else now
        self._failures += 1
        if self._failures < FAILURES_OF_A_DEAD_SERVICE:
            return
        self.dead = True
        self.width = 1
        attempt = self._failures - FAILURES_OF_A_DEAD_SERVICE + 1
        patience = PATIENCE if self.answers else PATIENCE_AT_FIRST
        soon = now + min(LONGEST_BETWEEN_PROBES, self._waits.backoff(attempt))
        self._probe_at = max(now, min(soon, self._failing_since + patience))
        silent = now - self._failing_since
        if silent >= patience:
            raise Down(
                f"{self._name} has not answered for {silent:.0f} s; last: {error}."
                " Try it by hand, or give it more time: --timeout SECONDS; the same command goes on"
            ) from error

    def throttled(self, error: Throttled, attempt: int) -> float:
        """Count a throttled request; gives the seconds to pause, or raises Exhausted."""
        self._narrow()
        self._throttles += 1
        seconds = error.retry_after or 0.0
        if seconds > LONGEST_WAIT:
            raise Exhausted(f"{self._name} wants to be left alone for {seconds:.0f} s: {error}. {GO_ON}") from error
        if self._throttles > MOST_THROTTLES:
            raise Exhausted(
                f"{self._name} has asked for patience {MOST_THROTTLES} times in a row: {error}. {GO_ON}"
            ) from error
        now = self._waits.clock()
        self._throttled_at = now if self._throttled_at is None else self._throttled_at
        pause = self._waits.pause(error, attempt)
        if seconds > 0:
            self._vague_since = None
            return pause
        since = self._vague_since = now if self._vague_since is None else self._vague_since
        if now - since >= self._throttled_for:
            raise Exhausted(
                f"{self._name} has only throttled for {now - since:.0f} s, without one answer and without saying when"
                f" to come back: {error}. {GO_ON}, or a larger throttled_for"
                " (--throttled-for, or under [limits] in the system's TOML file)"
            ) from error
        return min(pause, since + self._throttled_for - now)

    def throttled_since(self) -> float:
        """Seconds since the service began to throttle; 0 once it has answered."""
        return 0.0 if self._throttled_at is None else self._waits.clock() - self._throttled_at

    def _narrow(self) -> None:
        # Requests in flight together fail together: they count as one sign of overload.
        if self._waits.clock() - self._narrowed_at > 1.0:
            self._trust(max(1.0, self._trusted / 2))
            self._narrowed_at = self._waits.clock()

    def _trust(self, width: float) -> None:
        self._trusted = width
        self.width = 1 if self.dead else int(width)


async def retried(ask: Callable[[], Awaitable[T]], waits: Waits | None = None) -> T:
    """The answer to one question, with a few retries if the service is busy or fails, but none if nobody listens."""
    waits = waits or Waits()
    for attempt in range(1, TRIES_OF_A_QUESTION):
        try:
            return await ask()
        except Throttled as error:
            if (error.retry_after or 0.0) > PATIENCE:
                raise
            await waits.sleep(waits.pause(error, attempt))
        except Unavailable as error:
            if unreached(error):
                raise
            await waits.sleep(waits.backoff(attempt))
    return await ask()


def unbilled(error: BaseException) -> bool:
    """Whether the provider certainly translated nothing: it asked for patience, or was never reached.

    After a timeout or a dropped connection the translation may have been made, and be billed.
    """
    return isinstance(error, Throttled) or unreached(error)


def unreached(error: BaseException | None) -> bool:
    """Whether a refused connection is the cause of the error."""
    while error is not None:
        if isinstance(error, ConnectionRefusedError):
            return True
        if isinstance(error, BaseExceptionGroup):  # a host of several addresses
            return all(map(unreached, error.exceptions))
        error = error.__cause__ or error.__context__
    return False
