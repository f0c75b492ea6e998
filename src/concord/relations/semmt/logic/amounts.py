"""Quantities, and how a comparison ("at least", "less than") changes them."""

from math import inf, isinf, nextafter
from typing import NamedTuple

from concord.relations.semmt.logic.kinds import COUNTED, Bound, Unit

_ABOUT = 0.1
"""How far "about 300" may be from 300, as a share of it."""
_TURNED: dict[Bound, Bound] = {
    "at_least": "at_most",
    "at_most": "at_least",
    "more_than": "less_than",
    "less_than": "more_than",
}

_LOWER, _UPPER = frozenset(("at_least", "more_than")), frozenset(("at_most", "less_than"))
BOUNDS: dict[str, Bound] = {str(bound): bound for bound in _TURNED}
"""The kinds of quantities with one bound."""
_OPEN = frozenset(("more_than", "less_than"))


class Quantity(NamedTuple):
    """A quantity that ends before the word `end`: at least `low`, at most `high`."""

    end: int
    kind: str
    unit: Unit
    low: float
    high: float
    approximate: bool = False
    bare: bool = False


def bounded(amount: Quantity, bound: Bound, *, signed: bool = False) -> Quantity:
    """The amount with a comparison; `signed` if a minus precedes it.

    "Less than minus five" is more than five below zero, and "less than zero" is any negative amount.
    """
    if bound == "less_than" and amount.low == amount.high == 0:
        return amount._replace(kind=bound, unit="negative", high=inf, bare=False)
    bound = _TURNED.get(bound, bound) if signed else bound
    low, high = amount.low, amount.high
    if bound in {"about", "nearly"}:
        top = high if bound == "nearly" else high * (1 + _ABOUT)
        return amount._replace(low=_whole(low * (1 - _ABOUT)), high=_whole(top), approximate=True, bare=False)
    # At most 30% is a share of a whole, so the other end is known.
    most = 100.0 if amount.unit == "share" else inf
    ranges = {
        "at_least": (low, most),
        "at_most": (0.0, high),
        "more_than": (_above(low if isinf(high) else high, amount.unit), most),
        "less_than": (0.0, _below(low, amount.unit)),
        "exactly": (low, high),
    }
    low, high = ranges[bound]
    kind = amount.kind if bound == "exactly" else bound
    return amount._replace(kind=kind, low=low, high=max(low, high), bare=False)


def within(first: Quantity, second: Quantity, scale: float = 1) -> Quantity | None:
    """The range of two bounds, "more than 2 but fewer than 5"; None if they do not bound one thing from both sides.

    The first bound takes over the unit of the second, for example per cent, and its scale, for example millions. Where
    no whole number lies between two open ends ("more than 2 but less than 3 hours"), they count as closed.
    """
    kinds = {first.kind, second.kind}
    if not kinds <= _LOWER | _UPPER or kinds <= _LOWER or kinds <= _UPPER:
        return None
    taken_over = first.unit == "count" or (first.unit, second.unit) == ("times", "ratio")
    if taken_over and (first.unit != second.unit or scale > 1):
        first = _counting(first, second.unit, scale)
    least, most = (first, second) if first.kind in _LOWER else (second, first)
    low, high = least.low, most.high
    if least.kind in _OPEN and most.kind in _OPEN and 0 < _stated(most) - _stated(least) <= 1:
        low, high = _stated(least), _stated(most)
    if first.unit != second.unit or low > high:
        return None
    return Quantity(second.end, "range", second.unit, low, high, approximate=first.approximate or second.approximate)


def denied(low: float, high: float, unit: Unit, *, vague: bool) -> tuple[float, float] | None:
    """The range of a denied bound: "not more than 5" is at most 5; None if it is no bound, or if nothing is left.

    The denial of a `vague` word means fewer, even if the word has an upper end.
    """
    most = 100.0 if unit == "share" else inf
    if 0 < low < high and (vague or high == most):
        return (0.0, _below(low, unit)) if _below(low, unit) > 0 else None
    return (_above(high, unit), most) if low == 0 < high < most else None


def _counting(amount: Quantity, unit: Unit, scale: float) -> Quantity:
    """The same bound in another unit: in "more than 5 but less than 10%", the 5 is a percentage, too."""
    value = _stated(amount) * scale
    return bounded(amount._replace(unit=unit, low=value, high=value), BOUNDS[amount.kind])


def _stated(amount: Quantity) -> float:
    """The number that a bound names: the 5 of "more than 5"."""
    value, away = (amount.low, -inf) if amount.kind in _LOWER else (amount.high, inf)
    if amount.kind not in _OPEN:
        return value
    if amount.unit in COUNTED and value.is_integer():
        return value - 1 if away < 0 else value + 1
    return nextafter(value, away)


def kind_of(amount: Quantity, kind: str) -> str:
    return kind if amount.kind == "number" else amount.kind


def share(end: int, over: float, under: float) -> Quantity:
    return Quantity(end, "share", "share", 100 * over / under, 100 * over / under)


def _above(value: float, unit: Unit) -> float:
    """The next amount above a number: more than two dogs are three, but more than twice may be any larger ratio."""
    return value + 1 if unit in COUNTED and value.is_integer() else nextafter(value, inf)


def _below(value: float, unit: Unit) -> float:
    return max(0.0, value - 1 if unit in COUNTED and value.is_integer() else nextafter(value, -inf))


def _whole(value: float) -> float:
    return float(round(value)) if 10 <= value < inf else value
