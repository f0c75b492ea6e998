"""The pending questions of a service: each is answered from the cache or queued in its lane, once for all asks."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.engine.batching.question import Ask, Batch, Lane, Memory, Question, QuestionCounts
from concord.errors import ConcordError, Refused
from concord.model import Limits
from concord.plural import plural


@dataclass(slots=True, eq=False)
class Questions:
    """The questions to a service that are not answered yet.

    `leftover` are batches, or parts of batches, that must be sent again, before all others.
    """

    _limits: Limits
    _memory: Memory | None
    _size: Callable[[Any], int]
    _name: str
    _retries: int = 0
    counts: QuestionCounts = field(default_factory=QuestionCounts)
    leftover: deque[Batch] = field(default_factory=deque)
    _pending: dict[tuple[Lane, Any], Question] = field(default_factory=dict)
    _unrecalled: list[Question] = field(default_factory=list)
    _queues: dict[Lane, deque[Question]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._pending)

    # -- asking ---------------------------------------------------------------------------------

    def file(self, ask: Ask) -> None:
        """Take the questions of an ask; its `on_answered` is called once every one has an answer."""
        self.counts.asked += len(ask.items)
        pending, lane = self._pending, ask.lane
        for index, item in enumerate(ask.items):
            question = pending.get((lane, item))
            if question is not None:
                self.counts.cached += 1
                question.waiters.append((ask, index))
                continue
            question = pending[(lane, item)] = Question(lane, item, self._size(item), self._retries)
            question.waiters.append((ask, index))
            (self._unrecalled.append if self._memory else self._enqueue)(question)

    def recall(self, quiet: bool) -> None:
        """Answer what the cache holds, and queue the rest; unless it is quiet, only a full batch of questions."""
        if not quiet and len(self._unrecalled) < self._limits.texts:
            return
        fresh, self._unrecalled = self._unrecalled, []
        lanes: dict[Lane, list[Question]] = {}
        for question in fresh:
            lanes.setdefault(question.lane, []).append(question)
        for lane, questions in lanes.items():
            assert self._memory is not None
            answers = self._memory.recall(lane, [question.item for question in questions])
            for question, answer in zip(questions, answers, strict=True):
                if answer is None:
                    self._enqueue(question)
                else:
                    self.counts.cached += 1
                    self._resolve(question, answer)

    def _enqueue(self, question: Question) -> None:
        limit = self._limits.characters
        if question.size > limit:
            size = plural(question.size, "character")
            self.fail(question, Refused(f"the text has {size}; {self._name} takes {limit:,}"))
            return
        self._queues.setdefault(question.lane, deque()).append(question)

    def next_batch(self, quiet: bool, *, alone: bool = False) -> Batch | None:
        """The next questions of the longest queue, or one `alone`; unless it is quiet, only a full batch."""
        queue = max(self._queues.values(), key=len, default=None)
        if not queue or (len(queue) < self._limits.texts and not quiet):
            return None
        questions: list[Question] = []
        most = 1 if alone else self._limits.texts
        left = self._limits.characters
        while queue and len(questions) < most and queue[0].size <= left:
            left -= queue[0].size
            questions.append(queue.popleft())
        return Batch(questions)

    # -- answering ------------------------------------------------------------------------------

    def answer(self, good: Sequence[tuple[Question, Any]]) -> None:
        """Cache the answers to questions of one lane, and then pass them to the asks that wait for them."""
        if self._memory and good:
            items, answers = [question.item for question, _ in good], [answer for _, answer in good]
            self._memory.commit(good[0][0].lane, items, answers)
        for question, answer in good:
            self._resolve(question, answer)

    def retry(self, question: Question) -> None:
        """Queue it again, after the questions that are still to be sent."""
        question.retries -= 1
        self._enqueue(question)

    def fail(self, question: Question, error: ConcordError) -> None:
        for ask, _ in question.waiters:
            ask.error = ask.error or error
        self._close(question)

    def fail_all(self, error: ConcordError) -> None:
        for question in list(self._pending.values()):
            self.fail(question, error)

    def _resolve(self, question: Question, answer: Any) -> None:
        for ask, index in question.waiters:
            ask.answers[index] = answer
        self._close(question)

    def _close(self, question: Question) -> None:
        """Count the question as answered in all asks that wait for it."""
        self._pending.pop((question.lane, question.item), None)
        for ask, _ in question.waiters:
            ask.left -= 1
            if not ask.left and ask.on_answered is not None:
                ask.on_answered()
        question.waiters.clear()
