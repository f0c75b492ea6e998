"""Systems ranked by how often relations hold, as table 1 of the paper on multi-granularity metamorphic testing (MGMT).

A rate is the proportion of sentences in which a relation holds (the mean over repetitions), among the sentences in
which it was tested on every system. A system's score is the mean of the rates of all granularities, without relations
that some systems were not tested by. Intervals are bootstrap intervals over sentences; systems that do not differ
significantly are tied.

A system of which too many answers are not sane is not ranked: other relations judge only what is left of it. Of the
others `sane` counts as any relation does, since no other has those sentences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from concord.analyses.quality.array_reader import Load
from concord.analyses.quality.observations import Booleans, Observed, ScoreFamily
from concord.analyses.quality.options import CONFIDENCE, QualityTerms
from concord.analyses.quality.run_reader import observed
from concord.plain_data import PlainData
from concord.plural import plural
from concord.stats.bootstrap_sentences import Floats, SentenceDraws, ends, means
from concord.stats.cells import count_cells
from concord.stats.linear import LinearModel
from concord.stats.marginal_means import Margins
from concord.stats.ranking import Draws, Ranked, rank
from concord.stats.table import Numbered
from concord.store import Workspace
from concord.store.insane_answers import InsaneAnswers, insane_answers

FEW = 30


@dataclass(frozen=True, slots=True)
class Rate:
    """A proportion from 0 to 1 with its interval; NaN where nothing was tested."""

    rate: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One system in one domain ("" for all): its rates by column, their mean, and its rank among the systems.

    Systems that share a letter do not differ significantly. Without letters, the rank could not be tested.
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
    """The systems of one direction, by one family of relations.

    `satisfied` are, by system, the proportions of sentences in which none, one, two … of the relations hold, without
    sentences in which some relation was not tested on some system; `partly` counts these.
    """

    source_lang: str
    target_lang: str
    relations: list[str]
    standings: list[Standing]
    satisfied: dict[str, list[float]]
    partly: dict[str, int]
    legend: dict[str, str]
    """The options that the short names of relations mean."""


@dataclass(frozen=True, slots=True)
class Quality(PlainData):
    """The result of `concord quality`."""

    runs: list[int]
    terms: QualityTerms
    tables: list[Table1]
    notes: list[str]
    unranked: list[InsaneAnswers] = field(default_factory=list)
    """The systems that are not ranked, with the evidence."""


def ranking(store: Workspace, runs: Sequence[int], terms: QualityTerms, load: Load | None = None) -> Quality:
    """The tables of the systems of these runs, but for those that do not translate."""
    records = [store.run(run) for run in dict.fromkeys(runs)]
    unranked = list(_unranked(insane_answers(store, records), terms.max_insane))
    out = {(answers.system, answers.source_lang, answers.target_lang) for answers in unranked}
    ranked = [run.id for run in records if (run.system, run.source, run.target) not in out]
    return replace(quality(observed(store, ranked, load), terms), unranked=unranked)


def _unranked(evidence: Sequence[InsaneAnswers], limit: float) -> Iterator[InsaneAnswers]:
    """The systems with too many failing answers in a direction, over all corpora."""
    systems: dict[tuple[str, str, str], list[InsaneAnswers]] = {}
    for answers in evidence:
        systems.setdefault((answers.system, answers.source_lang, answers.target_lang), []).append(answers)
    for own in systems.values():
        sentences, failing = (sum(getattr(answers, name) for answers in own) for name in ("sentences", "failing"))
        if failing > limit * sentences:
            worst = max(own, key=lambda answers: answers.failing)
            runs = [run for answers in own for run in answers.runs]
            yield replace(worst, runs=runs, sentences=sentences, failing=failing)


def quality(observed: Sequence[Observed], terms: QualityTerms) -> Quality:
    """The tables of every direction and family."""
    runs = [run for obs in observed for run in obs.runs]
    tables = [_table(obs, family, terms) for obs in observed for family in obs.families()]
    return Quality(runs, terms, tables, [note for obs in observed for note in [*obs.notes, *_notes(obs)]])


def _on_all(obs: Observed) -> Booleans:
    """For each column, the sentences that were tested on all systems, without systems that it was never tested on."""
    tested = np.isfinite(obs.satisfied)
    absent = ~tested.any(axis=2, keepdims=True)
    return np.asarray((tested | absent).all(axis=1) & tested.any(axis=1))


def _values(obs: Observed, family: ScoreFamily) -> Floats:
    """The satisfaction of a family's columns, on the sentences that were tested on all systems."""
    columns = list(family.columns)
    return np.where(_on_all(obs)[columns][:, None], obs.satisfied[columns], np.nan)


def _shared(values: Floats) -> Booleans:
    """The columns that were tested on all systems, without systems that no column was tested on."""
    tested: Booleans = np.asarray(np.isfinite(values).any(axis=2))
    return np.asarray(tested[:, tested.any(axis=0)].all(axis=1) & tested.any(axis=1))


