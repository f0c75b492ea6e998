"""Precision, recall, base rate and F of a detector, estimated from a stratified sample of labelled cases.

A labelled case stands for `weight` cases of its stratum (Horvitz and Thompson 1952), and each measure is a ratio of two
weighted counts. Where all cases of the denominator are in one stratum, of which at most a twentieth was labelled, it is
a simple proportion, and its interval is Wilson's (1927). Other ratios get a percentile interval of many draws of the
whole population: within a stratum, the unlabelled cases are flagged as often as the labelled ones (Pólya's urn, Lo
1988) and are bugs as often as its labels and, to a small extent, those of other strata say (`urns`). So a stratum
without a labelled bug does not count as free of bugs, as it would if the labelled cases themselves were drawn again,
and a stratum that is mostly labelled varies little. Where every case was labelled, an interval is the estimate itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concord.errors import UserError
from concord.plain_data import PlainData
from concord.stats.detection_intervals import percentile_interval
from concord.stats.wilson import wilson

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

DRAWS = 4000
EXACT, WILSON, DRAWN = "exact", "Wilson", "stratified draws"
ENDLESS = 20
"""If a population is this many times the sample, drawing without replacement equals drawing with it (Cochran 1977)."""
PULL = 2.0
"""How many labels of its own the labels of other strata are worth to a stratum."""


@dataclass(frozen=True, slots=True)
class ShareEstimate:
    """A proportion with its interval and the method of the interval: `exact`, `Wilson` or `stratified draws`."""

    value: float
    low: float
    high: float
    method: str


@dataclass(frozen=True, slots=True)
class Estimates(PlainData):
    """The estimated measures of a detector; a measure is None where nothing flagged, or no bug, was labelled.

    `flagged`, `bugs` and `cases` are estimated counts of the whole population, `labelled` is the size of the sample.
    """

    precision: ShareEstimate | None
    recall: ShareEstimate | None
    base_rate: ShareEstimate
    f: ShareEstimate | None
    flagged: float
    bugs: float
    cases: float
    labelled: int


MEASURES = ("precision", "recall", "base_rate", "f")


def estimates(
    flagged: ArrayLike,
    bug: ArrayLike,
    weight: ArrayLike,
    stratum: ArrayLike,
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimates:
    """The measures of a detector that flags `flagged` where `bug` is the truth, for cases drawn from strata.

    A case of a stratum of N cases of which n are labelled weighs N / n; all of a stratum weigh the same. Each stratum
    of the population must have a labelled case: a stratum without labels cannot be estimated.

    >>> found = estimates([1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 1, 1])
    >>> found.precision, found.recall.value
    (ShareEstimate(value=0.5, low=0.5, high=0.5, method='exact'), 0.5)
    """
    sample = _Sample.from_arrays(flagged, bug, weight, stratum)
    population = sample.population(draws, np.random.default_rng(seed))
    measured = {name: _estimate(sample, population, name, level) for name in MEASURES}
    base_rate = measured["base_rate"]
    assert base_rate is not None
    return Estimates(
        precision=measured["precision"],
        recall=measured["recall"],
        base_rate=base_rate,
        f=measured["f"],
        flagged=float((sample.weight * sample.flagged).sum()),
        bugs=float((sample.weight * sample.bug).sum()),
        cases=float(sample.weight.sum()),
        labelled=len(sample.weight),
    )


@dataclass(frozen=True, slots=True)
class Urn:
    """The urn from which the unlabelled cases of a stratum, either the flagged or the unflagged ones, are drawn.

    `cases` are the indices of its labelled cases, which count as `bugs` and `correct` cases; `unseen` is the prior
    count of each.
    """

    stratum: int
    flagged: bool
    cases: NDArray[np.intp]
    bugs: float
    correct: float
    unseen: float


def urns(flagged: Booleans, bug: Booleans, weight: Floats, stratum: NDArray[np.int64]) -> Iterator[Urn]:
    """An urn for each part of a stratum, flagged or not, that has unlabelled cases.

    Jeffreys' prior, half a bug and half a correct case, is shared by all urns of flagged cases, and another one by
    those of unflagged cases: if each urn had its own, many urns with few labels would all be drawn towards one half.
    Three labels without a bug do not prove that there is none, so the proportion of each urn is shrunk a little towards
    a common mean; this weighs each urn by how strongly it is shrunk, so that the expected total of bugs does not
    change. If there are many urns, each has about one ball less than labels: a beta distribution of n - 1 balls has the
    variance of a proportion of n cases. A single urn has Jeffreys' distribution.
    """
    for is_flagged in (True, False):
        numbers = np.unique(stratum[flagged == is_flagged])
        cells = [np.flatnonzero((stratum == number) & (flagged == is_flagged)) for number in numbers]
        cells = [cell for cell in cells if (weight[cell] > 1 + 1e-9).all()]
        if not cells:
            continue
        columns = np.array([(len(cell), bug[cell].sum(), (weight[cell] - 1).sum()) for cell in cells])
        size, bugs, unlabelled = columns.T
        drawn = unlabelled * PULL / (size + PULL)
        proportion = (bugs + PULL * (drawn * bugs / size).sum() / drawn.sum()) / (size + PULL)
        prior = 1 / len(cells)
        scale = (size - 1 + 2 * prior) / (size + prior)
        balls = zip(cells, scale * size * proportion, scale * size * (1 - proportion), scale * prior / 2, strict=True)
        for cell, wrong, right, unseen in balls:
            yield Urn(int(stratum[cell[0]]), is_flagged, cell, float(wrong), float(right), float(unseen))


@dataclass(frozen=True, slots=True)
class _Counts:
    """The counts of flagged bugs, of flagged cases, of bugs and of all cases; one number each or one for each draw."""

    flagged_bugs: Floats
    flagged: Floats
    bugs: Floats
    cases: Floats

    def ratio(self, measure: str) -> tuple[Floats, Floats]:
        return {
            "precision": (self.flagged_bugs, self.flagged),
            "recall": (self.flagged_bugs, self.bugs),
            "base_rate": (self.bugs, self.cases),
            "f": (2 * self.flagged_bugs, self.flagged + self.bugs),
        }[measure]


@dataclass(frozen=True, slots=True)
class _Sample:
    flagged: Booleans
    bug: Booleans
    weight: Floats
    stratum: NDArray[np.intp]

    @classmethod
    def from_arrays(cls, flagged: ArrayLike, bug: ArrayLike, weight: ArrayLike, stratum: ArrayLike) -> "_Sample":
        _, numbers = np.unique(np.asarray(stratum), return_inverse=True)
        sample = cls(np.asarray(flagged, bool), np.asarray(bug, bool), np.asarray(weight, np.float64), numbers)
        if not len(sample.weight):
            raise UserError("no case of this sample is labelled yet. Label some first")
        if len({len(column) for column in (sample.flagged, sample.bug, sample.weight, sample.stratum)}) > 1:
            raise ValueError("flagged, bug, weight and stratum must be equally long")
        heaviest = np.zeros(numbers.max() + 1)
        np.maximum.at(heaviest, numbers, sample.weight)
        # A case represents at least itself.
        if not np.allclose(heaviest[numbers], sample.weight) or (sample.weight < 1 - 1e-9).any():
            raise ValueError("all cases of a stratum must weigh the same, and at least 1")
        return sample

    @property
    def counts(self) -> _Counts:
        both, flagged, bugs = (
            np.array((self.weight * which).sum()) for which in (self.flagged & self.bug, self.flagged, self.bug)
        )
        return _Counts(both, flagged, bugs, np.array(self.weight.sum()))

    def population(self, draws: int, chance: np.random.Generator) -> _Counts:
        """Draws of the population: the labelled cases as they are, the unlabelled ones drawn."""
        both, flagged, bugs = (np.zeros(draws) for _ in range(3))
        urn_of = {(urn.stratum, urn.flagged): urn for urn in urns(self.flagged, self.bug, self.weight, self.stratum)}
        for number in range(self.stratum.max() + 1):
            in_stratum = self.stratum == number
            rest = round(float(self.weight[in_stratum].sum())) - int(in_stratum.sum())
            parts = [in_stratum & self.flagged, in_stratum & ~self.flagged]
            unlabelled = _split(rest, [int(part.sum()) for part in parts], draws, chance)
            wrong = [
                _bugs(urn_of.get((number, is_flagged)), more, chance)
                for is_flagged, more in zip((True, False), unlabelled, strict=True)
            ]
            both += wrong[0] + int((parts[0] & self.bug).sum())
            bugs += wrong[0] + wrong[1] + int((in_stratum & self.bug).sum())
            flagged += int(parts[0].sum()) + unlabelled[0]
        return _Counts(both, flagged, bugs, np.full(draws, self.weight.sum()))

    def about(self, measure: str) -> Booleans:
        """The labelled cases in the denominator of a measure."""
        ones = np.ones(len(self.weight), dtype=bool)
        return {"precision": self.flagged, "recall": self.bug, "base_rate": ones, "f": self.flagged | self.bug}[measure]


def _split(rest: int, labelled: list[int], draws: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Draws of how many unlabelled cases are flagged and how many not, if they are like the labelled ones."""
    if not rest or not all(labelled):
        first = rest if labelled[0] else 0
        return np.full(draws, float(first)), np.full(draws, float(rest - first))
    proportion: Floats = chance.beta(labelled[0], labelled[1], size=draws)
    flagged: Floats = chance.binomial(rest, proportion).astype(np.float64)
    return flagged, rest - flagged


