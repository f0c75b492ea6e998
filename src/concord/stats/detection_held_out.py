"""Held-out evaluation of thresholds: a threshold is chosen on one part of the rows and evaluated on the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from concord.errors import UserError
from concord.stats.detection import Booleans, Integers, Score, counts, curve
from concord.stats.wilson import wilson

Part = tuple[Integers, Integers]
"""The rows on which a threshold is chosen, and those on which it is evaluated."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Measures on rows that were not used to choose the threshold; with folds, on all rows, each evaluated once.

    `chosen_f` is the F on the rows where the thresholds were chosen: its difference to `f` is the optimism of choosing.
    """

    thresholds: Sequence[float]
    rows: int
    bugs: int
    flagged: int
    found: int
    accuracy: float
    accuracy_interval: tuple[float, float] | None
    precision: float
    precision_interval: tuple[float, float] | None
    recall: float
    recall_interval: tuple[float, float] | None
    f: float
    chosen_f: float


def split(bug: Booleans, proportion: float, seed: int) -> list[Part]:
    """A random proportion of the bugs and of the correct rows to choose on, and the remaining rows to evaluate on."""
    if not 0 < proportion < 1:
        raise UserError(f"--split is the share of rows to choose on, between 0 and 1, not {proportion:g}. Usual is 0.5")
    rank = _random_ranks(bug, seed)
    size = np.where(bug, bug.sum(), (~bug).sum())
    choose = rank < np.maximum(1, np.rint(proportion * size))
    return [(np.flatnonzero(choose), np.flatnonzero(~choose))]


def folds(bug: Booleans, number: int, seed: int) -> list[Part]:
    """Stratified folds with equal proportions of bugs; each is evaluated by the threshold that the others choose."""
    fewest = int(min(bug.sum(), (~bug).sum()))
    if not 2 <= number <= fewest:
        raise UserError(f"--folds is from 2 to {fewest} here (the rows of the rarer label), not {number}")
    part = _random_ranks(bug, seed) % number
    return [(np.flatnonzero(part != fold), np.flatnonzero(part == fold)) for fold in range(number)]


def held_out(score: Score, bug: Booleans, parts: Sequence[Part]) -> HeldOut | None:
    """Measures of thresholds with the best F. A normalised score is scaled by the choosing part.

    None if a part lacks bugs or correct rows.
    """
    judged = list(_judged(score, bug, parts))
    if len(judged) < len(parts):
        return None
    flags, truth = (np.concatenate([part[column] for part in judged]) for column in (2, 3))
    totals = counts(flags, truth)
    tp, flagged, bugs, rows = (int(count) for count in (totals.tp, totals.flagged, totals.bugs, totals.rows))
    correct = rows - bugs - flagged + 2 * tp
    return HeldOut(
        [part[0] for part in judged],
        rows,
        bugs,
        flagged,
        tp,
        float(totals.accuracy),
        wilson(correct, rows),
        float(totals.precision),
        wilson(tp, flagged),
        float(totals.recall),
        wilson(tp, bugs),
        float(totals.f),
        fmean(part[1] for part in judged),
    )


def _judged(score: Score, bug: Booleans, parts: Sequence[Part]) -> Iterator[tuple[float, float, Booleans, Booleans]]:
    for choosing, judging in parts:
        training, test = ((score.only(rows), bug[rows]) for rows in (choosing, judging))
        if any(len(np.unique(truth[part.has_value])) < 2 for part, truth in (training, test)):
            return
        if score.scale is not None:
            training = training[0].normalised(), training[1]
            test = test[0].normalised(training[0].scale), test[1]
        training_curve = curve(*training)
        best = training_curve.best("f")
        threshold = float(training_curve.thresholds[best])
        has_value = test[0].has_value
        own = score.own(training[0].own(threshold)) if score.scale is not None else threshold
        yield own, float(training_curve.counts.f[best]), test[0].flags(threshold)[has_value], test[1][has_value]


def _random_ranks(bug: Booleans, seed: int) -> Integers:
    """A random rank for each row among those of its label."""
    order = np.random.default_rng(seed).permutation(len(bug))
    ranks = np.empty(len(bug), dtype=np.int64)
    for label in (True, False):
        rows = order[bug[order] == label]
        ranks[rows] = np.arange(len(rows))
    return ranks
