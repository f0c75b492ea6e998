"""A gate: whether runs keep the rules, with the number behind each verdict and the findings that break one.

What is accepted counts for nothing: an accepted finding is no violation, neither in the run nor, for the comparison
with an earlier one, in that. A run that did not finish, judged nothing, or has damaged rows does not pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from concord.analyses.regression.accepted_findings import Accepted
from concord.analyses.regression.gate_rules import Rules
from concord.analyses.regression.regression import Load, Match, Tested, adjusted, case_row, noted, shared, tested
from concord.analyses.regression.run_pairs import RunPair
from concord.language.codes import direction
from concord.plain_data import plain
from concord.plural import plural
from concord.stats.sign_test import p_value_text
from concord.stats.wilson import wilson
from concord.store import RunRecord, Workspace
from concord.store.verdict_arrays import (
    FAILS,
    PASSES,
    Booleans,
    Integers,
    Verdicts,
    sentence_verdicts,
    tallied,
)

LISTED = 200
COMPARING = ("no worse", "no new")
"""The rules that hold a run against an earlier one."""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule on one run: its value beside the limit, out of `n`, and whether it holds."""

    rule: str
    run: int
    relation: str
    system: str
    source_lang: str
    target_lang: str
    value: str
    limit: str
    n: int
    passed: bool
    granularity: str = ""

    @property
    def name(self) -> str:
        """`rti (word) en→es`"""
        part = f" ({self.granularity})" if self.granularity else ""
        return f"{self.relation}{part} {direction(self.source_lang, self.target_lang)}"


@dataclass(frozen=True, slots=True)
class GateFinding:
    """A sentence by its worst case that is not accepted; `breaks` are the rules that it breaks with others."""

    row: dict[str, Any]
    cases: int
    breaks: list[str]


@dataclass(frozen=True, slots=True)
class GateResult:
    """What `concord gate` found."""

    checks: list[Check]
    findings: list[GateFinding]
    muted: int
    """Cases that count for nothing, as they are accepted."""
    changed: int
    """Accepted cases that count again, as their outputs are others now."""
    notes: list[str]
    beside: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """By run, those of the notes that speak of it beside the earlier one."""

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "passed": self.passed,
            "checks": plain(self.checks),
            "findings": [
                {"row": finding.row, "cases": finding.cases, "breaks": finding.breaks} for finding in self.findings
            ],
            "accepted": self.muted,
            "accepted_with_other_outputs": self.changed,
            "notes": self.notes,
        }


class JudgedRun:
    """A run without what is accepted of it."""

    def __init__(self, run: RunRecord, found: Verdicts, known: Sequence[Accepted]) -> None:
        self.run, self.found = run, found
        violated: Booleans = found.rows["violated"] > 0
        muted = _muted(found, violated, known)
        self.violated: Booleans = violated & ~muted
        of = found.rows["case"]
        self.silenced = found.case[np.unique(of[muted])]
        """The cases that are accepted."""
        keys = np.array([each.mark[0] for each in known], dtype=np.uint64)
        self.changed = len(np.unique(of[self.violated & np.isin(found.rows["key"], keys)])) if len(keys) else 0
        self.counts = tallied(found.rows["repetition"], found.rows["key"], self.violated, run.facts.distinct)
        self.cases: Integers = np.unique(of[self.violated])
        """Where the cases stand that have a violation that is not accepted."""

    def new(self, before: Verdicts | None) -> Integers:
        """Where the cases stand that fail and did not before, or that another run does not have."""
        if before is None:
            return self.cases
        failing = self.cases[self.found.state[self.cases] == FAILS]
        here, there = shared(before.case, self.found.case)
        known = there[before.state[here] != PASSES]
        return np.setdiff1d(failing, known, assume_unique=True)


