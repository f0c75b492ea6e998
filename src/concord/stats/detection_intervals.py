"""Bootstrap intervals of detection measures (Efron 1979), drawn by counts instead of rows.

A measure depends on a row only through its label and the threshold at which it begins to be flagged. So the rows
of one kind are drawn together, as one multinomial count, which is the same as drawing rows one by one and takes
no longer for many rows than for few.
"""

from __future__ import annotations

import numpy as np

from concord.stats.detection import MEASURES, Booleans, Counts, Curve, Floats, Integers, Score, area, levels

FINEST = 1000
"""Values of a score are grouped into at most so many ranks for the area's interval, never for the area itself."""

Interval = tuple[float, float]


def intervals(drawn: Curve, resamples: int, seed: int, level: float = 0.95) -> dict[str, dict[str, Interval]]:
    """For each measure, the intervals of its `best` and its `mean` over the thresholds.

    Each draw chooses its best threshold anew, so the interval of the best includes the luck of choosing.
    """
    found = drawn.counts
    bugs, rows = int(found.bugs[0]), int(found.rows[0])
    wrong, right = (np.diff(each, prepend=0, append=end) for each, end in ((found.tp, bugs), (found.fp, rows - bugs)))
    tp, fp = _drawn(wrong, right, resamples, seed)
    total = tp.sum(axis=1, keepdims=True)
    again = Counts(np.cumsum(tp, axis=1)[:, :-1], np.cumsum(fp, axis=1)[:, :-1], total, np.full_like(total, rows))
    return {
        measure: {"best": _ends(values.max(axis=1), level), "mean": _ends(values.mean(axis=1), level)}
        for measure in MEASURES
        for values in [again.of(measure)]
    }


def auc_interval(score: Score, bug: Booleans, resamples: int, seed: int, level: float = 0.95) -> Interval:
    """The interval of the area under the curve."""
    bugs, correct = levels(score, bug)
    if len(bugs) > FINEST:
        ends = np.cumsum(bugs + correct)
        starts = np.unique(np.searchsorted(ends, np.linspace(0, ends[-1], FINEST, endpoint=False), side="right"))
        bugs, correct = np.add.reduceat(bugs, starts), np.add.reduceat(correct, starts)
    bugs, correct = _drawn(bugs, correct, resamples, seed)
    return _ends(area(bugs, correct), level)


def _drawn(bugs: Integers, correct: Integers, resamples: int, seed: int) -> tuple[Integers, Integers]:
    """As many rows again, drawn with replacement: a line of counts for each draw."""
    kinds = np.concatenate([bugs, correct])
    some = np.flatnonzero(kinds)
    made = np.zeros((resamples, len(kinds)), dtype=np.int64)
    made[:, some] = np.random.default_rng(seed).multinomial(kinds.sum(), kinds[some] / kinds.sum(), size=resamples)
    return made[:, : len(bugs)], made[:, len(bugs) :]


def _ends(values: Floats, level: float) -> Interval:
    """The middle of the draws; a draw without bugs or without correct rows has no area and is passed over."""
    known = values[~np.isnan(values)]
    if not len(known):
        return 0.0, 1.0
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
