"""The gate: checks whether runs keep rules, with the number behind each check and the findings that break a rule.

Accepted findings do not count as flagged, neither in the run nor, if it is compared with an earlier run, in that one. A
run that did not finish, has no case, or has damaged rows does not pass.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from concord.analyses.regression.accepted_findings import Accepted
from concord.analyses.regression.gate_rules import Rules
from concord.analyses.regression.regression import Load, Match, case_row, noted, part_code
from concord.analyses.regression.run_pairs import RunPair
from concord.analyses.regression.sentence_tests import (
    JointTest,
    SentenceChanges,
    Sentences,
    joint_tests,
    sentence_changes,
    shared,
)
from concord.language.codes import direction
from concord.language.sanity import LARGEST_SHARE, SANE
from concord.plain_data import plain
from concord.plural import plural
from concord.stats.sign_test import p_value_text
from concord.stats.wilson import wilson
from concord.store import RunRecord, Workspace
from concord.store.insane_answers import InsaneAnswers, insane_answers
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
"""The rules that compare a run with an earlier one."""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule on one run, or on the runs of a joint test: value and limit, out of `n`, and whether the rule holds."""

    rule: str
    runs: list[int]
    relations: list[str]
    system: str
    source_lang: str
    target_lang: str
    value: str
    limit: str
    n: int
    passed: bool

    @property
    def name(self) -> str:
        """`rtt, rti en→es`"""
        return f"{', '.join(self.relations)} {direction(self.source_lang, self.target_lang)}"


FindingNumbers = Mapping[tuple[int, int], int]
"""The finding of each flagged case, by its run and the first half of its key."""


@dataclass(frozen=True, slots=True)
class GateFinding:
    """A finding by the worst of its cases that are not accepted; `breaks` are the rules that these help to break."""

    row: dict[str, Any]
    cases: int
    breaks: list[str]


@dataclass(frozen=True, slots=True)
class GateResult:
    """The result of `concord gate`."""

    checks: list[Check]
    findings: list[GateFinding]
    breaking: int
    """How many findings break a rule, of which `findings` may have fewer."""
    muted: int
    """The number of cases that do not count because they are accepted."""
    changed: int
    """The number of accepted cases that count again because their outputs have changed."""
    notes: list[str]
    beside: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """By run, the notes on its comparison with the earlier run."""
    joint: Sequence[JointTest] = ()
    """The tests that decide `no worse`, and those of the relations, which say where a difference is."""

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "passed": self.passed,
            "checks": plain(self.checks),
            "joint": plain(self.joint),
            "findings": plain(self.findings),
            "breaking": self.breaking,
            "accepted": self.muted,
            "accepted_with_other_outputs": self.changed,
            "notes": self.notes,
        }


class JudgedRun:
    """A run without its accepted findings."""

    def __init__(self, run: RunRecord, verdicts: Verdicts, accepted: Sequence[Accepted]) -> None:
        self.run, self.verdicts = run, verdicts
        flagged: Booleans = verdicts.rows["flagged"] > 0
        muted = _muted(verdicts, flagged, accepted)
        self.flagged: Booleans = flagged & ~muted
        case_of = verdicts.rows["case"]
        self.silenced = verdicts.case[np.unique(case_of[muted])]
        """The cases that are accepted."""
        keys = np.array([finding.hashes[0] for finding in accepted], dtype=np.uint64)
        self.changed = len(np.unique(case_of[self.flagged & np.isin(verdicts.rows["key"], keys)])) if len(keys) else 0
        self.counts = tallied(verdicts.rows["repetition"], verdicts.rows["key"], self.flagged, run.facts.distinct)
        self.cases: Integers = np.unique(case_of[self.flagged])
        """The indices of cases that are flagged and not accepted."""

    @property
    def tests(self) -> bool:
        """Whether the relation has tested translations; `sane` only says whether there are any."""
        return self.run.relation != SANE and self.verdicts.counts["cases"] > 0

    @property
    def idle(self) -> bool:
        """Whether the relation found nothing to test in any sentence."""
        counts = self.verdicts.counts
        return counts["bare"] == counts["checks"] > 0

    def new(self, before: Verdicts | None) -> Integers:
        """The indices of cases that fail now and did not fail before, or that the earlier run does not have."""
        if before is None:
            return self.cases
        failing = self.cases[self.verdicts.state[self.cases] == FAILS]
        earlier, later = shared(before.case, self.verdicts.case)
        failing_before = later[before.state[earlier] != PASSES]
        return np.setdiff1d(failing, failing_before, assume_unique=True)


