"""Which findings are wanted, and in which order."""

from __future__ import annotations

import math
from dataclasses import dataclass

from concord.errors import UnknownName, UserError
from concord.store.label_rows import VERDICTS

LABELS = ("any", "none", *VERDICTS, "stale", "disputed")
"""Any label of these outputs, none, one with that verdict, one of other outputs alone, several that disagree."""
SORTS = ("rank", "suspicion", "position", "newest label")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The findings that pass every filter; an empty filter passes all.

    `runs` are numbers, or texts such as `3,4` and `last`; none means the latest run of each kind. `text` are words that
    all occur in a case or its sentence, the last one perhaps only begun. `least` and `most` bound the suspicion.
    `annotator` says whose labels count. `violated` is None for cases on either side of their threshold. The order
    `newest label` passes labelled cases alone.
    """

    runs: tuple[int | str, ...] = ()
    relations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    text: str = ""
    least: float | None = None
    most: float | None = None
    label: str = ""
    annotator: str = ""
    violated: bool | None = True
    sort: str = "rank"
    reverse: bool = False

    def __post_init__(self) -> None:
        if self.label and self.label not in LABELS:
            raise UnknownName("label", self.label, LABELS)
        if self.sort not in SORTS:
            raise UnknownName("order", self.sort, SORTS)
        for bound in (self.least, self.most):
            if bound is not None and math.isnan(bound):
                raise UserError("a bound of the suspicion is a number, such as 0.4; nan is none")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise UserError(f"no suspicion is at least {self.least:g} and at most {self.most:g}; turn the two around")

    @property
    def labelled(self) -> str:
        """What must be true of the labels; naming an annotator or the order of labels asks for one."""
        return self.label or ("any" if self.annotator or self.sort == "newest label" else "")
