"""`explain`: how far the difference of two translations is explained by the difference of their texts."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concord.comparator import Aligned, Comparison, Evidence, Fitted, align, compare
from concord.comparator.learned import load as load_fitted
from concord.comparator.serialisation import chosen_evidence, evidence_for, load, with_pairs
from concord.engine.batching.question import Ask
from concord.engine.services._service import Choices, First, Local, Terms
from concord.model import Direction, Text
from concord.signature import digest

RULES = "concord@3"
Four = tuple[Text, Text, Text, Text]
"""Source, follow-up, and the translations of both."""


@dataclass(slots=True, eq=False)
class ExplainService:
    """`explain(source, follow_up, source_output, follow_up_output)`, and `explain.each(fours)` for several."""

    _ask: Callable[[Sequence[Four]], Ask]

    def __call__(
        self, source: Text, follow_up: Text, source_output: Text, follow_up_output: Text
    ) -> Awaitable[Comparison]:
        return First(self._ask([(source, follow_up, source_output, follow_up_output)]))

    async def each(self, fours: Sequence[Four]) -> list[Comparison]:
        return list(await self._ask(fours)) if fours else []


class Explaining(Local):
    """The service `explain`: by the first pass's alignment, dictionaries, and a comparator trained on labels."""

    def __init__(self, choices: Choices, terms: Terms) -> None:
        self._alignments: dict[str, Aligned] = {}
        self._learnt = b""
        super().__init__("the comparison of translations", terms, size=lambda four: sum(len(x.words) for x in four))
        self._files = chosen_evidence(choices)
        self._read: dict[Direction, Evidence] = {}
        self.verb = ExplainService(self.ask)

    def begin(self, terms: Terms) -> None:
        super().begin(terms)
        if self._learnt != terms.learnt:
            self._learnt, self._alignments = terms.learnt, {}
        self._fitted: Fitted | None = None

    def versions(self) -> dict[str, str]:
        used = self._run_evidence().used
        # The name of a dictionary includes its version; a user's own file may change under its name.
        hashes = [f"#{digest(Path(file).read_text(), size=4).hex()}" for file in self._files[:2] if file]
        return {"explain": "+".join([RULES, *used, *hashes])}

    def notes(self) -> list[str]:
        return self._run_evidence().notes()

    def ask(self, fours: Sequence[Four]) -> Ask:
        source, _, output, _ = fours[0]
        return self.batched.ask(f"{source.lang}>{output.lang}", list(fours))

    def answers(self, lang: str, items: list[Four]) -> list[Any]:
        if lang not in self._alignments:
            source, _, target = lang.partition(">")
            evidence = self._evidence((source, target))
            learnt = self._terms.learnt
            self._alignments[lang] = load(learnt, evidence) if learnt else align([], evidence)
        if self._fitted is None and self._terms.fitted:
            self._fitted = load_fitted(self._terms.fitted)
        pairs = [pair for a, b, output_a, output_b in items for pair in ((a, output_a), (b, output_b))]
        aligned = with_pairs(self._alignments[lang], pairs)
        return [compare(*four, aligned, fitted=self._fitted) for four in items]

    def plugins(self) -> Iterable[Any]:
        return [evidence.bilingual for evidence in self._read.values() if evidence.bilingual]

    def renew(self) -> None:
        self._alignments = {}
        self._read = {}

    def _run_evidence(self) -> Evidence:
        return self._evidence((self._terms.source, self._terms.target))

    def _evidence(self, langs: Direction) -> Evidence:
        # A glossary is written in the direction of the run, also where a round trip is explained the other way.
        turned = langs == (self._terms.target, self._terms.source)
        if langs not in self._read:
            self._read[langs] = evidence_for(langs, *self._files, turned=turned)
        return self._read[langs]
