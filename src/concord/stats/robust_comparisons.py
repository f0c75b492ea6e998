"""Every comparison of a model by one way to measure its errors: overall, and within levels of the other factors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from concord.errors import UserError
from concord.stats.cells import Floats
from concord.stats.ls_means import Effect, PairwiseDifference, effect
from concord.stats.marginal_means import Margins

_MOST_PAIRS = 3_000_000

Covariance = Callable[[Floats], Floats]
"""The covariance of linear functions of the cells' means, given their weights."""


@dataclass(frozen=True, slots=True)
class RobustEffects:
    """Effects by factor, and simple effects by `factor|other` and level of the other."""

    overall: dict[str, Effect]
    within: dict[str, dict[str, Effect]]

    def pairs(self) -> Iterator[tuple[str, PairwiseDifference]]:
        """All pairs, each with the place where it is compared, such as `system` or `system|target=es`."""
        for name, found in self.overall.items():
            yield from ((name, pair) for pair in found.pairs)
        for name, levels in self.within.items():
            for level, found in levels.items():
                yield from ((f"{name}={level}", pair) for pair in found.pairs)


def compare(margins: Margins, covariance: Covariance, df: float, level: float) -> RobustEffects:
    """All means, pairs and letters of a model."""
    _refuse_many_pairs(margins)
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
    return RobustEffects(overall, within)


def _refuse_many_pairs(margins: Margins) -> None:
    if margins.pairs() > _MOST_PAIRS:
        shape = ", ".join(f"{len(levels):,} of '{name}'" for name, levels in margins.levels.items())
        cure = "Analyse fewer factors at once, or factors with fewer levels"
        raise UserError(f"there are too many pairs to compare: {margins.pairs():,}, from levels {shape}. {cure}")


@dataclass(frozen=True, slots=True)
class Change:
    """A pair that is significant by one way to measure errors and not by the other."""

    where: str
    a: str
    b: str
    p: float
    clustered_p: float


@dataclass(frozen=True, slots=True)
class Clustered:
    """The same comparisons with clustered standard errors, and the conclusions that differ.

    `untested` pairs have a difference, but no p-value by one way or the other.
    """

    clusters: int
    compared: RobustEffects
    changes: list[Change]
    tested: int
    untested: int


def clustered(plain: RobustEffects, found: RobustEffects, clusters: int, level: float) -> Clustered:
    """What clustering makes of the comparisons."""
    every = zip(plain.pairs(), found.pairs(), strict=True)
    both = [(one, other) for one, other in every if math.isfinite(one[1].difference)]
    tested = [(one, other) for one, other in both if math.isfinite(one[1].p) and math.isfinite(other[1].p)]
    changes = [
        Change(where, one.a, one.b, one.p, other.p)
        for (where, one), (_, other) in tested
        if (one.p < 1 - level) != (other.p < 1 - level)
    ]
    return Clustered(clusters, found, changes, len(tested), len(both) - len(tested))
