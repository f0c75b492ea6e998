"""A ranking without a model: clusters are drawn anew many times (Efron 1979), and what keeps changing places is tied.

A level's mean is the plain average of its cells. Two levels are told apart if their difference is larger
than the largest deviation among all pairs that chance makes (Westfall and Young 1993), so the error holds
for all pairs together. Differences count in units of their standard error, which every draw estimates
for itself: with a fixed unit, few clusters would tell too much apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concord.errors import UserError
from concord.stats.cells import Cells, Floats, Integers
from concord.stats.letters import compact_letters
from concord.stats.margins import Margins


@dataclass(frozen=True, slots=True)
class Ranked:
    """A level and its place; `best` and `worst` bound the places that it takes in most draws."""

    level: str
    mean: float
    rank: int
    best: int
    worst: int
    letters: str


class Draws:
    """How often each cluster is taken: once each at first, then at random. Iterating again repeats them."""

    def __init__(self, cells: Cells, resamples: int, seed: int) -> None:
        if cells.clusters is None:
            raise UserError("a ranking draws whole sentences: name the column that tells them apart (cluster=…)")
        self.clusters, self.resamples, self.seed = cells.clusters, resamples, seed

    def __iter__(self) -> Iterator[Floats]:
        count, rng = self.clusters.count, np.random.default_rng(self.seed)
        yield np.ones(count)
        for _ in range(self.resamples):
            yield np.bincount(rng.integers(count, size=count), minlength=count).astype(float)


def rank(margins: Margins, name: str, draws: Draws, level: float = 0.95) -> list[Ranked]:
    """The levels of a factor, best first. Levels without observations in some of their cells are left out."""
    levels = _Levels(margins, name, draws)
    drawn = levels.drawn()
    observed, errors = next(drawn)
    means, largest = [observed], [0.0]
    for each, units in drawn:
        means.append(each)
        largest.append(float(_in_units(_differences(each) - _differences(observed), units, observed).max(initial=0.0)))
    # Without a draw that has all cells there is no telling apart, and the observed order stands for the others.
    limit = float(np.quantile(largest[1:], level, method="higher")) if largest[1:] else np.inf
    apart = _in_units(_differences(observed), errors, observed) > limit
    return _ranked(levels.names, np.stack(means[1:] or means), observed, apart, level)


def _ranked(names: list[str], means: Floats, observed: Floats, apart: NDArray[np.bool_], level: float) -> list[Ranked]:
    places = np.argsort(np.argsort(-means, axis=1), axis=1) + 1
    best, worst = np.quantile(places, [(1 - level) / 2, (1 + level) / 2], axis=0, method="inverted_cdf")
    order = np.argsort(-observed, kind="stable").tolist()
    different = [(names[i], names[j]) for i, j in zip(*np.nonzero(apart), strict=True)]
    letters = compact_letters([names[i] for i in order], different)
    return [
        Ranked(names[i], float(observed[i]), place, int(best[i]), int(worst[i]), letters[names[i]])
        for place, i in enumerate(order, 1)
    ]


def _differences(means: Floats) -> Floats:
    return means[:, None] - means


def _in_units(differences: Floats, errors: Floats, observed: Floats) -> Floats:
    """How many standard errors; without any variance (rounding is none) no difference is zero and any other endless."""
    varies = errors > 1e-9 * np.abs(observed).max(initial=0.0)
    endless = np.where(np.abs(differences) > 1e-9 * np.abs(observed).max(initial=0.0), np.inf, 0.0)
    return np.where(varies, np.abs(differences) / np.where(varies, errors, 1.0), endless)


class _Levels:
    """The levels of a factor all of whose cells are there, and what each draw makes of their means."""

    def __init__(self, margins: Margins, name: str, draws: Draws) -> None:
        there = margins.numbers(name, margins.model.cells.index)
        wanted = np.bincount(margins.numbers(name, margins.model.design.grid()))
        full = np.bincount(there, minlength=len(wanted)) == wanted
        self.names = [margins.levels[name][number] for number in np.flatnonzero(full).tolist()]
        # Each cell belongs to one level; those of levels that are left out belong to a last one, to be ignored.
        self._level: Integers = np.where(full, np.cumsum(full) - 1, len(self.names))[there]
        self._share: Floats = 1 / wanted[there]
        self._draws, self._clusters = draws, draws.clusters

    def drawn(self) -> Iterator[tuple[Floats, Floats]]:
        """The levels' means and the standard errors of all their differences, for draws that lack no cell."""
        for times in self._draws:
            taken = times[self._clusters.cluster]
            n = np.bincount(self._clusters.cell, taken * self._clusters.n, minlength=len(self._level))
            if n[self._level < len(self.names)].all():
                yield self._one(times, taken, np.maximum(n, 1.0))

    def _one(self, times: Floats, taken: Floats, n: Floats) -> tuple[Floats, Floats]:
        clusters, size = self._clusters, len(self.names)
        mean = np.bincount(clusters.cell, taken * clusters.total, minlength=len(n)) / n
        residuals = (self._share / n)[clusters.cell] * (clusters.total - clusters.n * mean[clusters.cell])
        places = clusters.cluster * (size + 1) + self._level[clusters.cell]
        spread = np.bincount(places, residuals, minlength=clusters.count * (size + 1))
        influence = spread.reshape(-1, size + 1)[:, :size]
        covariance = (influence * times[:, None]).T @ influence
        variance = np.diag(covariance)
        errors = np.sqrt(np.maximum(0.0, variance[:, None] + variance - 2 * covariance))
        means: Floats = np.bincount(self._level, self._share * mean, minlength=size + 1)[:size].astype(float)
        return means, errors
