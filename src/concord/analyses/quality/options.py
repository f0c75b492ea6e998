"""The options of quality scores and correlations."""

from dataclasses import dataclass

from concord.errors import UnknownName, UserError
from concord.language.sanity import LARGEST_SHARE
from concord.runs.execute import SEED

CONFIDENCE = 0.95
BY = ("satisfied", "suspicion", "both")


@dataclass(frozen=True, slots=True)
class QualityTerms:
    """The number of bootstrap draws of sentences for intervals, and their seed.

    `by` says which metamorphic scores are correlated: whether relations are `satisfied`, `1 − suspicion`, or `both`.
    A system is not ranked if more than `max_insane` of its sentences have an answer that is not sane.
    """

    resamples: int = 1000
    seed: int = SEED
    by: str = "satisfied"
    max_insane: float = LARGEST_SHARE

    def __post_init__(self) -> None:
        if self.by not in BY:
            raise UnknownName("kind of score", self.by, BY)
        if self.resamples < 1:
            raise UserError(f"intervals need at least one draw, not {self.resamples}. 1000 are usual")
        if not 0 <= self.max_insane <= 1:
            raise UserError(f"max_insane is a share from 0 to 1, not {self.max_insane:g}")
