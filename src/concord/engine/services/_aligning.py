"""`align`: which words of a translation stand for which words of its text, learnt from the run's own texts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from concord.engine.question import Ask
from concord.engine.services._local import First, Local, Terms
from concord.errors import UserError
from concord.model import Text
from concord.text.align import Model, load
from concord.text.aligned import Aligned, Pair, aligned, learnt

RULES = "concord@1"


class Align:
    """`align(x, y)` for a text and its translation, `align.each(pairs)` for several."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Callable[[Sequence[Pair]], Ask]) -> None:
        self._ask = ask

    def __call__(self, x: Text, y: Text) -> Awaitable[Aligned]:
        return First(self._ask([(x, y)]))

    async def each(self, pairs: Sequence[Pair]) -> list[Aligned]:
        return list(await self._ask(pairs)) if pairs else []


class Aligning(Local):
    """The service `align`. Without a first pass it knows nothing but where words stand and how they are spelt."""

    def __init__(self, terms: Terms) -> None:
        super().__init__("word alignment", terms, size=lambda pair: sum(len(each.words) for each in pair))
        self._model: Model | None = None
        self.verb = Align(self.ask)

    def versions(self) -> dict[str, str]:
        return {"align": RULES}

    def ask(self, pairs: Sequence[Pair]) -> Ask:
        ways = {(x.lang, y.lang) for x, y in pairs}
        told = (self._terms.source, self._terms.target)
        if len(ways) > 1 or (any(told) and told not in ways):
            shown = ", ".join(f"{a}-{b}" for a, b in sorted(ways))
            raise UserError(f"words are aligned between {told[0]} and {told[1]}, not {shown}")
        return self.batched.ask("-".join(next(iter(ways))), list(pairs))

    def answers(self, lang: str, items: list[Pair]) -> list[Any]:
        if self._model is None:
            fitted = self._terms.fitted
            self._model = load(fitted) if fitted else learnt([], langs=(items[0][0].lang, items[0][1].lang))
        return list(aligned(self._model, items))

    def plugins(self) -> Iterable[Any]:
        return ()

    def renew(self) -> None:
        self._model = None
