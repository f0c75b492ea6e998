"""Least-squares means with intervals, all their pairs by Tukey's method, and a compact letter display.

Means and pairs are what R's emmeans and multcomp report (Lenth 2016; Piepho 2004). The family of a
comparison is all levels, also those without an estimate.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from concord.stats.cells import Floats
from concord.stats.compact_letters import compact_letters
from concord.stats.linear import LinearEstimates
from concord.stats.tukey import adjusted

_ROUNDING = 1e-7


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a level; nan throughout where the data do not determine it."""

    level: str
    mean: float
    se: float
    df: float
    lower: float
    upper: float
    letters: str | None = None


@dataclass(frozen=True, slots=True)
class PairwiseDifference:
    """The difference a - b, with a p-value that holds for all pairs of the family together."""

    a: str
    b: str
    difference: float
    se: float
    t: float
    p: float


@dataclass(frozen=True, slots=True)
class Effect:
    """The levels of a factor, compared."""

    means: list[Mean]
    pairs: list[PairwiseDifference]


def effect(estimates: LinearEstimates, covariance: Floats, df: float, level: float) -> Effect:
    """Means, intervals of that level, pairs and letters; 1 - level is the family-wise error of the pairs."""
    pairs = _pairs(estimates, covariance, df)
    means = _means(estimates, covariance, df, level)
    letters = _letters(means, pairs, 1 - level)
    return Effect([replace(mean, letters=letters.get(mean.level)) for mean in means], pairs)


def _means(estimates: LinearEstimates, covariance: Floats, df: float, level: float) -> list[Mean]:
    estimable = ~estimates.loose.any(axis=1)
    values = np.where(estimable, estimates.values, np.nan)
    errors = np.where(estimable, np.sqrt(np.diag(covariance)), np.nan)
    reach = errors * (stdtrit(df, (1 + level) / 2) if df > 0 else np.nan)
    numbers = zip(values.tolist(), errors.tolist(), reach.tolist(), strict=True)
    return [
        Mean(name, value, error, df, value - width, value + width)
        for name, (value, error, width) in zip(estimates.levels, numbers, strict=True)
    ]


def _pairs(estimates: LinearEstimates, covariance: Floats, df: float) -> list[PairwiseDifference]:
    a, b = np.triu_indices(len(estimates.levels), 1)
    groups = estimates.groups()
    estimable = groups[a] == groups[b]
    differences = np.where(estimable, estimates.values[a] - estimates.values[b], np.nan)
    variance = np.diag(covariance)
    errors = np.where(estimable, np.sqrt(np.maximum(0, variance[a] + variance[b] - 2 * covariance[a, b])), np.nan)
    # A standard error of zero that rounding made positive would make any difference look certain.
    errors[errors <= _ROUNDING * np.sqrt(variance.max(initial=0.0))] = 0.0
    t = np.divide(differences, errors, out=np.full(len(a), np.nan), where=errors > 0)
    p = adjusted(t, len(estimates.levels), df) if df > 0 else t * np.nan
    columns = (column.tolist() for column in (a, b, differences, errors, t, p))
    names = estimates.levels
    return [PairwiseDifference(names[i], names[j], *numbers) for i, j, *numbers in zip(*columns, strict=True)]


def _letters(means: list[Mean], pairs: list[PairwiseDifference], alpha: float) -> dict[str, str]:
    """The letters of levels; none at all if a pair could not be tested: a shared letter would claim that it was."""
    ranked = sorted((mean for mean in means if mean.mean == mean.mean), key=lambda mean: -mean.mean)
    names = {mean.level for mean in ranked}
    tested = [pair for pair in pairs if pair.a in names and pair.b in names]
    if any(pair.p != pair.p for pair in tested):
        return {}
    different = [(pair.a, pair.b) for pair in tested if pair.p < alpha]
    return compact_letters([mean.level for mean in ranked], different)
