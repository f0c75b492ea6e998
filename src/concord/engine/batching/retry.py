"""The attempts to have a batch answered: what is sent of it, and what becomes of it when it fails.

A batch that fails while others get through is halved until the texts at fault are alone. A service that looks dead is
tried with one text at a time, each time another, and at last with one that it has answered before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from concord.engine.batching.concurrency import Turns
from concord.engine.batching.health import Patience
from concord.engine.batching.pending import Questions
from concord.engine.batching.question import Batch, Lane, Question
from concord.engine.batching.request import Exchange, Failure, Late, gravest
from concord.errors import BadAnswer, Refused, RunEnding, ServiceError, Throttled, Unavailable


class Sender(Protocol):
    """Who has the requests under way."""

    @property
    def busy(self) -> int: ...

    def go_on(self) -> None: ...


class Attempts:
    """Sends batches until each question has an answer or an error, or the run ends."""

    def __init__(
        self, questions: Questions, exchange: Exchange, turns: Turns, patience: Patience, sender: Sender
    ) -> None:
        self._questions = questions
        self._exchange = exchange
        self._turns = turns
        self._patience = patience
        self._sender = sender
        self._known: dict[Lane, Question] = {}

    async def send(self, batch: Batch) -> None:
        """See a batch through; raises what ends the run."""
        try:
            while batch.questions:
                await self._turns.take()
                batch = self._turn_about(batch)
                known = self._proof(batch)
                await (self._attempt(batch) if known is None else self._prove(known))
        except RunEnding:
            raise
        except ServiceError as error:
            self._give_up(batch, error)

    async def _attempt(self, batch: Batch) -> None:
        """Send a batch once; afterwards it holds what is to be sent again."""
        before = self._patience.answers
        try:
            sent = self._admitted(batch)
            failures = await self._once(sent) if sent else []
        finally:
            self._turns.make_way()
        if not failures and len(sent) == len(batch.questions):
            batch.questions = []
            return
        batch.questions = [*batch.questions[len(sent) :], *(question for question, _ in failures)]
        if failures:
            partly = len(failures) < len(sent)
            await self._failed(batch, gravest(failures), before, before if partly else self._patience.answers)

    def _turn_about(self, batch: Batch) -> Batch:
        """Try a service that looks dead with another text each time, untried ones first: some may be at fault."""
        if not (self._patience.dead and batch.failures):
            return batch
        leftover = self._questions.leftover
        untried = leftover and not leftover[0].failures
        other = None if untried else self._questions.next_batch(quiet=True, alone=True)
        if other is None and leftover:
            other = leftover.popleft()
        if other is None:
            return batch
        leftover.append(batch)
        return other

    def _proof(self, batch: Batch) -> Question | None:
        """Where all that is left has failed already: a question that the service has answered before."""
        if not (self._patience.dead and batch.failures and self._known):
            return None
        known = self._known.get(batch.questions[0].lane) or next(iter(self._known.values()))
        room = self._exchange.room()
        return known if room is None or known.size <= room else None

    async def _prove(self, known: Question) -> None:
        """Ask again what was answered before: nothing else tells a dead service from texts that it cannot do."""
        try:
            self._exchange.admit([known])
            (answer,) = await self._exchange.answers(known.lane, [known.item])
            if isinstance(answer, RunEnding | Unavailable):
                raise answer
        except Unavailable as error:
            self._exchange.refund([(known, error)])
            self._turns.endure(error, 0)
        except (BadAnswer, Refused):
            self._patience.answered()
        else:
            self._patience.answered()
        finally:
            self._turns.make_way()

    def _admitted(self, batch: Batch) -> list[Question]:
        """What of the batch, from its beginning, may be sent now."""
        if self._exchange.too_dear(batch) and self._sender.busy > 1:
            # Others may give back what they were admitted with, so it is put off until they have ended.
            self._questions.leftover.appendleft(batch.moved())
            return []
        # One text is enough to find out whether a service is alive, and costs the least.
        probing = self._patience.dead or batch.doubtful(self._patience.answers)
        room = self._exchange.room()
        if room is not None and (fitting := batch.fitting(room)) < len(batch.questions):
            self._questions.leftover.appendleft(Batch(batch.questions[fitting:], batch if batch.halved else None))
            batch.questions = batch.questions[:fitting]
        return batch.questions[:1] if probing else batch.questions

    async def _once(self, sent: list[Question]) -> list[Failure]:
        """Ask, and take in the answers; gives the questions to be asked again."""
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
        good, wrong = self._exchange.told_apart(sent, answers)
        failures = [(question, error) for question, error in wrong if isinstance(error, Unavailable)]
        if len(failures) < len(sent):
            self._patience.answered()
        self._questions.answer(good)
        if good and sent[0].lane not in self._known:
            self._known[sent[0].lane] = good[0][0]
        for question, error in wrong:
            if isinstance(error, RunEnding):
                raise error
            if not isinstance(error, Unavailable):
                self._settle(question, error)
        return failures

    def _settle(self, question: Question, error: ServiceError) -> None:
        """Ask again what was answered badly, if it may be; what else failed has its error."""
        if question.retries and isinstance(error, BadAnswer):
            self._questions.retry(question)
        else:
            self._questions.fail(question, error)

    # -- failing --------------------------------------------------------------------------------

    async def _failed(self, batch: Batch, error: Unavailable, before: int, answers: int) -> None:
        """Return when it is worth another attempt, raise when not.

        `before` and `answers` tell how many answers the service had given when the attempt began, and when it failed.
        """
        self._turns.endure(error, batch.throttles)
        if isinstance(error, Throttled):
            batch.throttles += 1
            return
        batch.failed(answers, isinstance(error, Late))
        # Only where others get through is it the batch that is to blame.
        if batch.failures >= batch.attempts and before > batch.answers and not self._patience.dead:
            raise error
        await self._turns.rest(batch.failures, self._sender.go_on)

    def _give_up(self, batch: Batch, error: ServiceError) -> None:
        if len(batch.questions) == 1:
            # A half was asked before, as part of the whole.
            (self._questions.fail if batch.halved else self._settle)(batch.questions[0], error)
        else:
            # The first half first, and its halves before the second: so a good text is soon found.
            self._questions.leftover.extendleft(reversed(batch.halves()))
