"""All cases of a detector's runs, by the index: how many are flagged at a threshold, labelled or not."""

from __future__ import annotations

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
    """The cases of some runs; one that occurs several times counts once, as it came out first.

    `rising` has the suspicions of each run. `threshold` is the one in force, None where cases have different ones.
    `rule` is what flags a suspicion at a threshold.
    """

    rising: Mapping[int, Floats]
    findings: int
    threshold: float | None
    rule: Rule

    @property
    def cases(self) -> dict[int, int]:
        return {run: len(each) for run, each in self.rising.items()}

    def flagged(self, threshold: float) -> int:
        """How many cases would be findings."""
        return sum(len(each) - self._spared(each, threshold) for each in self.rising.values())

    def least(self, threshold: float) -> float | None:
        """The lowest suspicion that would be flagged, which is where a list of these findings ends."""
        firsts = [float(each[at]) for each in self.rising.values() if (at := self._spared(each, threshold)) < len(each)]
        return min(firsts, default=None)

    def flags(self, suspicion: Floats, threshold: float) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = suspicion >= threshold if self.rule == "≥" else suspicion > threshold
        return found

    def _spared(self, rising: Floats, threshold: float) -> int:
        return int(np.searchsorted(rising, threshold, "left" if self.rule == "≥" else "right"))

    def grid(self) -> list[float]:
        """Thresholds to look at: fiftieths of 0 to 1, whole numbers where suspicion counts, else even steps."""
        ends = [float(end) for each in self.rising.values() if len(each) for end in (each[0], each[-1])]
        if not ends or not np.isfinite(ends).all():
            return []
        low, high = min(ends), max(ends)
        if low >= 0 and high <= 1:
            return [step / STEPS for step in range(STEPS + 1)]
        if high - low <= 2 * STEPS and all(bool((each == np.rint(each)).all()) for each in self.rising.values()):
            return [float(each) for each in range(int(low), int(high) + 1)]
        return [float(f"{each:.4g}") for each in np.linspace(low, high, STEPS + 1)]


def judged(columns: Sequence[Columns], relation: RelationFacts) -> JudgedCases:
    """The cases of runs of a relation that are indexed."""
    rising, findings, limits = {}, 0, set[float]()
    for column in columns:
        first = (column["flags"] & FIRST) > 0
        # Places are by falling suspicion.
        rising[column.run] = column["suspicion"][first][::-1]
        findings += int(np.count_nonzero(first & ((column["flags"] & BAD) > 0)))
        thresholds = column["threshold"]
        if len(thresholds):
            limits |= {float(thresholds.min()), float(thresholds.max())}
    return JudgedCases(rising, findings, limits.pop() if len(limits) == 1 else None, RULES[relation.operator])
