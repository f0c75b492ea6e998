"""What stands between a check that asks and a service that answers: questions, asks, counts, patience."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Generator, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from concord.errors import ConcordError

Lane = Hashable
LONGEST_BACKOFF = 30.0


class Memory(Protocol):
    """Where answers are kept. An answer is committed before a check sees it."""

    def recall(self, lane: Any, items: Sequence[Any]) -> Sequence[Any | None]: ...

    def commit(self, lane: Any, items: Sequence[Any], answers: Sequence[Any]) -> None: ...


@dataclass(slots=True)
class Counts:
    """How many questions were asked, sent to the service, and answered without sending."""

    asked: int = 0
    sent: int = 0
    cached: int = 0
    requests: int = 0


@dataclass(frozen=True, slots=True)
class Waits:
    """How to be patient; tests replace it."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: random.Random = field(default_factory=random.Random)

    def backoff(self, attempt: int) -> float:
        return min(LONGEST_BACKOFF, 0.25 * 2.0 ** min(attempt, 20)) * self.jitter.uniform(0.5, 1.5)


class Question:
    """One distinct item on its way to an answer, and everyone who waits for it."""

    __slots__ = ("halved", "item", "lane", "size", "waiters")

    def __init__(self, lane: Lane, item: Any, size: int) -> None:
        self.lane = lane
        self.item = item
        self.size = size
        self.halved = False
        self.waiters: list[tuple[Ask, int]] = []


class Service(Protocol):
    """What an Ask is filed with."""

    def file(self, ask: Ask) -> None: ...

    def pump(self, quiet: bool) -> None: ...

    @property
    def full(self) -> bool: ...


class Ask:
    """What a check awaits: some questions to one service. `done` is called when all are answered."""

    __slots__ = ("answers", "done", "error", "items", "lane", "left", "service")

    def __init__(self, service: Service, lane: Lane, items: Sequence[Any]) -> None:
        self.service = service
        self.lane = lane
        self.items = items
        self.answers: list[Any] = [None] * len(items)
        self.left = len(items)
        self.error: ConcordError | None = None
        self.done: Callable[[], None] | None = None

    def __await__(self) -> Generator[Ask, None, list[Any]]:
        if self.left:  # awaited again, it is there already
            yield self
        if self.error is not None:
            raise self.error
        return self.answers
