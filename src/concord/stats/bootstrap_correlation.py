"""Bootstrap of Pearson's, Spearman's and Kendall's (tau-b) coefficients: of drawn values, and of weighted pairs.

`correlation.py` has the coefficients of a single sample. Here the same ones are computed a thousand times, so they
are vectorised over draws: ranks of weighted pairs come from cumulative sums, not from sorting again.
"""

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

    NaN where one of the rows is constant, or lacks a value.
    """
    whole = (np.isfinite(x) & np.isfinite(y)).all(axis=1, keepdims=True)
    x, y = (np.where(whole, values, 0.0) for values in (x, y))
    ranks_x, ranks_y = (stats.rankdata(values, axis=1) for values in (x, y))
    return np.column_stack([_pearson(x, y), _pearson(ranks_x, ranks_y), _kendall(x, y)])


def _kendall(x: Floats, y: Floats) -> Floats:
    """The cosine of the signs of all differences, in pieces that fit into memory."""
    step = max(1, _MOST_SIGNS // max(1, x.shape[1] ** 2))
    parts = []
    for first in range(0, len(x), step):
        rows = [values[first : first + step] for values in (x, y)]
        signs = [np.sign(row[:, :, None] - row[:, None, :]).reshape(len(row), -1) for row in rows]
        parts.append(_cosine(*signs))
    return np.concatenate(parts)


def drawn_pairs(
    x: Floats, y: Floats, sentence: Integers, draws: SentenceDraws, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """The bootstrap intervals of the coefficients of pairs, drawn by the sentences that the pairs belong to."""
    lower, upper = ends(draws.drawn(_Pairs(x, y, sentence, draws.sentences).coefficients), level)
    return {method: (float(a), float(b)) for method, a, b in zip(METHODS, lower, upper, strict=True)}


class _Pairs:
    """Pairs of values with their sentences; computes correlations for given weights of the sentences."""

    def __init__(self, x: Floats, y: Floats, sentence: Integers, sentences: int) -> None:
        order = np.argsort(sentence, kind="stable")
        self._x, self._y, self._sentence, self._size = x[order], y[order], sentence[order], sentences
        self._codes = [np.unique(values, return_inverse=True)[1] for values in (self._x, self._y)]
        u, v = (values - values.mean() for values in (self._x, self._y))
        moments = [np.bincount(self._sentence, m, minlength=sentences) for m in (u**0, u, v, u * u, v * v, u * v)]
        self._moments = np.column_stack(moments)
        few = sentences <= _MOST_SENTENCES and len(x) ** 2 <= _MOST_SIGNS * 25
        self._surplus = self._in_order() if few else None

    def coefficients(self, weights: Floats) -> Floats:
        """The three coefficients of every draw, in pieces that fit into memory."""
        step = max(1, _MOST_SIGNS // len(self._sentence))
        return np.concatenate([self._piece(weights[first : first + step]) for first in range(0, len(weights), step)])

    def _piece(self, weights: Floats) -> Floats:
        pair_weights = weights[:, self._sentence]
        (ranks_x, untied_x), (ranks_y, untied_y) = (self._ranks(codes, pair_weights) for codes in self._codes)
        n, u, v, uu, vv, uv = (weights @ self._moments).T
        pearson = _ratio(n * uv - u * v, (n * uu - u * u) * (n * vv - v * v))
        squares_x, squares_y = ((pair_weights * ranks**2).sum(axis=1) for ranks in (ranks_x, ranks_y))
        spearman = _ratio((pair_weights * ranks_x * ranks_y).sum(axis=1), squares_x * squares_y)
        kendall = self._kendall(weights, pair_weights, untied_x * untied_y)
        coefficients = np.clip(np.column_stack([pearson, spearman, kendall]), -1.0, 1.0)
        return np.where((untied_x * untied_y > 0)[:, None], coefficients, np.nan)

    def _ranks(self, codes: Integers, pair_weights: Floats) -> tuple[Floats, Floats]:
        """The centred ranks in each draw, where a value counts by its weight, and the number of untied pairs."""
        order = np.argsort(codes, kind="stable")
        count = np.add.reduceat(pair_weights[:, order], np.flatnonzero(np.diff(codes[order], prepend=-1)), axis=1)
        total = count.sum(axis=1)
        middle: Floats = np.cumsum(count, axis=1) - count / 2 - total[:, None] / 2
        return middle[:, codes], (total**2 - (count**2).sum(axis=1)) / 2

    def _kendall(self, weights: Floats, pair_weights: Floats, untied: Floats) -> Floats:
        if self._surplus is not None:
            return _ratio(((weights @ self._surplus) * weights).sum(axis=1) / 2, untied)
        taus = np.full(len(untied), np.nan)
        for draw in np.flatnonzero(untied):
            copies = pair_weights[draw].astype(np.int64)
            taus[draw] = stats.kendalltau(np.repeat(self._x, copies), np.repeat(self._y, copies)).statistic
        return taus

    def _in_order(self) -> Floats:
        """For every two sentences, the number of concordant minus discordant pairs of their observations."""
        present, starts = np.unique(self._sentence, return_index=True)
        surplus = np.zeros((self._size, self._size))
        x, y = self._codes
        for number, first, last in zip(present, starts, [*starts[1:], len(x)], strict=True):
            signs = [np.sign(codes[first:last, None] - codes[None, :]).astype(np.int8) for codes in (x, y)]
            surplus[number, present] = np.add.reduceat((signs[0] * signs[1]).sum(axis=0, dtype=np.int64), starts)
        return surplus


def _ratio(product: Floats, squares: Floats) -> Floats:
    return np.divide(product, np.sqrt(np.maximum(squares, 0.0)), out=np.full_like(product, np.nan), where=squares > 0)


def _pearson(x: Floats, y: Floats) -> Floats:
    centred = [values - values.mean(axis=1, keepdims=True) for values in (x, y)]
    # A constant row leaves nothing but rounding errors.
    noise = [_TINY * np.abs(values).max(initial=0.0) for values in (x, y)]
    a, b = (np.where(np.abs(values) <= small, 0.0, values) for values, small in zip(centred, noise, strict=True))
    return _cosine(a, b)


def _cosine(a: Floats, b: Floats) -> Floats:
    cosine = _ratio((a * b).sum(axis=1), (a * a).sum(axis=1) * (b * b).sum(axis=1))
    clipped: Floats = np.clip(cosine, -1.0, 1.0)
    return clipped
