"""Calibration: how likely a pair is wrong, given how suspicious it is to the rule.

The map is monotone, by isotonic regression (Zadrozny and Elkan, "Transforming classifier scores into accurate
multiclass probability estimates", KDD 2002). It comes from 4,093 pairs of Google's translations from English to
Chinese and back, labelled by people, of which 15 % are wrong; `reproduce/comparator.py` fits it anew and tests it on
sentences that it has not seen. Where errors are rarer or more frequent, so are they at every suspicion.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Points = Sequence[tuple[float, float]]
STEPS = 20
DIGITS = 4
POINTS: Points = (
    (0.009, 0.0029), (0.0748, 0.0197), (0.1467, 0.0425), (0.2253, 0.0826), (0.298, 0.092), (0.4766, 0.167),
    (0.6243, 0.2069), (0.6755, 0.3125), (0.7514, 0.336), (0.8753, 0.4304), (0.9784, 0.6502),
)  # fmt: skip
"""Suspicions, rising, and how likely a pair of that suspicion is wrong; in between, what lies between."""


def probability(suspicion: float, points: Points = POINTS) -> float:
    """How likely a pair of this suspicion is wrong."""
    at = bisect_left(points, (suspicion,))
    if at in (0, len(points)):
        return points[min(at, len(points) - 1)][1]
    (start, low), (end, high) = points[at - 1], points[at]
    return round(low + (high - low) * (suspicion - start) / (end - start), DIGITS)


def fitted(suspicions: NDArray[np.float64], wrong: NDArray[np.bool_]) -> Points:
    """The map for labelled pairs: the share of wrong ones at every step of suspicion, never falling."""
    step = np.minimum((suspicions * STEPS).astype(int), STEPS - 1)
    pooled: list[NDArray[np.float64]] = []
    for each in range(STEPS):
        inside = step == each
        if not inside.any():
            continue
        pooled.append(np.array([suspicions[inside].sum(), wrong[inside].sum(), inside.sum()], float))
        while len(pooled) > 1 and _share(pooled[-2]) >= _share(pooled[-1]):
            pooled[-2:] = [pooled[-2] + pooled[-1]]
    return [(round(float(pool[0] / pool[2]), DIGITS), round(_share(pool), DIGITS)) for pool in pooled]


def _share(pool: NDArray[np.float64]) -> float:
    return float(pool[1] / pool[2])
