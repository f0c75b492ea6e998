"""The options of quality scores and correlations."""

from dataclasses import dataclass

from concord.errors import UnknownName, UserError
from concord.runs.execute import SEED

CONFIDENCE = 0.95
BY = ("satisfied", "suspicion", "both")


@dataclass(frozen=True, slots=True)
class QualityTerms:
    """The number of bootstrap draws of sentences for intervals, and their seed.

    `by` says which metamorphic scores are correlated: whether relations are `satisfied`, `1 − suspicion`, or `both`.
    """

    resamples: int = 1000
    seed: int = SEED
    by: str = "satisfied"

    def __post_init__(self) -> None:
        if self.by not in BY:
            raise UnknownName("kind of score", self.by, BY)
        if self.resamples < 1:
            raise UserError(f"intervals need at least one draw, not {self.resamples}. 1000 are usual")
