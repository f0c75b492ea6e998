"""All comparisons of a model, overall and within levels of the other factors, with plain or clustered errors.

Clustered standard errors (Liang and Zeger 1986) are valid also where one sentence gives many observations, which
resemble each other. That makes means less certain than as many independent observations would, and differences of
systems on the same sentences often more certain. The variance has the usual correction for few clusters (CR1), and
the degrees of freedom are one less than the clusters; with fewer than about thirty clusters it is still too small.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from concord.blas import one_blas_thread
from concord.errors import UserError
from concord.stats.cells import Clusters, Floats
from concord.stats.linear import LinearModel
from concord.stats.ls_means import Effect, PairwiseDifference, effect
from concord.stats.marginal_means import Margins

one_blas_thread()

_MOST_PAIRS = 3_000_000

Covariance = Callable[[Floats], Floats]
"""The covariance of linear functions of the cells' means, given their weights."""


@dataclass(frozen=True, slots=True)
class RobustEffects:
    """Effects by factor, and simple effects by `factor|other` and level of the other."""

    overall: dict[str, Effect]
    within: dict[str, dict[str, Effect]]

    def pairs(self) -> Iterator[tuple[str, PairwiseDifference]]:
        """All pairs, each with the comparison that it belongs to, such as `system` or `system|target=es`."""
        for name, compared in self.overall.items():
            yield from ((name, pair) for pair in compared.pairs)
        for name, levels in self.within.items():
            for level, compared in levels.items():
                yield from ((f"{name}={level}", pair) for pair in compared.pairs)


def compare(margins: Margins, covariance: Covariance, df: float, level: float) -> RobustEffects:
    """All means, pairs and letters of a model."""
    _refuse_many_pairs(margins)
    overall = {}
    for name in margins.levels:
        estimates = margins.overall(name)
        overall[name] = effect(estimates, covariance(estimates.weights), df, level)
    within = {}
    for name, within_factor in margins.splits():
        parts = margins.within(name, within_factor)
        within[f"{name}|{within_factor}"] = {
            part: effect(estimates, covariance(estimates.weights), df, level) for part, estimates in parts
        }
    return RobustEffects(overall, within)


def _refuse_many_pairs(margins: Margins) -> None:
    if margins.pairs() > _MOST_PAIRS:
        shape = ", ".join(f"{len(levels):,} of '{name}'" for name, levels in margins.levels.items())
        cure = "Analyse fewer factors at once, or factors with fewer levels"
        raise UserError(f"there are too many pairs to compare: {margins.pairs():,}, from levels {shape}. {cure}")


class Sandwich:
    """The covariance of linear functions of the cells' means when only clusters are independent."""

    def __init__(self, model: LinearModel, clusters: Clusters) -> None:
        cells = model.cells
        residuals = clusters.total - clusters.n * model.fitted[clusters.cell]
        # A cluster that is alone in a cell has no residual there, but for rounding.
        residuals[np.abs(residuals) < 1e-12 * cells.spread * clusters.n.max()] = 0.0
        coordinates = clusters.cluster, clusters.cell
        scores = residuals / cells.n[clusters.cell]
        self._scores = csr_array((scores, coordinates), shape=(clusters.count, len(cells.n)))
        self.df = clusters.count - 1
        self._correction = clusters.count / self.df * (cells.total - 1) / model.residual_df

    def covariance(self, weights: Floats) -> Floats:
        influence: Floats = self._scores @ np.ascontiguousarray(weights.T)
        return influence.T @ influence * self._correction


@dataclass(frozen=True, slots=True)
class Change:
    """A pair that is significant with plain standard errors and not with clustered ones, or vice versa."""

    where: str
    a: str
    b: str
    p: float
    clustered_p: float


@dataclass(frozen=True, slots=True)
class Clustered:
    """The same comparisons with clustered standard errors, and the conclusions that differ.

    `untested` pairs have a difference, but lack a p-value with plain or with clustered errors.
    """

    clusters: int
    compared: RobustEffects
    changes: list[Change]
    tested: int
    untested: int


def clustered(plain: RobustEffects, robust: RobustEffects, clusters: int, level: float) -> Clustered:
    """The clustered comparisons beside the plain ones."""
    pairs = [(where, a, b) for (where, a), (_, b) in zip(plain.pairs(), robust.pairs(), strict=True)]
    estimated = [(where, a, b) for where, a, b in pairs if math.isfinite(a.difference)]
    tested = [(where, a, b) for where, a, b in estimated if math.isfinite(a.p) and math.isfinite(b.p)]
    changes = [Change(where, a.a, a.b, a.p, b.p) for where, a, b in tested if (a.p < 1 - level) != (b.p < 1 - level)]
    return Clustered(clusters, robust, changes, len(tested), len(estimated) - len(tested))
