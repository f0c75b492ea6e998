"""Replications: how many observations each cell needs for intervals of a wanted width."""

from __future__ import annotations

import math

from scipy.special import stdtrit

from concord.errors import UserError


def replications(width: float, sigma2: float, *, cells: int, averaged: int = 1, level: float = 0.95) -> int:
    """The fewest observations per cell, at least two, that make intervals as narrow as `width` from end to end.

    `cells` is how many the design has in all, `averaged` how many of them make up the mean in question.
    Observations are taken to be independent and equally many in every cell.

    >>> replications(0.02, 0.04, cells=168, averaged=7)
    220
    """
    if not (width > 0 and sigma2 >= 0 and math.isfinite(width) and math.isfinite(sigma2)):
        raise UserError(f"no number of replications follows from width={width} and a variance of {sigma2}")
    enough = 2
    while _width(enough, sigma2, cells, averaged, level) > width:
        enough *= 2
    few = enough // 2
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (few, middle) if _width(middle, sigma2, cells, averaged, level) <= width else (middle, enough)
    return max(2, enough)


def _width(n: int, sigma2: float, cells: int, averaged: int, level: float) -> float:
    return 2 * float(stdtrit((n - 1) * cells, (1 + level) / 2)) * math.sqrt(sigma2 / (n * averaged))
