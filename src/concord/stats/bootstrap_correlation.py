"""Pearson, Spearman and Kendall (tau-b) once for every draw: of values that draws change, and of weighted pairs.

What a single sample gives stands in `correlation.py`. Here the same coefficients are taken a thousand times over, so
they are written for rows of numbers: ranks of weighted pairs come from running sums, not from sorting again.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from concord.blas import one_blas_thread
from concord.stats.bootstrap_sentences import Floats, Integers, SentenceDraws, ends

one_blas_thread()

METHODS = ("pearson", "spearman", "kendall")
_MOST_SENTENCES = 2_000
_MOST_SIGNS = 4_000_000
_TINY = 1e-12


def by_rows(x: Floats, y: Floats) -> Floats:
    """The coefficients of each row of x with the same row of y, in the order of `METHODS`.

    NaN where one of the rows never varies, or has a gap.
    """
    whole = (np.isfinite(x) & np.isfinite(y)).all(axis=1, keepdims=True)
    x, y = (np.where(whole, each, 0.0) for each in (x, y))
    of_x, of_y = (stats.rankdata(each, axis=1) for each in (x, y))
    return np.column_stack([_pearson(x, y), _pearson(of_x, of_y), _kendall(x, y)])


def _kendall(x: Floats, y: Floats) -> Floats:
    """The cosine of the signs of all differences, in pieces that fit into memory."""
    step = max(1, _MOST_SIGNS // max(1, x.shape[1] ** 2))
    parts = []
    for first in range(0, len(x), step):
        rows = [each[first : first + step] for each in (x, y)]
        signs = [np.sign(row[:, :, None] - row[:, None, :]).reshape(len(row), -1) for row in rows]
        parts.append(_cosine(*signs))
    return np.concatenate(parts)


def drawn_pairs(
    x: Floats, y: Floats, sentence: Integers, draws: SentenceDraws, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """The intervals of the coefficients of pairs, of which each belongs to a sentence, if sentences are drawn anew."""
    lower, upper = ends(draws.drawn(_Pairs(x, y, sentence, draws.sentences).coefficients), level)
    return {method: (float(a), float(b)) for method, a, b in zip(METHODS, lower, upper, strict=True)}


class _Pairs:
    """Pairs of values with the sentences that they belong to, for weights of sentences."""

    def __init__(self, x: Floats, y: Floats, sentence: Integers, sentences: int) -> None:
        order = np.argsort(sentence, kind="stable")
        self._x, self._y, self._sentence, self._size = x[order], y[order], sentence[order], sentences
        self._codes = [np.unique(each, return_inverse=True)[1] for each in (self._x, self._y)]
        u, v = (each - each.mean() for each in (self._x, self._y))
        moments = [np.bincount(self._sentence, m, minlength=sentences) for m in (u**0, u, v, u * u, v * v, u * v)]
        self._moments = np.column_stack(moments)
        few = sentences <= _MOST_SENTENCES and len(x) ** 2 <= _MOST_SIGNS * 25
        self._surplus = self._in_order() if few else None

    def coefficients(self, weights: Floats) -> Floats:
        """The three of every draw, in pieces that fit into memory."""
        step = max(1, _MOST_SIGNS // len(self._sentence))
        return np.concatenate([self._piece(weights[first : first + step]) for first in range(0, len(weights), step)])

    def _piece(self, weights: Floats) -> Floats:
        own = weights[:, self._sentence]
        (of_x, loose_x), (of_y, loose_y) = (self._ranks(codes, own) for codes in self._codes)
        n, u, v, uu, vv, uv = (weights @ self._moments).T
        pearson = _ratio(n * uv - u * v, (n * uu - u * u) * (n * vv - v * v))
        spearman = _ratio((own * of_x * of_y).sum(axis=1), (own * of_x**2).sum(axis=1) * (own * of_y**2).sum(axis=1))
        kendall = self._kendall(weights, own, loose_x * loose_y)
        found = np.clip(np.column_stack([pearson, spearman, kendall]), -1.0, 1.0)
        return np.where((loose_x * loose_y > 0)[:, None], found, np.nan)

    def _ranks(self, codes: Integers, own: Floats) -> tuple[Floats, Floats]:
        """Ranks from the middle one, if every pair stood there as often as its weight says; and how many are not tied.

        What is not tied is counted in pairs of pairs.
        """
        order = np.argsort(codes, kind="stable")
        count = np.add.reduceat(own[:, order], np.flatnonzero(np.diff(codes[order], prepend=-1)), axis=1)
        total = count.sum(axis=1)
        middle: Floats = np.cumsum(count, axis=1) - count / 2 - total[:, None] / 2
        return middle[:, codes], (total**2 - (count**2).sum(axis=1)) / 2

    def _kendall(self, weights: Floats, own: Floats, loose: Floats) -> Floats:
        if self._surplus is not None:
            return _ratio(((weights @ self._surplus) * weights).sum(axis=1) / 2, loose)
        drawn = zip(own.astype(np.int64), loose, strict=True)
        copies = ([np.repeat(each, times) for each in (self._x, self._y)] if some else None for times, some in drawn)
        return np.array([np.nan if both is None else stats.kendalltau(*both).statistic for both in copies])

    def _in_order(self) -> Floats:
        """By two sentences, how many of their pairs are in the same order less how many are not."""
        present, starts = np.unique(self._sentence, return_index=True)
        made = np.zeros((self._size, self._size))
        x, y = self._codes
        for number, first, last in zip(present, starts, [*starts[1:], len(x)], strict=True):
            signs = [np.sign(codes[first:last, None] - codes[None, :]).astype(np.int8) for codes in (x, y)]
            made[number, present] = np.add.reduceat((signs[0] * signs[1]).sum(axis=0, dtype=np.int64), starts)
        return made


def _ratio(product: Floats, squares: Floats) -> Floats:
    return np.divide(product, np.sqrt(np.maximum(squares, 0.0)), out=np.full_like(product, np.nan), where=squares > 0)


def _pearson(x: Floats, y: Floats) -> Floats:
    centred = [each - each.mean(axis=1, keepdims=True) for each in (x, y)]
    # A row of equal numbers leaves nothing but rounding.
    noise = [_TINY * np.abs(each).max(initial=0.0) for each in (x, y)]
    a, b = (np.where(np.abs(each) <= small, 0.0, each) for each, small in zip(centred, noise, strict=True))
    return _cosine(a, b)


def _cosine(a: Floats, b: Floats) -> Floats:
    found = _ratio((a * b).sum(axis=1), (a * a).sum(axis=1) * (b * b).sum(axis=1))
    clipped: Floats = np.clip(found, -1.0, 1.0)
    return clipped
