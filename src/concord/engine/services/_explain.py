"""`explain`: how far what differs between two translations is explained by what differs between the texts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from concord.comparator import Aligned, Comparison, Evidence, Fitted, align, compare
from concord.comparator.learned import load as load_fitted
from concord.comparator.serialisation import chosen_evidence, evidence_for, load, with_pairs
from concord.engine.batching.question import Ask
from concord.engine.services._service import First, Local, Terms
from concord.model import Direction, Text
from concord.signature import digest

RULES = "concord@3"
Four = tuple[Text, Text, Text, Text]
"""Source, follow-up, and the translations of both."""


class ExplainService:
    """`explain(source, follow_up, source_output, follow_up_output)`, and `explain.each(fours)` for several."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Callable[[Sequence[Four]], Ask]) -> None:
        self._ask = ask

    def __call__(
        self, source: Text, follow_up: Text, source_output: Text, follow_up_output: Text
    ) -> Awaitable[Comparison]:
        return First(self._ask([(source, follow_up, source_output, follow_up_output)]))

    async def each(self, fours: Sequence[Four]) -> list[Comparison]:
        return list(await self._ask(fours)) if fours else []


class Explaining(Local):
    """The service `explain`. It knows what the first pass has learnt, what labels taught, and what dictionaries say."""

    def __init__(self, chosen: Mapping[str, str], terms: Terms) -> None:
        super().__init__("the comparison of translations", terms, size=lambda four: sum(len(x.words) for x in four))
        self._given = chosen_evidence(chosen)
        self._read: dict[Direction, Evidence] = {}
        self.verb = ExplainService(self.ask)

    def begin(self, terms: Terms) -> None:
        super().begin(terms)
        self._known: dict[str, Aligned] = {}
        self._fitted: Fitted | None = None

    def versions(self) -> dict[str, str]:
        used = self._of_the_run().used
        # Of dictionaries the name tells the version; a user's own file may change under its name.
        files = filter(None, self._given[:2])
        own = [f"#{digest(Path(file).read_text(), size=4).hex()}" for file in files]
        return {"explain": "+".join([RULES, *used, *own])}

    def notes(self) -> list[str]:
        return self._of_the_run().notes()

    def ask(self, fours: Sequence[Four]) -> Ask:
        source, _, output, _ = fours[0]
        return self.batched.ask(f"{source.lang}>{output.lang}", list(fours))

    def answers(self, lang: str, items: list[Four]) -> list[Any]:
        if lang not in self._known:
            source, _, target = lang.partition(">")
            evidence = self._evidence((source, target))
            learnt = self._terms.learnt
            self._known[lang] = load(learnt, evidence) if learnt else align([], evidence)
        if self._fitted is None and self._terms.fitted:
            self._fitted = load_fitted(self._terms.fitted)
        pairs = [pair for a, b, of_a, of_b in items for pair in ((a, of_a), (b, of_b))]
        aligned = with_pairs(self._known[lang], pairs)
        return [compare(*four, aligned, fitted=self._fitted) for four in items]

    def plugins(self) -> Iterable[Any]:
        return [evidence.bilingual for evidence in self._read.values() if evidence.bilingual]

    def renew(self) -> None:
        self._known = {}
        self._read = {}

    def _of_the_run(self) -> Evidence:
        return self._evidence((self._terms.source, self._terms.target))

    def _evidence(self, langs: Direction) -> Evidence:
        # A glossary is written in the direction of the run, also where a round trip is explained the other way.
        turned = langs == (self._terms.target, self._terms.source)
        if langs not in self._read:
            self._read[langs] = evidence_for(langs, *self._given, turned=turned)
        return self._read[langs]