def judge(
    store: Workspace,
    runs: Sequence[RunRecord],
    rules: Rules,
    load: Load,
    pairs: Sequence[RunPair] = (),
    known: Sequence[Accepted] = (),
    most: int = LISTED,
) -> GateResult:
    """Hold runs against rules; `pairs` has those with the earlier run that they must not be worse than."""
    judged = [JudgedRun(run, load(run.id), known) for run in runs]
    before = {pair.after.id: load(pair.before.id) for pair in pairs}
    making = _Checks(rules)
    for each in judged:
        making.run(each, before.get(each.run.id))
    making.tests([(each, before[each.run.id]) for each in judged if each.run.id in before])
    findings = [
        finding for each in judged for finding in _findings(store, each, making.broken.get(each.run.id, {}), most)
    ]
    earlier = {pair.after.id: pair for pair in pairs}
    beside = {run: _beside(earlier[run], before[run], each) for each in judged if (run := each.run.id) in earlier}
    muted, changed = sum(len(each.silenced) for each in judged), sum(each.changed for each in judged)
    notes = [*(note for some in beside.values() for note in some), *_notes(judged, known, muted, changed)]
    return GateResult(making.checks, findings, muted, changed, notes, beside)


def _beside(pair: RunPair, before: Verdicts, after: JudgedRun) -> list[str]:
    """What `concord compare` would note: a run may be worse by how it is judged alone."""
    notes = noted(pair, Match(before, after.found))
    return [f"{pair.before.id} → {pair.after.id}: {note}" for note in notes]


@dataclass(slots=True)
class _Checks:
    """The rules, held against one run after the other."""

    rules: Rules
    checks: list[Check] = field(default_factory=list)
    broken: dict[int, dict[str, Integers]] = field(default_factory=dict)
    """By run and rule, the cases that break it."""

    def run(self, judged: JudgedRun, before: Verdicts | None) -> None:
        run, counts = judged.run, judged.found.counts
        if run.finished is None:
            self._add(judged, "finished", "not finished", "finished", counts["checks"], False)
        if not counts["cases"]:
            self._add(judged, "judged", "no case", "a case", counts["checks"], False)
        if counts["damaged"]:  # nobody knows what was in them
            self._add(judged, "damaged", plural(counts["damaged"], "row"), "0", counts["checks"], False)
        self._limit(judged)
        if self.rules.max_errors is not None:
            share = counts["errors"] / counts["checks"] if counts["checks"] else 0.0
            said, most = f"{counts['errors']:,} ({share:.1%})", f"{100 * self.rules.max_errors:g} %"
            self._add(judged, "errors", said, most, counts["checks"], share <= self.rules.max_errors)
        if self.rules.no_worse_than and before is None:
            self._add(judged, "no worse", "no run to compare with", f"run {self.rules.no_worse_than}", 0, False)
        if self.rules.no_new:
            new = judged.new(before)
            self._add(judged, "no new", f"{len(new):,} new", "0", counts["cases"], not len(new), new)

    def _limit(self, judged: JudgedRun) -> None:
        limit = self.rules.limit(judged.run.relation)
        cases, violated = judged.counts["cases"], judged.counts["violated"]
        if limit is None or not cases:
            return
        share = violated / cases
        value, said = (share, f"{violated:,} ({share:.1%})") if limit.share else (violated, plural(violated, "case"))
        if limit.share and self.rules.upper:
            value = (wilson(violated, cases) or (0.0, 1.0))[1]
            said += f", at most {value:.1%}"
        rule = "limit (upper end)" if limit.share and self.rules.upper else "limit"
        self._add(judged, rule, said, str(limit), cases, value <= limit.most, judged.cases)

    def tests(self, pairs: Sequence[tuple[JudgedRun, Verdicts]]) -> None:
        """The paired test of every part of every pair, adjusted for all of them."""
        if not self.rules.no_worse_than:
            return
        every = [(judged, before, part) for judged, before in pairs for part in _parts(before, judged.found)]
        tests = adjusted([_test(judged, before, part) for judged, before, part in every])
        for (judged, before, part), test in zip(every, tests, strict=True):
            p = 1.0 if test.adjusted is None else test.adjusted
            difference = test.newly_violated - test.no_longer_violated
            worse = p < self.rules.alpha and difference > 0
            passed = bool(test.sentences) and not (worse and difference >= self.rules.min_difference * test.sentences)
            said = f"+{test.newly_violated:,} −{test.no_longer_violated:,}, p {p_value_text(p)}"
            most = f"p ≥ {self.rules.alpha:g}"
            if self.rules.min_difference:
                most += f", or below {100 * self.rules.min_difference:g} %"
            said = said if test.sentences else "no sentence in both"
            self._add(judged, "no worse", said, most, test.sentences, passed, judged.new(before), part)

    def _add(
        self,
        judged: JudgedRun,
        rule: str,
        value: str,
        limit: str,
        n: int,
        passed: bool,
        cases: Integers | None = None,
        part: str = "",
    ) -> None:
        run = judged.run
        where = (run.id, run.relation, run.system, run.source, run.target)
        self.checks.append(Check(rule, *where, value, limit, n, passed, part))
        if not passed and cases is not None:
            self.broken.setdefault(run.id, {})[rule] = cases


