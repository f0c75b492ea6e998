"""One request to a service: it is paid for and timed, and its answers are validated."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.engine.batching.budget import Gate
from concord.engine.batching.health import unbilled
from concord.engine.batching.question import Batch, Lane, Question, QuestionCounts
from concord.engine.timings import Stopwatch
from concord.errors import BadAnswer, ConcordError, ServiceError, Throttled, Unavailable
from concord.plural import plural

Answer = Callable[[Any, list[Any]], Awaitable[Sequence[Any]]]
Usable = Callable[[Any, Any, bool], Any]
"""Gives the answer to an item as it is stored, or raises BadAnswer; the flag says that no retry is left."""
Failure = tuple[Question, Unavailable]
Good = list[tuple[Question, Any]]
Wrong = list[tuple[Question, ServiceError]]


class Late(Unavailable):
    """A timeout: the next attempt may take as long, so there are fewer of them."""


@dataclass(slots=True, eq=False)
class Exchange:
    """Requests to a service, with the gate that says what may still be spent on it."""

    _answer: Answer
    _seconds: float
    _usable: Usable
    _gate: Gate | None
    _counts: QuestionCounts
    _name: str
    watch: Stopwatch = field(default_factory=Stopwatch)

    def remaining(self) -> int | None:
        """How many characters may still be sent; None if any number."""
        return self._gate.remaining() if self._gate else None

    def exceeds_budget(self, batch: Batch) -> bool:
        """Whether not even its first question may be sent now."""
        remaining = self.remaining()
        return remaining is not None and batch.questions[0].size > remaining

    def admit(self, sent: Sequence[Question]) -> None:
        """Count questions that are about to be sent; raises Exhausted if they may not be."""
        if self._gate is not None:
            self._gate.admit([question.item for question in sent])
        self._counts.sent += len(sent)
        self._counts.requests += 1

    def refund(self, failures: Sequence[Failure]) -> None:
        if self._gate is not None and (free := [question.item for question, error in failures if unbilled(error)]):
            self._gate.give_back(free)

    async def answers(self, lane: Lane, items: list[Any]) -> Sequence[Any]:
        """One answer per item; whatever else the service does becomes a ServiceError."""
        try:
            async with asyncio.timeout(self._seconds):
                with self.watch:
                    answers = await self._answer(lane, items)
        except TimeoutError:
            raise Late(f"{self._name} gave no answer within {self._seconds:g} s") from None
        except ConcordError as error:
            _forget_frames(error)
            raise
        except Exception as error:
            _forget_frames(error)
            raise BadAnswer(f"{self._name} failed with {type(error).__name__}: {error}") from error
        is_list = isinstance(answers, (list, tuple))
        if not is_list or len(answers) != len(items):
            number = plural(len(answers), "answer") if is_list else f"{type(answers).__name__} answers"
            raise BadAnswer(f"{self._name} gave {number} to {plural(len(items), 'text')}")
        return answers

    def validated(self, sent: Sequence[Question], answers: Sequence[Any]) -> tuple[Good, Wrong]:
        """The answers that can be used, and the errors in place of others."""
        good: Good = []
        wrong: Wrong = []
        for question, answer in zip(sent, answers, strict=True):
            if isinstance(answer, ServiceError):
                wrong.append((question, answer))
                continue
            try:
                good.append((question, self._usable(question.item, answer, question.retries == 0)))
            except BadAnswer as error:
                wrong.append((question, BadAnswer(f"{self._name} {error}")))
        return good, wrong


def _forget_frames(error: BaseException | None) -> None:
    """Drop the frames of errors, which are kept until their rows are written and would keep whole answers alive."""
    while error is not None:
        error.__traceback__ = None
        error = error.__context__


def gravest(failures: Sequence[Failure]) -> Unavailable:
    """The error that decides where the texts of one request met several: the longest pause that is asked for."""
    errors = [error for _, error in failures]
    throttled = [error for error in errors if isinstance(error, Throttled)]
    return max(throttled, key=lambda error: error.retry_after or 0.0) if throttled else errors[0]
