"""What the services of this machine share: batches, a thread, and the end of both."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from concord.engine.batching.batcher import Batched
from concord.engine.batching.question import Ask
from concord.engine.services._worker_thread import Hand
from concord.model import Limits, Text

LOCAL = Limits(texts=64, characters=200_000, in_flight=1, seconds=3600)
NONE = "none"
"""The version of a service that a relation does without."""
GRACE = 1.0
"""How long the end of a run waits for an answer: nothing was paid for it."""

AskFor = Callable[[str, Sequence[Any]], Ask]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run tells its services: the language of its texts, those that are parsed, and how long an answer may take.

    `rejected` counts the substitutes that are turned away. Where no language is told, none is refused. `spared` are
    the services that the relation can do without; `learnt` is what the first pass has learnt about words, and `fitted`
    the comparator that labels have taught, if there is one.
    """

    source: str = ""
    parsed: tuple[str, ...] = ()
    seconds: float | None = None
    rejected: Counter[str] = field(default_factory=Counter)
    target: str = ""
    spared: frozenset[str] = frozenset()
    learnt: bytes = b""
    fitted: bytes = b""


class First:
    """The one answer of an ask."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Ask | First) -> None:
        self._ask = ask

    def __await__(self) -> Generator[Ask, None, Any]:
        (answer,) = yield from self._ask.__await__()
        return answer


class Verb:
    """What a relation is given: `verb(x)` for one text, `verb.each(xs)` for several, `verb.can(lang)` beforehand."""

    __slots__ = ("_ask", "can")

    def __init__(self, ask: AskFor, can: Callable[[str], bool]) -> None:
        self._ask = ask
        self.can = can

    def __call__(self, x: Text) -> Awaitable[Any]:
        return First(self._ask(x.lang, (x.words,)))

    async def each(self, xs: Sequence[Text]) -> list[Any]:
        """One ask for all texts of a language."""
        found: list[Any] = [None] * len(xs)
        for lang in dict.fromkeys(x.lang for x in xs):
            places = [place for place, x in enumerate(xs) if x.lang == lang]
            answers = await self._ask(lang, [xs[place].words for place in places])
            for place, answer in zip(places, answers, strict=True):
                found[place] = answer
        return found


class Local(ABC):
    """A service whose answers are made on this machine by plug-ins, in a thread of its own."""

    verb: Any
    """What a relation is given."""
    key: Any = None
    """What tells it from other services of a pool."""

    def __init__(self, name: str, terms: Terms, size: Callable[[Any], int] = len, *, texts: int = LOCAL.texts) -> None:
        self._batches: dict[str, Any] = {"size": size, "grace": GRACE, "name": name}
        self._limits = replace(LOCAL, texts=texts)
        self._hand = Hand(name)
        self.lost = False
        """Whether a thread was left behind with what it is in the midst of."""
        self.begin(terms)

    def begin(self, terms: Terms) -> None:
        """Serve a run on these terms, by the plug-ins that have been made so far."""
        limits = self._limits if terms.seconds is None else replace(self._limits, seconds=terms.seconds)
        self.batched = Batched(self._answer, limits, **self._batches)
        self._terms = terms
        self._proven = False
        self._loading = True

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """What its answers depend on, by name for the signature; UserError if it cannot serve."""

    def notes(self) -> list[str]:
        """What a run should tell its reader about the service: what it used, what it did without, and the cure."""
        return []

    @abstractmethod
    def answers(self, lang: str, items: list[Any]) -> list[Any]:
        """One answer for every item, or the error in its place. It is called in the thread."""

    @abstractmethod
    def plugins(self) -> Iterable[Any]:
        """The plug-ins that have been made."""

    @abstractmethod
    def renew(self) -> None:
        """Forget the plug-ins: they are made anew when they are needed again."""

    async def close(self) -> None:
        """End the thread, and what the plug-ins have started."""
        if self._hand.hired:
            try:
                async with asyncio.timeout(GRACE):
                    await self._hand.do(lambda: shut(self.plugins()))
            except TimeoutError:
                self.lost = True
            self._hand.leave()

    async def _answer(self, lang: str, items: list[Any]) -> list[Any]:
        try:
            found = await self._hand.do(lambda: self.answers(lang, items))
        except asyncio.CancelledError:
            self._left_behind()
            raise
        self._proven, self._loading = True, False
        return found

    def _left_behind(self) -> None:
        """Too late, or the run is over: neither the thread nor what it is in the midst of can be used again.

        A plug-in that is new may still be loading, and is not made to begin once more the first time; nor at all
        where none has ever answered.
        """
        self.lost = True
        anew = self._proven and not self._loading
        old = list(self.plugins()) if anew else []
        self._hand.leave(lambda: shut(old))
        if anew:
            self.renew()
        self._loading = anew


def shut(plugins: Iterable[Any]) -> None:
    """Give back what plug-ins hold. One that fails to do so spoils nothing that was answered."""
    for plugin in plugins:
        with contextlib.suppress(Exception):
            getattr(plugin, "close", lambda: None)()
