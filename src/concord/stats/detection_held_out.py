"""A threshold is chosen on one part of the rows and judged on the other, where it has had no chance to fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from concord.errors import UserError
from concord.stats.detection import Booleans, Integers, Score, counts, curve
from concord.stats.wilson import wilson

Part = tuple[Integers, Integers]
"""The rows on which a threshold is chosen, and those on which it is judged."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Measures on rows that had no say in the threshold; with folds, all rows, each judged once.

    `chosen_f` is the F where the thresholds were chosen: the difference to `f` is what choosing flatters.
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


def split(bug: Booleans, share: float, seed: int) -> list[Part]:
    """A random share of the bugs and of the correct rows to choose on, the others to judge."""
    if not 0 < share < 1:
        raise UserError(f"--split is the share of rows to choose on, between 0 and 1, not {share:g}. Usual is 0.5")
    place = _places(bug, seed)
    size = np.where(bug, bug.sum(), (~bug).sum())
    choose = place < np.maximum(1, np.rint(share * size))
    return [(np.flatnonzero(choose), np.flatnonzero(~choose))]


def folds(bug: Booleans, number: int, seed: int) -> list[Part]:
    """As many parts, alike in their share of bugs; each is judged by what the others choose."""
    fewest = int(min(bug.sum(), (~bug).sum()))
    if not 2 <= number <= fewest:
        raise UserError(f"--folds is from 2 to {fewest} here (the rows of the rarer label), not {number}")
    part = _places(bug, seed) % number
    return [(np.flatnonzero(part != each), np.flatnonzero(part == each)) for each in range(number)]


def held_out(score: Score, bug: Booleans, parts: Sequence[Part]) -> HeldOut | None:
    """Thresholds by F; a normalised score is stretched as the choosing part says. None if a part lacks bugs."""
    judged = list(_judged(score, bug, parts))
    if len(judged) < len(parts):
        return None
    flags, truth = (np.concatenate([each[place] for each in judged]) for place in (2, 3))
    found = counts(flags, truth)
    tp, flagged, bugs, rows = (int(each) for each in (found.tp, found.flagged, found.bugs, found.rows))
    right = rows - bugs - flagged + 2 * tp
    return HeldOut(
        [each[0] for each in judged],
        rows,
        bugs,
        flagged,
        tp,
        float(found.accuracy),
        wilson(right, rows),
        float(found.precision),
        wilson(tp, flagged),
        float(found.recall),
        wilson(tp, bugs),
        float(found.f),
        fmean(each[1] for each in judged),
    )


def _judged(score: Score, bug: Booleans, parts: Sequence[Part]) -> Iterator[tuple[float, float, Booleans, Booleans]]:
    for choosing, judging in parts:
        seen, unseen = ((score.only(rows), bug[rows]) for rows in (choosing, judging))
        if any(len(np.unique(truth[part.known])) < 2 for part, truth in (seen, unseen)):
            return
        if score.scale is not None:
            seen = seen[0].normalised(), seen[1]
            unseen = unseen[0].normalised(seen[0].scale), unseen[1]
        found = curve(*seen)
        best = found.best("f")
        threshold = float(found.thresholds[best])
        known = unseen[0].known
        own = score.own(seen[0].own(threshold)) if score.scale is not None else threshold
        yield own, float(found.counts.f[best]), unseen[0].flags(threshold)[known], unseen[1][known]


def _places(bug: Booleans, seed: int) -> Integers:
    """A random place for each row among those of its label."""
    order = np.random.default_rng(seed).permutation(len(bug))
    place = np.empty(len(bug), dtype=np.int64)
    for label in (True, False):
        rows = order[bug[order] == label]
        place[rows] = np.arange(len(rows))
    return place
