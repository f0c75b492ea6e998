"""A system that answers from the workspace, so that all kinds of faults are injected into answers paid for once."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from concord.engine.batching.budget import Budget, Gate
from concord.engine.translate import usable
from concord.errors import BadAnswer, ServiceError
from concord.model import Direction, System
from concord.plural import plural
from concord.runs.memory import StoreMemory
from concord.store import Workspace
from concord.translators._wrapper import Wrapped


class CachedSystem(Wrapped):
    """Answers from the workspace; if it has none, the system is asked, and its answer is stored.

    The characters of the system's monthly quota are counted here, when something is really sent; runs on this system
    do not count them again.
    """

    def __init__(self, system: System, store: Workspace) -> None:
        super().__init__(system)
        self.account, self.given, self.price = "", "", None
        self.limits = replace(system.limits, per_month=None)
        self._store = store
        self._memory = StoreMemory(store, system)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        lane = (source, target)
        answers: list[str | ServiceError | None] = list(self._memory.recall(lane, texts))
        missing = [i for i, answer in enumerate(answers) if answer is None]
        if missing:
            new = await self._ask([texts[i] for i in missing], lane)
            for i, answer in zip(missing, new, strict=True):
                answers[i] = answer
        return [answer for answer in answers if answer is not None]

    async def _ask(self, texts: Sequence[str], lane: Direction) -> Sequence[str | ServiceError]:
        self._gate.admit(texts)
        answers = await self.inner.translate(texts, *lane)
        if len(answers) != len(texts):
            raise BadAnswer(f"{self.id} gave {plural(len(answers), 'answer')} to {plural(len(texts), 'text')}")
        stored: dict[str, str] = {}
        for text, answer in zip(texts, answers, strict=True):
            with contextlib.suppress(BadAnswer):
                stored[text] = usable(text, answer)
        self._memory.commit(lane, list(stored), list(stored.values()))
        return answers

    @cached_property
    def _gate(self) -> Gate:
        # Created only when something is sent: by then, the characters of the clean runs have been counted.
        gate = Budget(spent_this_month=self._store.spent_this_month, note=self._store.note_sent).gate(self.inner)
        assert gate is not None
        return gate
