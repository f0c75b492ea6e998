"""The number of flagged cases of a detector's runs at any threshold, labelled or not, read from the index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concord.model import RelationFacts
from concord.stats.detection import RULES, Rule
from concord.store.index.columns import BAD, FIRST, Columns

Floats = NDArray[np.float64]
STEPS = 50


@dataclass(frozen=True, slots=True)
class JudgedCases:
    """The cases of some runs; a case that occurs several times counts once, with its first suspicion.

    `rising` has the ascending suspicions of each run, and `flagged` is how many cases are flagged. `threshold` is the
    one in force, None if cases have different ones. `rule` compares a suspicion with a threshold.
    """

    rising: Mapping[int, Floats]
    flagged: int
    threshold: float | None
    rule: Rule

    @property
    def cases(self) -> dict[int, int]:
        return {run: len(values) for run, values in self.rising.items()}

    def count(self, threshold: float) -> int:
        """How many cases would be flagged."""
        return sum(len(values) - self._spared(values, threshold) for values in self.rising.values())

    def least(self, threshold: float) -> float | None:
        """The lowest suspicion that would be flagged: a list of these cases ends there."""
        flagged = (values[self._spared(values, threshold) :] for values in self.rising.values())
        return min((float(values[0]) for values in flagged if len(values)), default=None)

    def flags(self, suspicion: Floats, threshold: float) -> NDArray[np.bool_]:
        return np.asarray(suspicion >= threshold if self.rule == "≥" else suspicion > threshold)

    def _spared(self, rising: Floats, threshold: float) -> int:
        return int(np.searchsorted(rising, threshold, "left" if self.rule == "≥" else "right"))

    def grid(self) -> list[float]:
        """Thresholds to show: steps of 0.02 from 0 to 1, whole numbers if all suspicions are, else even steps."""
        ends = [float(end) for values in self.rising.values() if len(values) for end in (values[0], values[-1])]
        if not ends or not np.isfinite(ends).all():
            return []
        low, high = min(ends), max(ends)
        if low >= 0 and high <= 1:
            return [step / STEPS for step in range(STEPS + 1)]
        if high - low <= 2 * STEPS and all(bool((values == np.rint(values)).all()) for values in self.rising.values()):
            return [float(level) for level in range(int(low), int(high) + 1)]
        return [float(f"{level:.4g}") for level in np.linspace(low, high, STEPS + 1)]


def judged(columns: Sequence[Columns], relation: RelationFacts) -> JudgedCases:
    """The cases of runs of a relation that are indexed."""
    rising, flagged, limits = {}, 0, set[float]()
    for column in columns:
        first = (column["flags"] & FIRST) > 0
        # The index orders cases by descending suspicion.
        rising[column.run] = column["suspicion"][first][::-1]
        flagged += int(np.count_nonzero(first & ((column["flags"] & BAD) > 0)))
        thresholds = column["threshold"]
        if len(thresholds):
            limits |= {float(thresholds.min()), float(thresholds.max())}
    return JudgedCases(rising, flagged, limits.pop() if len(limits) == 1 else None, RULES[relation.operator])
