"""A ranking without a model, by the wild cluster bootstrap of Cameron, Gelbach and Miller (2008).

A level's mean is the plain average of its cells. A draw flips the signs of the residuals of whole clusters at random,
so no cell is ever without observations. Two levels differ significantly if their difference is larger than the
largest one of all pairs under chance (Westfall and Young 1993), so the error rate is family-wise. Differences are
studentised by standard errors that every draw estimates itself: with fixed ones, too many levels would differ where
there are few clusters. With fewer than six clusters no levels differ at the level 0.95, since their signs have too
few combinations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from concord.blas import one_blas_thread
from concord.errors import UserError
from concord.stats.cells import Cells, Floats, Integers
from concord.stats.compact_letters import compact_letters
from concord.stats.marginal_means import Margins

one_blas_thread()

_BLOCK = 1_000_000
_TINY = 1e-9
_SIGNS = np.array([-1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Ranked:
    """A level and its rank; `best` and `worst` bound the ranks that it has in most draws.

    A level with a single cluster in one of its cells cannot be tested: it may have any rank, and has no letters.
    """

    level: str
    mean: float
    rank: int
    best: int
    worst: int
    letters: str


class Draws:
    """Random signs of clusters, in many draws."""

    def __init__(self, cells: Cells, resamples: int, seed: int) -> None:
        if cells.clusters is None:
            raise UserError("a ranking draws whole sentences: name the column that tells them apart (--cluster)")
        if resamples < 1:
            raise UserError(f"a ranking needs at least one draw, not {resamples}. 1000 are usual")
        self.clusters, self.resamples, self.seed = cells.clusters, resamples, seed

    def blocks(self, size: int) -> Iterator[Floats]:
        """Blocks of `size` draws, draw × cluster. The draws do not depend on the size, and are the same each time."""
        rng = np.random.default_rng(self.seed)
        for first in range(0, self.resamples, size):
            yield rng.choice(_SIGNS, size=(min(size, self.resamples - first), self.clusters.count))


def rank(margins: Margins, name: str, draws: Draws, level: float = 0.95) -> list[Ranked]:
    """The levels of a factor, best first. Levels without observations in some of their cells are left out."""
    levels = _Levels(margins, name, draws)
    best, worst, apart = _compared(levels, draws, level)
    order = [i for i in np.argsort(-levels.means, kind="stable").tolist() if levels.full[i]]
    index_of = {number: position for position, number in enumerate(levels.tested.tolist())}
    names, free = levels.names, len(order) - len(index_of)
    different = [(names[levels.tested[i]], names[levels.tested[j]]) for i, j in zip(*np.nonzero(apart), strict=True)]
    # A single level that can be tested is compared with nothing.
    compared = [names[i] for i in order if i in index_of] if len(index_of) > 1 or not free else []
    letters = compact_letters(compared, different)
    # Levels that cannot be tested may have any rank, also above those that can.
    bounds = {i: (int(best[position]), int(worst[position]) + free) for i, position in index_of.items()}
    return [
        Ranked(names[i], levels.mean(i), position, *bounds.get(i, (1, len(order))), letters.get(names[i], ""))
        for position, i in enumerate(order, 1)
    ]


class _Levels:
    """The levels of a factor: which have all their cells (`full`), and which have enough clusters to be `tested`."""

    def __init__(self, margins: Margins, name: str, draws: Draws) -> None:
        self.cells, self.clusters = margins.model.cells, draws.clusters
        self.names = margins.levels[name]
        self.level_of: Integers = margins.numbers(name, self.cells.index)
        grid_cells = np.bincount(margins.numbers(name, margins.model.design.grid()))
        self.weight: Floats = 1 / grid_cells[self.level_of]
        coordinates = self.level_of, np.arange(len(self.level_of))
        self._shares = csr_array((self.weight, coordinates), shape=(len(self.names), len(self.level_of)))
        self.means = self.averages(self.cells.deviation)
        self.full: NDArray[np.bool_] = np.bincount(self.level_of, minlength=len(grid_cells)) == grid_cells
        lone = np.bincount(self.clusters.cell, minlength=len(self.level_of)) < 2
        lacking = np.bincount(self.level_of, lone, minlength=len(grid_cells)) > 0
        self.tested: Integers = np.flatnonzero(self.full & ~lacking)

    def averages(self, of_cells: Floats) -> Floats:
        """The mean of each level over its cells, which have one value each, or one column of values for each draw."""
        means: Floats = self._shares @ of_cells
        return means

    def mean(self, number: int) -> float:
        return self.cells.centre + float(self.means[number])


def _compared(levels: _Levels, draws: Draws, level: float) -> tuple[Integers, Integers, NDArray[np.bool_]]:
    """For the levels that can be tested: the bounds of their ranks, and which of them differ significantly."""
    size = len(levels.tested)
    if not size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=bool)
    chance, observed = _Chance(levels), levels.means[levels.tested]
    tiny = _TINY * levels.cells.spread
    places, largest = [], []
    for signs in draws.blocks(chance.at_once):
        moved, errors = chance.drawn(signs)
        places.append(np.argsort(np.argsort(-(observed + moved))) + 1)
        largest.append(_in_units(moved, errors, tiny).max(axis=(1, 2)))
    # With few clusters there are so few distinct draws (a sign and its opposite are equivalent) that none is rare.
    enough = 0.5 ** (draws.clusters.count - 1) <= 1 - level
    limit = float(np.quantile(np.concatenate(largest), level, method="higher")) if enough else np.inf
    bounds = [(1 - level) / 2, (1 + level) / 2]
    best, worst = np.quantile(np.concatenate(places), bounds, axis=0, method="inverted_cdf")
    return best.astype(np.int64), worst.astype(np.int64), _in_units(observed[None], chance.errors, tiny)[0] > limit


def _in_units(means: Floats, errors: Floats, tiny: float) -> Floats:
    """All differences of each draw in standard errors; without variance (rounding aside) they are 0 or infinite."""
    differences = np.abs(means[:, :, None] - means[:, None])
    varies = errors > tiny
    endless = np.where(differences > tiny, np.inf, 0.0)
    return np.divide(differences, errors, out=endless, where=varies)


class _Chance:
    """The effect of flipped clusters on the means of the levels that can be tested."""

    def __init__(self, levels: _Levels) -> None:
        clusters, cells = levels.clusters, levels.cells
        self._levels, self._size = levels, len(levels.tested)
        index_of = np.full(len(levels.names), -1)
        index_of[levels.tested] = np.arange(self._size)
        level = index_of[levels.level_of][clusters.cell]
        order = np.lexsort((level, clusters.cluster))
        order = order[level[order] >= 0]
        cluster, cell, n = (a[order] for a in (clusters.cluster, clusters.cell, clusters.n))
        # The residuals of k clusters vary less than the clusters do, by (k - 1) / k.
        count = np.bincount(clusters.cell, minlength=len(cells.n))
        grown = np.sqrt(count / np.maximum(1, count - 1))
        residuals = (clusters.total[order] - n * cells.deviation[cell]) * grown[cell]
        weight = (levels.weight / cells.n)[cell]
        slot = cluster * self._size + level[order]
        starts = np.flatnonzero(np.diff(slot, prepend=-1))
        self._slots, self._cluster = slot[starts], cluster[starts]
        self._observed = np.add.reduceat(residuals * weight, starts)
        weight *= grown[cell]
        self._turned = np.add.reduceat(residuals * weight, starts)
        # Sparse, since few clusters may be in many cells.
        of_slot = np.searchsorted(starts, np.arange(len(slot)), side="right") - 1
        self._back = csr_array((n * weight, (of_slot, cell)), shape=(len(starts), len(cells.n)))
        self._sums = csr_array((residuals, (cell, cluster)), shape=(len(cells.n), clusters.count))

    @property
    def at_once(self) -> int:
        """The number of draws per block, by memory."""
        return max(1, _BLOCK // max(len(self._slots), self._levels.clusters.count, self._size**2))

    @cached_property
    def errors(self) -> Floats:
        """The standard errors of all differences between the observed means."""
        return self._errors(self._observed[None])

    def drawn(self, signs: Floats) -> tuple[Floats, Floats]:
        """How far signs move the means, and the standard errors of differences that they lead to."""
        levels, signs = self._levels, np.ascontiguousarray(signs.T)
        moved: Floats = self._sums @ signs / levels.cells.n[:, None]
        influence = self._turned[:, None] * signs[self._cluster] - self._back @ moved
        return levels.averages(moved)[levels.tested].T, self._errors(influence.T)

    def _errors(self, influence: Floats) -> Floats:
        draws, count = len(influence), self._levels.clusters.count
        covariance = np.zeros((draws, self._size, self._size))
        rows = max(1, _BLOCK // (self._size * draws))
        for first in range(0, count, rows):
            begin, end = np.searchsorted(self._slots, [first * self._size, (first + rows) * self._size])
            dense = np.zeros((draws, min(rows, count - first) * self._size))
            dense[:, self._slots[begin:end] - first * self._size] = influence[:, begin:end]
            block = dense.reshape(draws, -1, self._size)
            covariance += block.transpose(0, 2, 1) @ block
        variance = np.diagonal(covariance, axis1=1, axis2=2)
        errors: Floats = np.sqrt(np.maximum(0.0, variance[:, :, None] + variance[:, None] - 2 * covariance))
        return errors
