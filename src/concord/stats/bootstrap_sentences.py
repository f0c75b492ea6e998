"""Bootstrap over sentences (Efron 1979): how a statistic of systems would vary with other sentences.

A draw takes as many sentences as there are, with replacement, each with the scores of all systems. So scores of
different systems on the same sentence stay together, and means, differences and correlations get honest intervals. A
statistic receives a draw as weights, one for each sentence.
"""

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
    """Bootstrap draws of sentences. Iterating gives blocks of weights, draw × sentence, the same each time."""

    sentences: int
    resamples: int
    seed: int

    def __iter__(self) -> Iterator[Floats]:
        rng = np.random.default_rng(self.seed)
        size = max(1, _BLOCK // self.sentences)
        for first in range(0, self.resamples, size):
            draws = min(size, self.resamples - first)
            # Every draw has bins of its own: one bincount of all is many times faster than multinomial counts.
            bins = rng.integers(self.sentences, size=(draws, self.sentences))
            bins += self.sentences * np.arange(draws)[:, None]
            counts = np.bincount(bins.ravel(), minlength=draws * self.sentences)
            yield counts.reshape(draws, self.sentences).astype(np.float64)

    def drawn(self, statistic: Callable[[Floats], Floats]) -> Floats:
        """The values of a statistic for every draw, along the first axis; it receives blocks of weights."""
        return np.concatenate([statistic(weights) for weights in self])


def ends(drawn: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The percentile interval of draws, which are along the first axis.

    Draws in which a number is undefined are ignored; the ends are NaN where it is undefined in all of them.
    """
    return _ends(drawn, np.array([(1 - level) / 2, (1 + level) / 2])[:, None])


def wider_ends(drawn: Floats, observed: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The wider ends of the percentile interval and of the bias-corrected one (Efron 1981), for few numbers.

    The means of a draw are further from the truth than the observed ones, which pulls their correlation towards 0:
    the percentile interval alone may not contain the observed value.
    """
    defined = np.isfinite(drawn).sum(axis=0)
    below = (drawn < observed).sum(axis=0) + (drawn == observed).sum(axis=0) / 2
    bias = ndtri((below + 0.5) / (defined + 1))
    corrected = _ends(drawn, ndtr(2 * bias + ndtri([[(1 - level) / 2], [(1 + level) / 2]])))
    plain = ends(drawn, level)
    return np.minimum(plain[0], corrected[0]), np.maximum(plain[1], corrected[1])


def _ends(drawn: Floats, probability: Floats) -> tuple[Floats, Floats]:
    """The lower and the upper quantile of each statistic; the two probabilities may differ between statistics."""
    flat = drawn.reshape(len(drawn), -1)
    probabilities = np.broadcast_to(probability, (2, flat.shape[1]))
    quantiles = np.full((2, flat.shape[1]), np.nan)
    for column, values in enumerate(flat.T):
        defined = values[np.isfinite(values)]
        if len(defined):
            quantiles[:, column] = np.quantile(defined, probabilities[:, column])
    lower, upper = quantiles.reshape(2, *drawn.shape[1:])
    return lower, upper


def means(values: Floats, weights: Floats) -> Floats:
    """The weighted means over sentences, the last axis of `values`, for each draw; NaN where all values are missing."""
    cells = values.reshape(-1, values.shape[-1])
    defined = np.isfinite(cells)
    total = weights @ np.where(defined, cells, 0.0).T
    count = weights @ defined.T.astype(np.float64)
    means = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return means.reshape(len(weights), *values.shape[:-1])
