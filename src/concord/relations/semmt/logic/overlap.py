"""The similarity of two quantities, each with a least and a largest number."""

from math import floor, inf, log, log10

Bounds = tuple[float, float]

_TAIL = log(1e6)
"""The weight of all numbers beyond the largest bound."""
_WHOLE = 100.0
"""All of something, in per cent."""
_FORGIVEN = 1.5
"""The factor by which bounds may differ before they lower the overlap of two ranges."""
_ABOUT = 1.25
"""The ratio of the largest to the least number of "about 300"."""
_DIGITS = 2
"""The number of digits of the smallest fraction that are compared."""
_EXACT, _EULER = 50, 0.5772156649015329


def overlap(left: Bounds, right: Bounds, *, share: bool = False) -> float:
    """The similarity of two closed ranges, from 0 (no number in common) to 1 (equal).

    Two lower bounds, or two upper bounds, are compared: "at least 3" and "at least 30" give (3 + 1) / (30 + 1).
    Otherwise it is the Jaccard index of the two ranges, in which a number n weighs 1 / (n + 1), as small numbers matter
    more; bounds that differ by a large factor lower it further. "About 300" and "300" are nearly equal. With `share`,
    an upper bound of 100 (per cent) counts as none.

    >>> overlap((3, 3), (3, 3)), overlap((0, 3), (4, inf)), overlap((1, inf), (3, inf))
    (1.0, 0.0, 0.5)
    """
    if left == right:
        return 1.0
    if max(left[0], right[0]) > min(left[1], right[1]):
        return 0.0
    if share and left[1] == right[1] == _WHOLE:
        left, right = (left[0], inf), (right[0], inf)
    left, right = _on_a_grid(left, right)
    low, high = _ratio(left[0], right[0]), _ratio(left[1], right[1])
    if left[1] == right[1] == inf:
        return low
    if left[0] == right[0] == 0 and max(left[1], right[1]) < inf:
        return high
    if max(left[1], right[1]) == inf:
        return _jaccard(left, right)
    if max(left[1], right[1]) <= _ABOUT * min(left[0], right[0]):
        return min(low, high)
    return min(_jaccard(left, right), _FORGIVEN * low, _FORGIVEN * high)


def _ratio(left: float, right: float) -> float:
    return 1.0 if left == right else (min(left, right) + 1) / (max(left, right) + 1)


def _on_a_grid(left: Bounds, right: Bounds) -> tuple[Bounds, Bounds]:
    """Scale fractions to whole numbers: 0.25 and 3 become 250 and 3000."""
    finite = [bound for bound in (*left, *right) if 0 < bound < inf]
    if all(bound == int(bound) for bound in finite):
        return left, right
    step = 10.0 ** max(_DIGITS - floor(log10(min(finite))), _DIGITS)

    def placed(bounds: Bounds) -> Bounds:
        low, high = (bound if bound == inf else float(round(bound * step)) for bound in bounds)
        return low, high

    return placed(left), placed(right)


def _jaccard(left: Bounds, right: Bounds) -> float:
    largest = max(bound for bound in (*left, *right) if bound < inf)
    shared = _weight((max(left[0], right[0]), min(left[1], right[1])), largest)
    return shared / (_weight(left, largest) + _weight(right, largest) - shared)


def _weight(bounds: Bounds, largest: float) -> float:
    low, high = bounds
    weight = _harmonic(min(high, largest) + 1) - _harmonic(low)
    return weight + (_TAIL if high == inf else 0.0)


def _harmonic(number: float) -> float:
    """1 + 1/2 + … + 1/number, for large numbers by their logarithm."""
    if number <= _EXACT:
        return sum(1 / term for term in range(1, int(number) + 1))
    return log(number) + _EULER + 1 / (2 * number) - 1 / (12 * number**2)
