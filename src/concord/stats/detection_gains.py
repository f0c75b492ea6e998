"""What a second detector adds to a first (Cao et al. 2021, section 4.4): flagged is what either flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concord.stats.detection import Booleans, Score, any_of, counts, found_among


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
    """What a detector finds, and what no other one does (figure 7)."""

    name: str
    threshold: float
    flagged: int
    bugs: int
    unique: int


@dataclass(frozen=True, slots=True)
class Gain:
    """What `second` adds to `first` (figure 8), on the `rows` that both have a score for.

    `at_equal_flagged` is how many more bugs the two find than the first alone would, if its threshold were moved
    until it flags as many rows: what is left of the gain when the added flags are paid for.
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
            each.score.name,
            each.threshold,
            int(own.sum()),
            int((own & bug).sum()),
            int((own & bug & (times == 1)).sum()),
        )
        for each, own in zip(detectors, flags, strict=True)
    ]


def gain(first: ThresholdedScore, second: ThresholdedScore, bug: Booleans) -> Gain:
    both = first.score.known & second.score.known
    bug = bug[both]
    own, other = (each.flags[both] for each in (first, second))
    before, after = counts(own, bug), counts(any_of([own, other]), bug)
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
        bugs - found_among(first.score.only(both), bug, flagged),
    )


def together(detectors: Sequence[ThresholdedScore], bug: Booleans) -> CombinedDetectors:
    every = np.logical_and.reduce([detector.score.known for detector in detectors])
    bug = bug[every]
    flags = [detector.flags[every] for detector in detectors]
    found = counts(any_of(flags), bug)
    best = max(float(counts(own, bug).f) for own in flags)
    return CombinedDetectors(
        len(bug),
        int(found.flagged),
        int(found.tp),
        int(bug.sum()),
        float(found.accuracy),
        float(found.precision),
        float(found.recall),
        float(found.f),
        float(found.f) - best,
    )
