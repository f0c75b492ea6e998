"""Relations as detectors of bugs: precision, recall, base rate and AUC, next to trivial baselines.

A detector is all runs of a relation with the same options. The flagged cases are counted among all cases of these runs;
labels say which of them are bugs.
"""

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
class ThresholdEffect:
    """The effect of a threshold: how many of all cases are flagged, their lowest suspicion, and measures by labels."""

    threshold: float | None
    flagged: int
    least: float | None
    measured: Measured

    def plain(self) -> dict[str, Any]:
        facts = {"threshold": self.threshold, "flagged": self.flagged, "least": self.least}
        return {**facts, **plain(self.measured)}


@dataclass(frozen=True, slots=True)
class Baseline:
    """A trivial score on the same labelled cases: its AUC, and its measures at thresholds chosen on other sentences."""

    name: str
    area: Area | None
    held_out: Measured | None


@dataclass(frozen=True, slots=True)
class Detector:
    """A relation over its runs, and its measures by labels.

    `in_force` is at the runs' own thresholds. `best` is at the threshold of the best F on these labels, which is too
    optimistic; `held_out` is at thresholds that were chosen on other sentences, like those of the baselines.
    """

    name: str
    runs: Sequence[RunRecord]
    judged: JudgedCases
    decided: Decided
    base_rate: ShareEstimate | None
    in_force: ThresholdEffect
    best: ThresholdEffect | None
    held_out: Measured | None
    area: Area | None
    baselines: Sequence[Baseline]
    notes: Sequence[str]

    @property
    def id(self) -> int:
        """The number of its first run, which identifies the detector."""
        return self.runs[0].id

    @property
    def bugs(self) -> int:
        return int(self.decided.bug.sum())

    def effect(self, threshold: float) -> ThresholdEffect:
        """The effect of this threshold in place of the one in force."""
        flags = self.judged.flags(self.decided.suspicion, threshold)
        measures = measured(self.decided, flags)
        if not self._looked_at(threshold):
            measures = replace(measures, precision=None, f=None)
        return ThresholdEffect(threshold, self.judged.count(threshold), self.judged.least(threshold), measures)

    def _looked_at(self, threshold: float) -> bool:
        """Whether labels allow an estimate for what a threshold would flag beyond the cases that are flagged now.

        If people chose the cases to label, they allow no estimate below the lowest suspicion of these cases.
        """
        if self.decided.basis != CHOSEN or self.judged.count(threshold) <= self.in_force.flagged:
            return True
        least = self.judged.least(threshold)
        return least is None or least >= self.decided.suspicion.min(initial=np.inf)

    def thresholds(self) -> list[float]:
        """Evenly spaced thresholds, and those in force and of the best F."""
        meaningful = [self.in_force.threshold, None if self.best is None else self.best.threshold]
        return sorted({*self.judged.grid(), *(threshold for threshold in meaningful if threshold is not None)})

    def points(self) -> Iterator[ThresholdEffect]:
        """The effect of every threshold, with intervals."""
        return map(self.effect, self.thresholds())

    def curve(self) -> list[dict[str, float]]:
        """Flagged cases, precision, recall and F at every threshold, without intervals; NaN if unknown."""
        thresholds = self.thresholds()
        if not len(self.decided):
            return []
        precision, recall, f = shares(self.decided, self.decided.suspicion, thresholds, self.judged.rule)
        if not self.decided.both_sides:
            recall, f = np.full(len(thresholds), np.nan), np.full(len(thresholds), np.nan)
        unseen = np.array([not self._looked_at(threshold) for threshold in thresholds])
        precision[unseen] = f[unseen] = np.nan
        columns = zip(thresholds, precision.tolist(), recall.tolist(), f.tolist(), strict=True)
        return [
            {"threshold": t, "flagged": self.judged.count(t), "precision": p, "recall": r, "f": f1}
            for t, p, r, f1 in columns
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
    names = detector_names([kind[0] for kind in kinds.values()])
    return [
        _detector(name, group, [columns[run.id] for run in group], reading)
        for name, group in zip(names, kinds.values(), strict=True)
    ]


def detector_names(runs: Sequence[RunRecord]) -> list[str]:
    """A name for each kind of run: its relation, with the options in which it differs from others of that relation."""
    names = []
    for run in runs:
        siblings = [sibling for sibling in runs if sibling.relation == run.relation]
        settings, own = [sibling.question for sibling in siblings], run.question
        differ = [name for name in own if len({str(setting.get(name)) for setting in settings}) > 1]
        options = [f"{name}={option_text(own[name])}" for name in differ]
        several = len({str(taught(sibling)) for sibling in siblings}) > 1
        fitted = [name.lstrip("+") for name in taught(run)] if several else []
        names.append(",".join([run.relation, *options, *fitted]))
    return names


def _detector(name: str, runs: Sequence[RunRecord], columns: Sequence[Columns], reading: VerdictReading) -> Detector:
    cases = judged(columns, runs[0].facts)
    truth = decided(reading, [run.id for run in runs], cases.cases)
    rivals, notes = baselines(truth, reading.store) if truth.kinds == 2 else ({}, [])
    least = None if cases.threshold is None else cases.least(cases.threshold)
    detector = Detector(
        name,
        runs,
        cases,
        truth,
        base_rate(truth),
        ThresholdEffect(cases.threshold, cases.flagged, least, measured(truth, truth.flagged)),
        None,
        held_out(truth, truth.suspicion),
        ranked(truth, truth.suspicion),
        [Baseline(rival, ranked(truth, score), held_out(truth, score)) for rival, score in rivals.items()],
        [*truth.notes, *_kinds(truth, cases), *notes, *(taught_notes(reading.store, runs) if len(truth) else [])],
    )
    best = best_threshold(truth, cases.rule)
    return detector if best is None else replace(detector, best=detector.effect(best))


def _kinds(truth: Decided, cases: JudgedCases) -> Iterator[str]:
    if len(truth) and truth.kinds == 1:
        which = "a bug" if truth.bug[0] else "correct"
        yield f"every labelled case is {which}: areas, best thresholds and baselines need both kinds"
    if cases.threshold is None and any(cases.cases.values()):
        yield "the cases have different thresholds in force; one threshold for all of them is another detector"