def _parts(before: Verdicts, after: Verdicts) -> list[str]:
    """The parts that both have; a test of what one of them lacks says nothing."""
    both = [part for part in after.parts if part in before.parts]
    return both or [""]


def _test(judged: JudgedRun, before: Verdicts, part: str) -> Tested:
    """The test of one part; what is accepted in the later run is no violation in the earlier one either."""
    accepted = np.isin(before.case, judged.silenced)
    violated: Booleans = (before.rows["violated"] > 0) & ~accepted[before.rows["case"]]
    here, there = (list(each.parts).index(part) if part in each.parts else -1 for each in (before, judged.found))
    return tested(_sentences(before, here, violated), _sentences(judged.found, there, judged.violated))


def _sentences(found: Verdicts, part: int, violated: Booleans) -> tuple[Any, Any]:
    """The sentences of a part, and whether they are violated."""
    rows = found.rows
    _, bad = sentence_verdicts(rows["verdict"].astype(np.int64), rows["repetition"], violated, len(found.sentence))
    of_part = found.sentence_part == part
    return found.sentence[of_part], bad[of_part]


def _muted(found: Verdicts, violated: Booleans, known: Sequence[Accepted]) -> Booleans:
    """Which rows are accepted with these very outputs."""
    muted = np.zeros(len(violated), dtype=bool)
    marks = {each.mark for each in known}
    keys = np.array(sorted({mark[0] for mark in marks}), dtype=np.uint64)
    for row in np.flatnonzero(violated & np.isin(found.rows["key"], keys)).tolist() if len(keys) else ():
        muted[row] = (int(found.rows["key"][row]), int(found.rows["outputs"][row])) in marks
    return muted


def _findings(store: Workspace, judged: JudgedRun, broken: Mapping[str, Integers], most: int) -> Iterator[GateFinding]:
    """Sentences, those that break a rule first, then the worst first."""
    found, rows = judged.found, judged.found.rows
    breaking = np.unique(np.concatenate([*broken.values()])) if broken else np.zeros(0, dtype=np.int64)
    breaks = np.isin(judged.cases, breaking)
    order = np.lexsort((found.place[judged.cases], -found.suspicion[judged.cases], ~breaks))
    chosen: dict[int, list[int]] = {}
    for case in judged.cases[order].tolist():
        position = int(rows["position"][found.place[case]])
        if position in chosen or len(chosen) < most:
            chosen.setdefault(position, []).append(case)
    for cases in chosen.values():
        rules = [rule for rule, those in broken.items() if np.isin(cases, those).any()]
        if row := case_row(store, judged.run.id, found, cases[0]):
            yield GateFinding(row, len(cases), rules)


def _notes(judged: Sequence[JudgedRun], known: Sequence[Accepted], muted: int, changed: int) -> Iterator[str]:
    if muted:
        yield f"{plural(muted, 'accepted case counts', 'accepted cases count')} for nothing"
    if changed:
        counts = plural(changed, "accepted case counts", "accepted cases count")
        yield f"{counts} again, as the outputs are others now"
    present = [each.found.rows["key"][each.found.rows["violated"] > 0] for each in judged]
    keys = np.concatenate(present) if present else np.zeros(0, dtype=np.uint64)
    names = {(each.run.relation, each.run.system) for each in judged}
    mine = [each for each in known if (each.relation, each.system) in names]
    gone = int((~np.isin(np.array([each.mark[0] for each in mine], dtype=np.uint64), keys)).sum())
    if gone:
        yield plural(
            gone,
            "accepted case is no finding any more: it can be taken out of the file",
            "accepted cases are no findings any more: they can be taken out of the file",
        )
    for each in judged:
        if each.found.counts["errors"]:
            yield f"run {each.run.id} has {plural(each.found.counts['errors'], 'row')} with an error"
