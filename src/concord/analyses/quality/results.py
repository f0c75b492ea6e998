"""The results of a correlation, for one direction."""

from dataclasses import dataclass
from typing import Any

from concord.analyses.quality.observations import Observed
from concord.analyses.quality.reference_scores import Outside
from concord.plain_data import plain
from concord.stats.bootstrap_sentences import Floats
from concord.stats.contribution import Contribution

SENTENCE, DOMAIN, SYSTEM = SCALES = ("sentence", "domain × system", "system")
"""The scales of a correlation: scores of sentences, or their means by system."""
FISHER = 5
"""The fewest pairs that have an interval by Fisher's z."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A correlation from -1 to 1 with the p-value for independent pairs, and its bootstrap interval over sentences.

    `fisher` is the interval by Fisher's z, which for means of systems covers other systems.
    """

    method: str
    r: float
    p: float
    lower: float
    upper: float
    fisher: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ScoreAgreement:
    """The correlation of two scores on one of the SCALES, over `n` pairs, of one `domain` or of all ("")."""

    scale: str
    domain: str
    score: str
    other: str
    n: int
    coefficients: list[Coefficient]

    def of(self, method: str) -> Coefficient:
        return next(coefficient for coefficient in self.coefficients if coefficient.method == method)


@dataclass(frozen=True, slots=True)
class Contributed:
    """How the relations of a family contribute to one outside score: tables 2 and 6."""

    relations: list[str]
    other: str
    found: Contribution


@dataclass(frozen=True, slots=True)
class SystemScore:
    """The mean of a score over the sentences of a system, in all ("") or in a domain."""

    domain: str
    system: str
    score: str
    mean: float
    whole: float


@dataclass(frozen=True, slots=True)
class Correlated:
    """All correlations of one direction."""

    observed: Observed
    scores: dict[str, Floats]
    outside: list[Outside]
    system_scores: list[SystemScore]
    agreements: list[ScoreAgreement]
    by_domain: list[ScoreAgreement]
    between: list[ScoreAgreement]
    contributed: list[Contributed]
    notes: list[str]

    def plain(self) -> dict[str, Any]:
        names = ("system_scores", "agreements", "by_domain", "between", "contributed", "notes")
        facts = {"source_lang": self.observed.source, "target_lang": self.observed.target, "runs": self.observed.runs}
        size: dict[str, Any] = {"systems": self.observed.systems, "sentences": len(self.observed.sentences)}
        size["legend"] = self.observed.legend
        return facts | size | {name: plain(getattr(self, name)) for name in names}
