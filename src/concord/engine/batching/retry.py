"""Retries of a batch: what is sent of it, and what happens when it fails.

A batch that fails while others get through is halved until the texts at fault are alone. A service that looks dead is
probed with one text at a time, each time another, and at last with one that it has answered before.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from concord.engine.batching.concurrency import SendQueue
from concord.engine.batching.health import Health
from concord.engine.batching.pending import Questions
from concord.engine.batching.question import Batch, Lane, Question
from concord.engine.batching.request import Exchange, Failure, Late, gravest
from concord.errors import BadAnswer, Refused, RunEnding, ServiceError, Throttled, Unavailable

if TYPE_CHECKING:
    from concord.engine.batching.batcher import Batched


@dataclass(slots=True)
class Attempts:
    """Sends batches until each question has an answer or an error, or the run ends."""

    _questions: Questions
    _exchange: Exchange
    _queue: SendQueue
    _health: Health
    _sender: "Batched"
    _answered: dict[Lane, Question] = field(default_factory=dict)
    """A question of each lane that the service has answered."""

    async def send(self, batch: Batch) -> None:
        """Send a batch until it is done; raises what ends the run."""
        try:
            while batch.questions:
                await self._queue.acquire()
                batch = self._another_if_dead(batch)
                answered = self._answered_before(batch)
                await (self._attempt(batch) if answered is None else self._probe(answered))
        except RunEnding:
            raise
        except ServiceError as error:
            self._give_up(batch, error)

    async def _attempt(self, batch: Batch) -> None:
        """Send a batch once; afterwards it holds the questions that are to be sent again."""
        before = self._health.answers
        try:
            sent = self._admitted(batch)
            failures = await self._once(sent) if sent else []
        finally:
            self._queue.release()
        if not failures and len(sent) == len(batch.questions):
            batch.questions = []
            return
        batch.questions = [*batch.questions[len(sent) :], *(question for question, _ in failures)]
        if failures:
            partly = len(failures) < len(sent)
            await self._failed(batch, gravest(failures), before, before if partly else self._health.answers)

    def _another_if_dead(self, batch: Batch) -> Batch:
        """Another batch for each probe of a service that looks dead, untried ones first: some texts may be at fault."""
        if not (self._health.dead and batch.failures):
            return batch
        leftover = self._questions.leftover
        untried = leftover and not leftover[0].failures
        another = None if untried else self._questions.next_batch(quiet=True, alone=True)
        if another is None and leftover:
            another = leftover.popleft()
        if another is None:
            return batch
        leftover.append(batch)
        return another

    def _answered_before(self, batch: Batch) -> Question | None:
        """A question that was answered before, to probe a service that seems dead when only failed batches are left."""
        if not (self._health.dead and batch.failures and self._answered):
            return None
        question = self._answered.get(batch.questions[0].lane) or next(iter(self._answered.values()))
        remaining = self._exchange.remaining()
        return question if remaining is None or question.size <= remaining else None

    async def _probe(self, question: Question) -> None:
        """Repeat a question that was answered before: only this tells a dead service from texts that it cannot do."""
        try:
            self._exchange.admit([question])
            (answer,) = await self._exchange.answers(question.lane, [question.item])
            if isinstance(answer, RunEnding | Unavailable):
                raise answer
        except Unavailable as error:
            self._exchange.refund([(question, error)])
            self._queue.count_failure(error, 0)
        except (BadAnswer, Refused):
            self._health.answered()
        else:
            self._health.answered()
        finally:
            self._queue.release()

    def _admitted(self, batch: Batch) -> list[Question]:
        """The questions of the batch, from its beginning, that may be sent now."""
        if self._exchange.exceeds_budget(batch) and self._sender.busy > 1:
            # Others may give back what they were admitted with, so it waits until they have ended.
            self._questions.leftover.appendleft(batch.moved())
            return []
        # One text is enough to find out whether a service is alive, and costs the least.
        probing = self._health.dead or batch.doubtful(self._health.answers)
        remaining = self._exchange.remaining()
        if remaining is not None and (fitting := batch.fitting(remaining)) < len(batch.questions):
            self._questions.leftover.appendleft(Batch(batch.questions[fitting:], batch if batch.halved else None))
            batch.questions = batch.questions[:fitting]
        return batch.questions[:1] if probing else batch.questions

    async def _once(self, sent: list[Question]) -> list[Failure]:
        """Ask, and take the answers; gives the questions that are to be asked again."""
        self._exchange.admit(sent)
        try:
            answers = await self._exchange.answers(sent[0].lane, [question.item for question in sent])
        except Unavailable as error:
            failures = [(question, error) for question in sent]
        else:
            failures = self._accept(sent, answers)
        self._exchange.refund(failures)
        return failures

    def _accept(self, sent: list[Question], answers: Sequence[Any]) -> list[Failure]:
        good, wrong = self._exchange.validated(sent, answers)
        failures = [(question, error) for question, error in wrong if isinstance(error, Unavailable)]
        if len(failures) < len(sent):
            self._health.answered()
        self._questions.answer(good)
        if good:
            self._answered.setdefault(sent[0].lane, good[0][0])
        for question, error in wrong:
            if isinstance(error, RunEnding):
                raise error
            if not isinstance(error, Unavailable):
                self._settle(question, error)
        return failures

    def _settle(self, question: Question, error: ServiceError) -> None:
        """Retry a question with a bad answer, if a retry is left; any other gets its error."""
        if question.retries and isinstance(error, BadAnswer):
            self._questions.retry(question)
        else:
            self._questions.fail(question, error)

    # -- failing --------------------------------------------------------------------------------

    async def _failed(self, batch: Batch, error: Unavailable, before: int, answers: int) -> None:
        """Return when it is worth another attempt, raise when not.

        `before` and `answers` tell how many answers the service had given when the attempt began, and when it failed.
        """
        self._queue.count_failure(error, batch.throttles)
        if isinstance(error, Throttled):
            batch.throttles += 1
            return
        batch.failed(answers, isinstance(error, Late))
        # Only where others get through is it the batch that is to blame.
        if batch.failures >= batch.attempts and before > batch.answers and not self._health.dead:
            raise error
        await self._queue.back_off(batch.failures, self._sender.send_next)

    def _give_up(self, batch: Batch, error: ServiceError) -> None:
        if len(batch.questions) == 1:
            # A half was asked before, as part of the whole.
            (self._questions.fail if batch.halved else self._settle)(batch.questions[0], error)
        else:
            # The first half first, and its halves before the second: so a good text is soon found.
            self._questions.leftover.extendleft(reversed(batch.halves()))
