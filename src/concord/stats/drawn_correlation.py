"""Pearson, Spearman and Kendall (tau-b) once for every draw: of values that draws change, and of weighted pairs.

What a single sample gives stands in `correlation.py`. Here the same coefficients are taken a thousand times over, so
they are written for rows of numbers: ranks of weighted pairs come from running sums, not from sorting again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import stats

from concord.stats.sentence_draws import Floats, Integers, SentenceDraws, ends

METHODS = ("pearson", "spearman", "kendall")
_MOST_CELLS = 20_000
_MOST_SIGNS = 4_000_000
_TINY = 1e-12


def by_rows(x: Floats, y: Floats) -> Floats:
    """The coefficients of each row of x with the same row of y, in the order of `METHODS`.

    NaN where one of the rows never varies, or has a gap.
    """
    whole = (np.isfinite(x) & np.isfinite(y)).all(axis=1, keepdims=True)
    x, y = (np.where(whole, each, 0.0) for each in (x, y))
    ones = np.ones_like(x)
    of_x, of_y = (stats.rankdata(each, axis=1) for each in (x, y))
    return np.column_stack([_pearson(x, y, ones), _pearson(of_x, of_y, ones), _kendall(x, y)])


def _kendall(x: Floats, y: Floats) -> Floats:
    """The cosine of the signs of all differences, in pieces that fit into memory."""
    step = max(1, _MOST_SIGNS // max(1, x.shape[1] ** 2))
    parts = []
    for first in range(0, len(x), step):
        rows = [each[first : first + step] for each in (x, y)]
        signs = [np.sign(each[:, :, None] - each[:, None, :]).reshape(len(each), -1) for each in rows]
        parts.append(_cosine(*signs))
    return np.concatenate(parts)


def drawn_pairs(
    x: Floats, y: Floats, sentence: Integers, draws: SentenceDraws, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """The intervals of the coefficients of pairs, of which each belongs to a sentence, if sentences are drawn anew."""
    pairs = _Pairs(x, y)
    lower, upper = ends(draws.drawn(lambda weights: pairs.coefficients(weights, sentence)), level)
    return {method: (float(a), float(b)) for method, a, b in zip(METHODS, lower, upper, strict=True)}


class _Pairs:
    """Paired values by their place among the different ones."""

    def __init__(self, x: Floats, y: Floats) -> None:
        self._x, self._y = x, y
        self._codes = [np.unique(each, return_inverse=True)[1] for each in (x, y)]
        self._counts = [int(codes.max()) + 1 for codes in self._codes]
        few = self._counts[0] * self._counts[1] <= _MOST_CELLS
        self._kendall: Callable[[Floats], float] = self._by_table if few else self._by_copies

    def coefficients(self, weights: Floats, sentence: Integers) -> Floats:
        """The three of every draw, in pieces that fit into memory."""
        step = max(1, _MOST_SIGNS // len(sentence))
        pieces = [weights[first : first + step, sentence] for first in range(0, len(weights), step)]
        return np.concatenate([self._piece(each) for each in pieces])

    def _piece(self, weights: Floats) -> Floats:
        pearson = _pearson(self._x[None, :], self._y[None, :], weights)
        spearman = _pearson(self._ranks(0, weights), self._ranks(1, weights), weights)
        kendall = [np.nan if np.isnan(r) else self._kendall(each) for r, each in zip(spearman, weights, strict=True)]
        return np.column_stack([pearson, spearman, kendall])

    def _ranks(self, which: int, weights: Floats) -> Floats:
        """Middle ranks, if every pair stood there as often as its weight says."""
        codes = self._codes[which]
        order = np.argsort(codes, kind="stable")
        count = np.add.reduceat(weights[:, order], np.flatnonzero(np.diff(codes[order], prepend=-1)), axis=1)
        middle: Floats = np.cumsum(count, axis=1) - count / 2
        return middle[:, codes]

    def _by_table(self, weights: Floats) -> float:
        """Pairs in order less pairs out of order, counted in the table of different values."""
        (across, down), (wide, high) = self._codes, self._counts
        table = np.bincount(across * high + down, weights, minlength=wide * high).reshape(wide, high)
        below = np.cumsum(table, axis=0) - table
        left = np.cumsum(below, axis=1) - below
        right = below.sum(axis=1, keepdims=True) - below - left
        surplus = float((table * (left - right)).sum())
        loose = [_loose(table.sum(axis=axis)) for axis in (1, 0)]
        return surplus / float(np.sqrt(loose[0] * loose[1]))

    def _by_copies(self, weights: Floats) -> float:
        times = weights.astype(np.int64)
        return float(stats.kendalltau(np.repeat(self._x, times), np.repeat(self._y, times)).statistic)


def _loose(counts: Floats) -> float:
    """How many pairs are not tied."""
    return float(counts.sum() ** 2 - (counts**2).sum()) / 2


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    total = weights.sum(axis=1, keepdims=True)
    centred = [each - (weights * each).sum(axis=1, keepdims=True) / total for each in (x, y)]
    # A row of equal numbers leaves nothing but rounding.
    flat = [np.abs(each) <= _TINY * np.abs(value).max() for each, value in zip(centred, (x, y), strict=True)]
    a, b = (np.sqrt(weights) * np.where(noise, 0.0, each) for each, noise in zip(centred, flat, strict=True))
    return _cosine(a, b)


def _cosine(a: Floats, b: Floats) -> Floats:
    scale = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    product: Floats = (a * b).sum(axis=1)
    found = np.divide(product, scale, out=np.full_like(product, np.nan), where=scale > 0)
    clipped: Floats = np.clip(found, -1.0, 1.0)
    return clipped