def _bugs(urn: Urn | None, unlabelled: Floats, chance: np.random.Generator) -> Floats:
    """Draws of how many unlabelled cases are bugs; without an urn there are no unlabelled cases."""
    if urn is None:
        return np.zeros(len(unlabelled))
    proportion = chance.beta(urn.bugs + urn.unseen, urn.correct + urn.unseen, size=len(unlabelled))
    more: Floats = chance.binomial(unlabelled.astype(np.int64), proportion).astype(np.float64)
    return more


def _estimate(sample: _Sample, population: _Counts, measure: str, level: float) -> ShareEstimate | None:
    above, below = sample.counts.ratio(measure)
    if not below:
        return None
    value = float(above / below)
    if np.allclose(sample.weight, 1):
        return ShareEstimate(value, value, value, EXACT)
    about = sample.about(measure)
    if np.allclose(sample.weight[about], 1) and measure == "precision":
        return ShareEstimate(value, value, value, EXACT)
    # A proportion is simple if its denominator is one large stratum, or a part of it, alone.
    simple = len(np.unique(sample.stratum[about])) == 1 and bool((sample.weight[about] >= ENDLESS).all())
    if measure in ("precision", "base_rate") and simple:
        n = int(about.sum())
        low, high = wilson(value * n, n, level) or (0.0, 1.0)
        return ShareEstimate(value, min(low, value), max(high, value), WILSON)
    numerator, denominator = population.ratio(measure)
    defined = denominator > 0
    low, high = percentile_interval(numerator[defined] / denominator[defined], level)
    # At the ends of the scale the draws stop short of the observed value.
    low, high = (0.0 if value == 0 else min(low, value)), (1.0 if value == 1 else max(high, value))
    return ShareEstimate(value, low, high, DRAWN)
