"""Tukey's studentised range: the probability that the largest of many differences is this large by chance.

The tail probability is a double integral. The inner one, the range of normal variables, depends only on
the number of means; it is tabulated once in logarithms and interpolated, so thousands of comparisons
take milliseconds. The error is below 1e-7.
"""

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import gammainccinv, gammaincinv, ndtr

from concord.blas import one_blas_thread
from concord.stats.cells import Floats

one_blas_thread()

_WIDEST = 40.0
_STEP = 0.05
_MANY = 100
_NEGLIGIBLE = 1e-13
_BLOCK = 1_000_000


def tail(q: Floats, means: int, df: float) -> Floats:
    """P(Q > q) for the studentised range of that many means and degrees of freedom.

    >>> tail(np.array([3.877]), 3, 10).round(3).tolist()
    [0.05]
    """
    if means < 2:
        return np.ones_like(q)
    table = _log_tail_of_range(means)
    scales, chances = _scales(df)
    chance = np.empty(len(q))
    size = max(1, _BLOCK // len(scales))
    for first in range(0, len(q), size):
        # An infinite q (a difference without any variance) is as good as the widest that is tabulated.
        reached = np.minimum(np.abs(q[first : first + size])[:, None] * scales, _WIDEST)
        chance[first : first + size] = np.exp(table(reached)) @ chances
    return np.clip(chance, 0.0, 1.0)


def adjusted(t: Floats, means: int, df: float) -> Floats:
    """p-values of t statistics of all pairs among that many means, for the whole family."""
    return tail(np.sqrt(2.0) * np.abs(t), means, df)


@lru_cache(maxsize=128)
def _log_tail_of_range(means: int) -> CubicSpline:
    """The logarithm of P(range > w) for that many standard normal variables, as a function of w."""
    # The largest of many variables has a narrow distribution, which takes more points to resolve.
    many = means > _MANY
    widths = np.arange(0.0, _WIDEST + _STEP, _STEP / 2 if many else _STEP)
    nodes, weights = np.polynomial.legendre.leggauss(192 if many else 128)
    low, high = -9.0, widths[:, None] / 2 + 9.0
    z = low + (nodes + 1) / 2 * (high - low)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * weights * (high - low) / 2
    # The smallest variable is at z - w or below with odds `below` once the largest is at z. Written with
    # logarithms near one, no digit is lost however small the tail.
    below = ndtr(z - widths[:, None]) / ndtr(z)
    with np.errstate(divide="ignore"):
        some_below = -np.expm1((means - 1) * np.log1p(-below))
    tails = means * np.sum(density * ndtr(z) ** (means - 1) * some_below, axis=1)
    return CubicSpline(widths, np.log(tails))


@lru_cache(maxsize=128)
def _scales(df: float) -> tuple[Floats, Floats]:
    """Quadrature points of the estimated standard deviation over the true one, and the probability of each."""
    if not np.isfinite(df):
        return np.ones(1), np.ones(1)
    low, high = (math.log(2 * end(df / 2, _NEGLIGIBLE) / df) / 2 for end in (gammaincinv, gammainccinv))
    nodes, weights = np.polynomial.legendre.leggauss(16)
    # With few degrees of freedom the points spread over many powers of ten, and need as many panels.
    panels = max(4, int((high - low) / 0.25))
    borders = np.linspace(low, high, panels + 1)
    x = np.concatenate([(a + b) / 2 + (b - a) / 2 * nodes for a, b in pairwise(borders)])
    # Only the shape is needed: the panels are equally wide and the chances are made to sum to one.
    log_density = df * x - df * np.expm1(2 * x) / 2
    chances = np.exp(log_density - log_density.max()) * np.tile(weights, panels)
    return np.exp(x), chances / chances.sum()
