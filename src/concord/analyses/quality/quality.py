"""Systems by how often relations hold, as table 1 of the paper on multi-granularity metamorphic testing (MGMT).

A rate is the share of sentences in which a relation holds, the mean over repetitions, of the sentences in which it was
tested on every system. A system's score is the mean of the rates of all granularities; a relation that
some systems were not tested by has no part in it. Intervals draw sentences anew; systems that chance could make as
different are tied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from concord.analyses.quality.observations import Booleans, Observed, ScoreFamily
from concord.analyses.quality.options import CONFIDENCE, QualityTerms
from concord.plain_data import PlainData
from concord.plural import plural
from concord.stats.bootstrap_sentences import Floats, SentenceDraws, ends, means
from concord.stats.cells import count_cells
from concord.stats.linear import LinearModel
from concord.stats.marginal_means import Margins
from concord.stats.ranking import Draws, Ranked, rank
from concord.stats.table import Numbered

FEW = 30


@dataclass(frozen=True, slots=True)
class Rate:
    """A share from 0 to 1 with its interval; NaN where nothing was tested."""

    rate: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One system in one domain ("" for all): its rates by column, their mean, and its place among the systems.

    Systems that share a letter are not told apart. Without letters, the place could not be tested.
    """

    domain: str
    system: str
    sentences: int
    rates: dict[str, Rate]
    mean: Rate
    rank: int | None
    letters: str


@dataclass(frozen=True, slots=True)
class Table1:
    """The systems of one direction by one family of relations.

    `satisfied` are, by system, the shares of sentences in which none, one, two … of the relations hold; sentences in
    which some were not tested, on any system, are left out, and counted in `partly`.
    """

    source_lang: str
    target_lang: str
    relations: list[str]
    standings: list[Standing]
    satisfied: dict[str, list[float]]
    partly: dict[str, int]
    legend: dict[str, str]
    """What short names of relations stand for."""


@dataclass(frozen=True, slots=True)
class Quality(PlainData):
    """What `concord quality` found."""

    runs: list[int]
    terms: QualityTerms
    tables: list[Table1]
    notes: list[str]


def quality(observed: Sequence[Observed], terms: QualityTerms) -> Quality:
    """The tables of every direction and family."""
    runs = [run for seen in observed for run in seen.runs]
    tables = [_table(seen, family, terms) for seen in observed for family in seen.families()]
    return Quality(runs, terms, tables, [note for seen in observed for note in [*seen.notes, *_notes(seen)]])


def _on_all(seen: Observed) -> Booleans:
    """For each column, the sentences that all systems have; one that has none of them takes no part in it."""
    known = np.isfinite(seen.satisfied)
    absent = ~known.any(axis=2, keepdims=True)
    return np.asarray((known | absent).all(axis=1) & known.any(axis=1))


def _values(seen: Observed, family: ScoreFamily) -> Floats:
    """What is satisfied of a family's columns, on the sentences that all systems have."""
    chosen = list(family.columns)
    return np.where(_on_all(seen)[chosen][:, None], seen.satisfied[chosen], np.nan)


def _shared(values: Floats) -> Booleans:
    """The columns by which all systems were tested, but for systems without any."""
    tested: Booleans = np.asarray(np.isfinite(values).any(axis=2))
    return np.asarray(tested[:, tested.any(axis=0)].all(axis=1) & tested.any(axis=1))


def _left_out(seen: Observed, family: ScoreFamily) -> Iterator[str]:
    """A word about each column that has no part in means and ranks, everywhere or in a domain."""
    values = _values(seen, family)
    everywhere = _shared(values)
    present: Booleans = np.asarray(np.isfinite(seen.satisfied[list(family.columns)]).any(axis=2))
    for place, number in enumerate(family.columns):
        said = f"{seen.columns[number].name} has no part in means and ranks"
        lacking = [seen.systems[each] for each in np.flatnonzero(present.any(axis=0) & ~present[place])]
        why = f"not tested on {', '.join(lacking)}" if lacking else "no sentence was tested on every system"
        if not everywhere[place]:
            yield f"{seen.direction}: {said}: {why}"
            continue
        bare = [domain for domain in seen.domains if not _shared(values[:, :, seen.inside(domain)])[place]]
        if bare:
            yield f"{seen.direction}: {said} of {', '.join(bare)}: no sentence there was tested on every system"


