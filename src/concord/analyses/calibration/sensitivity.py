"""How many injected faults a relation finds, at the threshold that is chosen for it and at the one in force."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import gt
from typing import Any

import numpy as np

from concord.stats.detection import Score, auc
from concord.stats.wilson import wilson

DECIMALS, STEP = 6, 1e-6


@dataclass(frozen=True, slots=True)
class FaultyCase:
    """A case with a fault: its suspicion, and whether the fault is blamed (None if that cannot be decided)."""

    suspicion: float
    blamed: bool | None


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How well a relation finds one kind of fault.

    `cases` have such a fault, and `found` of them are above the threshold (`interval` is Wilson's 95 % interval of that
    proportion). Of these, `blaming` blame words that can be compared with the fault; of those, `blamed` blame a word
    that the fault changed. `auc` is the probability that a case with a fault is more suspicious than a clean one.
    `found_in_force` are flagged at the threshold in force.
    """

    kind: str
    run: int
    cases: int
    found: int
    interval: tuple[float, float] | None
    auc: float | None
    blaming: int
    blamed: int
    found_in_force: int

    @property
    def recall(self) -> float | None:
        return self.found / self.cases if self.cases else None

    @property
    def recall_in_force(self) -> float | None:
        return self.found_in_force / self.cases if self.cases else None

    @property
    def blamed_share(self) -> float | None:
        return self.blamed / self.blaming if self.blaming else None

    def plain(self) -> dict[str, Any]:
        names = (
            "kind", "run", "cases", "found", "recall", "interval", "auc", "blaming", "blamed", "blamed_share",
            "found_in_force", "recall_in_force",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names} | {"run": str(self.run)}


@dataclass(frozen=True, slots=True)
class Levels:
    """The chosen threshold, above which a case is flagged, and the threshold in force with its rule (`flags`)."""

    threshold: float
    in_force: float
    flags: Callable[[float, float], bool] = gt


def threshold_for(clean: Sequence[float], accepted: float) -> float:
    """The smallest suspicion, to six decimals, above which at most the accepted proportion of clean cases is.

    >>> threshold_for([0.1, 0.2, 0.3, 0.4], 0.25), threshold_for([0.1, 0.2, 0.3, 0.4], 0.2)
    (0.3, 0.4)
    """
    # Products such as 0.07 × 100 are not exact.
    above = math.floor(round(len(clean) * accepted, 9))
    value = sorted(clean, reverse=True)[above]
    rounded = round(value, DECIMALS)
    return rounded if rounded >= value else next_above(rounded)


def next_above(threshold: float) -> float:
    """The next number of six decimals, for relations that flag suspicion ≥ threshold."""
    return round(threshold + STEP, DECIMALS)


def sensitivity(
    kind: str, run: int, clean: Sequence[float], faulty: Sequence[FaultyCase], levels: Levels
) -> Sensitivity:
    """How many of the cases with a fault the relation finds."""
    flagged = [case for case in faulty if case.suspicion > levels.threshold]
    return Sensitivity(
        kind,
        run,
        len(faulty),
        len(flagged),
        wilson(len(flagged), len(faulty)),
        _auc(clean, [case.suspicion for case in faulty]),
        sum(case.blamed is not None for case in flagged),
        sum(case.blamed is True for case in flagged),
        sum(levels.flags(case.suspicion, levels.in_force) for case in faulty),
    )


def _auc(clean: Sequence[float], faulty: Sequence[float]) -> float | None:
    if not clean or not faulty:
        return None
    values = np.array([*clean, *faulty], dtype=np.float64)
    return auc(Score("suspicion", values, ">"), np.arange(len(values)) >= len(clean))
