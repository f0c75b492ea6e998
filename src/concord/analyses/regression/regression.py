"""The comparison of two runs: which cases newly fail, which no longer do, and whether the difference is significant.

A case is the same in both runs if its relation, direction and texts are the same. Two versions of a system are compared
in the same way as two systems. A case fails if it is flagged each time that it occurs in a run, and is flaky if it is
flagged only sometimes; a case that is flaky in one of the runs is counted as flaky only.

Whether the difference is significant is tested on sentences (`sentence_tests`). A sentence is flagged if it has a
flagged case in more than half of its repetitions.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concord.analyses.regression.run_pairs import KINDS, RunPair
from concord.analyses.regression.sentence_tests import (
    JointTest,
    SentenceChanges,
    Sentences,
    Tested,
    joint_tests,
    relation_tests,
    sentence_changes,
    shared,
)
from concord.errors import UnknownName
from concord.language.codes import direction
from concord.plain_data import plain
from concord.plural import plural
from concord.store import Workspace
from concord.store.verdict_arrays import FAILS, FLAKY, PASSES, Booleans, Verdicts

MOST_LISTED = 1000
Load = Callable[[int], Verdicts]


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """The number of cases by how they changed. `only_…_failing` are cases of one run alone that fail or are flaky.

    `changed` cases have different answers in the two runs; `newly_failing_unchanged` newly fail with the same answers.
    """

    newly_failing: int
    newly_fixed: int
    still_failing: int
    still_passing: int
    flaky: int
    only_before: int
    only_before_failing: int
    only_after: int
    only_after_failing: int
    changed: int
    newly_failing_unchanged: int

    @property
    def in_both(self) -> int:
        return self.newly_failing + self.newly_fixed + self.still_failing + self.still_passing + self.flaky


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """The cases of a pair of runs, or those of one granularity."""

    name: str
    counts: CaseCounts
    tested: Tested


@dataclass(frozen=True, slots=True)
class Errors:
    """Checks with an error in each run, and sentences with an error or an unjudged case in one run only."""

    before: int
    after: int
    newly: int
    no_longer: int


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """One case in both runs, as rows; None if a run does not have it. `same` says whether the answers are equal."""

    before: dict[str, Any] | None
    after: dict[str, Any] | None
    same: bool | None

    @property
    def row(self) -> dict[str, Any]:
        case = self.after or self.before
        assert case is not None
        return case


@dataclass(frozen=True, slots=True)
class Regression:
    """A pair of runs and how their cases changed; `listed` has some cases of one kind, the worst first."""

    pair: RunPair
    parts: list[ComparedPart]
    errors: Errors
    notes: list[str]
    listed: list[ChangedCase]

    @property
    def name(self) -> str:
        run = self.pair.after
        return f"{run.relation} {direction(run.source, run.target)}"

    def total(self, name: str) -> int:
        """One of the counts over all parts."""
        return sum(getattr(part.counts, name) for part in self.parts)


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The result of `concord compare`: each pair of runs, the joint tests, and notes on what could not be compared."""

    regressions: list[Regression]
    joint: list[JointTest]
    kind: str
    notes: list[str]

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        rows = [_plain(regression) for regression in self.regressions]
        return {"kind": self.kind, "notes": self.notes, "joint": plain(self.joint), "rows": rows}


def compared(
    store: Workspace,
    pairs: Sequence[RunPair],
    load: Load,
    *,
    kind: str = "newly failing",
    limit: int = 10,
    start: int = 0,
    notes: Sequence[str] = (),
) -> RunComparison:
    """Each pair as a regression, with the cases of one kind from the `start`-th on, and the joint tests."""
    if kind not in KINDS:
        raise UnknownName("kind of change", kind, KINDS)
    regressions: list[Regression] = []
    changes: list[SentenceChanges] = []
    for pair in pairs:
        match = Match(load(pair.before.id), load(pair.after.id))
        own = [match.changes(pair, name) for name in match.part_names]
        parts = [ComparedPart(part.granularity, match.counts(part.granularity), part.tested) for part in own]
        places = match.places(kind, slice(start, start + min(limit, MOST_LISTED)))
        listed = list(_rows(store, pair, match, places))
        regressions.append(Regression(pair, parts, match.errors(), noted(pair, match), listed))
        changes += own
    return RunComparison(_adjusted(regressions, changes), joint_tests(changes), kind, list(notes))


