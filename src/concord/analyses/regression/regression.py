"""Two runs as a regression: which cases fail newly, which no longer, and whether chance explains the difference.

A case is the same in both runs if it asks the same: the relation, the direction, and the texts that are asked for. Two
versions of a system, and two systems, are compared alike. A case fails if it is violated each time that it occurs in a
run, and is flaky if it is sometimes; a case that is flaky in one of the runs is counted as flaky and as nothing else.

The test is McNemar's exact one, on sentences: the cases of one sentence are no independent evidence. A sentence is
violated if it has a violated case in more than half of its repetitions. p-values are adjusted for all rows (Holm).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concord.analyses.regression.run_pairs import KINDS, RunPair, SignatureDifference
from concord.errors import UnknownName
from concord.language.codes import direction
from concord.plain_data import plain
from concord.plural import plural
from concord.stats.sign_test import holm, sign_test
from concord.store import Workspace
from concord.store.verdict_arrays import FAILS, FLAKY, PASSES, Booleans, Hashes, Integers, Verdicts

MOST_LISTED = 1000
Load = Callable[[int], Verdicts]


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """How many cases went which way; `failing` are those among the cases of one run alone that fail or are flaky.

    `changed` are cases of both runs with other answers; `newly_failing_unchanged` fail newly with the same answers.
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
    def both(self) -> int:
        return self.newly_failing + self.newly_fixed + self.still_failing + self.still_passing + self.flaky


@dataclass(frozen=True, slots=True)
class Tested:
    """Sentences that were judged in both runs, those violated in one alone, and the p-value; None without any."""

    sentences: int
    newly_violated: int
    no_longer_violated: int
    p: float | None
    adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """The cases of a pair of runs, or those of one granularity."""

    name: str
    counts: CaseCounts
    tested: Tested


