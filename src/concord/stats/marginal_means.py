"""Marginal means: averages of the model's predictions by level of a factor, overall and within levels of another.

All combinations of levels count the same, however many observations they have. A factor may be nested in another
column, as paths are in their target language: that column's means are then plain averages over its paths (Pesu et
al. 2018).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from concord.blas import one_blas_thread
from concord.errors import UserError
from concord.stats.cells import Cells, Integers
from concord.stats.linear import LinearEstimates, LinearModel

one_blas_thread()


@dataclass(frozen=True, slots=True)
class Parent:
    """A column that a factor is nested in: its levels, and for each level of the factor the number of its parent."""

    factor: str
    levels: list[str]
    parent_of: Integers


def set_parents_aside(cells: Cells, nested: Mapping[str, str]) -> tuple[Cells, dict[str, Parent]]:
    """The cells of the factors alone, and the columns that they are nested in."""
    parents = {parent: _parent(cells, factor, parent) for factor, parent in nested.items()}
    factors = tuple(factor for factor in cells.factors if factor not in parents)
    index = cells.index[:, [cells.factors.index(factor) for factor in factors]]
    return replace(cells, factors=factors, index=index), parents


def _parent(cells: Cells, factor: str, parent: str) -> Parent:
    inner, outer = cells.column(factor), cells.column(parent)
    parent_of = np.zeros(len(cells.levels[factor]), dtype=np.int64)
    parent_of[inner] = outer
    for cell in np.flatnonzero(parent_of[inner] != outer).tolist():
        name, first_parent = cells.levels[factor][inner[cell]], cells.levels[parent][parent_of[inner[cell]]]
        second_parent = cells.levels[parent][outer[cell]]
        cure = f"Each level of a nested factor needs one {parent}: give '{parent}' as a factor of its own instead"
        both = f"'{name}' has both '{first_parent}' and '{second_parent}'"
        raise UserError(f"'{factor}' is not nested in '{parent}': {both}. {cure}")
    return Parent(factor, cells.levels[parent], parent_of)


class Margins:
    """The means that a fitted model has, by the names of factors and of the columns they are nested in."""

    def __init__(self, model: LinearModel, parents: Mapping[str, Parent]) -> None:
        self.model, self.parents = model, parents
        factors = model.cells.factors
        self._grid = model.design.grid()
        self.levels = {factor: model.cells.levels[factor] for factor in factors}
        self.levels |= {name: parent.levels for name, parent in parents.items()}

    @cached_property
    def _solved(self) -> LinearEstimates:
        """The model solved for the grid: every mean is an average over it. A ranking does not need it."""
        return self.model.fit.solve(self.model.design.rows(self._grid))

    def overall(self, name: str) -> LinearEstimates:
        """The mean of each level, over all levels of the other factors."""
        return self._averages(name, np.ones(len(self._grid), dtype=bool))

    def within(self, name: str, other: str) -> Iterator[tuple[str, LinearEstimates]]:
        """For each level of another factor, the means of the levels that go with it."""
        numbers = self.numbers(other, self._grid)
        for number, level in enumerate(self.levels[other]):
            yield level, self._averages(name, numbers == number)

    def splits(self) -> Iterator[tuple[str, str]]:
        """The pairs (factor, other) for which means within levels of the other exist."""
        for name in self.levels:
            for level in self.levels:
                # Within one path there is only one target language.
                inside = name in self.parents and self.parents[name].factor == level
                if name != level and not inside:
                    yield name, level

    def pairs(self) -> int:
        """How many pairs of levels there are to compare, overall and within levels of the others."""
        pairs = sum(math.comb(len(levels), 2) for levels in self.levels.values())
        for name, other in self.splits():
            parent = self.parents.get(other)
            inside = [len(self.levels[name])]
            if parent and parent.factor == name:
                inside = np.bincount(parent.parent_of).tolist()
            times = 1 if len(inside) > 1 else len(self.levels[other])
            pairs += times * sum(math.comb(size, 2) for size in inside)
        return pairs

    def numbers(self, name: str, index: Integers) -> Integers:
        """The level numbers of a factor, or of what it is nested in, for rows of the factors' level numbers."""
        parent = self.parents.get(name)
        column = index[:, self.model.cells.factors.index(parent.factor if parent else name)]
        return parent.parent_of[column] if parent else column

    def _averages(self, name: str, selected: NDArray[np.bool_]) -> LinearEstimates:
        present, local, counts = np.unique(
            self.numbers(name, self._grid)[selected], return_inverse=True, return_counts=True
        )
        # Sparse, since dense products would spend more time on threads than on arithmetic.
        averaging = csr_array((1 / counts[local], (local, np.arange(len(local)))), shape=(len(present), len(local)))
        names = [self.levels[name][number] for number in present.tolist()]
        values = averaging @ self._solved.values[selected] + self.model.centre
        loose = averaging @ self._solved.loose[selected]
        loose[np.abs(loose) < 1e-8] = 0.0
        return LinearEstimates(names, values, averaging @ self._solved.weights[selected], loose)
