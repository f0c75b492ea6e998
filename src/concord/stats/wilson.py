"""Wilson's interval for a proportion (Wilson 1927): valid for few observations and for proportions near 0 and 1."""

from math import sqrt
from statistics import NormalDist


def wilson(successes: float, total: float, level: float = 0.95) -> tuple[float, float] | None:
    """The interval, or None where nothing was observed.

    >>> [round(end, 3) for end in wilson(87, 109)]
    [0.713, 0.863]
    """
    if not total:
        return None
    z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
    centre = successes + z2 / 2
    reach = sqrt(z2 * (successes * (total - successes) / total + z2 / 4))
    low, high = ((centre + sign * reach) / (total + z2) for sign in (-1, 1))
    # Rounding must not push the ends below 0 or above 1.
    return max(0.0, low) if successes else 0.0, min(1.0, high) if successes < total else 1.0
