"""The kinds of bounds, relations and units, and the meanings of a vague word."""

from dataclasses import dataclass
from typing import Literal

Bound = Literal["at_least", "at_most", "more_than", "less_than", "exactly", "about", "nearly"]
Relation = Literal[
    "negation", "inclusion", "exclusion", "only", "conjunction", "disjunction", "either", "if", "unless", "only_if",
    "iff", "before", "after", "starts", "ends",
]  # fmt: skip
Approximation = Literal["over", "under", "range"]
Unit = Literal["count", "share", "times", "ratio", "negative", "step"]
"""A "step" is the interval of something that recurs: every six hours."""
COUNTED: frozenset[Unit] = frozenset(("count", "times"))
"""The units that are counted in whole numbers."""
Move = Literal["", "by", "to", "more", "less"]
"""The role of a quantity in a change or a difference: its size, its end, or its direction."""
Within = tuple[float, float]
APPROXIMATIONS: tuple[Approximation, ...] = ("over", "under", "range")


@dataclass(frozen=True, slots=True)
class Vague:
    """What a vague quantifier may mean: its upper, its lower and its middle reading."""

    over: Within
    under: Within
    range: Within
    unit: Unit = "count"

    def read(self, how: Approximation) -> Within:
        return {"over": self.over, "under": self.under, "range": self.range}[how]
