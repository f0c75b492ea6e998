"""How fast MGMT is: the comparison of trees, and where the time of the whole relation goes."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from concord.corpus import demo
from concord.language.codes import base
from concord.language.substitutes import Slot
from concord.language.trees import Tree
from concord.metrics.tree_paths import structure
from concord.model import Text
from concord.plugins import entry, system
from concord.relations.mgmt import check

SENTENCES = 200
GATE = "parsing of possible substitutes"


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    return [*_compared(), *asyncio.run(_profiled())]


def _compared() -> list[tuple[str, str, str]]:
    texts = [segment.text for segment in demo()]
    trees = entry("parsers", "concord_en")().parse(texts)
    pairs = [(one, other) for step in range(1, 21) for one, other in zip(trees, trees[step:], strict=False)]
    start = time.process_time()
    for one, other in pairs:
        structure(one, other)
    rate = len(pairs) / (time.process_time() - start)
    return [
        (f"structure of {len(pairs):,} pairs of trees, full trees of 16 words", f"{rate:,.0f} pairs/s", "aim ≥ 2,000")
    ]


async def _profiled() -> list[tuple[str, str, str]]:
    """One sentence after the other, so that seconds belong to what is at work."""
    services = _Services()
    texts = [segment.text for segment in islice(demo(), SENTENCES)]
    start = time.perf_counter()
    for number, text in enumerate(texts):
        await check(text, services, services.parse, services.substitutes, random.Random(number), to="es")
    took = time.perf_counter() - start
    await services.close()
    spent = Counter({**services.spent, "the relation itself": took - services.spent.total()})
    shares = [
        (f"of which {name}", f"{seconds:.1f} s, {seconds / took:.0%}", "") for name, seconds in spent.most_common()
    ]
    whole = f"mgmt on {SENTENCES} sentences, en→es, one after the other", f"{took:.1f} s", "translation and parsing"
    return [whole, *shares]


class _Services:
    """Everything that the relation asks for, with the seconds that it takes."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self.parse = _Parse(self)
        self._system = system("apertium")
        self.substitutes = _Substitutes(self)

    async def __call__(self, x: Text, to: str) -> Text:
        with self.timed("translation"):
            (answer,) = await self._system.translate([x.words], x.lang, to)
        return Text(str(answer), to)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.spent[name] += time.perf_counter() - start

    async def close(self) -> None:
        self.parse.close()
        await self._system.close()


class _Substitutes:
    def __init__(self, services: _Services) -> None:
        self._services = services
        self._source = entry("substitutes", "lexicon")(parse=self._parsed)

    async def __call__(self, tree: Tree, start: int, end: int, **options: Any) -> Any:
        (found,) = await self.each(tree, [(start, end)], **options)
        return found

    async def each(self, tree: Tree, spans: Sequence[tuple[int, int]], **options: Any) -> Any:
        before = self._services.spent[GATE]
        with self._services.timed("looking for substitutes"):
            found = self._source.substitutes([Slot(tree, *span, together=tuple(spans), **options) for span in spans])
        self._services.spent["looking for substitutes"] -= self._services.spent[GATE] - before
        return found

    def _parsed(self, texts: Sequence[Text]) -> Any:
        with self._services.timed(GATE):
            return self._services.parse.of(texts)


class _Parse:
    def __init__(self, services: _Services) -> None:
        self._services = services
        self._english, self._others = (entry("parsers", name)() for name in ("concord_en", "apertium"))

    async def __call__(self, x: Text) -> Tree:
        with self._services.timed("parsing"):
            (tree,) = self.of([x])
        if not isinstance(tree, Tree):
            raise tree
        return tree

    def of(self, texts: Sequence[Text]) -> Any:
        english = all(base(text.lang) == "en" for text in texts)
        return (self._english if english else self._others).parse(texts)

    def can(self, lang: str) -> bool:
        return True

    def kind(self, lang: str) -> str:
        return "full" if base(lang) == "en" else "shallow"

    def close(self) -> None:
        self._others.close()
