"""Measures of how well a score detects wrong translations, at every threshold (Cao et al. 2021, SemMT, section 4).

A row is a bug or correct; a detector flags it where its score is on the wrong side of a threshold. Flagged bugs
are true positives. Where nothing is flagged, precision and F are 0, as in the paper's means over thresholds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from concord.model import Operator

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Rule = Literal["≤", "≥", ">"]
"""How a score is flagged by a threshold: similarities `≤`, distances `≥` (both as in the paper), suspicion `>`."""
RULES: Mapping[Operator, Rule] = {">": ">", ">=": "≥"}
"""The rule of a suspicion, by the operator of its relation."""

MEASURES = ("accuracy", "precision", "recall", "f")
STEPS = 100


@dataclass(frozen=True, slots=True)
class Score:
    """A detector's score of each row, NaN where it has none. `scale` is (low, high) if the score was normalised."""

    name: str
    values: Floats
    rule: Rule = "≤"
    scale: tuple[float, float] | None = None

    @property
    def has_value(self) -> Booleans:
        return ~np.isnan(self.values)

    def only(self, rows: Booleans | Integers) -> "Score":
        return replace(self, values=self.values[rows])

    def flags(self, threshold: float) -> Booleans:
        """Which rows are flagged; a row without a score is not."""
        # Comparisons with NaN are False, as they should be here.
        if self.rule == "≤":
            return self.values <= threshold
        return self.values >= threshold if self.rule == "≥" else self.values > threshold

    def normalised(self, scale: tuple[float, float] | None = None) -> "Score":
        """The score scaled so that its lowest value is 0 and its highest 1, or by the scale of another score."""
        low, high = scale or (float(np.nanmin(self.values)), float(np.nanmax(self.values)))
        return replace(self, values=(self.values - low) / ((high - low) or 1.0), scale=(low, high))

    def own(self, threshold: float) -> float:
        """A threshold in the units that the score had before it was normalised."""
        return threshold if self.scale is None else self.scale[0] + threshold * (self.scale[1] - self.scale[0])


@dataclass(frozen=True, slots=True)
class Counts:
    """True and false positives among `rows` rows with `bugs` bugs; numbers or arrays of the same shape."""

    tp: Integers
    fp: Integers
    bugs: Integers
    rows: Integers

    @property
    def flagged(self) -> Integers:
        return self.tp + self.fp

    @property
    def accuracy(self) -> Floats:
        return _proportion(self.tp + self.rows - self.bugs - self.fp, self.rows)

    @property
    def precision(self) -> Floats:
        return _proportion(self.tp, self.flagged)

    @property
    def recall(self) -> Floats:
        return _proportion(self.tp, self.bugs)

    @property
    def f(self) -> Floats:
        """2PR / (P + R), which is 2TP / (flagged + bugs)."""
        return _proportion(2 * self.tp, self.flagged + self.bugs)

    @property
    def product(self) -> Floats:
        """True positives times true negatives, by which the paper chooses thresholds to be combined."""
        return np.asarray(self.tp * (self.rows - self.bugs - self.fp), dtype=np.float64)

    def measure(self, name: str) -> Floats:
        values: Floats = getattr(self, name)
        return values


@dataclass(frozen=True, slots=True)
class Curve:
    """Counts over thresholds, from the one that flags the fewest rows to the one that flags the most."""

    thresholds: Floats
    counts: Counts

    def best(self, measure: str) -> int:
        """The index at which a measure is highest; of equals, where the fewest rows are flagged."""
        return int(np.argmax(self.counts.measure(measure)))


def counts(flags: Booleans, bug: Booleans) -> Counts:
    """The counts of one set of flags."""
    numbers = (flags & bug).sum(), (flags & ~bug).sum(), bug.sum(), len(bug)
    return Counts(*(np.asarray(number, dtype=np.int64) for number in numbers))


def curve(score: Score, bug: Booleans, thresholds: Floats | None = None) -> Curve:
    """The counts at each threshold, of the rows that have a score; by default at those that suit it."""
    values, bug = score.values[score.has_value], bug[score.has_value]
    if thresholds is None:
        thresholds = grid(score)
    # The thresholds are ordered from few flags to many.
    thresholds = np.sort(thresholds) if score.rule == "≤" else np.sort(thresholds)[::-1]
    tp, fp = (_flagged(np.sort(values[part]), thresholds, score.rule) for part in (bug, ~bug))
    size = np.full(len(thresholds), len(values), dtype=np.int64)
    return Curve(thresholds, Counts(tp, fp, np.full_like(size, bug.sum()), size))


def grid(score: Score) -> Floats:
    """Thresholds from 0 to 1 in hundredths; for other ranges, whole numbers if the scores are, else 100 even steps."""
    values = score.values[score.has_value]
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        return np.arange(STEPS + 1) / STEPS
    if high - low <= STEPS and bool((values == np.rint(values)).all()):
        return np.arange(low, high + 1)
    return np.linspace(low, high, STEPS + 1)


def auc(score: Score, bug: Booleans) -> float:
    """The probability that a bug scores worse than a correct row; ties count half. 0.5 is no better than guessing."""
    return float(area(*levels(score, bug)))


def levels(score: Score, bug: Booleans) -> tuple[Integers, Integers]:
    """How many bugs and how many correct rows have each value, the worst value first."""
    has_value = score.has_value
    worst_first = score.values if score.rule == "≤" else -score.values
    _, level = np.unique(worst_first[has_value], return_inverse=True)
    size = int(level.max()) + 1
    bugs = np.bincount(level[bug[has_value]], minlength=size)
    return bugs.astype(np.int64), np.bincount(level[~bug[has_value]], minlength=size).astype(np.int64)


def area(bugs: Integers, correct: Integers) -> Floats:
    """The area under the curve, from counts by value along the last axis; NaN without bugs or correct rows."""
    before = np.cumsum(bugs, axis=-1) - bugs
    # Doubled, so that ties stay whole numbers.
    won = (correct * (2 * before + bugs)).sum(axis=-1).astype(np.float64)
    pairs = 2 * bugs.sum(axis=-1).astype(np.float64) * correct.sum(axis=-1)
    areas: Floats = np.divide(won, pairs, out=np.full_like(won, np.nan), where=pairs > 0)
    return areas


def bugs_among(score: Score, bug: Booleans, flagged: int) -> float:
    """The number of bugs among the `flagged` worst rows; the last ones, if they tie, count in proportion."""
    bugs, correct = levels(score, bug)
    return float(np.interp(flagged, _from_zero(bugs + correct), _from_zero(bugs)))


def mixed(first: Score, second: Score, weight: float) -> Score:
    """`share` of the first and the rest of the second, as SemMT's hybrid similarity (equation 5)."""
    values = weight * first.values + (1 - weight) * second.values
    return Score(f"{weight:g}*{first.name}+{1 - weight:.2g}*{second.name}", values, first.rule)


def any_of(flags: Sequence[Booleans]) -> Booleans:
    """Which rows at least one detector flags."""
    flagged: Booleans = np.logical_or.reduce(flags)
    return flagged


def _flagged(ordered: Floats, thresholds: Floats, rule: Rule) -> Integers:
    below = np.searchsorted(ordered, thresholds, side="left" if rule == "≥" else "right")
    return (below if rule == "≤" else len(ordered) - below).astype(np.int64)


def _proportion(part: Integers, whole: Integers) -> Floats:
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), whole)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def _from_zero(steps: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(steps)]).astype(np.int64)
