"""What an amount is, and what comparisons make of it."""

from __future__ import annotations

from math import inf, isinf, nextafter
from typing import NamedTuple

from concord.text.logic.tables import COUNTED, Bound, Unit

_ABOUT = 0.1
"""How far "about 300" may be from 300, as a share of it."""
_TURNED: dict[Bound, Bound] = {
    "at_least": "at_most",
    "at_most": "at_least",
    "more_than": "less_than",
    "less_than": "more_than",
}


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
    """What a comparison makes of an amount; `signed` if a minus stands before it.

    What is less than minus five is more than five below zero, and all below zero has no bound.
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


def kind_of(amount: Quantity, kind: str) -> str:
    return kind if amount.kind == "number" else amount.kind


def share(end: int, over: float, under: float) -> Quantity:
    return Quantity(end, "share", "share", 100 * over / under, 100 * over / under)


def _above(value: float, unit: Unit) -> float:
    """More than two dogs are three, more than twice as many may be two and a half times as many."""
    return value + 1 if unit in COUNTED and value.is_integer() else nextafter(value, inf)


def _below(value: float, unit: Unit) -> float:
    return max(0.0, value - 1 if unit in COUNTED and value.is_integer() else nextafter(value, -inf))


def _whole(value: float) -> float:
    return float(round(value)) if 10 <= value < inf else value
