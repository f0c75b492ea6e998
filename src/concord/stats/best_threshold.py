"""A threshold for suspicion from labelled rows: for a required precision, or for the best F.

For a precision, it is the lowest threshold at which the lower end of Wilson's 95 % interval reaches the requirement:
it flags as much as the labels allow. The observed precision alone would reach it by luck where few are flagged.
"""

import math
from dataclasses import dataclass

import numpy as np

from concord.errors import UserError
from concord.stats.detection import Booleans, Floats, Score, curve
from concord.stats.wilson import wilson


@dataclass(frozen=True, slots=True)
class Choice:
    """A threshold and its measures on the labelled rows: flagged is suspicion > threshold."""

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
    """The threshold of the highest F; of equals, the one that flags the fewest. None of them flags all rows."""
    return max(_choices(suspicion, bug), key=lambda choice: choice.f)


def for_precision(suspicion: Floats, bug: Booleans, least: float) -> Choice:
    """The lowest threshold at which the confidence interval of precision begins at `least` or above; else UserError."""
    choices = _choices(suspicion, bug)
    precise = [choice for choice in choices if choice.interval[0] >= least]
    if precise:
        return precise[-1]
    nearest = max(choices, key=lambda choice: choice.interval[0])
    raise UserError(
        f"no threshold has a precision that is surely {least:g}: at {nearest.threshold:g} it is {nearest.precision:.3f}"
        f" ({nearest.found} of {nearest.flagged}), and the lower end of its interval {nearest.interval[0]:.3f}. Label"
        f" more rows, or want no more than {math.floor(nearest.interval[0] * 100) / 100:g}"
    )


def _choices(suspicion: Floats, bug: Booleans) -> list[Choice]:
    """Every threshold that flags some rows but not all, from the fewest flags to the most."""
    values = np.unique(suspicion)
    if len(values) < 2:
        raise UserError("all rows have the same suspicion, so that no threshold tells them apart")
    counts = curve(Score("suspicion", suspicion, ">"), bug, values[:-1]).counts
    rows, bugs = int(counts.rows[0]), int(counts.bugs[0])
    ends = zip(values[:-1][::-1].tolist(), values[1:][::-1].tolist(), strict=True)
    # Zeros and ones alone may be proportions, for which a threshold of 0 would mean something else.
    whole_numbers = bool((values == np.rint(values)).all() and np.abs(values).max() > 1)
    columns = (column.tolist() for column in (counts.tp, counts.flagged, counts.recall, counts.f))
    return [
        Choice(threshold, rows, bugs, flagged, tp, tp / flagged, wilson(tp, flagged) or (0.0, 1.0), recall, f)
        for gap, tp, flagged, recall, f in zip(ends, *columns, strict=True)
        for threshold in [gap[0] if whole_numbers else between(*gap)]
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
