"""What runs and labels say at every threshold, as in tables II to V of He et al. (ICSE 2021).

Rows keep their suspicion, so every threshold is judged anew from the workspace: nothing is translated.
"""

from __future__ import annotations

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
    """The counts at one threshold: cases above it, what people say of them, and the translations in them.

    `labelled` counts the undecided too; precision is the share of errors among the decided. A translation is
    a text with its translation, counted once however many cases hold it. `no_side` counts errors of which
    nobody, or no majority, says which translation is wrong: theirs are not among the wrong translations.
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
    """A run, a domain of it, or all runs together (then without a run), over the thresholds."""

    run: int | None
    system: str
    source_lang: str
    target_lang: str
    domain: str | None
    points: Sequence[SweepPoint]


@dataclass(frozen=True, slots=True)
class Sweep:
    """All runs of one relation with the same options, whose suspicions are on one scale."""

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


def sweeps(workspace: Workspace, runs: Sequence[int], at: Sequence[float] = ()) -> list[Sweep]:
    """The counts of these runs at these thresholds; by default at those that suit the suspicions."""
    if len(at) > MOST or not all(map(math.isfinite, at)):
        raise UserError(f"thresholds are at most {MOST} numbers, such as 0,1,2; not: {', '.join(map(str, at[:5]))}")
    kinds: dict[tuple[str, str], list[RunRecord]] = {}
    for number in dict.fromkeys(runs):
        run = workspace.run(number)
        kinds.setdefault((run.relation, json.dumps(run.question, sort_keys=True, default=str)), []).append(run)
    return [sweep for kind in kinds.values() for sweep in _by_finding(workspace, kind, at)]


@dataclass(frozen=True, slots=True)
class _Seen:
    """As much of a case as the counts need."""

    key: bytes
    finding: str
    suspicion: float
    domain: str
    held: tuple[bytes, ...]
    wrong: tuple[bytes, ...]
    verdict: Verdict


def _by_finding(workspace: Workspace, runs: Sequence[RunRecord], at: Sequence[float]) -> list[Sweep]:
    """One sweep or, where findings are of several kinds, so that suspicions mean different things, one for each."""
    found = [(run, _cases(workspace, run)) for run in runs]
    kinds = sorted({case.finding for _, cases in found for case in cases})
    if len(kinds) < 2:
        return [_sweep(runs[0].relation, found, at)]
    return [
        _sweep(
            f"{runs[0].relation}, {kind}", [(run, [c for c in cases if c.finding == kind]) for run, cases in found], at
        )
        for kind in kinds
    ]


def _sweep(name: str, found: Sequence[tuple[RunRecord, list[_Seen]]], at: Sequence[float]) -> Sweep:
    runs = [run for run, _ in found]
    every = list({case.key: case for _, cases in found for case in cases}.values())
    chosen = sorted(set(at)) or _usual([case.suspicion for case in every])
    scopes = [
        Scope(run.id, run.system, run.source, run.target, domain, points)
        for run, cases in found
        for domain, points in _by_domain(cases, chosen)
    ]
    if len(runs) > 1:
        scopes += [Scope(None, "", "", "", domain, points) for domain, points in _by_domain(every, chosen)]
    return Sweep(name, runs[0].question, chosen, scopes, [(run, run.stages) for run in runs])


def _cases(workspace: Workspace, run: RunRecord) -> list[_Seen]:
    """The cases of a run, each once."""
    labels = Labels(workspace).of([run.id])
    found: dict[str, _Seen] = {}
    for row in workspace.rows([run.id]):
        if "case" in row and row["case"] not in found:
            outputs = outputs_of(row)
            said = verdict(labels.get(row["case"], ()), outputs)
            held = translations(row)
            found[row["case"]] = _Seen(
                key=digest(row["case"], outputs),
                finding=str(row["factors"].get("finding", "")),
                suspicion=row["suspicion"],
                domain=row["domain"],
                held=tuple(dict.fromkeys(digest(run.system, *each) for each in held.values())),
                wrong=tuple(dict.fromkeys(digest(run.system, *held[role]) for role in said.wrong)),
                verdict=said,
            )
    return list(found.values())


def _by_domain(cases: Sequence[_Seen], at: Sequence[float]) -> list[tuple[str | None, list[SweepPoint]]]:
    """Each domain, where there are several, and then all together."""
    domains = sorted({case.domain for case in cases})
    some = domains if len(domains) > 1 else []
    parts = [(domain, _points([case for case in cases if case.domain == domain], at)) for domain in some]
    return [*parts, (None, _points(cases, at))]


def _usual(suspicions: Iterable[float]) -> list[float]:
    """0 to 5 for distances that are whole numbers; else the tenths of the cases, in numbers that can be typed."""
    finite = [value for value in suspicions if math.isfinite(value)]
    if all(value.is_integer() for value in finite):
        return list(WHOLE)
    inner = quantiles(finite, n=STEPS, method="inclusive") if len(finite) > 1 else []
    return sorted({float(f"{value:.3g}") for value in (min(finite), *inner, max(finite))})


def _points(cases: Sequence[_Seen], at: Sequence[float]) -> list[SweepPoint]:
    """From the highest threshold down, so that each case is counted in once."""
    tally, found = _Tally(), []
    left = sorted(cases, key=lambda case: case.suspicion)
    for threshold in sorted(at, reverse=True):
        while left and left[-1].suspicion > threshold:
            tally.count(left.pop())
        found.append(tally.point(threshold))
    return found[::-1]


@dataclass(slots=True)
class _Tally:
    """What has been counted so far."""

    suspicious: int = 0
    stale: int = 0
    no_side: int = 0
    said: Counter[str] = field(default_factory=Counter)
    held: set[bytes] = field(default_factory=set)
    wrong: dict[bytes, set[str]] = field(default_factory=dict)

    def count(self, case: _Seen) -> None:
        self.suspicious += 1
        self.held.update(case.held)
        self.stale += case.verdict.stale
        if case.verdict.said:
            self.said[case.verdict.said] += 1
        if case.verdict.said == "error":
            self.no_side += not case.wrong
            for one in case.wrong:
                self.wrong.setdefault(one, set()).update(case.verdict.categories)

    def point(self, threshold: float) -> SweepPoint:
        errors, undecided = self.said["error"], self.said["undecided"]
        decided = self.said.total() - undecided
        return SweepPoint(
            threshold=threshold,
            suspicious=self.suspicious,
            labelled=self.said.total(),
            erroneous=errors,
            bad_tests=self.said["bad test"],
            undecided=undecided,
            stale=self.stale,
            precision=errors / decided if decided else None,
            interval=wilson(errors, decided),
            translations=len(self.held),
            wrong_translations=len(self.wrong),
            no_side=self.no_side,
            categories={name: sum(name in found for found in self.wrong.values()) for name in CATEGORIES},
            no_category=sum(not found for found in self.wrong.values()),
        )
