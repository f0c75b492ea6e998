"""Clustered standard errors (Liang and Zeger 1986): right also where one sentence gives many observations.

Observations of a sentence resemble each other. That makes means less certain than so many independent
observations would, and differences between systems that saw the same sentences often more certain.
The variance has the usual correction for few clusters (CR1), and the degrees of freedom are one less
than the clusters; with fewer than about thirty clusters it is still too small.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from concord.blas import one_blas_thread
from concord.stats.cells import Clusters, Floats
from concord.stats.linear import LinearModel

one_blas_thread()


class Sandwich:
    """The covariance of linear functions of the cells' means when only clusters are independent."""

    def __init__(self, model: LinearModel, clusters: Clusters) -> None:
        cells = model.cells
        residuals = clusters.total - clusters.n * model.fitted[clusters.cell]
        # A cluster that has a cell for itself leaves no residual there, whatever rounding says.
        residuals[np.abs(residuals) < 1e-12 * cells.spread * clusters.n.max()] = 0.0
        places = clusters.cluster, clusters.cell
        self._scores = csr_array((residuals / cells.n[clusters.cell], places), shape=(clusters.count, len(cells.n)))
        self.df = clusters.count - 1
        self._correction = clusters.count / self.df * (cells.total - 1) / model.residual_df

    def covariance(self, weights: Floats) -> Floats:
        influence: Floats = self._scores @ np.ascontiguousarray(weights.T)
        return influence.T @ influence * self._correction
