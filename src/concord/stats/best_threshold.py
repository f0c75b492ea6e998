"""One threshold for suspicion, from labelled rows: for a wanted precision, or for the best F.

For a precision, it is the lowest threshold at which the lower end of Wilson's 95 % interval reaches what is
wanted: it flags as much as the labels allow. The share alone would be reached by luck where few are flagged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from concord.errors import UserError
from concord.stats.detection import Booleans, Floats, Score, curve
from concord.stats.wilson import wilson


@dataclass(frozen=True, slots=True)
class Choice:
    """A threshold and what it does to the labelled rows: flagged is suspicion > threshold."""

    threshold: float
    rows: int
    bugs: int
    flagged: int
    found: int
    precision: float
    interval: tuple[float, float]
    recall: float
    f: float


def best_f(suspicion: Floats, bug: Booleans) -> Choice:
    """The threshold of the highest F; of equals, the one that flags the fewest. One that flags all is none."""
    return max(_choices(suspicion, bug), key=lambda each: each.f)


def for_precision(suspicion: Floats, bug: Booleans, wanted: float) -> Choice:
    """The lowest threshold of which the labels say that its precision is as wanted, or an error with the nearest."""
    every = _choices(suspicion, bug)
    enough = [each for each in every if each.interval[0] >= wanted]
    if enough:
        return enough[-1]
    near = max(every, key=lambda each: each.interval[0])
    raise UserError(
        f"no threshold has a precision that is surely {wanted:g}: at {near.threshold:g} it is {near.precision:.3f}"
        f" ({near.found} of {near.flagged}), and the lower end of its interval {near.interval[0]:.3f}. Label more"
        f" rows, or want no more than {math.floor(near.interval[0] * 100) / 100:g}"
    )


def _choices(suspicion: Floats, bug: Booleans) -> list[Choice]:
    """Every way to flag some and spare some, from the fewest flags to the most."""
    values = np.unique(suspicion)
    if len(values) < 2:
        raise UserError("all rows have the same suspicion, so that no threshold tells them apart")
    found = curve(Score("suspicion", suspicion, ">"), bug, values[:-1]).counts
    rows, bugs = int(found.rows[0]), int(found.bugs[0])
    ends = zip(values[:-1][::-1].tolist(), values[1:][::-1].tolist(), strict=True)
    # Noughts and ones alone may be shares, of which a threshold of 0 would say something else.
    counts = bool((values == np.rint(values)).all() and np.abs(values).max() > 1)
    measured = zip(ends, *(each.tolist() for each in (found.tp, found.flagged, found.recall, found.f)), strict=True)
    return [
        Choice(at, rows, bugs, flagged, tp, tp / flagged, wilson(tp, flagged) or (0.0, 1.0), recall, f)
        for gap, tp, flagged, recall, f in measured
        for at in [gap[0] if counts else between(*gap)]
    ]


def between(low: float, high: float) -> float:
    """The shortest number between two; `low` itself only where no other number is.

    >>> between(0, 0.3), between(0.4137, 0.4152), between(0.1, 0.30000000000000004)
    (0.1, 0.414, 0.2)
    """
    for digits in range(17):
        power = 10.0**digits
        for number in (round((low + high) / 2, digits), math.ceil(low * power) / power):
            if low < number < high:
                return number
    return low