def judge(
    store: Workspace,
    runs: Sequence[RunRecord],
    rules: Rules,
    load: Load,
    numbers: FindingNumbers,
    pairs: Sequence[RunPair] = (),
    accepted: Sequence[Accepted] = (),
    most: int = LISTED,
) -> GateResult:
    """Check runs against rules; `pairs` has each run with the earlier run that it must not be worse than."""
    judged_runs = [JudgedRun(run, load(run.id), accepted) for run in runs]
    before = {pair.after.id: load(pair.before.id) for pair in pairs}
    making = _Checks(rules, {_subject(judged.run) for judged in judged_runs if judged.tests})
    by_id = {judged.run.id: judged for judged in judged_runs}
    for answers in insane_answers(store, runs):
        making.sane(answers, [by_id[run] for run in answers.runs if run in by_id])
    for judged in judged_runs:
        making.run(judged, before.get(judged.run.id))
    pairs = [pair for pair in pairs if pair.after.id in by_id]
    joint = _joint(pairs, by_id, before) if rules.no_worse_than else []
    for test in joint:
        making.no_worse(test, {run: by_id[run].new(before[run]) for _, run in test.runs})
    findings, breaking = _findings(store, judged_runs, making.broken, numbers, most)
    beside = {(run := pair.after.id): _pair_notes(pair, before[run], by_id[run]) for pair in pairs}
    muted, changed = sum(len(judged.silenced) for judged in judged_runs), sum(judged.changed for judged in judged_runs)
    notes = [*(note for lines in beside.values() for note in lines), *_notes(judged_runs, accepted, muted, changed)]
    return GateResult(making.checks, findings, breaking, muted, changed, notes, beside, joint)


def _pair_notes(pair: RunPair, before: Verdicts, after: JudgedRun) -> list[str]:
    """The notes of `concord compare`: a run may look worse only because it is judged differently."""
    notes = noted(pair, Match(before, after.verdicts))
    return [f"{pair.before.id} → {pair.after.id}: {note}" for note in notes]


