"""Trying one sentence on one system, with relations whose checks can be watched as they happen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concord import plugins
from concord.api.runs import check, latest_learnt
from concord.bounds import cut
from concord.errors import CONFIGURATION, ConcordError, ServiceError, UserError
from concord.language.codes import normalise
from concord.model import Case, Direction, Outcome, System, Text
from concord.plugins import RECOMMENDED
from concord.relations._protocol import load_relation
from concord.relations._recommended import expanded, is_optional
from concord.runs.config import all_services
from concord.store import case_json
from concord.store.queries import check_fields
from concord.translators._wrapper import Wrapped

LONGEST = 2_000
Watch = Callable[[Text, Text], None]


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The rows of a relation on a sentence, as those of a workspace, the worst first, or an error.

    The recommended set is tried without its relations that are `left_out`, for the reason that is their error.
    """

    relation: str
    rows: list[dict[str, Any]]
    error: str = ""
    left_out: bool = False


def attempt(
    sentence: str,
    *,
    system: str | System,
    to: str,
    relations: Sequence[str] = (RECOMMENDED,),
    source: str = "en",
    workspace: str | Path | None = None,
    services: Mapping[str, str] | None = None,
    config: str | Path = CONFIGURATION,
    watch: Watch | None = None,
) -> Iterator[TrialResult]:
    """Check a sentence by one relation after the other; nothing is stored. `workspace` is that of `check`.

    `services` are those of `Settings`, before those of the file `config`, if there is one. `watch` is called with each
    text that the system is sent and its answer, as it comes.
    """
    if not sentence.strip():
        raise UserError("there is no sentence to try")
    if len(sentence) > LONGEST:
        raise UserError(f"the sentence has {len(sentence):,} characters; at most {LONGEST:,} can be tried at once")
    if not relations:
        raise UserError("there is no relation to try the sentence by. Choose at least one")
    plugins.admit(*relations, system if isinstance(system, str) else "")
    for named in relations:
        if named != RECOMMENDED:
            plugins.parse("relations", named)
    tested = plugins.system(system) if isinstance(system, str) else system
    watched = Watched(tested, watch or (lambda text, answer: None))
    direction = (normalise(source), normalise(to))
    learnt = latest_learnt(workspace, watched, direction)
    known: dict[str, Any] = {"learnt": learnt, "services": all_services(services or {}, config)}
    for relation in expanded(relations):
        try:
            outcomes = check(relation, [sentence], translator=watched, to=to, source=source, **known)
        except ConcordError as error:
            left_out = is_optional(relation, relations) and isinstance(error, UserError)
            yield TrialResult(relation, [], str(error), left_out)
        else:
            yield _result(relation, tested.id, direction, outcomes)


def _result(relation: str, system: str, direction: Direction, outcomes: Sequence[Outcome]) -> TrialResult:
    name = relation.partition(",")[0]
    facts = load_relation(name).facts({})
    rows = [
        _row(name, system, direction, outcome, case) | {"directions": facts.directions(case.scores)}
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
        "flagged": case.flagged,
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
        fresh = {(text, source, target): answer for text, answer in zip(unknown, answers, strict=True)}
        known = fresh | self._answers
        return [known[text, source, target] for text in texts]
