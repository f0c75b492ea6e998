"""The function `translate` that relations are given, over one system and its cache."""

import re
from collections.abc import Awaitable, Collection, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from concord.bounds import cut, is_cut
from concord.engine.batching.batcher import Batched
from concord.engine.batching.budget import Gate
from concord.engine.batching.health import Waits
from concord.engine.batching.question import Ask, Memory
from concord.engine.batching.rate_limit import RateLimit
from concord.errors import BadAnswer, UserError
from concord.model import Direction, Limits, System, Text, revised

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(slots=True, eq=False)
class PendingTranslation:
    """One text that was sent; awaiting it gives the translation."""

    _ask: Ask
    _lang: str

    def __await__(self) -> Generator[Ask, None, Text]:
        (words,) = yield from self._ask.__await__()
        return Text(words, self._lang)


@dataclass(slots=True, eq=False)
class Untranslated:
    """A text that already is in the target language; awaiting it gives the text."""

    _text: Text

    def __await__(self) -> Generator[Ask, None, Text]:
        yield from ()
        return self._text


class Translating:
    """`translate(x, to)` and `translate.each(xs, to)`, answered in batches by one system."""

    def __init__(
        self,
        system: System,
        directions: Collection[Direction] | None,
        *,
        memory: Memory | None = None,
        limits: Limits | None = None,
        gate: Gate | None = None,
        rate_limit: RateLimit | None = None,
        waits: Waits | None = None,
    ) -> None:
        self.system = system
        self.directions = None if directions is None else frozenset(directions)
        self.batched = Batched(
            self._answer,
            limits or system.limits,
            memory=memory,
            usable=usable,
            retries=0 if system.deterministic else 1,
            gate=gate,
            rate_limit=rate_limit,
            waits=waits,
            name=system.id,
        )

    def __call__(self, x: Text, to: str) -> Awaitable[Text]:
        if x.lang == to:
            return Untranslated(x)
        return PendingTranslation(self.batched.ask(self._lane(x.lang, to), (x.words,)), to)

    async def each(self, xs: Sequence[Text], to: str) -> list[Text]:
        if len({x.lang for x in xs}) > 1:
            return [await self(x, to) for x in xs]
        if not xs or xs[0].lang == to:
            return list(xs)
        answers = await self.batched.ask(self._lane(xs[0].lang, to), [x.words for x in xs])
        return [Text(words, to) for words in answers]

    def between(self, source: str, target: str) -> tuple[str, ...]:
        return between(self.directions or (), source, target)

    async def _answer(self, lane: Direction, texts: list[str]) -> Sequence[Any]:
        return await self.system.translate(texts, *lane)

    def _lane(self, source: str, target: str) -> Direction:
        if self.directions is not None and (source, target) not in self.directions:
            raise UserError(self.system.lacks(source, target, self.directions))
        return (source, target)


def between(directions: Collection[Direction], source: str, target: str) -> tuple[str, ...]:
    """The pivot languages through which the directions lead from source to target."""
    reached, reaching = {b for a, b in directions if a == source}, {a for a, b in directions if b == target}
    return tuple(sorted((reached & reaching) - {source, target}))


def usable(text: str, answer: Any, last: bool = False) -> str:
    """The answer as it is stored; raises BadAnswer if it cannot be used as a translation.

    An answer that is empty, not valid Unicode or out of proportion to its text may be an accident: it is stored, mended
    or cut, only where there is no further retry, and `sane` flags it.
    """
    if not isinstance(answer, str):
        raise BadAnswer(f"answered with a {type(answer).__name__} instead of text")
    if is_cut(text, answer) and not last:
        raise BadAnswer(f"answered {len(text):,} characters with {len(answer):,}")
    stored = cut(text, answer)
    if not stored.strip() and text.strip():
        if not last:
            raise BadAnswer("gave an empty answer")
        return revised(stored, "")
    if _SURROGATES.search(stored) and not last:
        raise BadAnswer("gave an answer that is not valid Unicode")
    return revised(stored, _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", stored))
