"""How many sentences a system gave an answer that is not sane, for the gate and the ranking.

The evidence is the latest finished run of `sane` on the same version of the system, direction and corpus. Where there
is none, it is the checks of other relations that are not judged because of an answer.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from concord.errors import NOT_JUDGED
from concord.language.sanity import SANE
from concord.store.queries import FAILURE_SQL
from concord.store.records import RunRecord
from concord.store.workspace import Workspace

_SYSTEM = re.compile(r"\|mt:([^|]*)")
_DIRECTIONS = re.compile(r"#[0-9a-f]{8}$")
_KIND = re.compile(r"is not sane \((\w+)\)")
_CUT = "length"
"""What `sane` says of answers that were cut, which other relations refuse for that alone."""
# A sentence fails if more than half of its answers do; the kind of its failure is that of any of them.
_BY_SANE = f"""
SELECT CASE WHEN avg(suspicion > threshold) > 0.5
    THEN max(CASE WHEN suspicion > threshold THEN coalesce({FAILURE_SQL}, '') ELSE '' END) END
FROM checks JOIN cases USING (run, position, repetition) WHERE run IN ({{}}) GROUP BY text"""
_BY_OTHERS = f"""
SELECT max(CASE WHEN error GLOB '{NOT_JUDGED}the answer to *' THEN error END) FROM checks
WHERE run IN ({{}}) AND (cases > 0 OR error GLOB '{NOT_JUDGED}the answer to *') GROUP BY text"""


@dataclass(frozen=True, slots=True)
class InsaneAnswers:
    """One system, direction and corpus: its sentences and how many fail, by the evidence of these `runs`.

    `kind` is the most frequent kind of failure, "" where none fails.
    """

    system: str
    source_lang: str
    target_lang: str
    runs: list[int]
    relations: list[str]
    sentences: int
    failing: int
    kind: str


def insane_answers(store: Workspace, runs: Iterable[RunRecord]) -> list[InsaneAnswers]:
    """The failing answers behind these runs, by system, version, direction and corpus."""
    subjects: dict[tuple[str, ...], list[RunRecord]] = {}
    for run in runs:
        subjects.setdefault(_answers_key(run), []).append(run)
    return [_counted(store, own) for own in subjects.values()]


def sane_runs(store: Workspace, runs: Sequence[RunRecord]) -> list[RunRecord]:
    """The runs of `sane` that belong to these: the latest of each version, direction and corpus that has none here."""
    missing = {_answers_key(run) for run in runs} - {_answers_key(run) for run in runs if run.relation == SANE}
    every = [run for run in store.runs() if run.relation == SANE and run.finished] if missing else []
    latest = {_answers_key(run): run for run in every}
    return [latest[subject] for subject in latest if subject in missing]


def _answers_key(run: RunRecord) -> tuple[str, ...]:
    """What runs have in common that asked for the same answers to the same texts."""
    # After # is a hash of all directions that the relation uses; the version before it is that of this one.
    system = _SYSTEM.search(run.signature)
    return run.system, _DIRECTIONS.sub("", system[1]) if system else "", run.source, run.target, run.corpus


def _counted(store: Workspace, own: Sequence[RunRecord]) -> InsaneAnswers:
    evidence = [run for run in own if run.relation == SANE][-1:] or sane_runs(store, own)
    kinds = Counter(_kinds(store, evidence, _BY_SANE))
    if not kinds:
        evidence, kinds = list(own), Counter(_kinds(store, own, _BY_OTHERS))
    sentences, passing = kinds.total(), kinds.pop(None, 0)
    usual = max(kinds, key=lambda kind: (kinds[kind], kind), default="")
    relations = list(dict.fromkeys(run.relation for run in evidence))
    where = (own[0].system, own[0].source, own[0].target, [run.id for run in evidence], relations)
    return InsaneAnswers(*where, sentences, sentences - passing, usual or "")


def _kinds(store: Workspace, runs: Sequence[RunRecord], query: str) -> Iterator[str | None]:
    """For each sentence, how its answer fails, or None."""
    marks = ", ".join("?" * len(runs))
    for (failure,) in store.many(query.format(marks), [run.id for run in runs]):
        named = _KIND.search(failure or "")
        yield named[1] if named else _CUT if str(failure).startswith(NOT_JUDGED) else failure
