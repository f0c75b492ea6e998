"""Each relation as a detector of bugs: precision, recall, base rate and area, next to trivial baselines.

A detector is all runs of a relation with the same options. What a threshold flags is counted among all of their cases;
whether that is right, the labels say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concord.analyses.detection.baselines import baselines
from concord.analyses.detection.flag_counts import JudgedCases, judged
from concord.analyses.detection.ground_truth import CHOSEN, Decided, VerdictReading, decided
from concord.analyses.detection.labelled_rows import scale_of
from concord.analyses.detection.measures import (
    Area,
    Measured,
    base_rate,
    best_threshold,
    held_out,
    measured,
    ranked,
    shares,
)
from concord.analyses.detection.training_overlap import taught, taught_notes
from concord.plain_data import plain
from concord.signature import option_text
from concord.stats.stratified_estimates import ShareEstimate
from concord.store import RunRecord
from concord.store.index.columns import Columns


@dataclass(frozen=True, slots=True)
class At:
    """What a threshold does: the findings among all cases, the lowest suspicion among them, and what labels say."""

    threshold: float | None
    findings: int
    least: float | None
    measured: Measured

    def plain(self) -> dict[str, Any]:
        facts = {"threshold": self.threshold, "findings": self.findings, "least": self.least}
        return {**facts, **plain(self.measured)}


@dataclass(frozen=True, slots=True)
class Baseline:
    """A trivial score on the same labelled cases: its area, and its measures at thresholds of other sentences."""

    name: str
    area: Area | None
    held_out: Measured | None


@dataclass(frozen=True, slots=True)
class Detector:
    """A relation over its runs, and what labels say of it.

    `in_force` is at the runs' own thresholds. `best` is where F is best among these very labels, which flatters;
    `held_out` is at thresholds that come from other sentences, as those of the baselines do.
    """

    name: str
    runs: Sequence[RunRecord]
    judged: JudgedCases
    decided: Decided
    base_rate: ShareEstimate | None
    in_force: At
    best: At | None
    held_out: Measured | None
    area: Area | None
    baselines: Sequence[Baseline]
    notes: Sequence[str]

    @property
    def id(self) -> int:
        """The number of its first run, by which it can be named."""
        return self.runs[0].id

    @property
    def bugs(self) -> int:
        return int(self.decided.bug.sum())

    def at(self, threshold: float) -> At:
        """What this threshold would do in place of the one in force."""
        flags = self.judged.flags(self.decided.suspicion, threshold)
        found = measured(self.decided, flags)
        if not self._looked_at(threshold):
            found = replace(found, precision=None, f=None)
        return At(threshold, self.judged.flagged(threshold), self.judged.least(threshold), found)

    def _looked_at(self, threshold: float) -> bool:
        """Whether labels say anything of what a threshold would flag beyond the present findings.

        Labels that speak for themselves alone do not, below the least suspicious of them.
        """
        if self.decided.basis != CHOSEN or self.judged.flagged(threshold) <= self.in_force.findings:
            return True
        least = self.judged.least(threshold)
        return least is None or least >= self.decided.suspicion.min(initial=np.inf)

    def thresholds(self) -> list[float]:
        """Even steps, and the thresholds that have a meaning."""
        named = [self.in_force.threshold, None if self.best is None else self.best.threshold]
        return sorted({*self.judged.grid(), *(each for each in named if each is not None)})

    def points(self) -> Iterator[At]:
        """Every threshold with all that is known of it, intervals included."""
        return map(self.at, self.thresholds())

    def curve(self) -> list[dict[str, float]]:
        """Every threshold with the findings and the shares alone, which is quick; NaN where labels say nothing."""
        at = self.thresholds()
        if not len(self.decided):
            return []
        precision, recall, f = shares(self.decided, self.decided.suspicion, at, self.judged.rule)
        if not self.decided.both:
            recall, f = np.full(len(at), np.nan), np.full(len(at), np.nan)
        unseen = np.array([not self._looked_at(each) for each in at])
        precision[unseen] = f[unseen] = np.nan
        columns = zip(at, precision.tolist(), recall.tolist(), f.tolist(), strict=True)
        return [
            {"threshold": t, "findings": self.judged.flagged(t), "precision": p, "recall": r, "f": each}
            for t, p, r, each in columns
        ]

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        first = self.runs[0]
        return {
            "name": self.name,
            "relation": first.relation,
            "settings": first.question,
            "runs": [run.id for run in self.runs],
            "systems": list(dict.fromkeys(run.system for run in self.runs)),
            "flagged_if": f"{self.judged.rule} threshold",
            "cases": sum(self.judged.cases.values()),
            "basis": self.decided.basis,
            "labelled": len(self.decided),
            "bugs": self.bugs,
            "base_rate": plain(self.base_rate),
            "in_force": self.in_force.plain(),
            "best_f": None if self.best is None else self.best.plain(),
            "held_out": plain(self.held_out),
            "auc": plain(self.area),
            "baselines": plain(self.baselines),
            "notes": list(self.notes),
        }


def detectors(runs: Sequence[RunRecord], columns: Mapping[int, Columns], reading: VerdictReading) -> list[Detector]:
    """The detectors of runs that are indexed, in the order of their first runs."""
    kinds: dict[str, list[RunRecord]] = {}
    for run in runs:
        if run.id in columns:
            kinds.setdefault(scale_of(run), []).append(run)
    names = named([kind[0] for kind in kinds.values()])
    return [
        _detector(name, some, [columns[run.id] for run in some], reading)
        for name, some in zip(names, kinds.values(), strict=True)
    ]


def named(runs: Sequence[RunRecord]) -> list[str]:
    """A name for each kind of run: its relation, with the options that tell it from others of that relation."""
    found = []
    for run in runs:
        others = [each for each in runs if each.relation == run.relation]
        settings, own = [each.question for each in others], run.question
        differ = [name for name in own if len({str(setting.get(name)) for setting in settings}) > 1]
        told = [f"{name}={option_text(own[name])}" for name in differ]
        fitted = [each.lstrip("+") for each in taught(run)] if len({str(taught(each)) for each in others}) > 1 else []
        found.append(",".join([run.relation, *told, *fitted]))
    return found


def _detector(name: str, runs: Sequence[RunRecord], columns: Sequence[Columns], reading: VerdictReading) -> Detector:
    cases = judged(columns, runs[0].facts)
    said = decided(reading, [run.id for run in runs], cases.cases)
    rivals, notes = baselines(said, reading.store) if said.kinds == 2 else ({}, [])
    least = None if cases.threshold is None else cases.least(cases.threshold)
    made = Detector(
        name,
        runs,
        cases,
        said,
        base_rate(said),
        At(cases.threshold, cases.findings, least, measured(said, said.flagged)),
        None,
        held_out(said, said.suspicion),
        ranked(said, said.suspicion),
        [Baseline(each, ranked(said, score), held_out(said, score)) for each, score in rivals.items()],
        [*said.notes, *_kinds(said, cases), *notes, *(taught_notes(reading.store, runs) if len(said) else [])],
    )
    best = best_threshold(said, cases.rule)
    return made if best is None else replace(made, best=made.at(best))


def _kinds(said: Decided, cases: JudgedCases) -> Iterator[str]:
    if len(said) and said.kinds == 1:
        which = "a bug" if said.bug[0] else "correct"
        yield f"every labelled case is {which}: areas, best thresholds and baselines need both kinds"
    if cases.threshold is None and any(cases.cases.values()):
        yield "the cases have different thresholds in force; one threshold for all of them is another detector"
