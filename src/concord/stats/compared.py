"""Every comparison of a model by one way to measure its errors: overall, and within levels of the other factors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from concord.stats.cells import Floats
from concord.stats.margins import Margins
from concord.stats.means import Effect, Pair, effect

Covariance = Callable[[Floats], Floats]
"""The covariance of linear functions of the cells' means, given their weights."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Effects by factor, and simple effects by `factor|other` and level of the other."""

    overall: dict[str, Effect]
    within: dict[str, dict[str, Effect]]

    def pairs(self) -> Iterator[tuple[str, Pair]]:
        """All pairs, each with the place where it is compared, such as `system` or `system|target=es`."""
        for name, found in self.overall.items():
            yield from ((name, pair) for pair in found.pairs)
        for name, levels in self.within.items():
            for level, found in levels.items():
                yield from ((f"{name}={level}", pair) for pair in found.pairs)


def compare(margins: Margins, covariance: Covariance, df: float, level: float) -> Compared:
    """All means, pairs and letters of a model."""
    overall = {}
    for name in margins.levels:
        estimates = margins.overall(name)
        overall[name] = effect(estimates, covariance(estimates.weights), df, level)
    within = {}
    for name, other in margins.splits():
        parts = margins.within(name, other)
        within[f"{name}|{other}"] = {
            part: effect(estimates, covariance(estimates.weights), df, level) for part, estimates in parts
        }
    return Compared(overall, within)


@dataclass(frozen=True, slots=True)
class Change:
    """A pair that is significant by one way to measure errors and not by the other."""

    where: str
    a: str
    b: str
    p: float
    clustered_p: float


def changes(plain: Compared, clustered: Compared, level: float) -> list[Change]:
    """The conclusions that clustering changes."""
    both = zip(plain.pairs(), clustered.pairs(), strict=True)
    return [
        Change(where, one.a, one.b, one.p, other.p)
        for (where, one), (_, other) in both
        if one.p == one.p and other.p == other.p and (one.p < 1 - level) != (other.p < 1 - level)
    ]
