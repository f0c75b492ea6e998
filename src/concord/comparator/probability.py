"""Calibration: the probability that a pair is wrong, given the suspicion that the rule gives it.

The map is monotone, by isotonic regression (Zadrozny and Elkan, "Transforming classifier scores into accurate
multiclass probability estimates", KDD 2002). It comes from 4,093 pairs of Google's translations from English to Chinese
and back, labelled by people, of which 15 % are wrong; `reproduce/comparator.py` fits it anew and tests it on sentences
that it has not seen. Where errors are rarer or more frequent than that, they are so at every suspicion.
"""

from bisect import bisect_left
from collections.abc import Sequence

Points = Sequence[tuple[float, float]]
DIGITS = 4
POINTS: Points = (
    (0.009, 0.0029), (0.0748, 0.0197), (0.1467, 0.0425), (0.2253, 0.0826), (0.298, 0.092), (0.4766, 0.167),
    (0.6243, 0.2069), (0.6755, 0.3125), (0.7514, 0.336), (0.8753, 0.4304), (0.9784, 0.6502),
)  # fmt: skip
"""Ascending suspicions, and how likely a pair of that suspicion is wrong; values between them are interpolated."""


def probability(suspicion: float, points: Points = POINTS) -> float:
    """How likely a pair of this suspicion is wrong."""
    index = bisect_left(points, (suspicion,))
    if index in (0, len(points)):
        return points[min(index, len(points) - 1)][1]
    (start, low), (end, high) = points[index - 1], points[index]
    return round(low + (high - low) * (suspicion - start) / (end - start), DIGITS)
