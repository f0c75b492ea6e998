"""The base of the services on this machine: it batches questions, answers them in a thread, and closes both."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from concord.engine.batching.batcher import Batched
from concord.engine.batching.question import Ask
from concord.engine.services._worker_thread import WorkerThread
from concord.engine.services.parsers import KnownTrees
from concord.model import Limits, Text

LOCAL = Limits(texts=64, characters=200_000, in_flight=1, seconds=3600)
NONE = "none"
"""The version of a service that a relation does without."""
GRACE = 1.0
"""How long the end of a run waits for an answer: nothing was paid for it."""

AskFor = Callable[[str, Sequence[Any]], Ask]
Choices = Mapping[str, str]
"""The plug-ins of each service, as the user writes them: `zh=stanza;en=concord_en`."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a service must know of a run: its source language, the languages it parses, and the timeout of an answer.

    `rejected` counts the substitutes that are rejected. An empty language means any. `spared` are the services that the
    relation can do without; `learnt` is what the first pass has learnt about words, and `fitted` the comparator that
    was trained on labels, if there is one. `trees` are those that the runs of a command share.
    """

    source: str = ""
    parsed: tuple[str, ...] = ()
    seconds: float | None = None
    rejected: Counter[str] = field(default_factory=Counter)
    target: str = ""
    spared: frozenset[str] = frozenset()
    learnt: bytes = b""
    fitted: bytes = b""
    trees: KnownTrees = field(default_factory=KnownTrees)


@dataclass(slots=True, eq=False)
class First:
    """The one answer of an ask."""

    _ask: "Ask | First"

    def __await__(self) -> Generator[Ask, None, Any]:
        (answer,) = yield from self._ask.__await__()
        return answer


@dataclass(slots=True, eq=False)
class Verb:
    """What a relation calls: `verb(x)` for one text, `verb.each(xs)` for several, `verb.can(lang)` beforehand."""

    _ask: AskFor
    can: Callable[[str], bool]

    def __call__(self, x: Text) -> Awaitable[Any]:
        return First(self._ask(x.lang, (x.words,)))

    async def each(self, xs: Sequence[Text]) -> list[Any]:
        """One ask for all texts of a language."""
        answers: list[Any] = [None] * len(xs)
        for lang in dict.fromkeys(x.lang for x in xs):
            indexes = [index for index, x in enumerate(xs) if x.lang == lang]
            in_lang = await self._ask(lang, [xs[index].words for index in indexes])
            for index, answer in zip(indexes, in_lang, strict=True):
                answers[index] = answer
        return answers


class Local(ABC):
    """A service whose answers are made on this machine by plug-ins, in a thread of its own."""

    verb: Any
    """What a relation is given."""
    key: Any = None
    """The key of the service in its pool."""

    def __init__(self, name: str, terms: Terms, size: Callable[[Any], int] = len, *, texts: int = LOCAL.texts) -> None:
        self._batches: dict[str, Any] = {"size": size, "grace": GRACE, "name": name}
        self._limits = replace(LOCAL, texts=texts)
        self._thread = WorkerThread(name)
        self.lost = False
        """Whether a thread was abandoned in the middle of its work."""
        self.begin(terms)

    def begin(self, terms: Terms) -> None:
        """Serve a run on these terms, with the plug-ins that exist so far."""
        limits = self._limits if terms.seconds is None else replace(self._limits, seconds=terms.seconds)
        self.batched = Batched(self._answer, limits, **self._batches)
        self._terms = terms
        self._proven = False
        self._loading = True

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """What its answers depend on, by name for the signature; raises UserError if it cannot serve."""

    def notes(self) -> list[str]:
        """Remarks for the reader of a run: what the service used, what it did without, and the cure."""
        return []

    @abstractmethod
    def answers(self, lang: str, items: list[Any]) -> list[Any]:
        """One answer for every item, or the error in its place. Called in the thread."""

    @abstractmethod
    def plugins(self) -> Iterable[Any]:
        """The plug-ins that have been made."""

    @abstractmethod
    def renew(self) -> None:
        """Forget the plug-ins, so that new ones are made when they are next needed."""

    async def close(self) -> None:
        """End the thread, and what the plug-ins have started."""
        if self._thread.running:
            try:
                async with asyncio.timeout(GRACE):
                    await self._thread.do(lambda: shut(self.plugins()))
            except TimeoutError:
                self.lost = True
            self._thread.leave()

    async def _answer(self, lang: str, items: list[Any]) -> list[Any]:
        try:
            answers = await self._thread.do(lambda: self.answers(lang, items))
        except asyncio.CancelledError:
            self._abandon_thread()
            raise
        self._proven, self._loading = True, False
        return answers

    def _abandon_thread(self) -> None:
        """Give up the thread and its plug-ins: the answer timed out, or the run is over.

        A plug-in that is new may still be loading, so the first timeout does not replace it; where no plug-in has ever
        answered, none is replaced.
        """
        self.lost = True
        replace_plugins = self._proven and not self._loading
        old = list(self.plugins()) if replace_plugins else []
        self._thread.leave(lambda: shut(old))
        if replace_plugins:
            self.renew()
        self._loading = replace_plugins


def shut(plugins: Iterable[Any]) -> None:
    """Close plug-ins. One that fails to close must not spoil what was answered."""
    for plugin in plugins:
        with contextlib.suppress(Exception):
            getattr(plugin, "close", lambda: None)()