class Match:
    """The cases of two runs, matched where they are the same."""

    def __init__(self, before: Verdicts, after: Verdicts) -> None:
        self.before, self.after = before, after
        self.in_before, self.in_after = shared(before.case, after.case)
        """The indices of the shared cases in each run."""
        self.states = before.state[self.in_before], after.state[self.in_after]
        self.same: Booleans = before.outputs[self.in_before] == after.outputs[self.in_after]

    def of_kind(self, kind: str) -> Booleans:
        """Which of the shared cases changed in this way."""
        was, now = self.states
        if kind == "flaky":
            return np.asarray((was == FLAKY) | (now == FLAKY))
        states = {
            "newly failing": (PASSES, FAILS),
            "newly fixed": (FAILS, PASSES),
            "still failing": (FAILS, FAILS),
            "still passing": (PASSES, PASSES),
        }
        return np.asarray((was == states[kind][0]) & (now == states[kind][1]))

    def alone(self, later: bool) -> Booleans:
        """Which cases only one of the runs has."""
        run, shared_ones = (self.after, self.in_after) if later else (self.before, self.in_before)
        mask = np.ones(len(run.case), dtype=bool)
        mask[shared_ones] = False
        return mask

    def places(self, kind: str, page: slice) -> list[tuple[int | None, int | None]]:
        """A page of the cases of a kind, the most suspicious first, by their indices in each run."""
        if kind in ("only before", "only after"):
            later = kind == "only after"
            run = self.after if later else self.before
            cases = np.flatnonzero(self.alone(later))
            # Failing cases come first: a suspicion below its threshold may still be a large number.
            order = np.lexsort((run.place[cases], -run.suspicion[cases], run.state[cases] == PASSES))[page]
            return [(None, case) if later else (case, None) for case in cases[order].tolist()]
        cases = np.flatnonzero(self.of_kind(kind))
        first, second = self.in_before[cases], self.in_after[cases]
        suspicion = self.before.suspicion[first] if kind == "newly fixed" else self.after.suspicion[second]
        order = np.lexsort((self.after.place[second], -suspicion))[page]
        return list(zip(first[order].tolist(), second[order].tolist(), strict=True))

    def errors(self) -> Errors:
        before, after = self.before, self.after
        newly = len(np.setdiff1d(after.failed, before.failed, assume_unique=True))
        no_longer = len(np.setdiff1d(before.failed, after.failed, assume_unique=True))
        return Errors(before.counts["errors"], after.counts["errors"], newly, no_longer)

    @property
    def part_names(self) -> list[str]:
        """The granularities of the cases; one without a name if there are none."""
        return list(dict.fromkeys([*self.before.parts, *self.after.parts])) or [""]

    def counts(self, part: str) -> CaseCounts:
        code_before, code_after = part_code(self.before, part), part_code(self.after, part)
        of_part = self.after.part[self.in_after] == code_after
        kinds = {kind: self.of_kind(kind) & of_part for kind in _STATES}
        alone = {
            "before": self.alone(False) & (self.before.part == code_before),
            "after": self.alone(True) & (self.after.part == code_after),
        }
        failing = {"before": self.before.state != PASSES, "after": self.after.state != PASSES}
        return CaseCounts(
            **{kind.replace(" ", "_"): int(mask.sum()) for kind, mask in kinds.items()},
            **{f"only_{side}": int(mask.sum()) for side, mask in alone.items()},
            **{f"only_{side}_failing": int((mask & failing[side]).sum()) for side, mask in alone.items()},
            changed=int((~self.same & of_part).sum()),
            newly_failing_unchanged=int((self.same & kinds["newly failing"]).sum()),
        )

    def changes(self, pair: RunPair, part: str) -> SentenceChanges:
        """How the sentences changed at one granularity."""
        return sentence_changes(pair, part, _sentences(self.before, part), _sentences(self.after, part))


