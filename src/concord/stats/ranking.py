"""A ranking without a model: signs are drawn anew for whole clusters (the wild bootstrap of Cameron, Gelbach and
Miller 2008), and levels that chance could make as different are tied.

A level's mean is the plain average of its cells. A draw turns the residuals of some clusters round, so no
cell is ever without observations. Two levels are told apart if their difference is larger than the
largest one among all pairs that chance makes (Westfall and Young 1993), so the error holds for all pairs
together. Differences count in units of their standard error, which every draw estimates for itself: with
a fixed unit, few clusters would tell too much apart. With fewer than six clusters nothing is told apart
at the level 0.95, since their signs have too few combinations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concord.errors import UserError
from concord.stats.cells import Cells, Floats, Integers
from concord.stats.letters import compact_letters
from concord.stats.margins import Margins

_BLOCK = 1_000_000
_TINY = 1e-9
_SIGNS = np.array([-1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Ranked:
    """A level and its place; `best` and `worst` bound the places that it takes in most draws.

    A level with a single cluster in one of its cells cannot be tested: it may have any place, and has no letters.
    """

    level: str
    mean: float
    rank: int
    best: int
    worst: int
    letters: str


class Draws:
    """A sign for each cluster, at random and again and again. Iterating once more repeats them."""

    def __init__(self, cells: Cells, resamples: int, seed: int) -> None:
        if cells.clusters is None:
            raise UserError("a ranking draws whole sentences: name the column that tells them apart (--cluster)")
        if resamples < 1:
            raise UserError(f"a ranking needs at least one draw, not {resamples}. 1000 are usual")
        self.clusters, self.resamples, self.seed = cells.clusters, resamples, seed

    def __iter__(self) -> Iterator[Floats]:
        rng = np.random.default_rng(self.seed)
        for _ in range(self.resamples):
            yield rng.choice(_SIGNS, size=self.clusters.count)


def rank(margins: Margins, name: str, draws: Draws, level: float = 0.95) -> list[Ranked]:
    """The levels of a factor, best first. Levels without observations in some of their cells are left out."""
    levels = _Levels(margins, name, draws)
    best, worst, apart = _compared(levels, draws, level)
    order = [i for i in np.argsort(-levels.means, kind="stable").tolist() if levels.full[i]]
    place = {number: at for at, number in enumerate(levels.tested.tolist())}
    names, free = levels.names, len(order) - len(place)
    different = [(names[levels.tested[i]], names[levels.tested[j]]) for i, j in zip(*np.nonzero(apart), strict=True)]
    # A single one that can be tested is compared with nothing.
    compared = [names[i] for i in order if i in place] if len(place) > 1 or not free else []
    letters = compact_letters(compared, different)
    # Those that cannot be tested may stand anywhere, also above those that can.
    bounds = {i: (int(best[at]), int(worst[at]) + free) for i, at in place.items()}
    return [
        Ranked(names[i], levels.mean(i), at, *bounds.get(i, (1, len(order))), letters.get(names[i], ""))
        for at, i in enumerate(order, 1)
    ]


class _Levels:
    """The levels of a factor: which have all their cells (`full`), and which have clusters enough to be `tested`."""

    def __init__(self, margins: Margins, name: str, draws: Draws) -> None:
        self.cells, self.clusters = margins.model.cells, draws.clusters
        self.names = margins.levels[name]
        self.of: Integers = margins.numbers(name, self.cells.index)
        wanted = np.bincount(margins.numbers(name, margins.model.design.grid()))
        self.share: Floats = 1 / wanted[self.of]
        self.means = self.averages(self.cells.deviation)
        self.full: NDArray[np.bool_] = np.bincount(self.of, minlength=len(wanted)) == wanted
        lone = np.bincount(self.clusters.cell, minlength=len(self.of)) < 2
        lacking = np.bincount(self.of, lone, minlength=len(wanted)) > 0
        self.tested: Integers = np.flatnonzero(self.full & ~lacking)

    def averages(self, of_cells: Floats) -> Floats:
        means: Floats = np.bincount(self.of, self.share * of_cells, minlength=len(self.names)).astype(float)
        return means

    def mean(self, number: int) -> float:
        return self.cells.centre + float(self.means[number])


def _compared(levels: _Levels, draws: Draws, level: float) -> tuple[Integers, Integers, NDArray[np.bool_]]:
    """For the levels that can be tested: the bounds of their places, and which of them are told apart."""
    size = len(levels.tested)
    if not size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=bool)
    chance, observed = _Chance(levels), levels.means[levels.tested]
    tiny = _TINY * levels.cells.spread
    places, largest = [], []
    for signs in draws:
        moved, errors = chance.drawn(signs)
        places.append(np.argsort(np.argsort(-(observed + moved))) + 1)
        largest.append(float(_in_units(moved, errors, tiny).max()))
    # So few clusters have so few different draws (a sign and its opposite are the same) that none is rare enough.
    enough = 0.5 ** (draws.clusters.count - 1) <= 1 - level
    limit = float(np.quantile(largest, level, method="higher")) if enough else np.inf
    bounds = [(1 - level) / 2, (1 + level) / 2]
    best, worst = np.quantile(np.stack(places), bounds, axis=0, method="inverted_cdf")
    return best.astype(np.int64), worst.astype(np.int64), _in_units(observed, chance.errors, tiny) > limit


def _in_units(means: Floats, errors: Floats, tiny: float) -> Floats:
    """All differences in standard errors; without any variance (rounding is none) they are nothing or endless."""
    differences = np.abs(means[:, None] - means)
    varies = errors > tiny
    endless = np.where(differences > tiny, np.inf, 0.0)
    return np.divide(differences, errors, out=endless, where=varies)


class _Chance:
    """What chance does to the means of the levels that can be tested, if whole clusters have the other sign."""

    def __init__(self, levels: _Levels) -> None:
        clusters, cells = levels.clusters, levels.cells
        self._levels, self._size = levels, len(levels.tested)
        place = np.full(len(levels.names), -1)
        place[levels.tested] = np.arange(self._size)
        level = place[levels.of][clusters.cell]
        order = np.lexsort((level, clusters.cluster))
        order = order[level[order] >= 0]
        self._cluster, self._cell, self._n = (a[order] for a in (clusters.cluster, clusters.cell, clusters.n))
        residuals = clusters.total[order] - self._n * cells.deviation[self._cell]
        # The residuals of k clusters vary less than the clusters do, by (k - 1) / k.
        count = np.bincount(clusters.cell, minlength=len(cells.n))
        grown = np.sqrt(count / np.maximum(1, count - 1))
        self._residuals = residuals * grown[self._cell]
        self._weight = (levels.share / cells.n)[self._cell]
        self._grown_weight = self._weight * grown[self._cell]
        slot = self._cluster * self._size + level[order]
        self._starts = np.flatnonzero(np.diff(slot, prepend=-1))
        self._slots = slot[self._starts]

    @cached_property
    def errors(self) -> Floats:
        """The standard errors of all differences between the observed means."""
        return self._errors(self._residuals * self._weight)

    def drawn(self, signs: Floats) -> tuple[Floats, Floats]:
        """How far such signs move the means, and the standard errors of differences that they make believe."""
        cells, levels = self._levels.cells, self._levels
        turned = signs[self._cluster] * self._residuals
        moved: Floats = np.bincount(self._cell, turned, minlength=len(cells.n)) / cells.n
        turned -= self._n * moved[self._cell]
        turned *= self._grown_weight
        return levels.averages(moved)[levels.tested], self._errors(turned)

    def _errors(self, influence: Floats) -> Floats:
        influence = np.add.reduceat(influence, self._starts)
        covariance = np.zeros((self._size, self._size))
        rows = max(1, _BLOCK // self._size)
        for first in range(0, self._levels.clusters.count, rows):
            begin, end = np.searchsorted(self._slots, [first * self._size, (first + rows) * self._size])
            dense = np.zeros(min(rows, self._levels.clusters.count - first) * self._size)
            dense[self._slots[begin:end] - first * self._size] = influence[begin:end]
            block = dense.reshape(-1, self._size)
            covariance += block.T @ block
        variance = np.diag(covariance)
        errors: Floats = np.sqrt(np.maximum(0.0, variance[:, None] + variance - 2 * covariance))
        return errors
