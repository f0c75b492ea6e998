"""Correlation of two scores, as of human and metamorphic judgement: Pearson, Spearman and Kendall (tau-b).

Intervals by Fisher's z: with the standard error of Bonett and Wright (2000) for Spearman and of Fieller, Hartley and
Pearson (1957) for Kendall. For few pairs, Spearman's p-value is exact, by all permutations of one side (Pitman 1937):
the usual approximation gives five pairs in perfect order a p-value of 0, but chance produces one in sixty.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from scipy import stats
from scipy.special import ndtri

from concord.blas import one_blas_thread
from concord.stats.cells import Floats, Integers

one_blas_thread()

MOST = 8
_TINY = 1e-9


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


def correlate(x: Sequence[float], y: Sequence[float], *, level: float = 0.95) -> list[Correlation]:
    """The three coefficients of paired scores, with intervals by Fisher's z.

    Pairs with a missing (non-finite) score are left out.
    """
    pairs = np.array([x, y], dtype=float)
    pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
    n, coefficients = pairs.shape[1], [(method, *_coefficient(method, pairs)) for method in _METHODS]
    return [Correlation(method, n, r, p, *_by_fisher(method, r, n, level)) for method, r, p in coefficients]


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


def exact_p(x: Floats, y: Floats) -> float | None:
    """The exact two-sided p-value of Spearman's coefficient; None for fewer than 3 or more than `MOST` pairs."""
    if not 3 <= len(x) <= MOST:
        return None
    a, b = (ranks - ranks.mean() for ranks in (stats.rankdata(x), stats.rankdata(y)))
    products = np.abs(b[_orders(len(b))] @ a)
    return float((products >= abs(float(a @ b)) - _TINY).mean())


@cache
def _orders(n: int) -> Integers:
    return np.array(list(permutations(range(n))), dtype=np.int64)