def _notes(seen: Observed) -> Iterator[str]:
    for family in seen.families():
        yield from _left_out(seen, family)
    dropped = (np.isfinite(seen.satisfied).any(axis=1) & ~_on_all(seen)).sum(axis=1).tolist()
    for column, lost in zip(seen.columns, dropped, strict=True):
        if lost:
            missed = f"of {column.name} not tested on every system"
            said = plural(lost, f"sentence {missed} is", f"sentences {missed} are")
            yield f"{seen.direction}: {said} left out there"
    if len(seen.systems) == 1:
        yield f"{seen.direction}: there is one system, {seen.systems[0]}, so none is ranked"
    count = seen.satisfied.shape[2]
    if count < FEW and _on_all(seen).any():
        yield f"{seen.direction}: with {plural(count, 'sentence')}, intervals are narrower than they should be"


def _table(seen: Observed, family: ScoreFamily, terms: QualityTerms) -> Table1:
    scopes = ["", *seen.domains]
    chosen = list(family.columns)
    values = _values(seen, family)
    satisfied, partly = _numbers(seen, family, values)
    return Table1(
        seen.source,
        seen.target,
        [seen.columns[each].name for each in chosen],
        [standing for scope in scopes for standing in _standings(seen, family, values, scope, terms)],
        satisfied,
        partly,
        {name: words for name, words in seen.legend.items() if name in {seen.columns[n].relation for n in chosen}},
    )


def _standings(
    seen: Observed, family: ScoreFamily, values: Floats, domain: str, terms: QualityTerms
) -> Iterator[Standing]:
    """The best first; systems without a mean last."""
    inside = seen.inside(domain)
    values = values[:, :, inside]
    draws = SentenceDraws(int(inside.sum()), terms.resamples, terms.seed)
    shared = _shared(values)
    whole = _with_mean(values, np.ones((1, draws.sentences)), shared)[0]
    lower, upper = ends(draws.drawn(lambda weights: _with_mean(values, weights, shared)), CONFIDENCE)
    places = {each.level: each for each in _ranked(values[shared], terms)}
    order = np.argsort(-np.nan_to_num(whole[-1], nan=-1.0), kind="stable")
    for system in order.tolist():
        rates = [Rate(*map(float, (each[row, system] for each in (whole, lower, upper)))) for row in range(len(whole))]
        names = [seen.columns[column].name for column in family.columns]
        place = places.get(str(system))
        yield Standing(
            domain,
            seen.systems[system],
            int(np.isfinite(values[:, system]).any(axis=0).sum()),
            dict(zip(names, rates, strict=False)),
            rates[-1],
            place.rank if place else None,
            place.letters if place else "",
        )


def _with_mean(values: Floats, weights: Floats, shared: Booleans) -> Floats:
    """The rates of columns and systems for each draw, and below them the mean of the shared ones."""
    rates = means(values, weights)
    mean = rates[:, shared].mean(axis=1, keepdims=True) if shared.any() else np.full_like(rates[:, :1], np.nan)
    return np.concatenate([rates, mean], axis=1)


def _ranked(values: Floats, terms: QualityTerms) -> list[Ranked]:
    """Systems by number, compared over the sentences that they share, with a correction for all pairs."""
    known = np.isfinite(values)
    if known.any(axis=(0, 2)).sum() < 2:
        return []
    column, system, sentence = np.nonzero(known)
    factors = {"system": system, "relation": column} if len(values) > 1 else {"system": system}
    cells = count_cells(Numbered(values[known], factors, sentence))
    draws = Draws(cells, terms.resamples, terms.seed)
    return rank(Margins(LinearModel(cells), {}), "system", draws, CONFIDENCE)


def _numbers(seen: Observed, family: ScoreFamily, values: Floats) -> tuple[dict[str, list[float]], dict[str, int]]:
    """The shares of sentences by how many relations hold, and how many sentences are left out, for each system."""
    found, size = seen.patterns(family), len(family.columns)
    number = sum((found.bits >> place & 1 for place in range(size)), start=np.zeros_like(found.bits))
    whole: Booleans = np.asarray(np.isfinite(values).all(axis=0))
    kept = whole[found.system, found.sentence]
    satisfied, partly = {}, {}
    for system, name in enumerate(seen.systems):
        own = kept & (found.system == system)
        count = np.bincount(number[own], found.weight[own], minlength=size + 1)
        satisfied[name] = (count / count.sum()).tolist() if count.sum() else [float("nan")] * (size + 1)
        tested = np.isfinite(seen.satisfied[list(family.columns), system]).any(axis=0).sum()
        partly[name] = int(tested) - round(float(count.sum()))
    return satisfied, partly