@dataclass(frozen=True, slots=True)
class Errors:
    """Checks that ended in an error, and sentences with such a check in one run alone."""

    before: int
    after: int
    newly: int
    no_longer: int


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """One case in both runs, as rows; None where a run does not have it. `same` says whether the answers are."""

    before: dict[str, Any] | None
    after: dict[str, Any] | None
    same: bool | None

    @property
    def row(self) -> dict[str, Any]:
        found = self.after or self.before
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Regression:
    """A pair of runs and what became of their cases; `listed` has some of one kind, the worst first."""

    pair: RunPair
    parts: list[ComparedPart]
    errors: Errors
    notes: list[str]
    listed: list[ChangedCase]

    @property
    def name(self) -> str:
        run = self.pair.after
        return f"{run.relation} {direction(run.source, run.target)}"

    @property
    def differences(self) -> list[SignatureDifference]:
        return self.pair.differences

    def total(self, name: str) -> int:
        """One of the counts over all parts."""
        return sum(getattr(part.counts, name) for part in self.parts)


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What `concord compare` found: each pair of runs, and what could not be compared."""

    regressions: list[Regression]
    kind: str
    notes: list[str]

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {"kind": self.kind, "notes": self.notes, "rows": [_plain(regression) for regression in self.regressions]}


def compared(
    store: Workspace,
    pairs: Sequence[RunPair],
    load: Load,
    *,
    kind: str = "newly failing",
    limit: int = 10,
    start: int = 0,
) -> list[Regression]:
    """Each pair as a regression, with the cases of one kind from the `start`-th on."""
    if kind not in KINDS:
        raise UnknownName("kind of change", kind, KINDS)
    found = []
    for pair in pairs:
        match = Match(load(pair.before.id), load(pair.after.id))
        places = match.places(kind, slice(start, start + min(limit, MOST_LISTED)))
        listed = list(_rows(store, pair, match, places))
        found.append(Regression(pair, list(match.parts()), match.errors(), noted(pair, match), listed))
    return _adjusted(found)


class Match:
    """The cases of two runs, those that ask the same side by side."""

    def __init__(self, before: Verdicts, after: Verdicts) -> None:
        self.before, self.after = before, after
        self.here, self.there = shared(before.case, after.case)
        """Where the cases that both have stand in each."""
        self.states = before.state[self.here], after.state[self.there]
        self.same: Booleans = before.outputs[self.here] == after.outputs[self.there]

    def of_kind(self, kind: str) -> Booleans:
        """Which of the cases that both have went so."""
        was, now = self.states
        if kind == "flaky":
            return np.asarray((was == FLAKY) | (now == FLAKY))
        wanted = {
            "newly failing": (PASSES, FAILS),
            "newly fixed": (FAILS, PASSES),
            "still failing": (FAILS, FAILS),
            "still passing": (PASSES, PASSES),
        }
        return np.asarray((was == wanted[kind][0]) & (now == wanted[kind][1]))

    def alone(self, later: bool) -> Booleans:
        """Which cases one of the runs has alone."""
        run, shared_ones = (self.after, self.there) if later else (self.before, self.here)
        found = np.ones(len(run.case), dtype=bool)
        found[shared_ones] = False
        return found

    def places(self, kind: str, wanted: slice) -> list[tuple[int | None, int | None]]:
        """Some of the cases of a kind by where they stand in each run, the most suspicious first."""
        if kind in ("only before", "only after"):
            later = kind == "only after"
            run = self.after if later else self.before
            chosen = np.flatnonzero(self.alone(later))
            # What fails is looked for; a suspicion below the threshold may still be a large number.
            order = np.lexsort((run.place[chosen], -run.suspicion[chosen], run.state[chosen] == PASSES))[wanted]
            return [(None, each) if later else (each, None) for each in chosen[order].tolist()]
        chosen = np.flatnonzero(self.of_kind(kind))
        here, there = self.here[chosen], self.there[chosen]
        suspicion = self.before.suspicion[here] if kind == "newly fixed" else self.after.suspicion[there]
        order = np.lexsort((self.after.place[there], -suspicion))[wanted]
        return list(zip(here[order].tolist(), there[order].tolist(), strict=True))

    def errors(self) -> Errors:
        before, after = self.before, self.after
        newly = len(np.setdiff1d(after.failed, before.failed, assume_unique=True))
        no_longer = len(np.setdiff1d(before.failed, after.failed, assume_unique=True))
        return Errors(before.counts["errors"], after.counts["errors"], newly, no_longer)

    def parts(self) -> Iterator[ComparedPart]:
        for name in dict.fromkeys([*self.before.parts, *self.after.parts]) or [""]:
            codes = tuple(_code(run, name) for run in (self.before, self.after))
            yield ComparedPart(name, self._counts(*codes), self._tested(*codes))

    def _counts(self, here: int, there: int) -> CaseCounts:
        of_part = self.after.part[self.there] == there
        kinds = {kind: self.of_kind(kind) & of_part for kind in _STATES}
        alone = {
            "before": self.alone(False) & (self.before.part == here),
            "after": self.alone(True) & (self.after.part == there),
        }
        failing = {"before": self.before.state != PASSES, "after": self.after.state != PASSES}
        return CaseCounts(
            **{kind.replace(" ", "_"): int(found.sum()) for kind, found in kinds.items()},
            **{f"only_{side}": int(found.sum()) for side, found in alone.items()},
            **{f"only_{side}_failing": int((found & failing[side]).sum()) for side, found in alone.items()},
            changed=int((~self.same & of_part).sum()),
            newly_failing_unchanged=int((self.same & kinds["newly failing"]).sum()),
        )

    def _tested(self, here: int, there: int) -> Tested:
        before, after = (
            (run.sentence[run.sentence_part == code], run.violated[run.sentence_part == code] > 0)
            for run, code in ((self.before, here), (self.after, there))
        )
        return tested(before, after)


_STATES = ("newly failing", "newly fixed", "still failing", "still passing", "flaky")


def shared(one: Hashes, other: Hashes) -> tuple[Integers, Integers]:
    """Where the values that two rising arrays have in common stand in each."""
    if len(one) == len(other) and np.array_equal(one, other):
        return np.arange(len(one)), np.arange(len(one))
    if not len(one) or not len(other):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    at = np.minimum(np.searchsorted(one, other), len(one) - 1)
    there = np.flatnonzero(one[at] == other)
    return at[there], there


def tested(before: tuple[Hashes, Booleans], after: tuple[Hashes, Booleans]) -> Tested:
    """The exact test of sentences, each by rising hash, with whether they are violated."""
    here, there = shared(before[0], after[0])
    was, now = before[1][here], after[1][there]
    newly, no_longer = int((~was & now).sum()), int((was & ~now).sum())
    return Tested(len(here), newly, no_longer, sign_test(newly, no_longer) if len(here) else None)


def adjusted(tests: Sequence[Tested]) -> list[Tested]:
    """The tests with p-values adjusted for all of them."""
    p = iter(holm([test.p for test in tests if test.p is not None]))
    return [test if test.p is None else replace(test, adjusted=next(p)) for test in tests]


def _adjusted(found: Sequence[Regression]) -> list[Regression]:
    tests = iter(adjusted([part.tested for each in found for part in each.parts]))
    return [replace(each, parts=[replace(part, tested=next(tests)) for part in each.parts]) for each in found]


def _code(run: Verdicts, part: str) -> int:
    """The number of a part in a run; one that no case has for a part that the run lacks."""
    return list(run.parts).index(part) if part in run.parts else -1


def noted(pair: RunPair, match: Match) -> list[str]:
    """What to know of two runs side by side, from their records and from their cases."""
    return [*pair.notes, *_noted(match, pair.causes)]


def _noted(match: Match, causes: str) -> Iterator[str]:
    if not len(match.here):
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
        have = plural(newly, "sentence has", "sentences have")
        yield f"{have} an error in the later run alone; what it lacks for that is only before"


def _rows(
    store: Workspace, pair: RunPair, match: Match, places: Sequence[tuple[int | None, int | None]]
) -> Iterator[ChangedCase]:
    """The rows of these cases, read from the workspace."""
    for here, there in places:
        before = case_row(store, pair.before.id, match.before, here)
        after = case_row(store, pair.after.id, match.after, there)
        both = here is not None and there is not None
        if before or after:
            yield ChangedCase(
                before, after, bool(match.before.outputs[here] == match.after.outputs[there]) if both else None
            )


def case_row(store: Workspace, run: int, found: Verdicts, case: int | None) -> dict[str, Any] | None:
    """The row of a case as the workspace has it; None without a case, or if it is gone."""
    if case is None:
        return None
    row = int(found.place[case])
    return store.row_at(run, [int(found.rows[name][row]) for name in ("position", "repetition", "number")])


def _plain(found: Regression) -> dict[str, Any]:
    run, before = found.pair.after, found.pair.before
    return {
        "relation": run.relation,
        "source_lang": run.source,
        "target_lang": run.target,
        "before": {"run": before.id, "system": before.system, "signature": before.signature},
        "after": {"run": run.id, "system": run.system, "signature": run.signature},
        "differences": plain(found.differences),
        "errors": plain(found.errors),
        "parts": [
            {"granularity": part.name, "cases": plain(part.counts), "sentences": plain(part.tested)}
            for part in found.parts
        ],
        "notes": found.notes,
        "listed": [{"before": each.before, "after": each.after, "same_answers": each.same} for each in found.listed],
    }