@dataclass(slots=True)
class _Checks:
    """Checks one run after the other against the rules."""

    rules: Rules
    tested: Set[tuple[str, ...]]
    """The systems, directions and corpora whose translations a relation has tested."""
    checks: list[Check] = field(default_factory=list)
    broken: dict[int, dict[str, Integers]] = field(default_factory=dict)
    """By run and rule, the cases that break it."""

    def run(self, judged: JudgedRun, before: Verdicts | None) -> None:
        run, counts = judged.run, judged.verdicts.counts
        if run.finished is None:
            self._add(judged, "finished", "not finished", "finished", counts["checks"], False)
        if not counts["cases"] and not (judged.idle and _subject(run) in self.tested):
            self._add(judged, "judged", "no case", "a case", counts["checks"], False)
        if counts["damaged"]:  # nobody knows what was in them
            self._add(judged, "damaged", plural(counts["damaged"], "row"), "0", counts["checks"], False)
        self._limit(judged)
        if self.rules.max_errors is not None:
            share = counts["errors"] / counts["checks"] if counts["checks"] else 0.0
            text, limit = f"{counts['errors']:,} ({share:.1%})", f"{100 * self.rules.max_errors:g} %"
            self._add(judged, "errors", text, limit, counts["checks"], share <= self.rules.max_errors)
        if self.rules.no_worse_than and before is None and run.relation != SANE:
            self._add(judged, "no worse", "no run to compare with", f"run {self.rules.no_worse_than}", 0, False)
        if self.rules.no_new:
            new = judged.new(before)
            self._add(judged, "no new", f"{len(new):,} new", "0", counts["cases"], not len(new), new)

    def sane(self, answers: InsaneAnswers, judged_runs: Sequence[JudgedRun]) -> None:
        """The rule on the answers of one system; accepted findings count, since others are not judged for them."""
        share = answers.failing / answers.sentences if answers.sentences else 0.0
        most = LARGEST_SHARE if self.rules.max_insane is None else self.rules.max_insane
        value, limit = f"{answers.failing:,} ({share:.1%})", f"{100 * most:g} %"
        where = (answers.runs, answers.relations, answers.system, answers.source_lang, answers.target_lang)
        self.checks.append(Check(SANE, *where, value, limit, answers.sentences, share <= most))
        for judged in judged_runs if share > most else ():
            if judged.run.relation == SANE:
                self.broken.setdefault(judged.run.id, {})[SANE] = judged.cases

    def _limit(self, judged: JudgedRun) -> None:
        limit = self.rules.limit(judged.run.relation)
        cases, flagged = judged.counts["cases"], judged.counts["flagged"]
        if limit is None or not cases:
            return
        share = flagged / cases
        value, text = (share, f"{flagged:,} ({share:.1%})") if limit.share else (flagged, plural(flagged, "case"))
        if limit.share and self.rules.upper:
            value = (wilson(flagged, cases) or (0.0, 1.0))[1]
            text += f", at most {value:.1%}"
        rule = "limit (upper end)" if limit.share and self.rules.upper else "limit"
        self._add(judged, rule, text, str(limit), cases, value <= limit.most, judged.cases)

    def no_worse(self, test: JointTest, new: Mapping[int, Integers]) -> None:
        """The rule on a joint test; `new` has the cases of each run that fail newly."""
        p = 1.0 if test.adjusted is None else test.adjusted
        difference = test.worse - test.better
        worse = p < self.rules.alpha and difference > 0
        passed = bool(test.sentences) and not (worse and difference >= self.rules.min_difference * test.sentences)
        text = f"+{test.worse:,} −{test.better:,}, p {p_value_text(p)}" if test.sentences else "no sentence in both"
        limit = f"p ≥ {self.rules.alpha:g}"
        if self.rules.min_difference:
            limit += f", or below {100 * self.rules.min_difference:g} %"
        where = (list(new), test.relation_names, test.system, test.source_lang, test.target_lang)
        self.checks.append(Check("no worse", *where, text, limit, test.sentences, passed))
        if not passed:
            for run, cases in new.items():
                self.broken.setdefault(run, {})["no worse"] = cases

    def _add(
        self,
        judged: JudgedRun,
        rule: str,
        value: str,
        limit: str,
        n: int,
        passed: bool,
        cases: Integers | None = None,
    ) -> None:
        run = judged.run
        where = ([run.id], [run.relation], run.system, run.source, run.target)
        self.checks.append(Check(rule, *where, value, limit, n, passed))
        if not passed and cases is not None:
            self.broken.setdefault(run.id, {})[rule] = cases


def _subject(run: RunRecord) -> tuple[str, ...]:
    return run.system, run.source, run.target, run.corpus


def _joint(
    pairs: Sequence[RunPair], judged_runs: Mapping[int, JudgedRun], before: Mapping[int, Verdicts]
) -> list[JointTest]:
    changes: list[SentenceChanges] = []
    for pair in pairs:
        judged, earlier = judged_runs[pair.after.id], before[pair.after.id]
        changes += [_changes(pair, judged, earlier, part) for part in _parts(earlier, judged.verdicts)]
    return joint_tests(changes)


def _parts(before: Verdicts, after: Verdicts) -> list[str]:
    """The parts that both runs have; a test of a part that one of them lacks says nothing."""
    shared = [part for part in after.parts if part in before.parts]
    return shared or [""]


def _changes(pair: RunPair, judged: JudgedRun, before: Verdicts, part: str) -> SentenceChanges:
    """The changes of one part; cases that are accepted in the later run do not count as flagged in the earlier one."""
    accepted = np.isin(before.case, judged.silenced)
    flagged: Booleans = (before.rows["flagged"] > 0) & ~accepted[before.rows["case"]]
    earlier, later = _sentences(before, part, flagged), _sentences(judged.verdicts, part, judged.flagged)
    return sentence_changes(pair, part, earlier, later)


