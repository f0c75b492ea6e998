"""What stands between a check that asks and a service that answers: questions, batches of them, asks, counts."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from concord.errors import ConcordError

Lane = Hashable
ATTEMPTS = 3
ATTEMPTS_OF_A_LATE_ONE = 2


class Memory(Protocol):
    """Where answers are kept. An answer is committed before a check sees it."""

    def recall(self, lane: Any, items: Sequence[Any]) -> Sequence[Any | None]: ...

    def commit(self, lane: Any, items: Sequence[Any], answers: Sequence[Any]) -> None: ...


@dataclass(slots=True)
class QuestionCounts:
    """How many questions were asked, sent to the service, and answered without sending."""

    asked: int = 0
    sent: int = 0
    cached: int = 0
    requests: int = 0


class Question:
    """One distinct item on its way to an answer, and everyone who waits for it."""

    __slots__ = ("item", "lane", "retries", "size", "waiters")

    def __init__(self, lane: Lane, item: Any, size: int, retries: int) -> None:
        self.retries = retries
        """How many more times it is asked if its answer cannot be used."""
        self.lane = lane
        self.item = item
        self.size = size
        self.waiters: list[tuple[Ask, int]] = []


class Batch:
    """Questions of one lane that travel together, and how often they have done so in vain.

    `answers` is how many answers the service had given in all when these questions failed for the first time.
    """

    __slots__ = ("answers", "failures", "halved", "late", "questions", "throttles")

    def __init__(self, questions: list[Question], origin: Batch | None = None) -> None:
        self.questions = questions
        self.halved = origin is not None
        self.answers: int = origin.answers if origin else -1
        self.failures = 0
        self.throttles = 0
        self.late = False

    @property
    def attempts(self) -> int:
        """A half has failed before, as part of the whole; the last text left gets a second chance."""
        if self.halved:
            return 2 if len(self.questions) == 1 else 1
        return ATTEMPTS_OF_A_LATE_ONE if self.late else ATTEMPTS

    def failed(self, answers: int, late: bool) -> None:
        if not (self.failures or self.halved):
            self.answers = answers
        self.failures += 1
        self.late = self.late or late

    def doubtful(self, answers: int) -> bool:
        """Whether it failed repeatedly while nothing else was answered: it may be the service, or these questions."""
        return 0 < self.failures >= self.attempts - 1 and answers <= self.answers

    def halves(self) -> tuple[Batch, Batch]:
        middle = len(self.questions) // 2
        return Batch(self.questions[:middle], self), Batch(self.questions[middle:], self)

    def moved(self) -> Batch:
        """The same in another's hands; this one is empty afterwards."""
        other = copy.copy(self)
        self.questions = []
        return other

    def fitting(self, room: int) -> int:
        """How many of the questions, from the first, hold no more characters than that; at least one."""
        for count, question in enumerate(self.questions):
            room -= question.size
            if room < 0:
                return max(1, count)
        return len(self.questions)


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
