"""How far people agree beyond chance: Cohen's kappa (1960) for two, Krippendorff's alpha (2004) for any number.

Alpha is for nominal values, and bears that not everybody judges everything. Both are 1 where everybody agrees and 0
where they agree as often as chance would have it; where only one value was ever given, chance explains everything and
neither is defined.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.blas import one_blas_thread
from concord.labels.labels import Labels

one_blas_thread()

Floats = NDArray[np.float64]
Ratings = Mapping[Any, Mapping[str, str]]
"""For each unit, what each annotator says of it; whoever says nothing is left out."""

Verdicts = Mapping[tuple[str, str], Mapping[str, str]]
"""Verdicts by annotator, for each case and its outputs."""
Places = Mapping[int, Mapping[str, Mapping[str, tuple[int, ...]]]]
"""By run, case and outputs: where the case stands in the run with these outputs."""

DRAWS = 2000


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """Two annotators: the units that both judged, the share of them on which they agree, and Cohen's kappa."""

    first: str
    second: str
    units: int
    share: float
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """`units` were judged by at least two; `share` of the pairs of verdicts on a unit agree, each unit counting alike.

    `coefficient` is `Cohen's kappa` for two annotators and else `Krippendorff's alpha`; `interval` comes from units
    drawn anew (95 %). `disputed` are the units on which not all say the same.
    """

    annotators: tuple[str, ...]
    units: int
    share: float | None
    coefficient: str
    value: float | None
    interval: tuple[float, float] | None
    pairs: tuple[AnnotatorPair, ...]
    disputed: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Disputed:
    """A case on which people disagree: what they judged, who says what, and a run that has the case so, if one has."""

    case: str
    judged: str
    verdicts: Mapping[str, str]
    run: int | None = None
    repetition: int | None = None

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs that were judged, by role."""
        try:
            found = json.loads(self.judged)
        except ValueError:
            return {}
        return {str(role): str(words) for role, words in found.items()} if isinstance(found, dict) else {}

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        where = {"run": self.run, "repetition": self.repetition}
        return {"case": self.case, "outputs": self.outputs, "verdicts": dict(self.verdicts), **where}


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far people agree, and where they do not."""

    agreement: Agreement
    disputed: tuple[Disputed, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        made = asdict(self.agreement)
        return made | {"disputed": [each.plain() for each in self.disputed]}


def read_verdicts(labels: Labels, runs: Sequence[int]) -> tuple[Verdicts, Places]:
    """What is said of the cases of these runs, whichever outputs of them."""
    places = {run: labels.places(run) for run in runs}
    known = {case for cases in places.values() for case in cases}
    return {unit: verdicts for unit, verdicts in labels.verdicts().items() if unit[0] in known}, places


def agreed(said: Verdicts, places: Places) -> Agreed:
    """How far people agree on these cases, and on which of them they do not."""
    found = agreement(said)
    disputed = set(found.disputed)
    return Agreed(found, tuple(_disputed(unit, said[unit], places) for unit in said if unit in disputed))


def _disputed(unit: tuple[str, str], verdicts: Mapping[str, str], places: Places) -> Disputed:
    case, outputs = unit
    for run, cases in places.items():
        if where := cases.get(case, {}).get(outputs):
            return Disputed(case, outputs, verdicts, run, where[1])
    return Disputed(case, outputs, verdicts)


def agreement(ratings: Ratings, *, seed: int = 0) -> Agreement:
    """What several annotators' verdicts have in common."""
    shared = {unit: said for unit, said in ratings.items() if len(said) > 1}
    names = sorted({name for said in shared.values() for name in said})
    pairs = [_pair(shared, first, second) for first, second in combinations(names, 2)]
    counts = _counts(shared)
    two = len(names) == 2
    value, interval = _kappa(shared, names, seed) if two else _alpha(counts, seed)
    return Agreement(
        annotators=tuple(names),
        units=len(shared),
        share=_share(counts),
        coefficient="Cohen's kappa" if two else "Krippendorff's alpha",
        value=value,
        interval=interval,
        pairs=tuple(pair for pair in pairs if pair.units),
        disputed=tuple(unit for unit, said in shared.items() if len(set(said.values())) > 1),
    )


def cohen(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's kappa of two lists of values for the same units."""
    value = _kappas(_crossed(first, second).sum(axis=0)[None])[0]
    return None if np.isnan(value) else float(value)


def _pair(ratings: Ratings, first: str, second: str) -> AnnotatorPair:
    both = [(rating[first], rating[second]) for rating in ratings.values() if first in rating and second in rating]
    share = sum(a == b for a, b in both) / len(both) if both else 0.0
    kappa = cohen(*zip(*both, strict=True)) if both else None
    return AnnotatorPair(first, second, len(both), share, kappa)


def _counts(ratings: Ratings) -> Floats:
    """How often each value was given to each unit that at least two have judged."""
    given = sorted({value for rating in ratings.values() for value in rating.values()})
    values = {value: place for place, value in enumerate(given)}
    several = [rating for rating in ratings.values() if len(rating) > 1]
    table = np.zeros((len(several), len(values)))
    for line, said in zip(table, several, strict=True):
        for value in said.values():
            line[values[value]] += 1
    return table


def _share(counts: Floats) -> float | None:
    if not len(counts):
        return None
    n = counts.sum(axis=1)
    return float(((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean())


def _crossed(first: Sequence[str], second: Sequence[str]) -> Floats:
    """For each unit, a table with a one at the two values that it was given."""
    values = {value: place for place, value in enumerate(sorted({*first, *second}))}
    table = np.zeros((len(first), len(values), len(values)))
    for unit, (a, b) in enumerate(zip(first, second, strict=True)):
        table[unit, values[a], values[b]] = 1
    return table


def _kappa(ratings: Ratings, names: Sequence[str], seed: int) -> tuple[float | None, tuple[float, float] | None]:
    said = [(rating[names[0]], rating[names[1]]) for rating in ratings.values()]
    table = _crossed(*zip(*said, strict=True))
    return _with_interval(_kappas(table.sum(axis=0)[None])[0], _kappas(_drawn(table, seed)))


def _kappas(tables: Floats) -> Floats:
    total = tables.sum(axis=(1, 2))
    observed = np.trace(tables, axis1=1, axis2=2) / total
    expected = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / total**2
    return _beyond(observed, expected)


def _alpha(counts: Floats, seed: int) -> tuple[float | None, tuple[float, float] | None]:
    if not len(counts):
        return None, None
    # Each unit gives its agreeing pairs, all its pairs and its values; alpha is made of the sums of these.
    n = counts.sum(axis=1, keepdims=True)
    agreeing = (counts * (counts - 1)).sum(axis=1, keepdims=True) / (n - 1)
    parts = np.hstack([agreeing, counts])
    value = _alphas(parts.sum(axis=0)[None])[0]
    return _with_interval(value, _alphas(_drawn(parts, seed)))


def _alphas(parts: Floats) -> Floats:
    values = parts[:, 1:]
    total = values.sum(axis=1)
    expected = (values * (values - 1)).sum(axis=1) / (total * (total - 1))
    return _beyond(parts[:, 0] / total, expected)


def _beyond(observed: Floats, expected: Floats) -> Floats:
    """The agreement beyond chance as a share of what there could be; NaN where chance explains everything."""
    room = 1 - expected
    return np.where(room > 1e-12, (observed - expected) / np.where(room > 1e-12, room, 1), np.nan)


def _drawn(units: Floats, seed: int) -> Floats:
    """Sums over as many units, drawn with replacement, for each of the draws; units that are alike together."""
    alike, times = np.unique(units.reshape(len(units), -1), axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(len(units), times / len(units), size=DRAWS)
    sums: Floats = drawn.astype(np.float64) @ alike
    return sums.reshape(DRAWS, *units.shape[1:])


def _with_interval(value: float, drawn: Floats) -> tuple[float | None, tuple[float, float] | None]:
    known = drawn[~np.isnan(drawn)]
    if np.isnan(value):
        return None, None
    if not len(known):
        return float(value), None
    low, high = np.quantile(known, [0.025, 0.975])
    return float(value), (float(low), float(high))
