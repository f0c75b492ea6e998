"""Counts of flagged cases and of labels at every threshold, as in tables II to V of He et al. (ICSE 2021).

Rows have their suspicion, so the workspace is enough to apply any threshold: nothing is translated.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

from concord.analyses.case_groups import translations
from concord.errors import UserError
from concord.labels.labels import CATEGORIES, Labels
from concord.labels.majority import Verdict, verdict
from concord.plain_data import plain
from concord.signature import digest
from concord.stats.wilson import wilson
from concord.store import RunRecord, Workspace
from concord.store.label_rows import outputs_of

WHOLE = tuple(float(value) for value in range(6))
STEPS = 10
MOST = 100


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """The counts at one threshold: cases above it, their labels, and the translations in them.

    `labelled` includes undecided cases; precision is the proportion of errors among the decided ones. A translation is
    a text with its translation, counted once even if several cases have it. `no_side` counts errors for which nobody,
    or no majority, says which translation is wrong; `wrong_translations` does not include these.
    """

    threshold: float
    suspicious: int
    labelled: int
    erroneous: int
    bad_tests: int
    undecided: int
    stale: int
    precision: float | None
    interval: tuple[float, float] | None
    translations: int
    wrong_translations: int
    no_side: int
    categories: Mapping[str, int]
    no_category: int


@dataclass(frozen=True, slots=True)
class Scope:
    """The counts of a run, of one of its domains, or of all runs together (`run` is None), at each threshold."""

    run: int | None
    system: str
    source_lang: str
    target_lang: str
    domain: str | None
    points: Sequence[SweepPoint]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The counts of all runs of one relation with the same options, whose suspicions are on one scale."""

    relation: str
    settings: Mapping[str, Any]
    thresholds: Sequence[float]
    scopes: Sequence[Scope]
    seconds: Sequence[tuple[RunRecord, Mapping[str, float]]]

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        times = [
            {"run": run.id, "system": run.system, "stages": dict(stages), "total": round(run.seconds, 3)}
            for run, stages in self.seconds
        ]
        return {**plain(self), "seconds": times}


def sweeps(workspace: Workspace, runs: Sequence[int], thresholds: Sequence[float] = ()) -> list[Sweep]:
    """The counts of these runs at these thresholds; by default at those that suit the suspicions."""
    if len(thresholds) > MOST or not all(map(math.isfinite, thresholds)):
        first = ", ".join(map(str, thresholds[:5]))
        raise UserError(f"thresholds are at most {MOST} numbers, such as 0,1,2; not: {first}")
    kinds: dict[tuple[str, str], list[RunRecord]] = {}
    for number in dict.fromkeys(runs):
        run = workspace.run(number)
        kinds.setdefault((run.relation, json.dumps(run.question, sort_keys=True, default=str)), []).append(run)
    return [_sweep(workspace, same_kind, thresholds) for same_kind in kinds.values()]


@dataclass(frozen=True, slots=True)
class _Case:
    """The facts of a case that the counts need."""

    key: bytes
    suspicion: float
    domain: str
    translations: tuple[bytes, ...]
    wrong: tuple[bytes, ...]
    majority: Verdict


def _sweep(workspace: Workspace, runs: Sequence[RunRecord], thresholds: Sequence[float]) -> Sweep:
    by_run = [(run, _cases(workspace, run)) for run in runs]
    every = list({case.key: case for _, cases in by_run for case in cases}.values())
    levels = sorted(set(thresholds)) or _usual([case.suspicion for case in every])
    scopes = [
        Scope(run.id, run.system, run.source, run.target, domain, points)
        for run, cases in by_run
        for domain, points in _by_domain(cases, levels)
    ]
    if len(runs) > 1:
        scopes += [Scope(None, "", "", "", domain, points) for domain, points in _by_domain(every, levels)]
    return Sweep(runs[0].relation, runs[0].question, levels, scopes, [(run, run.stages) for run in runs])


def _cases(workspace: Workspace, run: RunRecord) -> list[_Case]:
    """The cases of a run, each once."""
    labels = Labels(workspace).of_runs([run.id])
    cases: dict[str, _Case] = {}
    for row in workspace.rows([run.id]):
        if "case" in row and row["case"] not in cases:
            outputs = outputs_of(row)
            majority = verdict(labels.get(row["case"], ()), outputs)
            answers = translations(row)
            cases[row["case"]] = _Case(
                key=digest(row["case"], outputs),
                suspicion=row["suspicion"],
                domain=row["domain"],
                translations=tuple(dict.fromkeys(digest(run.system, *answer) for answer in answers.values())),
                wrong=tuple(dict.fromkeys(digest(run.system, *answers[role]) for role in majority.wrong)),
                majority=majority,
            )
    return list(cases.values())


def _by_domain(cases: Sequence[_Case], thresholds: Sequence[float]) -> list[tuple[str | None, list[SweepPoint]]]:
    """Each domain, where there are several, and then all together."""
    domains = sorted({case.domain for case in cases})
    several = domains if len(domains) > 1 else []
    parts = [(domain, _points([case for case in cases if case.domain == domain], thresholds)) for domain in several]
    return [*parts, (None, _points(cases, thresholds))]


def _usual(suspicions: Iterable[float]) -> list[float]:
    """The default thresholds: 0 to 5 if all suspicions are whole numbers, else their deciles, rounded."""
    finite = [value for value in suspicions if math.isfinite(value)]
    if all(value.is_integer() for value in finite):
        return list(WHOLE)
    inner = quantiles(finite, n=STEPS, method="inclusive") if len(finite) > 1 else []
    return sorted({float(f"{value:.3g}") for value in (min(finite), *inner, max(finite))})


def _points(cases: Sequence[_Case], thresholds: Sequence[float]) -> list[SweepPoint]:
    """The counts at each threshold, made from the highest down, so that each case is counted in once."""
    tally, points = _Tally(), []
    remaining = sorted(cases, key=lambda case: case.suspicion)
    for threshold in sorted(thresholds, reverse=True):
        while remaining and remaining[-1].suspicion > threshold:
            tally.count(remaining.pop())
        points.append(tally.point(threshold))
    return points[::-1]


@dataclass(slots=True)
class _Tally:
    """Running counts of the cases above a falling threshold."""

    suspicious: int = 0
    stale: int = 0
    no_side: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    translations: set[bytes] = field(default_factory=set)
    wrong: dict[bytes, set[str]] = field(default_factory=dict)

    def count(self, case: _Case) -> None:
        self.suspicious += 1
        self.translations.update(case.translations)
        self.stale += case.majority.stale
        if case.majority.verdict:
            self.verdicts[case.majority.verdict] += 1
        if case.majority.verdict == "error":
            self.no_side += not case.wrong
            for translation in case.wrong:
                self.wrong.setdefault(translation, set()).update(case.majority.categories)

    def point(self, threshold: float) -> SweepPoint:
        errors, undecided = self.verdicts["error"], self.verdicts["undecided"]
        decided = self.verdicts.total() - undecided
        return SweepPoint(
            threshold=threshold,
            suspicious=self.suspicious,
            labelled=self.verdicts.total(),
            erroneous=errors,
            bad_tests=self.verdicts["bad test"],
            undecided=undecided,
            stale=self.stale,
            precision=errors / decided if decided else None,
            interval=wilson(errors, decided),
            translations=len(self.translations),
            wrong_translations=len(self.wrong),
            no_side=self.no_side,
            categories={name: sum(name in categories for categories in self.wrong.values()) for name in CATEGORIES},
            no_category=sum(not categories for categories in self.wrong.values()),
        )
