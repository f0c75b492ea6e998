"""Bugs by kind of error, and the way there judged alone (Cao et al. 2021, table 4 and section 4.1)."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concord.labels.labels import CATEGORIES, KINDS
from concord.labels.sheets import letters
from concord.plural import plural
from concord.stats.detection import Booleans
from concord.stats.detection_gains import ThresholdedScore

if TYPE_CHECKING:
    from concord.analyses.detection.labelled_rows import LabelledRows

FORWARD = frozenset(("sourceoutput", "source", "forward", "fw", "both"))
BACKWARD = frozenset(("followupoutput", "followup", "backward", "bw"))
"""How a cell says which output is wrong. If both are, the forward trip made the mistake."""


@dataclass(frozen=True, slots=True)
class KindFound:
    """How many bugs are of a kind, and how many of them each score flags."""

    kind: str
    bugs: int
    found: Mapping[str, int]


def kinds_of(cell: Any) -> frozenset[str]:
    """The kinds of error that a cell lists, with any of `;`, `,` and `|` between them.

    >>> sorted(kinds_of("Order; over-translation"))
    ['order', 'over-translation']
    """
    return frozenset(kind.strip().lower() for kind in re.split(r"[;,|\n]", str(cell or "")) if kind.strip())


def found_by_kind(
    kinds: Sequence[frozenset[str]], bug: Booleans, used: Sequence[ThresholdedScore]
) -> Iterator[KindFound]:
    """What each score finds of each kind: Concord's categories, each before its kinds, and then all others."""
    known = [name for category in CATEGORIES for name in (category, *(k for k in KINDS if KINDS[k] == category))]
    flagged = {each.score.name: each.flags for each in used}
    rows_of = defaultdict[str, list[int]](list)
    for row, (listed, wrong) in enumerate(zip(kinds, bug, strict=True)):
        for kind in listed if wrong else ():
            rows_of[kind].append(row)
    for kind in [*(name for name in known if name in rows_of), *sorted(rows_of.keys() - set(known))]:
        rows = rows_of[kind]
        yield KindFound(kind, len(rows), {name: int(flags[rows].sum()) for name, flags in flagged.items()})


def judged_forward(labelled: "LabelledRows", wrong: Sequence[Any]) -> "LabelledRows":
    """The rows as labels of the way there: those whose way back alone is wrong are left out.

    So are bugs of which nobody says which way is wrong.
    """
    sides = [letters(str(cell or "")) for cell in wrong]
    forward, backward = (np.array([side in names for side in sides], dtype=bool) for names in (FORWARD, BACKWARD))
    untold = labelled.bug & ~forward & ~backward
    kept = ~(backward | untold)
    notes = [
        f"{plural(int(left.sum()), 'row')} left out: {why}"
        for left, why in ((backward, "only the way back is wrong"), (untold, "which way is wrong is not said"))
        if left.any()
    ]
    return replace(
        labelled,
        bug=forward[kept],
        scores=[score.only(kept) for score in labelled.scores],
        kinds=[kinds for kinds, keep in zip(labelled.kinds, kept, strict=False) if keep],
        notes=[*labelled.notes, *notes],
    )