def _left_out(obs: Observed, family: ScoreFamily) -> Iterator[str]:
    """A note on each column that has no part in means and ranks, everywhere or in a domain."""
    values = _values(obs, family)
    everywhere = _shared(values)
    present: Booleans = np.asarray(np.isfinite(obs.satisfied[list(family.columns)]).any(axis=2))
    for row, number in enumerate(family.columns):
        text = f"{obs.columns[number].name} has no part in means and ranks"
        missing = [obs.systems[system] for system in np.flatnonzero(present.any(axis=0) & ~present[row])]
        why = f"not tested on {', '.join(missing)}" if missing else "no sentence was tested on every system"
        if not everywhere[row]:
            yield f"{obs.direction}: {text}: {why}"
            continue
        bare = [domain for domain in obs.domains if not _shared(values[:, :, obs.inside(domain)])[row]]
        if bare:
            yield f"{obs.direction}: {text} of {', '.join(bare)}: no sentence there was tested on every system"


def _notes(obs: Observed) -> Iterator[str]:
    for family in obs.families():
        yield from _left_out(obs, family)
    dropped = (np.isfinite(obs.satisfied).any(axis=1) & ~_on_all(obs)).sum(axis=1).tolist()
    for column, missing in zip(obs.columns, dropped, strict=True):
        if missing:
            missed = f"of {column.name} not tested on every system"
            text = plural(missing, f"sentence {missed} is", f"sentences {missed} are")
            yield f"{obs.direction}: {text} left out there"
    if len(obs.systems) == 1:
        yield f"{obs.direction}: there is one system, {obs.systems[0]}, so none is ranked"
    count = obs.satisfied.shape[2]
    if count < FEW and _on_all(obs).any():
        yield f"{obs.direction}: with {plural(count, 'sentence')}, intervals are narrower than they should be"


def _table(obs: Observed, family: ScoreFamily, terms: QualityTerms) -> Table1:
    scopes = ["", *obs.domains]
    columns = list(family.columns)
    values = _values(obs, family)
    satisfied, partly = _numbers(obs, family, values)
    return Table1(
        obs.source,
        obs.target,
        [obs.columns[n].name for n in columns],
        [standing for scope in scopes for standing in _standings(obs, family, values, scope, terms)],
        satisfied,
        partly,
        {name: words for name, words in obs.legend.items() if name in {obs.columns[n].relation for n in columns}},
    )


def _standings(
    obs: Observed, family: ScoreFamily, values: Floats, domain: str, terms: QualityTerms
) -> Iterator[Standing]:
    """The standings in one domain, the best first, systems without a mean last."""
    inside = obs.inside(domain)
    values = values[:, :, inside]
    draws = SentenceDraws(int(inside.sum()), terms.resamples, terms.seed)
    shared = _shared(values)
    whole = _with_mean(values, np.ones((1, draws.sentences)), shared)[0]
    lower, upper = ends(draws.drawn(lambda weights: _with_mean(values, weights, shared)), CONFIDENCE)
    ranks = {ranked.level: ranked for ranked in _ranked(values[shared], terms)}
    order = np.argsort(-np.nan_to_num(whole[-1], nan=-1.0), kind="stable")
    for system in order.tolist():
        ends_of = (table[:, system].tolist() for table in (whole, lower, upper))
        rates = [Rate(*row) for row in zip(*ends_of, strict=True)]
        names = [obs.columns[column].name for column in family.columns]
        ranked = ranks.get(str(system))
        yield Standing(
            domain,
            obs.systems[system],
            int(np.isfinite(values[:, system]).any(axis=0).sum()),
            dict(zip(names, rates, strict=False)),
            rates[-1],
            ranked.rank if ranked else None,
            ranked.letters if ranked else "",
        )


def _with_mean(values: Floats, weights: Floats, shared: Booleans) -> Floats:
    """The rates of columns and systems for each draw, and below them the mean of the shared ones."""
    rates = means(values, weights)
    mean = rates[:, shared].mean(axis=1, keepdims=True) if shared.any() else np.full_like(rates[:, :1], np.nan)
    return np.concatenate([rates, mean], axis=1)


def _ranked(values: Floats, terms: QualityTerms) -> list[Ranked]:
    """The ranking of systems, by number, over the sentences that they share, corrected for all pairs."""
    tested = np.isfinite(values)
    if tested.any(axis=(0, 2)).sum() < 2:
        return []
    column, system, sentence = np.nonzero(tested)
    factors = {"system": system, "relation": column} if len(values) > 1 else {"system": system}
    cells = count_cells(Numbered(values[tested], factors, sentence))
    draws = Draws(cells, terms.resamples, terms.seed)
    return rank(Margins(LinearModel(cells), {}), "system", draws, CONFIDENCE)


def _numbers(obs: Observed, family: ScoreFamily, values: Floats) -> tuple[dict[str, list[float]], dict[str, int]]:
    """By system, the proportions of sentences by how many relations hold, and how many sentences are left out."""
    patterns, size = obs.patterns(family), len(family.columns)
    number = sum((patterns.bits >> bit & 1 for bit in range(size)), start=np.zeros_like(patterns.bits))
    whole: Booleans = np.asarray(np.isfinite(values).all(axis=0))
    complete = whole[patterns.system, patterns.sentence]
    satisfied, partly = {}, {}
    for system, name in enumerate(obs.systems):
        own = complete & (patterns.system == system)
        count = np.bincount(number[own], patterns.weight[own], minlength=size + 1)
        satisfied[name] = (count / count.sum()).tolist() if count.sum() else [float("nan")] * (size + 1)
        tested = np.isfinite(obs.satisfied[list(family.columns), system]).any(axis=0).sum()
        partly[name] = int(tested) - round(float(count.sum()))
    return satisfied, partly
