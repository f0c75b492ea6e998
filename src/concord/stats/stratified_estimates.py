"""Precision, recall, base rate and F of a detector, estimated from a stratified sample of labelled cases.

A labelled case stands for `weight` cases of its stratum (Horvitz and Thompson 1952), and each measure is a ratio of two
weighted counts. Where the cases that a ratio is about all lie in one stratum, of which at most a twentieth was looked
at, it is a simple share, and its interval is Wilson's (1927). Other ratios get the middle of many draws of the whole
population: within a stratum, the cases that nobody labelled are flagged as often as those that somebody did (Pólya's
urn, Lo 1988) and are bugs as often as its labels and, a little, those of other strata say (`urns`). So a stratum in
which no bug was found does not count as free of bugs, as it would if the labelled cases themselves were drawn again,
and one of which most cases were labelled leaves little to chance. Where every case was labelled, an interval is the
estimate itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concord.errors import UserError
from concord.plain_data import PlainData
from concord.stats.wilson import wilson

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

DRAWS = 4000
EXACT, WILSON, DRAWN = "exact", "Wilson", "stratified draws"
ENDLESS = 20
"""From a population so many times the sample, drawing without replacement is drawing with it (Cochran 1977)."""
PULL = 2.0
"""How many labels of its own the labels of other strata are worth to a stratum."""


@dataclass(frozen=True, slots=True)
class ShareEstimate:
    """A share with its interval, and where that comes from: `exact`, `Wilson` or `stratified draws`."""

    value: float
    low: float
    high: float
    method: str


@dataclass(frozen=True, slots=True)
class Estimates(PlainData):
    """What the labels say of a detector; a measure is None where nothing flagged, or no bug, was labelled.

    `flagged`, `bugs` and `cases` are estimated counts of the whole population, `labelled` is how many were looked at.
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
    """The measures of a detector that flags `flagged` where `bug` says what is true, for cases drawn from strata.

    A case of a stratum of N cases of which n are labelled weighs N / n; all of a stratum weigh the same. Each stratum
    of the population must have a labelled case: what was never looked at cannot be estimated.

    >>> found = estimates([1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 1, 1])
    >>> found.precision, found.recall.value
    (ShareEstimate(value=0.5, low=0.5, high=0.5, method='exact'), 0.5)
    """
    sample = _Sample.of(flagged, bug, weight, stratum)
    population = sample.population(draws, np.random.default_rng(seed))
    measured = {name: _estimate(sample, population, name, level) for name in MEASURES}
    base_rate = measured["base_rate"]
    assert base_rate is not None
    found = sample.weight * sample.flagged
    return Estimates(
        precision=measured["precision"],
        recall=measured["recall"],
        base_rate=base_rate,
        f=measured["f"],
        flagged=float(found.sum()),
        bugs=float((sample.weight * sample.bug).sum()),
        cases=float(sample.weight.sum()),
        labelled=len(sample.weight),
    )


@dataclass(frozen=True, slots=True)
class Urn:
    """What the unlabelled cases of a stratum, of those flagged or of the others, are drawn from.

    `cases` are the places of its labelled cases, which count as so many `bugs` and `others`; and there are so many of
    each as well that are `unseen`.
    """

    stratum: int
    flagged: bool
    cases: NDArray[np.intp]
    bugs: float
    others: float
    unseen: float


def urns(flagged: Booleans, bug: Booleans, weight: Floats, stratum: NDArray[np.int64]) -> Iterator[Urn]:
    """An urn for each part of a stratum, flagged or not, of which something is not labelled.

    Jeffreys' prior, half a bug and half another case, is shared by all urns of flagged cases, and another one by those
    of the others: if each urn had its own, many urns with few labels would all be drawn towards one half. Three labels
    without a bug do not say that there is none, so the share of an urn is drawn a little towards that of all; the
    latter weighs urns by how far they are drawn, which leaves the sum over all of them as it was. Of many urns, each
    has about one ball less than labels: a beta distribution of n - 1 balls varies as a share of n cases does. An urn
    that is alone has Jeffreys' distribution.
    """
    for kind in (True, False):
        cells = [np.flatnonzero((stratum == each) & (flagged == kind)) for each in np.unique(stratum[flagged == kind])]
        cells = [cell for cell in cells if (weight[cell] > 1 + 1e-9).all()]
        if not cells:
            continue
        facts = np.array([(len(cell), bug[cell].sum(), (weight[cell] - 1).sum()) for cell in cells])
        size, bugs, rest = facts.T
        drawn = rest * PULL / (size + PULL)
        share = (bugs + PULL * (drawn * bugs / size).sum() / drawn.sum()) / (size + PULL)
        part = 1 / len(cells)
        scale = (size - 1 + 2 * part) / (size + part)
        balls = zip(cells, scale * size * share, scale * size * (1 - share), scale * part / 2, strict=True)
        for at, wrong, right, unseen in balls:
            yield Urn(int(stratum[at[0]]), kind, at, float(wrong), float(right), float(unseen))


