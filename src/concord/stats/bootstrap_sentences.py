"""Sentences drawn anew (Efron 1979): what a statistic of systems on the same sentences would be with other sentences.

A draw takes as many sentences as there are, some of them several times, with all that is known about each: all
systems, all scores. So what the systems have in common on a sentence stays together, and means, differences and
correlations get honest intervals. A statistic sees a draw as weights, one for each sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from concord.blas import one_blas_thread

one_blas_thread()

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class SentenceDraws:
    """Draws of so many sentences. Iterating gives blocks of weights, draw × sentence; once more repeats them."""

    sentences: int
    resamples: int
    seed: int

    def __iter__(self) -> Iterator[Floats]:
        rng = np.random.default_rng(self.seed)
        size = max(1, _BLOCK // self.sentences)
        for first in range(0, self.resamples, size):
            draws = min(size, self.resamples - first)
            # Every draw counts in places of its own: one pass over all is many times faster than multinomial counts.
            places = rng.integers(self.sentences, size=(draws, self.sentences))
            places += self.sentences * np.arange(draws)[:, None]
            counts = np.bincount(places.ravel(), minlength=draws * self.sentences)
            yield counts.reshape(draws, self.sentences).astype(np.float64)

    def drawn(self, statistic: Callable[[Floats], Floats]) -> Floats:
        """What a statistic makes of every draw; it is given blocks of weights, and the draws stand first."""
        return np.concatenate([statistic(weights) for weights in self])


def ends(drawn: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The ends of the middle part of draws, which stand along the first axis: the percentile interval.

    A draw in which a number is undefined is passed over; NaN where it is in all of them.
    """
    return _ends(drawn, np.array([(1 - level) / 2, (1 + level) / 2])[:, None])


def wider_ends(drawn: Floats, observed: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The wider ends of the percentile interval and of the one corrected for bias (Efron 1981), for few numbers.

    The means of a draw are further from the truth than the observed ones are, and that pulls their correlation
    towards 0: percentiles alone can leave out what was observed.
    """
    known = np.isfinite(drawn).sum(axis=0)
    below = (drawn < observed).sum(axis=0) + (drawn == observed).sum(axis=0) / 2
    bias = ndtri((below + 0.5) / (known + 1))
    corrected = _ends(drawn, ndtr(2 * bias + ndtri([[(1 - level) / 2], [(1 + level) / 2]])))
    plain = ends(drawn, level)
    return np.minimum(plain[0], corrected[0]), np.maximum(plain[1], corrected[1])


def _ends(drawn: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """The quantiles of each number, at two shares that are the same for all or each its own."""
    flat = drawn.reshape(len(drawn), -1)
    at = np.broadcast_to(shares, (2, flat.shape[1]))
    made = np.full((2, flat.shape[1]), np.nan)
    for column, values in enumerate(flat.T):
        known = values[np.isfinite(values)]
        if len(known):
            made[:, column] = np.quantile(known, at[:, column])
    lower, upper = made.reshape(2, *drawn.shape[1:])
    return lower, upper


def means(values: Floats, weights: Floats) -> Floats:
    """The weighted means over sentences, the last axis of `values`, for each draw; NaN where none is known."""
    cells = values.reshape(-1, values.shape[-1])
    known = np.isfinite(cells)
    total = weights @ np.where(known, cells, 0.0).T
    count = weights @ known.T.astype(np.float64)
    found = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return found.reshape(len(weights), *values.shape[:-1])
