"""The sign test (McNemar's exact test) of whether two systems fail equally often on the same sentences."""

import math
from collections.abc import Sequence


def sign_test(only_first: int, only_second: int) -> float:
    """The two-sided p-value, from the numbers of sentences on which only one of two systems fails.

    >>> round(sign_test(1, 9), 4)
    0.0215
    """
    n, fewer = only_first + only_second, min(only_first, only_second)
    if only_first == only_second:
        return 1.0
    # Beyond a few hundred the binomial coefficients outgrow a float; their logarithms do not.
    logs = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(fewer + 1))
    tail = math.fsum(math.exp(log - n * math.log(2)) for log in logs)
    return min(1.0, 2 * tail)


def p_value_text(p: float | None, digits: int = 3) -> str:
    """A p-value as text: `0.012` or `<0.001`; a dash where nothing was tested."""
    if p is None or p != p:
        return "–"
    least = 10**-digits
    return f"<{least:.{digits}f}" if p < least else f"{p:.{digits}f}"


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, adjusted by Holm's method (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = reached
    return adjusted
