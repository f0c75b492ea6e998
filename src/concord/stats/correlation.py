"""Correlation of two scores, as of human and metamorphic judgement: Pearson, Spearman and Kendall (tau-b).

Intervals by Fisher's z: with the standard error of Bonett and Wright (2000) for Spearman and of Fieller,
Hartley and Pearson (1957) for Kendall; or by drawing pairs anew (Efron 1979), which supposes no distribution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.special import ndtri

from concord.blas import one_blas_thread
from concord.errors import UserError
from concord.stats.cells import Floats

one_blas_thread()


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient in [-1, 1] with its two-sided p-value; nan where one of the scores never varies."""

    method: str
    n: int
    r: float
    p: float
    lower: float
    upper: float


_METHODS: dict[str, Callable[[Floats, Floats], tuple[float, float]]] = {
    "pearson": lambda x, y: stats.pearsonr(x, y),
    "spearman": lambda x, y: stats.spearmanr(x, y),
    "kendall": lambda x, y: stats.kendalltau(x, y),
}
_ERRORS: dict[str, Callable[[float, int], float]] = {
    "pearson": lambda r, n: math.sqrt(1 / (n - 3)),
    "spearman": lambda r, n: math.sqrt((1 + r * r / 2) / (n - 3)),
    "kendall": lambda r, n: math.sqrt(0.437 / (n - 4)),
}


def correlate(
    x: Sequence[float], y: Sequence[float], *, level: float = 0.95, resamples: int = 0, seed: int = 0
) -> list[Correlation]:
    """The three coefficients of paired scores, with intervals by Fisher's z, or by that many draws.

    Pairs with a missing (non-finite) score are left out.
    """
    if len(x) != len(y):
        raise UserError(f"scores come in pairs: there are {len(x)} of one and {len(y)} of the other")
    pairs = np.array([x, y], dtype=float)
    pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
    return [_correlation(method, pairs, level, resamples, seed) for method in _METHODS]


def _correlation(method: str, pairs: Floats, level: float, resamples: int, seed: int) -> Correlation:
    n = pairs.shape[1]
    r, p = _coefficient(method, pairs)
    if resamples:
        lower, upper = _by_draws(method, pairs, level, resamples, np.random.default_rng(seed))
    else:
        lower, upper = _by_fisher(method, r, n, level)
    return Correlation(method, n, r, p, lower, upper)


def _coefficient(method: str, pairs: Floats) -> tuple[float, float]:
    if pairs.shape[1] < 3 or (np.ptp(pairs, axis=1) == 0).any():
        return math.nan, math.nan
    r, p = _METHODS[method](*pairs)
    return float(r), float(p)


def _by_fisher(method: str, r: float, n: int, level: float) -> tuple[float, float]:
    if math.isnan(r) or n < 5:
        return math.nan, math.nan
    if abs(r) >= 1:
        return r, r
    reach = float(ndtri((1 + level) / 2)) * _ERRORS[method](r, n)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)


def _by_draws(
    method: str, pairs: Floats, level: float, resamples: int, rng: np.random.Generator
) -> tuple[float, float]:
    n = pairs.shape[1]
    found = np.array([_coefficient(method, pairs[:, rng.integers(n, size=n)])[0] for _ in range(resamples if n else 0)])
    found = found[~np.isnan(found)]
    if not len(found):
        return math.nan, math.nan
    lower, upper = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(lower), float(upper)