def _sentences(verdicts: Verdicts, part: str, flagged: Booleans) -> Sentences:
    """The sentences of a part, and whether they are flagged."""
    rows = verdicts.rows
    _, bad = sentence_verdicts(rows["verdict"].astype(np.int64), rows["repetition"], flagged, len(verdicts.sentence))
    of_part = verdicts.sentence_part == part_code(verdicts, part)
    return verdicts.sentence[of_part], bad[of_part]


def _muted(verdicts: Verdicts, flagged: Booleans, accepted: Sequence[Accepted]) -> Booleans:
    """Which rows are accepted with the outputs that they have."""
    muted = np.zeros(len(flagged), dtype=bool)
    hashes = {finding.hashes for finding in accepted}
    keys = np.array(sorted({pair[0] for pair in hashes}), dtype=np.uint64)
    for row in np.flatnonzero(flagged & np.isin(verdicts.rows["key"], keys)).tolist() if len(keys) else ():
        muted[row] = (int(verdicts.rows["key"][row]), int(verdicts.rows["outputs"][row])) in hashes
    return muted


def _findings(
    store: Workspace,
    judged_runs: Sequence[JudgedRun],
    broken: Mapping[int, Mapping[str, Integers]],
    numbers: FindingNumbers,
    most: int,
) -> tuple[list[GateFinding], int]:
    """The first findings of each run, and how many break a rule; those that do come first, then the worst.

    A finding of several runs is listed once, with the run of its first case in this order.
    """
    groups: dict[int, list[tuple[Any, ...]]] = {}
    for which, judged in enumerate(judged_runs):
        verdicts, run = judged.verdicts, judged.run.id
        breaking = [(rule, frozenset(cases.tolist())) for rule, cases in broken.get(run, {}).items()]
        for case in judged.cases.tolist():
            rules, place = [rule for rule, cases in breaking if case in cases], int(verdicts.place[case])
            order, key = (-float(verdicts.suspicion[case]), place), int(verdicts.rows["key"][place])
            groups.setdefault(numbers.get((run, key), key), []).append((not rules, which, order, case, rules))
    findings, listed, grouped = [], Counter[int](), sorted(map(sorted, groups.values()))
    for cases in grouped:
        _, which, _, case, _ = cases[0]
        listed[which] += 1
        judged, rules = judged_runs[which], [rule for *_, rules in cases for rule in rules]
        if listed[which] <= most and (row := case_row(store, judged.run.id, judged.verdicts, case)):
            findings.append(GateFinding(row, len(cases), list(dict.fromkeys(rules))))
    return findings, sum(not holds for (holds, *_), *_ in grouped)


def _notes(judged_runs: Sequence[JudgedRun], accepted: Sequence[Accepted], muted: int, changed: int) -> Iterator[str]:
    if muted:
        yield f"{plural(muted, 'accepted case counts', 'accepted cases count')} for nothing"
    if changed:
        counts = plural(changed, "accepted case counts", "accepted cases count")
        yield f"{counts} again, as the outputs are others now"
    present = [judged.verdicts.rows["key"][judged.verdicts.rows["flagged"] > 0] for judged in judged_runs]
    keys = np.concatenate(present) if present else np.zeros(0, dtype=np.uint64)
    names = {(judged.run.relation, judged.run.system) for judged in judged_runs}
    mine = [finding for finding in accepted if (finding.relation, finding.system) in names]
    gone = int((~np.isin(np.array([finding.hashes[0] for finding in mine], dtype=np.uint64), keys)).sum())
    if gone:
        yield plural(
            gone,
            "accepted case is no finding any more: it can be taken out of the file",
            "accepted cases are no findings any more: they can be taken out of the file",
        )
    for judged in judged_runs:
        if judged.idle:
            yield f"run {judged.run.id} says nothing: {judged.run.relation} found nothing to test"
        if judged.verdicts.counts["errors"]:
            yield f"run {judged.run.id} has {plural(judged.verdicts.counts['errors'], 'row')} with an error"
