"""The data that pass between checks and services: asks, questions, batches of questions, and their counts."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from concord.errors import ConcordError

if TYPE_CHECKING:
    from concord.engine.batching.batcher import Batched

Lane = Hashable
ATTEMPTS = 3
ATTEMPTS_OF_A_LATE_ONE = 2


class Memory(Protocol):
    """A cache of answers. An answer is committed before a check sees it."""

    def recall(self, lane: Any, items: Sequence[Any]) -> Sequence[Any | None]: ...

    def commit(self, lane: Any, items: Sequence[Any], answers: Sequence[Any]) -> None: ...


class HeldAnswers:
    """A cache of answers for as long as it is held."""

    def __init__(self) -> None:
        self._answers: dict[tuple[Any, Any], Any] = {}

    def recall(self, lane: Any, items: Sequence[Any]) -> Sequence[Any | None]:
        return [self._answers.get((lane, item)) for item in items]

    def commit(self, lane: Any, items: Sequence[Any], answers: Sequence[Any]) -> None:
        self._answers.update(((lane, item), answer) for item, answer in zip(items, answers, strict=True))


@dataclass(slots=True)
class QuestionCounts:
    """How many questions were asked, sent to the service, and answered without sending."""

    asked: int = 0
    sent: int = 0
    cached: int = 0
    requests: int = 0


@dataclass(slots=True, eq=False)
class Question:
    """One distinct item that is to be answered, and the asks that wait for it."""

    lane: Lane
    item: Any
    size: int
    retries: int
    """How many more times it is asked if its answer cannot be used."""
    waiters: list[tuple[Ask, int]] = field(default_factory=list)


class Batch:
    """Questions of one lane that are sent together, and how often that has failed.

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
        """How often it is sent: a half has failed before, as part of the whole; a single text gets a second chance."""
        if self.halved:
            return 2 if len(self.questions) == 1 else 1
        return ATTEMPTS_OF_A_LATE_ONE if self.late else ATTEMPTS

    def failed(self, answers: int, late: bool) -> None:
        if not (self.failures or self.halved):
            self.answers = answers
        self.failures += 1
        self.late = self.late or late

    def doubtful(self, answers: int) -> bool:
        """Whether it failed repeatedly while nothing else was answered: the service may be at fault, or these texts."""
        return 0 < self.failures >= self.attempts - 1 and answers <= self.answers

    def halves(self) -> tuple[Batch, Batch]:
        middle = len(self.questions) // 2
        return Batch(self.questions[:middle], self), Batch(self.questions[middle:], self)

    def moved(self) -> Batch:
        """A copy that takes over the questions; this batch is empty afterwards."""
        batch = copy.copy(self)
        self.questions = []
        return batch

    def fitting(self, characters: int) -> int:
        """How many of the questions, from the first, have no more characters than that; at least one."""
        for count, question in enumerate(self.questions):
            characters -= question.size
            if characters < 0:
                return max(1, count)
        return len(self.questions)


class Ask:
    """What a check awaits: questions to one service. `on_answered` is called when all are answered."""

    __slots__ = ("answers", "error", "items", "lane", "left", "on_answered", "service")

    def __init__(self, service: Batched, lane: Lane, items: Sequence[Any]) -> None:
        self.service = service
        self.lane = lane
        self.items = items
        self.answers: list[Any] = [None] * len(items)
        self.left = len(items)
        self.error: ConcordError | None = None
        self.on_answered: Callable[[], None] | None = None

    def __await__(self) -> Generator[Ask, None, list[Any]]:
        if self.left:  # an ask that is awaited again has its answers already
            yield self
        if self.error is not None:
            raise self.error
        return self.answers
