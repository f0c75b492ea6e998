"""Trying: one sentence, one system, and relations whose checks can be watched as they happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from concord import plugins
from concord.api.runs import check
from concord.bounds import cut
from concord.errors import ConcordError, ServiceError, UserError
from concord.model import Case, Direction, Outcome, System, Text
from concord.relations._protocol import load_relation
from concord.store import case_json
from concord.translators._wrapper import Wrapped

LONGEST = 2_000
Watch = Callable[[Text, Text], None]


@dataclass(frozen=True, slots=True)
class Tried:
    """What a relation said of a sentence: rows as those of a workspace, the worst first, or why there are none."""

    relation: str
    rows: list[dict[str, Any]]
    error: str = ""


def attempt(
    sentence: str,
    *,
    relations: Sequence[str],
    system: str | System,
    to: str,
    source: str = "en",
    watch: Watch | None = None,
) -> Iterator[Tried]:
    """Check a sentence by one relation after the other; nothing is stored.

    `watch` is told of each text that the system is given, with its answer, as it comes.
    """
    if not sentence.strip():
        raise UserError("there is no sentence to try")
    if len(sentence) > LONGEST:
        raise UserError(f"the sentence has {len(sentence):,} characters; at most {LONGEST:,} can be tried at once")
    if not relations:
        raise UserError("there is no relation to try the sentence by. Choose at least one")
    under_test = plugins.system(system) if isinstance(system, str) else system
    for relation in relations:
        watched = Watched(under_test, watch or (lambda text, answer: None))
        yield _tried(relation, sentence, watched, source, to)


def _tried(relation: str, sentence: str, system: System, source: str, to: str) -> Tried:
    try:
        outcomes = check(relation, [sentence], translator=system, to=to, source=source)
    except ConcordError as error:
        return Tried(relation, [], str(error))
    name = relation.partition(",")[0]
    facts, where = load_relation(name).facts({}), (source, to)
    rows = [
        _row(name, system.id, where, outcome, case) | {"directions": facts.directions(case.scores)}
        for outcome in outcomes
        for case in outcome.cases
    ]
    rows.sort(key=lambda row: -row["suspicion"])
    said = next((outcome.error for outcome in outcomes if outcome.error), None)
    return Tried(relation, [{**row, "rank": place} for place, row in enumerate(rows, start=1)], said or "")


def _row(relation: str, system: str, direction: Direction, outcome: Outcome, case: Case) -> dict[str, Any]:
    return {
        "run": 0,
        "relation": relation,
        "system": system,
        "source_lang": direction[0],
        "target_lang": direction[1],
        "position": 0,
        "repetition": outcome.repetition,
        "segment": outcome.segment.id,
        "domain": "",
        "text": outcome.segment.text.words,
        "reference": None,
        "error": None,
        "suspicion": case.suspicion,
        "threshold": case.threshold,
        "operator": case.operator,
        "violated": case.violated,
        **case_json.unpack(case_json.pack(case)),
    }


class Watched(Wrapped):
    """A system whose every answer is told."""

    def __init__(self, inner: System, watch: Watch) -> None:
        super().__init__(inner)
        self._watch = watch

    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        answers = await self.inner.translate(texts, source, target)
        for text, answer in zip(texts, answers, strict=False):
            if isinstance(answer, str):
                self._watch(Text(text, source), Text(cut(text, answer), target))
        return answers
