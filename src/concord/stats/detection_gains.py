"""The gain of a second detector over a first (Cao et al. 2021, section 4.4): a row is flagged if either flags it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concord.stats.detection import Booleans, Score, any_of, bugs_among, counts


@dataclass(frozen=True, slots=True)
class ThresholdedScore:
    """A score with the threshold at which it is used."""

    score: Score
    threshold: float

    @property
    def flags(self) -> Booleans:
        return self.score.flags(self.threshold)


@dataclass(frozen=True, slots=True)
class Alone:
    """How many bugs a detector flags, and how many of them no other detector flags (figure 7)."""

    name: str
    threshold: float
    flagged: int
    bugs: int
    unique: int


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of adding `second` to `first` (figure 8), on the `rows` that both have a score for.

    `at_equal_flagged` is how many more bugs the two find than the first alone would, if its threshold were moved
    until it flags as many rows: the gain at equal cost.
    """

    first: str
    second: str
    rows: int
    flagged: int
    bugs: int
    more_bugs: int
    accuracy: float
    f: float
    at_equal_flagged: float


@dataclass(frozen=True, slots=True)
class CombinedDetectors:
    """All detectors at once, on the rows that all have a score for; gains over the best single F."""

    rows: int
    flagged: int
    bugs: int
    all_bugs: int
    accuracy: float
    precision: float
    recall: float
    f: float
    f_gain: float


def alone(detectors: Sequence[ThresholdedScore], bug: Booleans) -> list[Alone]:
    flags = [detector.flags for detector in detectors]
    times = np.sum(flags, axis=0)
    return [
        Alone(
            detector.score.name,
            detector.threshold,
            int(flagged.sum()),
            int((flagged & bug).sum()),
            int((flagged & bug & (times == 1)).sum()),
        )
        for detector, flagged in zip(detectors, flags, strict=True)
    ]


def gain(first: ThresholdedScore, second: ThresholdedScore, bug: Booleans) -> Gain:
    scored = first.score.has_value & second.score.has_value
    bug = bug[scored]
    first_flags, second_flags = (detector.flags[scored] for detector in (first, second))
    before, after = counts(first_flags, bug), counts(any_of([first_flags, second_flags]), bug)
    flagged, bugs = int(after.flagged), int(after.tp)
    return Gain(
        first.score.name,
        second.score.name,
        len(bug),
        flagged,
        bugs,
        bugs - int(before.tp),
        float(after.accuracy - before.accuracy),
        float(after.f - before.f),
        bugs - bugs_among(first.score.only(scored), bug, flagged),
    )


def together(detectors: Sequence[ThresholdedScore], bug: Booleans) -> CombinedDetectors:
    scored = np.logical_and.reduce([detector.score.has_value for detector in detectors])
    bug = bug[scored]
    flags = [detector.flags[scored] for detector in detectors]
    combined = counts(any_of(flags), bug)
    best = max(float(counts(detector_flags, bug).f) for detector_flags in flags)
    return CombinedDetectors(
        len(bug),
        int(combined.flagged),
        int(combined.tp),
        int(bug.sum()),
        float(combined.accuracy),
        float(combined.precision),
        float(combined.recall),
        float(combined.f),
        float(combined.f) - best,
    )
