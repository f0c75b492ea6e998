"""The filter and sort order of cases, and of their findings."""

import math
from dataclasses import dataclass

from concord.errors import UnknownName, UserError
from concord.store.label_rows import VERDICTS

LABELS = ("any", "none", *VERDICTS, "stale", "disputed")
"""Any label of the present outputs; none; a verdict; only labels of other outputs; labels that disagree."""
SORTS = ("rank", "suspicion", "position", "newest label")


@dataclass(frozen=True, slots=True)
class Filter:
    """The cases that pass every filter; an empty filter passes all.

    `runs` are numbers, or texts such as `3,4` and `last`; none means the latest run of each kind. `text` is a search:
    all of its words occur in the case or its sentence, and the last may be a prefix. `least` and `most` bound the
    suspicion. `annotator` says whose labels count. `flagged` is None for flagged and other cases. The order `newest
    label` passes labelled cases only.
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
    flagged: bool | None = True
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
            raise UserError(f"no suspicion is at least {self.least:g} and at most {self.most:g}; swap the two")

    @property
    def labelled(self) -> str:
        """The label that is required; an annotator or the order of labels requires `any`."""
        return self.label or ("any" if self.annotator or self.sort == "newest label" else "")
