"""The linear model: main effects and two-way interactions of factors, fitted to the means of cells by least squares."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy.linalg import qr, solve_triangular

from concord.blas import one_blas_thread
from concord.errors import UserError
from concord.stats.cells import Cells, Floats, Integers

one_blas_thread()

Term = tuple[str, ...]
"""The factors of a term: one for a main effect, two for an interaction."""

MOST_NUMBERS = 20_000_000
_TINY = 1e-10


class DesignMatrix:
    """The columns of each term, coded so that the effects of a term sum to zero over the levels of each factor."""

    def __init__(self, sizes: Mapping[str, int], *, interaction: bool) -> None:
        self.sizes = sizes
        # A factor with a single level has nothing to estimate, and neither have its interactions.
        factors = [factor for factor, size in sizes.items() if size > 1]
        self.terms: list[Term] = [(factor,) for factor in factors]
        if interaction:
            self.terms += combinations(factors, 2)

    @property
    def width(self) -> int:
        return sum(math.prod(self.sizes[factor] - 1 for factor in term) for term in [(), *self.terms])

    def refuse_too_large(self, cells: int) -> None:
        """Raise before a matrix of combinations of levels by cells or columns is built that is too large."""
        combinations_of_levels = math.prod(self.sizes.values())
        if combinations_of_levels * max(cells, self.width) <= MOST_NUMBERS:
            return
        shape = " × ".join(f"{size:,} of '{factor}'" for factor, size in self.sizes.items())
        alone = DesignMatrix(self.sizes, interaction=False).width
        helps = alone < self.width and combinations_of_levels * max(cells, alone) <= MOST_NUMBERS
        cure = "Leave the interaction out (--additive), or use" if helps else "Use fewer factors, or"
        raise UserError(f"the model is too large: levels {shape}. {cure} factors with fewer levels")

    def rows(self, index: Integers, terms: Iterable[Term] | None = None) -> Floats:
        """A row for each row of level numbers: the intercept, then the columns of the terms (by default all)."""
        coded = {}
        for column, (factor, levels) in enumerate(self.sizes.items()):
            sum_to_zero = np.vstack([np.eye(levels - 1), -np.ones((1, levels - 1))])
            coded[factor] = sum_to_zero[index[:, column]]
        columns = [np.ones((len(index), 1))]
        for term in self.terms if terms is None else terms:
            columns.append(_products([coded[factor] for factor in term]))
        return np.hstack(columns)

    def grid(self) -> Integers:
        """All combinations of levels, whether observed or not."""
        shape = list(self.sizes.values())
        return np.indices(shape).reshape(len(shape), -1).T


def _products(factors: Sequence[Floats]) -> Floats:
    product = factors[0]
    for factor in factors[1:]:
        product = (product[:, :, None] * factor[:, None, :]).reshape(len(product), -1)
    return product


@dataclass(frozen=True, slots=True)
class LinearEstimates:
    """Linear functions of the cells' means, one per level.

    Estimates are `weights @ means`. `loose` is the part of each that the data leave undetermined: a function is
    estimable where it is zero, and the difference of two where it is the same.
    """

    levels: list[str]
    values: Floats
    weights: Floats
    loose: Floats

    def groups(self) -> Integers:
        """A group number for each level; the difference of two levels is determined if they have the same number."""
        # An odd shift keeps common fractions such as 1/512 away from the boundaries of rounding.
        rounded = np.floor(self.loose * 1e7 + 0.6180339887).astype(np.int64)
        numbers = dict[bytes, int]()
        return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rounded], dtype=np.int64)


class Fit:
    """Least squares with a weight for each cell; linearly dependent columns are set aside."""

    def __init__(self, x: Floats, means: Floats, n: Floats) -> None:
        self._root = np.sqrt(n)
        q, r, order = qr(x * self._root[:, None], mode="economic", pivoting=True)
        diagonal = np.abs(np.diag(r))
        self.rank = int((diagonal > _TINY * diagonal[0]).sum())
        self._q, self._r, self._order = q[:, : self.rank], r[: self.rank], order
        self._effects = self._q.T @ (self._root * means)
        self._means = means

    @property
    def explained(self) -> float:
        """The sum of squares that the columns account for."""
        return float(self._effects @ self._effects)

    @cached_property
    def fitted(self) -> Floats:
        fitted: Floats = self._q @ self._effects / self._root
        return fitted

    def solve(self, functions: Floats) -> LinearEstimates:
        """The values of linear functions of the coefficients, one row each, without names of levels."""
        functions = functions[:, self._order]
        square, rest = self._r[:, : self.rank], self._r[:, self.rank :]
        solved = solve_triangular(square, functions[:, : self.rank].T, trans="T").T
        weights = solved @ (self._q * self._root[:, None]).T
        loose = functions[:, self.rank :] - solved @ rest
        return LinearEstimates([], weights @ self._means, weights, loose)


class LinearModel:
    """A design fitted to cells, the basis of all tests and estimates."""

    def __init__(self, cells: Cells, *, interaction: bool = True) -> None:
        self.cells = cells
        self.design = DesignMatrix({f: len(cells.levels[f]) for f in cells.factors}, interaction=interaction)
        self.design.refuse_too_large(len(cells.n))
        # Scores far from zero would cost digits in the sums of squares.
        self._shift = float(np.average(cells.deviation, weights=cells.n))
        self.centre = cells.centre + self._shift
        self._fits: dict[tuple[Term, ...], Fit] = {}
        self.fit = self.fitted_with(self.design.terms)
        self.residual_df = cells.total - self.fit.rank
        self.residual_squares = self._residual_squares()

    def fitted_with(self, terms: Iterable[Term]) -> Fit:
        """The fit of some of the terms alone."""
        fitted_terms = tuple(term for term in self.design.terms if term in set(terms))
        if fitted_terms not in self._fits:
            x = self.design.rows(self.cells.index, fitted_terms)
            self._fits[fitted_terms] = Fit(x, self.cells.deviation - self._shift, self.cells.n)
        return self._fits[fitted_terms]

    @property
    def fitted(self) -> Floats:
        """The fitted mean of each cell, less the cells' centre."""
        return self.fit.fitted + self._shift

    @property
    def full_rank(self) -> bool:
        """Whether every coefficient is determined: no cell is missing that an interaction needs."""
        return self.fit.rank == self.design.width

    @property
    def sigma2(self) -> float:
        """The residual variance; NaN without residual degrees of freedom."""
        return self.residual_squares / self.residual_df if self.residual_df else float("nan")

    def _residual_squares(self) -> float:
        cells = self.cells
        squares = float(cells.squares.sum() + cells.n @ (cells.deviation - self.fitted) ** 2)
        # A remainder that rounding explains, of differences or of the scores as written, is no variance.
        rounding = max(1e-12 * cells.spread, 1e-15 * float(np.abs(cells.mean).max()))
        return squares if squares > cells.total * rounding**2 else 0.0

    def covariance(self, weights: Floats) -> Floats:
        """The covariance of linear functions of the cells' means, for independent observations of equal variance."""
        scaled: Floats = weights / self.cells.n * self.sigma2
        return scaled @ weights.T