def _sentences(run: Verdicts, part: str) -> Sentences:
    of_part = run.sentence_part == part_code(run, part)
    return run.sentence[of_part], run.flagged[of_part] > 0


_STATES = ("newly failing", "newly fixed", "still failing", "still passing", "flaky")


def _adjusted(regressions: Sequence[Regression], changes: Sequence[SentenceChanges]) -> list[Regression]:
    tests = iter(relation_tests(changes))
    parts = ([replace(part, tested=next(tests)) for part in regression.parts] for regression in regressions)
    return [replace(regression, parts=own) for regression, own in zip(regressions, parts, strict=True)]


def part_code(run: Verdicts, part: str) -> int:
    """The number of a part in a run; -1, which no case has, if the run lacks the part."""
    return list(run.parts).index(part) if part in run.parts else -1


def noted(pair: RunPair, match: Match) -> list[str]:
    """Notes on a comparison, from the records of the runs and from their cases."""
    return [*pair.notes, *_noted(match, pair.causes)]


def _noted(match: Match, causes: str) -> Iterator[str]:
    if not len(match.in_before):
        yield "the runs have no case in common"
    elif match.same.all():
        yield "all answers are the same in both runs"
    for kind in ("newly failing", "newly fixed"):
        unchanged = int((match.same & match.of_kind(kind)).sum())
        if unchanged:
            has = f"of the {kind} cases has the same answers: it is judged differently"
            have = f"of the {kind} cases have the same answers: they are judged differently"
            yield f"{plural(unchanged, has, have)}, by {causes}"
    newly = match.errors().newly
    if newly:
        have = plural(newly, "sentence has an error or is not judged", "sentences have an error or are not judged")
        yield f"{have} in the later run alone; what it lacks for that is only before"


def _rows(
    store: Workspace, pair: RunPair, match: Match, places: Sequence[tuple[int | None, int | None]]
) -> Iterator[ChangedCase]:
    """The rows of these cases, read from the workspace."""
    for first, second in places:
        before = case_row(store, pair.before.id, match.before, first)
        after = case_row(store, pair.after.id, match.after, second)
        in_both = first is not None and second is not None
        if before or after:
            yield ChangedCase(
                before, after, bool(match.before.outputs[first] == match.after.outputs[second]) if in_both else None
            )


def case_row(store: Workspace, run: int, verdicts: Verdicts, case: int | None) -> dict[str, Any] | None:
    """The row of a case in the workspace; None without a case, or if it is gone."""
    if case is None:
        return None
    row = int(verdicts.place[case])
    return store.row_at(run, [int(verdicts.rows[name][row]) for name in ("position", "repetition", "number")])


def _plain(regression: Regression) -> dict[str, Any]:
    run, before = regression.pair.after, regression.pair.before
    listed = [{"before": case.before, "after": case.after, "same_answers": case.same} for case in regression.listed]
    return {
        "relation": run.relation,
        "source_lang": run.source,
        "target_lang": run.target,
        "before": {"run": before.id, "system": before.system, "signature": before.signature},
        "after": {"run": run.id, "system": run.system, "signature": run.signature},
        "differences": plain(regression.pair.differences),
        "errors": plain(regression.errors),
        "parts": [
            {"granularity": part.name, "cases": plain(part.counts), "sentences": plain(part.tested)}
            for part in regression.parts
        ],
        "notes": regression.notes,
        "listed": listed,
    }
