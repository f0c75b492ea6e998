"""The evaluation of scores by labels, as tables 2 to 4 and figures 5 to 8 and 12 of Cao et al. (2021)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from concord.analyses.detection.error_kinds import KindFound, found_by_kind
from concord.analyses.detection.labelled_rows import SUSPICION, LabelledRows
from concord.analyses.detection.options import EvaluationTerms
from concord.errors import UnknownName, UserError
from concord.plain_data import plain
from concord.stats.detection import MEASURES, Curve, Score, auc, curve, mixed
from concord.stats.detection_gains import Alone, CombinedDetectors, Gain, ThresholdedScore, alone, gain, together
from concord.stats.detection_held_out import HeldOut, Part, folds, held_out, split
from concord.stats.detection_intervals import Interval, auc_interval, intervals

COMBINE_AT = ("product", "f", "accuracy")
SHARES = tuple(step / 10 for step in range(11))


@dataclass(frozen=True, slots=True)
class Metric:
    """One score over all thresholds, with its best and expected measures; intervals are of 95 %."""

    score: Score
    rows: int
    missing: int
    bugs: int
    curve: Curve
    auc: float
    auc_interval: Interval
    intervals: Mapping[str, Mapping[str, Interval]]
    held_out: HeldOut | None

    def best(self, measure: str) -> float:
        return float(self.curve.counts.measure(measure).max())

    def mean(self, measure: str) -> float:
        return float(self.curve.counts.measure(measure).mean())

    def threshold(self, measure: str) -> float:
        """The threshold of the best, in the score's own units."""
        return self.score.own(float(self.curve.thresholds[self.curve.best(measure)]))

    def points(self) -> Iterator[dict[str, Any]]:
        """A row for each threshold, from the fewest flags to the most."""
        counts = self.curve.counts
        shares = [counts.measure(measure).tolist() for measure in MEASURES]
        columns = zip(self.curve.thresholds.tolist(), counts.flagged.tolist(), counts.tp.tolist(), *shares, strict=True)
        for threshold, flagged, bugs, *measured in columns:
            levels = {"threshold": threshold, "own_threshold": self.score.own(threshold)}
            yield {**levels, "flagged": flagged, "bugs": bugs, **dict(zip(MEASURES, measured, strict=True))}

    def plain(self) -> dict[str, Any]:
        return {
            "name": self.score.name,
            "flag": self.score.rule,
            "normalised": self.score.scale is not None,
            "rows": self.rows,
            "missing": self.missing,
            "bugs": self.bugs,
            "auc": self.auc,
            "auc_interval": self.auc_interval,
            **{measure: self._measured(measure) for measure in MEASURES},
            "held_out": plain(self.held_out),
            "points": list(self.points()),
        }

    def _measured(self, measure: str) -> dict[str, Any]:
        ends = self.intervals[measure]
        return {
            "best": self.best(measure),
            "best_interval": ends["best"],
            "best_threshold": self.threshold(measure),
            "mean": self.mean(measure),
            "mean_interval": ends["mean"],
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of an evaluation; `mix` are the mixtures K × A + (1 − K) × B, by K."""

    name: str
    rows: int
    bugs: int
    terms: EvaluationTerms
    metrics: Sequence[Metric]
    alone: Sequence[Alone]
    gains: Sequence[Gain]
    together: CombinedDetectors | None
    kinds: Sequence[KindFound]
    mix: Mapping[float, Metric]
    notes: Sequence[str]

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        metrics = [metric.plain() for metric in self.metrics]
        mix = [{"k": share, **metric.plain()} for share, metric in self.mix.items()]
        return {**plain(self), "metrics": metrics, "mix": mix}


def by_thresholds(metrics: Iterable[Metric]) -> list[list[Metric]]:
    """Groups of metrics with the same thresholds, which one table can show."""
    kinds: dict[bytes, list[Metric]] = {}
    for metric in metrics:
        kinds.setdefault(np.sort(metric.curve.thresholds).tobytes(), []).append(metric)
    return list(kinds.values())


def evaluated(labelled: LabelledRows, terms: EvaluationTerms) -> Evaluation:
    """The measures of every score, alone and combined."""
    if terms.combine_at not in COMBINE_AT:
        raise UnknownName("way to choose thresholds of combinations", terms.combine_at, COMBINE_AT)
    if terms.resamples < 1:
        raise UserError(f"intervals need at least one draw, not {terms.resamples}. 1000 are usual")
    parts = _parts(labelled, terms)
    metrics = [_metric(score, labelled, terms, parts) for score in labelled.scores]
    notes = list(labelled.notes)
    if parts and any(metric.held_out is None for metric in metrics):
        notes.append("where a part has no bug or no correct row with a score, nothing is judged on held-out rows")
    twice = _mirrored_score(labelled.scores)
    if twice:
        notes.append(f"{SUSPICION} is 1 − {twice}, so it is not combined with others")
    independent = [metric for metric in metrics if not twice or metric.score.name != SUSPICION]
    best = [float(metric.curve.thresholds[metric.curve.best(terms.combine_at)]) for metric in independent]
    used = [ThresholdedScore(metric.score, threshold) for metric, threshold in zip(independent, best, strict=True)]
    bug, several = labelled.bug, len(used) > 1
    return Evaluation(
        labelled.name,
        len(bug),
        int(bug.sum()),
        terms,
        metrics,
        alone(used, bug) if several else [],
        [gain(a, b, bug) for a, b in permutations(used, 2) if (a.score.has_value & b.score.has_value).any()],
        together(used, bug) if several else None,
        list(found_by_kind(labelled.kinds, bug, used)) if labelled.kinds else [],
        _mixtures(labelled, terms, parts) if terms.mix else {},
        notes,
    )


def _mirrored_score(scores: Sequence[Score]) -> str:
    """The score that equals 1 − suspicion, if there is one: combining the two would count it twice."""
    by_name = {score.name: score.values for score in scores}
    suspicion = by_name.pop(SUSPICION, None)
    if suspicion is None:
        return ""
    same = (name for name, values in by_name.items() if np.allclose(1 - values, suspicion, atol=1e-9, equal_nan=True))
    return next(same, "")


def _parts(labelled: LabelledRows, terms: EvaluationTerms) -> list[Part]:
    if terms.split is not None and terms.folds is not None:
        raise UserError("--split and --folds both say on which rows to choose; give one of them")
    if terms.split is not None:
        return split(labelled.bug, terms.split, terms.seed)
    return folds(labelled.bug, terms.folds, terms.seed) if terms.folds is not None else []


def _metric(raw: Score, labelled: LabelledRows, terms: EvaluationTerms, parts: Sequence[Part]) -> Metric:
    score = raw.normalised() if terms.normalise else raw
    points = curve(score, labelled.bug)
    rows = int(score.has_value.sum())
    return Metric(
        score,
        rows,
        len(score.values) - rows,
        int(points.counts.bugs[0]),
        points,
        auc(score, labelled.bug),
        auc_interval(score, labelled.bug, terms.resamples, terms.seed),
        intervals(points, terms.resamples, terms.seed),
        held_out(score, labelled.bug, parts) if parts else None,
    )


def _mixtures(labelled: LabelledRows, terms: EvaluationTerms, parts: Sequence[Part]) -> dict[float, Metric]:
    by_name = {score.name: score for score in labelled.scores}
    names = [name.strip() for name in terms.mix.split(",")]
    if len(names) != 2 or names[0] == names[1]:
        raise UserError(f"--mix takes two scores with a comma between, such as REG,DFA; not '{terms.mix}'")
    for name in names:
        if name not in by_name:
            raise UnknownName("score", name, by_name)
    first, second = (by_name[name] for name in names)
    if first.rule != second.rule:
        raise UserError(
            f"{first.name} and {second.name} cannot be mixed: one is worse when lower, the other when higher"
        )
    if len(np.unique(labelled.bug[first.has_value & second.has_value])) < 2:
        raise UserError(f"{first.name} and {second.name} cannot be mixed: too few rows have both")
    return {share: _metric(mixed(first, second, share), labelled, terms, parts) for share in SHARES}
