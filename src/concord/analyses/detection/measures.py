"""Measures against labels: precision, recall and F of flags, AUC of scores, thresholds chosen on other sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from concord.analyses.detection.ground_truth import Decided
from concord.comparator.learned import FOLDS, folds
from concord.stats.best_threshold import between
from concord.stats.detection import Booleans, Floats
from concord.stats.stratified_estimates import Estimates, ShareEstimate, estimates, urns

DRAWS = 1000
SEED = 0
FEWEST, MOST = 200, 200_000
"""The fewest draws for the interval of an area, and the most numbers that all draws may have together."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Precision, recall and F of flags with 95 % intervals; None if labels do not allow an estimate.

    `labelled` is how many labelled cases are flagged, `bugs` how many of these are bugs.
    """

    precision: ShareEstimate | None
    recall: ShareEstimate | None
    f: ShareEstimate | None
    labelled: int
    bugs: int


@dataclass(frozen=True, slots=True)
class Area:
    """The area under the ROC curve: the chance that a bug scores worse than another case, with its 95 % interval."""

    value: float
    low: float
    high: float


def measured(decided: Decided, flags: Booleans) -> Measured:
    """The measures of flags; recall only if unflagged cases are labelled as well."""
    labelled, bugs = int(flags.sum()), int((flags & decided.bug).sum())
    if not len(decided):
        return Measured(None, None, None, 0, 0)
    estimated = _estimated(decided, flags)
    recall, f = (estimated.recall, estimated.f) if decided.both_sides else (None, None)
    return Measured(estimated.precision, recall, f, labelled, bugs)


def base_rate(decided: Decided) -> ShareEstimate | None:
    """The proportion of bugs among all cases; None if only flagged cases are labelled, for whom it is the precision."""
    if not len(decided) or not decided.both_sides:
        return None
    return _estimated(decided, decided.flagged).base_rate


def ranked(decided: Decided, score: Floats) -> Area | None:
    """The area under the curve of a score, higher being worse, in the population that the labels represent.

    Its interval comes from draws of the whole population, as for other measures (`stats.stratified_estimates`):
    unlabelled cases of a stratum resemble its labelled ones, and a stratum without a labelled bug may still have bugs.
    """
    if decided.kinds < 2:
        return None
    return _area(score.tobytes(), np.ascontiguousarray(decided.flagged).tobytes(), *_bytes(decided))


@lru_cache(maxsize=1_000)
def _area(score: bytes, *labels: bytes) -> Area:
    values, wrong, weights = np.frombuffer(score), np.frombuffer(labels[1], bool), np.frombuffer(labels[2])
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(values[order]) != 0))
    value = float(_areas((weights * wrong)[order], (weights * ~wrong)[order], starts))
    bugs, correct = _populations(*labels)
    drawn = _areas(bugs[:, order], correct[:, order], starts)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Area(value, min(value, float(low)), max(value, float(high)))


def _areas(bugs: Floats, correct: Floats, starts: NDArray[np.intp]) -> Floats:
    """The chance that a bug has the higher score, ties counting half; columns by ascending score, ties at `starts`."""
    wrong, right = (np.add.reduceat(counts, starts, axis=-1) for counts in (bugs, correct))
    below = np.cumsum(right, axis=-1) - right / 2
    return np.asarray((wrong * below).sum(axis=-1) / (wrong.sum(axis=-1) * right.sum(axis=-1)))


@lru_cache(maxsize=64)
def _populations(flagged: bytes, bug: bytes, weight: bytes, stratum: bytes) -> tuple[Floats, Floats]:
    """For each draw of the population, how many bugs and how many others have the score of each labelled case."""
    wrong, weights, strata = np.frombuffer(bug, bool), np.frombuffer(weight), np.frombuffer(stratum, "i8")
    draws = max(FEWEST, min(DRAWS, MOST // len(wrong)))
    labelled = np.stack([wrong, ~wrong]).astype(np.float64)
    balls = _balls(np.frombuffer(flagged, bool), wrong, weights, strata)
    chance, populations = np.random.default_rng(SEED), np.repeat(labelled[:, None, :], draws, axis=1)
    for number in np.unique(strata[balls[0] > 0]):
        members = np.flatnonzero((strata == number) & (balls[0] > 0))
        populations[:, :, members] += (weights[members] - 1).sum() * _parts(balls[:, members], draws, chance)
    return populations[0], populations[1]


def _balls(flagged: Booleans, bug: Booleans, weight: Floats, stratum: NDArray[np.int64]) -> Floats:
    """How much each labelled case counts as a bug, and as a correct case, in its urn.

    The bugs of an urn have the scores of its labelled bugs. If there is none, and for unseen bugs, the score is
    unknown: these are spread over all labelled cases. Correct cases likewise.
    """
    balls = np.zeros((2, len(bug)))
    for urn in urns(flagged, bug, weight, stratum):
        for row, sort, count in ((0, bug[urn.cases], urn.bugs), (1, ~bug[urn.cases], urn.correct)):
            over = sort if sort.any() else np.ones(len(sort), dtype=bool)
            balls[row, urn.cases] = count * over / over.sum() + urn.unseen / len(sort)
    return balls


def _parts(balls: Floats, draws: int, chance: np.random.Generator) -> Floats:
    """Draws from a Dirichlet distribution, computed with logarithms: with few balls, most parts would underflow."""
    shape = balls[:, None, :]
    size = (len(balls), draws, balls.shape[1])
    logs = np.log(chance.standard_gamma(shape + 1, size)) + np.log(1 - chance.random(size)) / shape
    parts = np.exp(logs - logs.max(axis=(0, 2), keepdims=True))
    return np.asarray(parts / parts.sum(axis=(0, 2), keepdims=True))


def shares(decided: Decided, score: Floats, thresholds: Sequence[float], rule: str) -> tuple[Floats, Floats, Floats]:
    """Precision, recall and F at each threshold, without intervals; NaN where nothing is flagged."""
    order = np.argsort(score, kind="stable")
    weight, wrong = decided.weight[order], (decided.weight * decided.bug)[order]
    spared = np.searchsorted(score[order], thresholds, "left" if rule == "≥" else "right")
    # Sums over all cases from each rank up, since those above the threshold are flagged.
    flagged, hits = (np.append(np.cumsum(values[::-1])[::-1], 0.0)[spared] for values in (weight, wrong))
    bugs = wrong.sum()
    return _ratio(hits, flagged), _ratio(hits, np.full_like(hits, bugs)), _ratio(2 * hits, flagged + bugs)


def best_threshold(decided: Decided, rule: str) -> float | None:
    """The threshold of the best F on these labels; of equals the one that flags the fewest cases, and never all."""
    values = np.unique(decided.suspicion)
    if decided.kinds < 2 or len(values) < 2 or not decided.both_sides:
        return None
    counts = rule == ">" and bool((values == np.rint(values)).all() and np.abs(values).max() > 1)
    gaps = zip(values[:-1].tolist(), values[1:].tolist(), strict=True)
    thresholds = [low if counts else between(low, high) for low, high in gaps][::-1]
    _, _, f = shares(decided, decided.suspicion, thresholds, rule)
    return thresholds[int(np.nanargmax(f))]


def held_out(decided: Decided, score: Floats) -> Measured | None:
    """The measures of flags whose thresholds were chosen on other sentences; None if there are too few sentences."""
    groups = [verdict.sentence for verdict in decided.verdicts]
    if decided.kinds < 2 or not decided.both_sides or len(set(groups)) < FOLDS:
        return None
    part = folds(groups, SEED)
    flags = np.zeros(len(score), dtype=bool)
    for fold in range(FOLDS):
        training = part != fold
        if len(np.unique(decided.bug[training])) < 2:
            return None
        flags[~training] = score[~training] >= _lowest(score[training], decided.bug[training], decided.weight[training])
    return measured(decided, flags)


def _lowest(score: Floats, bug: Booleans, weight: Floats) -> float:
    """The lowest score that is flagged at the best F."""
    order = np.argsort(-score, kind="stable")
    last = np.append(np.diff(score[order]) != 0, True)
    flagged, hits = np.cumsum(weight[order])[last], np.cumsum((weight * bug)[order])[last]
    return float(score[order][last][int(np.argmax(2 * hits / (flagged + (weight * bug).sum())))])


def _estimated(decided: Decided, flags: Booleans) -> Estimates:
    return _estimates(np.ascontiguousarray(flags).tobytes(), *_bytes(decided))


def _bytes(decided: Decided) -> tuple[bytes, bytes, bytes]:
    return decided.bug.tobytes(), decided.weight.tobytes(), decided.stratum.tobytes()


# Intervals are drawn anew only when labels or flags have changed since a page was last looked at.
@lru_cache(maxsize=10_000)
def _estimates(flags: bytes, bug: bytes, weight: bytes, stratum: bytes) -> Estimates:
    arrays = (np.frombuffer(flags, bool), np.frombuffer(bug, bool), np.frombuffer(weight), np.frombuffer(stratum, "i8"))
    return estimates(*arrays, draws=DRAWS, seed=SEED)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.asarray(np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0))
