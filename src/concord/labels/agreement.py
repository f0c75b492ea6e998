"""Agreement between annotators beyond chance: Cohen's kappa (1960) for two, Krippendorff's alpha (2004) for more.

Alpha is for nominal values and allows missing ratings. Both coefficients are 1 where everybody agrees and 0 where
people agree as often as by chance. If only one value was ever given, neither is defined.
"""

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
"""The value that each annotator gave to each unit; annotators who gave none are absent."""

Verdicts = Mapping[tuple[str, str], Mapping[str, str]]
"""Verdicts by annotator, for each case and its outputs."""
Places = Mapping[int, Mapping[str, Mapping[str, tuple[int, ...]]]]
"""The place of a case with certain outputs in a run (position, repetition, number), by run, case and outputs."""

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
    """The agreement of several annotators on the `units` that at least two of them judged.

    `share` is the proportion of agreeing pairs of verdicts on a unit, averaged over units. `coefficient` is `Cohen's
    kappa` for two annotators, otherwise `Krippendorff's alpha`. `interval` is a bootstrap interval over units (95 %).
    `disputed` are the units on which the annotators differ.
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
    """A case on which annotators disagree: the outputs, the verdicts, and a run that has this case, if there is one."""

    case: str
    judged: str
    verdicts: Mapping[str, str]
    run: int | None = None
    repetition: int | None = None

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs that were judged, by role."""
        try:
            outputs = json.loads(self.judged)
        except ValueError:
            return {}
        return {str(role): str(words) for role, words in outputs.items()} if isinstance(outputs, dict) else {}

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        where = {"run": self.run, "repetition": self.repetition}
        return {"case": self.case, "outputs": self.outputs, "verdicts": dict(self.verdicts), **where}


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The agreement between annotators, and the cases on which they disagree."""

    agreement: Agreement
    disputed: tuple[Disputed, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self.agreement) | {"disputed": [case.plain() for case in self.disputed]}


def read_verdicts(labels: Labels, runs: Sequence[int]) -> tuple[Verdicts, Places]:
    """The verdicts on all cases of these runs, whichever outputs were judged, and the places of those cases."""
    places = {run: labels.places(run) for run in runs}
    labelled = {case for cases in places.values() for case in cases}
    return {unit: verdicts for unit, verdicts in labels.verdicts().items() if unit[0] in labelled}, places


def measure_agreement(verdicts: Verdicts, places: Places) -> AgreementReport:
    """The agreement on these cases, and the cases on which annotators disagree."""
    measured = agreement(verdicts)
    disputed = set(measured.disputed)
    cases = (_disputed(unit, verdicts[unit], places) for unit in verdicts if unit in disputed)
    return AgreementReport(measured, tuple(cases))


def _disputed(unit: tuple[str, str], verdicts: Mapping[str, str], places: Places) -> Disputed:
    case, outputs = unit
    for run, cases in places.items():
        if where := cases.get(case, {}).get(outputs):
            return Disputed(case, outputs, verdicts, run, where[1])
    return Disputed(case, outputs, verdicts)


def agreement(ratings: Ratings, *, seed: int = 0) -> Agreement:
    """The agreement of several annotators' verdicts."""
    shared = {unit: rating for unit, rating in ratings.items() if len(rating) > 1}
    names = sorted({name for rating in shared.values() for name in rating})
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
        disputed=tuple(unit for unit, rating in shared.items() if len(set(rating.values())) > 1),
    )


def cohen(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's kappa of two lists of values for the same units."""
    value = _kappas(_crossed(first, second).sum(axis=0)[None])[0]
    return None if np.isnan(value) else float(value)


def _pair(ratings: Ratings, first: str, second: str) -> AnnotatorPair:
    pairs = [(rating[first], rating[second]) for rating in ratings.values() if first in rating and second in rating]
    share = sum(a == b for a, b in pairs) / len(pairs) if pairs else 0.0
    kappa = cohen(*zip(*pairs, strict=True)) if pairs else None
    return AnnotatorPair(first, second, len(pairs), share, kappa)


def _counts(ratings: Ratings) -> Floats:
    """How often each value was given to each unit that has at least two ratings."""
    distinct = sorted({value for rating in ratings.values() for value in rating.values()})
    values = {value: column for column, value in enumerate(distinct)}
    several = [rating for rating in ratings.values() if len(rating) > 1]
    table = np.zeros((len(several), len(values)))
    for line, rating in zip(table, several, strict=True):
        for value in rating.values():
            line[values[value]] += 1
    return table


def _share(counts: Floats) -> float | None:
    if not len(counts):
        return None
    n = counts.sum(axis=1)
    return float(((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean())


def _crossed(first: Sequence[str], second: Sequence[str]) -> Floats:
    """For each unit, a table that is 1 where the row of its first value meets the column of its second."""
    values = {value: column for column, value in enumerate(sorted({*first, *second}))}
    table = np.zeros((len(first), len(values), len(values)))
    for unit, (a, b) in enumerate(zip(first, second, strict=True)):
        table[unit, values[a], values[b]] = 1
    return table


def _kappa(ratings: Ratings, names: Sequence[str], seed: int) -> tuple[float | None, tuple[float, float] | None]:
    pairs = [(rating[names[0]], rating[names[1]]) for rating in ratings.values()]
    table = _crossed(*zip(*pairs, strict=True))
    return _with_interval(_kappas(table.sum(axis=0)[None])[0], _kappas(_drawn(table, seed)))


def _kappas(tables: Floats) -> Floats:
    total = tables.sum(axis=(1, 2))
    observed = np.trace(tables, axis1=1, axis2=2) / total
    expected = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / total**2
    return _beyond(observed, expected)


def _alpha(counts: Floats, seed: int) -> tuple[float | None, tuple[float, float] | None]:
    if not len(counts):
        return None, None
    # Alpha is computed from sums over units of their agreeing pairs and of their values.
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
    """The agreement beyond chance as a proportion of the possible one; NaN where chance explains everything."""
    possible = 1 - expected
    return np.where(possible > 1e-12, (observed - expected) / np.where(possible > 1e-12, possible, 1), np.nan)


def _drawn(units: Floats, seed: int) -> Floats:
    """Bootstrap: for each draw, the sum over as many units drawn with replacement; equal units are drawn together."""
    alike, times = np.unique(units.reshape(len(units), -1), axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(len(units), times / len(units), size=DRAWS)
    return np.asarray(drawn.astype(np.float64) @ alike).reshape(DRAWS, *units.shape[1:])


def _with_interval(value: float, drawn: Floats) -> tuple[float | None, tuple[float, float] | None]:
    defined = drawn[~np.isnan(drawn)]
    if np.isnan(value):
        return None, None
    if not len(defined):
        return float(value), None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(value), (float(low), float(high))