@dataclass(frozen=True, slots=True)
class _Counts:
    """Cases that are flagged and bugs, flagged alone, bugs alone, and all; one number or one for each draw."""

    both: Floats
    flagged: Floats
    bugs: Floats
    cases: Floats

    def ratio(self, measure: str) -> tuple[Floats, Floats]:
        return {
            "precision": (self.both, self.flagged),
            "recall": (self.both, self.bugs),
            "base_rate": (self.bugs, self.cases),
            "f": (2 * self.both, self.flagged + self.bugs),
        }[measure]


@dataclass(frozen=True, slots=True)
class _Sample:
    flagged: Booleans
    bug: Booleans
    weight: Floats
    stratum: NDArray[np.intp]

    @classmethod
    def of(cls, flagged: ArrayLike, bug: ArrayLike, weight: ArrayLike, stratum: ArrayLike) -> _Sample:
        _, places = np.unique(np.asarray(stratum), return_inverse=True)
        made = cls(np.asarray(flagged, bool), np.asarray(bug, bool), np.asarray(weight, np.float64), places)
        if not len(made.weight):
            raise UserError("no case of this sample is labelled yet. Label some first")
        if len({len(each) for each in (made.flagged, made.bug, made.weight, made.stratum)}) > 1:
            raise ValueError("flagged, bug, weight and stratum must be equally long")
        heaviest = np.zeros(places.max() + 1)
        np.maximum.at(heaviest, places, made.weight)
        # A case stands at least for itself.
        if not np.allclose(heaviest[places], made.weight) or (made.weight < 1 - 1e-9).any():
            raise ValueError("all cases of a stratum must weigh the same, and at least 1")
        return made

    @property
    def counts(self) -> _Counts:
        both, flagged, bugs = (
            np.array((self.weight * which).sum()) for which in (self.flagged & self.bug, self.flagged, self.bug)
        )
        return _Counts(both, flagged, bugs, np.array(self.weight.sum()))

    def population(self, draws: int, chance: np.random.Generator) -> _Counts:
        """The population as it may be: what was labelled, and draws of what was not."""
        both, flagged, bugs = (np.zeros(draws) for _ in range(3))
        known = {(urn.stratum, urn.flagged): urn for urn in urns(self.flagged, self.bug, self.weight, self.stratum)}
        for each in range(self.stratum.max() + 1):
            here = self.stratum == each
            rest = round(float(self.weight[here].sum())) - int(here.sum())
            parts = [here & self.flagged, here & ~self.flagged]
            unlabelled = _split(rest, [int(part.sum()) for part in parts], draws, chance)
            wrong = [
                _bugs(known.get((each, kind)), more, chance)
                for kind, more in zip((True, False), unlabelled, strict=True)
            ]
            both += wrong[0] + int((parts[0] & self.bug).sum())
            bugs += wrong[0] + wrong[1] + int((here & self.bug).sum())
            flagged += int(parts[0].sum()) + unlabelled[0]
        return _Counts(both, flagged, bugs, np.full(draws, self.weight.sum()))

    def about(self, measure: str) -> Booleans:
        """The labelled cases that a measure is a share of."""
        ones = np.ones(len(self.weight), dtype=bool)
        return {"precision": self.flagged, "recall": self.bug, "base_rate": ones, "f": self.flagged | self.bug}[measure]


def _split(rest: int, seen: list[int], draws: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """How many of the unlabelled are flagged and how many not, if they are like the labelled."""
    if not rest or not all(seen):
        first = rest if seen[0] else 0
        return np.full(draws, float(first)), np.full(draws, float(rest - first))
    share: Floats = chance.beta(seen[0], seen[1], size=draws)
    flagged: Floats = chance.binomial(rest, share).astype(np.float64)
    return flagged, rest - flagged


def _bugs(urn: Urn | None, unlabelled: Floats, chance: np.random.Generator) -> Floats:
    """How many of the unlabelled are bugs; without an urn there are none of these."""
    if urn is None:
        return np.zeros(len(unlabelled))
    share = chance.beta(urn.bugs + urn.unseen, urn.others + urn.unseen, size=len(unlabelled))
    more: Floats = chance.binomial(unlabelled.astype(np.int64), share).astype(np.float64)
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
    # A share is simple if it is about one large stratum, or a part of it, alone.
    simple = len(np.unique(sample.stratum[about])) == 1 and bool((sample.weight[about] >= ENDLESS).all())
    if measure in ("precision", "base_rate") and simple:
        n = int(about.sum())
        low, high = wilson(value * n, n, level) or (0.0, 1.0)
        return ShareEstimate(value, min(low, value), max(high, value), WILSON)
    low, high = _middle(*population.ratio(measure), level)
    # At the ends of the scale the draws stop short of what was seen.
    low, high = (0.0 if value == 0 else min(low, value)), (1.0 if value == 1 else max(high, value))
    return ShareEstimate(value, low, high, DRAWN)


def _middle(above: Floats, below: Floats, level: float) -> tuple[float, float]:
    known = below > 0
    if not known.any():
        return 0.0, 1.0
    low, high = np.quantile(above[known] / below[known], [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
