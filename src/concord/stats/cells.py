"""Cells: the count, mean and spread of the observations of each combination of levels, from one pass over a table.

A linear model of categorical factors needs nothing else, so neither time nor memory depends on the number of rows
once they are read. With clusters, the sum of each cluster in each cell is kept as well. All values are taken relative
to a central score, or scores far from zero would lose digits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concord.blas import one_blas_thread
from concord.errors import UserError
from concord.plural import plural
from concord.stats.table import ObservationTable

one_blas_thread()

MOST_LEVELS = 1000
_WORTH_SORTING = 500_000

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Clusters:
    """Counts and sums of each cluster in each of its cells, as parallel arrays, and the number of clusters.

    `total` is the sum of the differences from the cells' `centre`.
    """

    count: int
    cluster: Integers
    cell: Integers
    n: Floats
    total: Floats


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells that have observations: `index` holds a row of level numbers for each, a column per factor."""

    factors: tuple[str, ...]
    levels: dict[str, list[str]]
    index: Integers
    n: Floats
    centre: float
    """A central score, which deviations and totals are relative to."""
    deviation: Floats
    """The cell's mean less the centre."""
    squares: Floats
    """The sum of squared deviations from the cell's mean."""
    dropped: int = 0
    clusters: Clusters | None = None

    @property
    def total(self) -> int:
        return int(self.n.sum())

    @property
    def mean(self) -> Floats:
        return self.centre + self.deviation

    @property
    def spread(self) -> float:
        """The standard deviation of all observations."""
        apart = self.deviation - np.average(self.deviation, weights=self.n)
        return math.sqrt(float(self.squares.sum() + self.n @ apart**2) / self.total)

    def column(self, factor: str) -> Integers:
        """The level number of each cell."""
        return self.index[:, self.factors.index(factor)]


def count_cells(table: ObservationTable) -> Cells:
    """Read a table into its cells; levels are sorted, as numbers where all of them are numbers."""
    counts = _RunningCounts(len(table.factors))
    for piece in table:
        _refuse_many_levels(table)
        counts.add(piece.values, piece.levels, piece.clusters)
    if not counts.n.sum():
        gone = (
            f" ({plural(table.dropped, 'row has', 'rows have')} a gap in a column that matters)"
            if table.dropped
            else ""
        )
        raise UserError(f"there is nothing to analyse: no row has a number in '{table.response}'{gone}")
    return counts.sorted(table)


def _refuse_many_levels(table: ObservationTable) -> None:
    for factor in table.factors:
        names = table.codes[factor].names
        if len(names) > MOST_LEVELS:
            shown = f"'{names[0]}', '{names[1]}', '{names[2]}', …"
            cure = "Choose a column with few different values, such as the system or the language"
            raise UserError(f"'{factor}' has more than {MOST_LEVELS:,} levels ({shown}). {cure}")


class _RunningCounts:
    """The running counts, by cell in order of appearance."""

    def __init__(self, factors: int) -> None:
        self.places: dict[int, int] = {}
        self.radix = MOST_LEVELS + 1
        self.width = factors
        self.n, self.mean, self.squares = np.zeros(0), np.zeros(0), np.zeros(0)
        self.centre: float | None = None
        self.sums = _Sums()

    def add(self, values: Floats, levels: Integers, clusters: Integers | None) -> None:
        if self.centre is None and len(values):
            self.centre = float(np.median(values))
        values = values - (self.centre or 0.0)
        weights = self.radix ** np.arange(self.width, dtype=np.int64)
        keys, local = np.unique(weights @ levels, return_inverse=True)
        cells = np.array([self.places.setdefault(key, len(self.places)) for key in keys.tolist()], dtype=np.int64)
        grown = len(self.places) - len(self.n)
        self.n, self.mean, self.squares = (np.pad(counts, (0, grown)) for counts in (self.n, self.mean, self.squares))
        self._merge(cells, values, local)
        if clusters is not None:
            self.sums.add(clusters, cells[local], values)

    def _merge(self, cells: Integers, values: Floats, local: Integers) -> None:
        # Merging means and squared deviations (Chan, Golub and LeVeque 1983) loses no digits to a large mean.
        n = np.bincount(local).astype(float)
        mean = np.bincount(local, values) / n
        squares = np.bincount(local, (values - mean[local]) ** 2)
        before, apart = self.n[cells], mean - self.mean[cells]
        self.n[cells] = together = before + n
        self.mean[cells] += apart * n / together
        self.squares[cells] += squares + apart**2 * before * n / together

    def sorted(self, table: ObservationTable) -> Cells:
        keys = np.array(list(self.places), dtype=np.int64)
        index = np.stack([keys // self.radix**column % self.radix for column in range(self.width)], axis=1)
        levels = {}
        for column, factor in enumerate(table.factors):
            levels[factor], index[:, column] = _in_order(table.codes[factor].names, index[:, column])
        order = np.lexsort(index.T[::-1])
        return Cells(
            factors=tuple(table.factors),
            levels=levels,
            index=index[order],
            n=self.n[order],
            centre=self.centre or 0.0,
            deviation=self.mean[order],
            squares=self.squares[order],
            dropped=table.dropped,
            clusters=self.sums.clusters(order) if table.cluster else None,
        )


def _in_order(names: Sequence[str], codes: Integers) -> tuple[list[str], Integers]:
    """The names that have observations, sorted, and the codes as indices into them."""
    used = [names[code] for code in np.unique(codes).tolist()]
    try:
        ordered = sorted(used, key=float)
    except ValueError:
        ordered = sorted(used)
    index = {name: number for number, name in enumerate(ordered)}
    ranks = np.array([index.get(name, 0) for name in names], dtype=np.int64)
    return ordered, ranks[codes]


class _Sums:
    """The running sums of clusters in cells. Additions are buffered until there are enough to be worth sorting."""

    def __init__(self) -> None:
        self.keys: Integers = np.zeros(0, dtype=np.int64)
        self.n: Floats = np.zeros(0)
        self.totals: Floats = np.zeros(0)
        self.waiting: list[tuple[Integers, Floats]] = []
        self.size = 0

    def add(self, clusters: Integers, cells: Integers, values: Floats) -> None:
        self.waiting.append((clusters << 32 | cells, values))
        self.size += len(values)
        if self.size > max(_WORTH_SORTING, len(self.keys)):
            self._merge()

    def _merge(self) -> None:
        keys, values = [keys for keys, _ in self.waiting], [values for _, values in self.waiting]
        self.keys, local = np.unique(np.concatenate([self.keys, *keys]), return_inverse=True)
        self.n = np.bincount(local, np.concatenate([self.n, np.ones(self.size)])).astype(float)
        self.totals = np.bincount(local, np.concatenate([self.totals, *values])).astype(float)
        self.waiting, self.size = [], 0

    def clusters(self, order: Integers) -> Clusters:
        self._merge()
        names, cluster = np.unique(self.keys >> 32, return_inverse=True)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return Clusters(len(names), cluster, rank[self.keys & 0xFFFFFFFF], self.n, self.totals)
