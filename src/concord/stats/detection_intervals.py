"""Bootstrap intervals of detection measures (Efron 1979), drawn by counts instead of rows.

A measure depends on a row only by its label and by the threshold at which it begins to be flagged. So the rows of
one kind are drawn together, as one multinomial count, which is equivalent to drawing rows one by one and takes no
longer for many rows than for few.
"""

import numpy as np

from concord.stats.detection import MEASURES, Booleans, Counts, Curve, Floats, Integers, Score, area, levels

FINEST = 1000
"""The most ranks into which the values of a score are grouped for the interval of the AUC, never for the AUC itself."""

Interval = tuple[float, float]


def intervals(drawn: Curve, resamples: int, seed: int, level: float = 0.95) -> dict[str, dict[str, Interval]]:
    """For each measure, the intervals of its `best` and its `mean` over the thresholds.

    Each draw chooses its own best threshold, so the interval of the best includes the uncertainty of choosing.
    """
    counts = drawn.counts
    bugs, rows = int(counts.bugs[0]), int(counts.rows[0])
    new_bugs = np.diff(counts.tp, prepend=0, append=bugs)
    new_correct = np.diff(counts.fp, prepend=0, append=rows - bugs)
    tp, fp = _drawn(new_bugs, new_correct, resamples, seed)
    total = tp.sum(axis=1, keepdims=True)
    tp, fp = (np.cumsum(drawn, axis=1)[:, :-1] for drawn in (tp, fp))
    drawn_counts = Counts(tp, fp, total, np.full_like(total, rows))
    return {
        measure: {
            "best": percentile_interval(values.max(axis=1), level),
            "mean": percentile_interval(values.mean(axis=1), level),
        }
        for measure in MEASURES
        for values in [drawn_counts.measure(measure)]
    }


def auc_interval(score: Score, bug: Booleans, resamples: int, seed: int, level: float = 0.95) -> Interval:
    """The interval of the AUC."""
    bugs, correct = levels(score, bug)
    if len(bugs) > FINEST:
        ends = np.cumsum(bugs + correct)
        starts = np.unique(np.searchsorted(ends, np.linspace(0, ends[-1], FINEST, endpoint=False), side="right"))
        bugs, correct = np.add.reduceat(bugs, starts), np.add.reduceat(correct, starts)
    bugs, correct = _drawn(bugs, correct, resamples, seed)
    return percentile_interval(area(bugs, correct), level)


def _drawn(bugs: Integers, correct: Integers, resamples: int, seed: int) -> tuple[Integers, Integers]:
    """The counts of bugs and correct rows in draws of as many rows, with replacement; one row for each draw."""
    kinds = np.concatenate([bugs, correct])
    present = np.flatnonzero(kinds)
    counts = np.zeros((resamples, len(kinds)), dtype=np.int64)
    rng = np.random.default_rng(seed)
    counts[:, present] = rng.multinomial(kinds.sum(), kinds[present] / kinds.sum(), size=resamples)
    return counts[:, : len(bugs)], counts[:, len(bugs) :]


def percentile_interval(values: Floats, level: float) -> Interval:
    """The percentile interval of draws; undefined ones are ignored, and where all are, the interval is (0, 1)."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return 0.0, 1.0
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
