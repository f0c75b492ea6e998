"""What is known of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run: one relation, one system (`given` is how the user wrote it), one direction, one corpus.

    `rejected` says how many substitutes were turned away while it went on, by reason, and `stages` what took how
    many seconds; stages overlap.
    """

    id: int
    signature: str
    relation: str
    settings: Mapping[str, Any]
    system: str
    source: str
    target: str
    corpus: str
    seed: int
    notes: Sequence[str]
    fresh: bool
    started: str
    finished: str | None
    asked: int
    sent: int
    cached: int
    seconds: float
    given: str = ""
    rejected: Mapping[str, int] = field(default_factory=dict)
    stages: Mapping[str, float] = field(default_factory=dict)
