"""How well a score tells wrong translations from right ones, at every threshold (Cao et al. 2021, SemMT, section 4).

A row is a bug or correct; a detector flags it where its score is on the wrong side of a threshold. Flagged bugs
are true positives. Where nothing is flagged, precision and F are 0, as in the paper's means over thresholds.
"""

from __future__ import annotations

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
"""What flags a score at a threshold: similarities `≤`, distances `≥` (both as in the paper), suspicion `>`."""
RULES: Mapping[Operator, Rule] = {">": ">", ">=": "≥"}
"""What flags a suspicion, by the operator of its relation."""

MEASURES = ("accuracy", "precision", "recall", "f")
STEPS = 100


@dataclass(frozen=True, slots=True)
class Score:
    """What a detector says of each row; NaN where it says nothing. `scale` is (low, high) if it was normalised."""

    name: str
    values: Floats
    rule: Rule = "≤"
    scale: tuple[float, float] | None = None

    @property
    def known(self) -> Booleans:
        return ~np.isnan(self.values)

    @property
    def badness(self) -> Floats:
        """The same order with the worst highest."""
        return -self.values if self.rule == "≤" else self.values

    def only(self, rows: Booleans | Integers) -> Score:
        return replace(self, values=self.values[rows])

    def flags(self, threshold: float) -> Booleans:
        """What is flagged; a row without a score is not."""
        # Comparing with NaN is False, which is what is meant here.
        if self.rule == "≤":
            return self.values <= threshold
        return self.values >= threshold if self.rule == "≥" else self.values > threshold

    def normalised(self, scale: tuple[float, float] | None = None) -> Score:
        """Stretched so that the lowest value is 0 and the highest 1, or as another score was."""
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
        return _share(self.tp + self.rows - self.bugs - self.fp, self.rows)

    @property
    def precision(self) -> Floats:
        return _share(self.tp, self.flagged)

    @property
    def recall(self) -> Floats:
        return _share(self.tp, self.bugs)

    @property
    def f(self) -> Floats:
        """2PR / (P + R), which is 2TP / (flagged + bugs)."""
        return _share(2 * self.tp, self.flagged + self.bugs)

    @property
    def product(self) -> Floats:
        """True positives times true negatives, by which the paper chooses thresholds to be combined."""
        return np.asarray(self.tp * (self.rows - self.bugs - self.fp), dtype=np.float64)

    def of(self, measure: str) -> Floats:
        found: Floats = getattr(self, measure)
        return found


@dataclass(frozen=True, slots=True)
class Curve:
    """Counts over thresholds, from the one that flags the fewest rows to the one that flags the most."""

    thresholds: Floats
    counts: Counts

    def best(self, measure: str) -> int:
        """Where a measure is highest; of equals, where the fewest are flagged."""
        return int(np.argmax(self.counts.of(measure)))


def counts(flags: Booleans, bug: Booleans) -> Counts:
    """The counts of one set of flags."""
    found = (flags & bug).sum(), (flags & ~bug).sum(), bug.sum(), len(bug)
    return Counts(*(np.asarray(each, dtype=np.int64) for each in found))


def curve(score: Score, bug: Booleans, thresholds: Floats | None = None) -> Curve:
    """The counts at each threshold, of the rows that have a score; by default at those that suit it."""
    values, bug = score.values[score.known], bug[score.known]
    if thresholds is None:
        thresholds = grid(score)
    # From few flags to many.
    at = np.sort(thresholds) if score.rule == "≤" else np.sort(thresholds)[::-1]
    tp, fp = (_flagged(np.sort(values[part]), at, score.rule) for part in (bug, ~bug))
    size = np.full(len(at), len(values), dtype=np.int64)
    return Curve(at, Counts(tp, fp, np.full_like(size, bug.sum()), size))


def grid(score: Score) -> Floats:
    """0 to 1 in hundredths; for scores beyond that, whole numbers where they are such, else a hundred even steps."""
    values = score.values[score.known]
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        return np.arange(STEPS + 1) / STEPS
    if high - low <= STEPS and bool((values == np.rint(values)).all()):
        return np.arange(low, high + 1)
    return np.linspace(low, high, STEPS + 1)


def auc(score: Score, bug: Booleans) -> float:
    """The chance that a bug looks worse than a correct row; ties count half. 0.5 is no better than guessing."""
    return float(area(*levels(score, bug)))


def levels(score: Score, bug: Booleans) -> tuple[Integers, Integers]:
    """How many bugs and how many correct rows have each value, the worst value first."""
    known = score.known
    _, place = np.unique(-score.badness[known], return_inverse=True)
    size = int(place.max()) + 1
    bugs = np.bincount(place[bug[known]], minlength=size)
    return bugs.astype(np.int64), np.bincount(place[~bug[known]], minlength=size).astype(np.int64)


def area(bugs: Integers, correct: Integers) -> Floats:
    """The area under the curve, from counts by value along the last axis; NaN without bugs or correct rows."""
    before = np.cumsum(bugs, axis=-1) - bugs
    # Doubled, so that ties stay whole numbers.
    won = (correct * (2 * before + bugs)).sum(axis=-1).astype(np.float64)
    pairs = 2 * bugs.sum(axis=-1).astype(np.float64) * correct.sum(axis=-1)
    found: Floats = np.divide(won, pairs, out=np.full_like(won, np.nan), where=pairs > 0)
    return found


def found_among(score: Score, bug: Booleans, flagged: int) -> float:
    """How many bugs are among the `flagged` worst rows; rows that tie at the end share what is left."""
    bugs, correct = levels(score, bug)
    return float(np.interp(flagged, _from_zero(bugs + correct), _from_zero(bugs)))


def mixed(first: Score, second: Score, share: float) -> Score:
    """`share` of the first and the rest of the second, as SemMT's hybrid similarity (equation 5)."""
    values = share * first.values + (1 - share) * second.values
    return Score(f"{share:g}*{first.name}+{1 - share:.2g}*{second.name}", values, first.rule)


def any_of(flags: Sequence[Booleans]) -> Booleans:
    """Flagged by at least one: a combination finds whatever one of its parts finds."""
    found: Booleans = np.logical_or.reduce(flags)
    return found


def _flagged(ordered: Floats, at: Floats, rule: Rule) -> Integers:
    below = np.searchsorted(ordered, at, side="left" if rule == "≥" else "right")
    return (below if rule == "≤" else len(ordered) - below).astype(np.int64)


def _share(part: Integers, whole: Integers) -> Floats:
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), whole)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def _from_zero(steps: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(steps)]).astype(np.int64)
