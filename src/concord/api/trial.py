"""Trying one sentence on one system, with relations whose checks can be watched as they happen."""

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
from concord.store.queries import check_fields
from concord.translators._wrapper import Wrapped

LONGEST = 2_000
Watch = Callable[[Text, Text], None]


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The rows of a relation on a sentence, as those of a workspace, the worst first, or an error."""

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
) -> Iterator[TrialResult]:
    """Check a sentence by one relation after the other; nothing is stored.

    `watch` is called with each text that the system is sent and its answer, as it comes.
    """
    if not sentence.strip():
        raise UserError("there is no sentence to try")
    if len(sentence) > LONGEST:
        raise UserError(f"the sentence has {len(sentence):,} characters; at most {LONGEST:,} can be tried at once")
    if not relations:
        raise UserError("there is no relation to try the sentence by. Choose at least one")
    tested = plugins.system(system) if isinstance(system, str) else system
    watched = Watched(tested, watch or (lambda text, answer: None))
    for relation in relations:
        yield _trial(relation, sentence, watched, source, to)


def _trial(relation: str, sentence: str, system: System, source: str, to: str) -> TrialResult:
    try:
        outcomes = check(relation, [sentence], translator=system, to=to, source=source)
    except ConcordError as error:
        return TrialResult(relation, [], str(error))
    name = relation.partition(",")[0]
    facts, direction = load_relation(name).facts({}), (source, to)
    rows = [
        _row(name, system.id, direction, outcome, case) | {"directions": facts.directions(case.scores)}
        for outcome in outcomes
        for case in outcome.cases
    ]
    rows.sort(key=lambda row: -row["suspicion"])
    reason = next((outcome.error for outcome in outcomes if outcome.error), None)
    return TrialResult(relation, [{**row, "rank": rank} for rank, row in enumerate(rows, start=1)], reason or "")


def _row(relation: str, system: str, direction: Direction, outcome: Outcome, case: Case) -> dict[str, Any]:
    check = (0, outcome.repetition, outcome.segment.id, "", outcome.segment.text.words, None, None)
    return check_fields(0, relation, system, direction, check) | {
        "suspicion": case.suspicion,
        "threshold": case.threshold,
        "operator": case.operator,
        "violated": case.violated,
        **case_json.unpack(case_json.pack(case)),
    }


class Watched(Wrapped):
    """A system that reports each answer to `watch`, and is asked for it once, whatever relations need it."""

    def __init__(self, inner: System, watch: Watch) -> None:
        super().__init__(inner)
        self._watch = watch
        self._answers: dict[tuple[str, str, str], str] = {}

    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        unknown = [text for text in texts if (text, source, target) not in self._answers]
        answers = await self.inner.translate(unknown, source, target) if unknown else []
        if len(answers) != len(unknown):
            return answers
        for text, answer in zip(unknown, answers, strict=True):
            if isinstance(answer, str):
                self._watch(Text(text, source), Text(cut(text, answer), target))
                self._answers[text, source, target] = answer
        fresh = dict(zip(unknown, answers, strict=True))
        return [self._answers.get((text, source, target)) or fresh[text] for text in texts]
