"""What a quality score or a correlation is told, and plain data for `--json`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from concord.errors import UnknownName, UserError
from concord.runs.execute import SEED

CONFIDENCE = 0.95
BY = ("satisfied", "suspicion", "both")


@dataclass(frozen=True, slots=True)
class QualityTerms:
    """How many draws of sentences make the intervals, and what fixes them.

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


def plain(value: Any) -> Any:
    """Plain data; null stands for what is not defined."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
