"""How alike two sentences' claims are: SemMT's similarities, with numbers compared as numbers.

Where two expressions differ only in how often something occurs, their languages are a poor measure of it: nearly
every short word of `X{3,}` is one of `X{3,3}`, so that "at least three" would be almost "three". There d is the Jaccard
index of the two sets of numbers, in which a number n weighs 1 / (n + 1), as small numbers matter more; of several
such differences, the product. It is 1 only if the languages are the same, like the d that it takes the place of.
"""

from __future__ import annotations

from math import inf, log
from typing import NamedTuple

from concord.automata import Measure, Similarities, read, similarity

_TAIL = log(1e6)
"""What all numbers beyond any that are named weigh more than the largest named one, in powers of e."""
_NEARLY = 1 - 1e-9
_OFTEN = {"+": (1.0, inf), "*": (0.0, inf)}
Bounds = tuple[float, float]


class _Counted(NamedTuple):
    """An expression without its counts, and the counts by their place in it."""

    rest: tuple[str, ...]
    counts: dict[int, Bounds]


def alike(left: str, right: str, *, measure: Measure = "geometric", k: float = 0.5) -> Similarities:
    """The similarities of two expressions.

    >>> alike("X{3,25}", "X{5,25}").d > 0.5 > alike("X{3,}", "X{3,3}").d
    True
    """
    found = similarity(left, right, measure=measure, k=k)
    if found.equal or measure == "paper":
        return found
    ours, theirs = _counted(left), _counted(right)
    if ours.rest != theirs.rest:
        return found
    d = 1.0
    for place in ours.counts.keys() | theirs.counts.keys():
        d *= overlap(ours.counts.get(place, (1, 1)), theirs.counts.get(place, (1, 1)))
    d = min(d, _NEARLY)
    return Similarities(found.r, d, k * found.r + (1 - k) * d, equal=False)


def overlap(one: Bounds, other: Bounds) -> float:
    """The Jaccard index of two ranges of whole numbers; the bounds belong to them.

    >>> overlap((3, 3), (3, 3)), overlap((0, 3), (4, inf))
    (1.0, 0.0)
    """
    largest = max(each for each in (*one, *other) if each < inf)
    shared = _weight((max(one[0], other[0]), min(one[1], other[1])), largest)
    return shared / (_weight(one, largest) + _weight(other, largest) - shared)


def _weight(bounds: Bounds, largest: float) -> float:
    low, high = bounds
    if high < low:
        return 0.0
    weight = sum(1 / (n + 1) for n in range(int(low), int(min(high, largest)) + 1))
    return weight + (_TAIL if high == inf else 0.0)


def _counted(expression: str) -> _Counted:
    rest: list[str] = []
    counts: dict[int, Bounds] = {}
    for token in read(expression).tokens:
        bounds = _bounds(token, rest)
        if bounds is None:
            rest.append(token)
        else:
            counts[len(rest)] = bounds
    return _Counted(tuple(rest), counts)


def _bounds(token: str, rest: list[str]) -> Bounds | None:
    """The bounds of a count; `.*` is a gap and counts nothing."""
    if token in _OFTEN:
        return None if rest[-1] == "." else _OFTEN[token]
    if not token.startswith("{"):
        return None
    low, comma, high = token[1:-1].partition(",")
    least = float(low or 0)
    return least, float(high) if high else inf if comma else least
