"""The correlation of reference-free with reference-based or human scores, as in tables 2 to 6 of the MGMT paper."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from concord.analyses.quality.observations import Observed, ScoreFamily
from concord.analyses.quality.options import CONFIDENCE, QualityTerms
from concord.analyses.quality.reference_scores import Outside
from concord.analyses.quality.results import (
    DOMAIN,
    FISHER,
    SENTENCE,
    SYSTEM,
    Coefficient,
    Contributed,
    Correlated,
    ScoreAgreement,
    SystemScore,
)
from concord.errors import UserError
from concord.plural import plural
from concord.stats.bootstrap_correlation import METHODS, by_rows, drawn_pairs
from concord.stats.bootstrap_sentences import Floats, SentenceDraws, means, wider_ends
from concord.stats.contribution import HeldRelations, contribution
from concord.stats.correlation import Correlation, correlate, exact_p

SUSPICION = "1 − suspicion"
FEW = 10
MOST_RELATIONS = 6
PERFECT = 1 - 1e-9
NOWHERE = (float("nan"), float("nan"))
FEWEST = 4
"""The fewest sentences for an interval: of three, one draw in nine repeats a single sentence and has no variance."""


def correlated(obs: Observed, outside: Sequence[Outside], terms: QualityTerms, notes: Sequence[str] = ()) -> Correlated:
    """All correlations of one direction, which has at least one outside score."""
    scores = _scores(obs, terms.by)
    draws = SentenceDraws(len(obs.sentences), terms.resamples, terms.seed)
    pairs = [(name, score.name, values, score.values) for name, values in scores.items() for score in outside]
    agreements = [agreement for pair in pairs for agreement in _on_every_scale(obs, pair, draws)]
    return Correlated(
        obs,
        scores,
        list(outside),
        list(_system_scores(obs, scores, outside)),
        agreements,
        [agreement for pair in pairs for agreement in _within_domains(obs, pair, draws)],
        list(_between(obs, draws)),
        [part for family in obs.families() for score in outside for part in _contributed(obs, family, score, draws)],
        [*notes, *_notes(obs, outside, agreements)],
    )


def _scores(obs: Observed, by: str) -> dict[str, Floats]:
    """Every metamorphic score by system and sentence; suspicion only if it says more than the verdict."""
    scores: dict[str, Floats] = {}
    for name, satisfied, similar in _named_scores(obs):
        differs = not np.array_equal(satisfied, similar, equal_nan=True)
        scores |= {name: satisfied} if by != "suspicion" else {}
        scores |= {f"{name}, {SUSPICION}": similar} if by != "satisfied" and differs else {}
    if not scores:
        raise UserError(f"{obs.direction}: the suspicion of these runs is only 0 or 1. Leave --by out")
    return scores


def _named_scores(obs: Observed) -> Iterator[tuple[str, Floats, Floats]]:
    """Each column, and the mean of each family's columns, for sentences in which all of them were tested."""
    for family in obs.families():
        columns = list(family.columns)
        for column in columns:
            yield obs.columns[column].name, obs.satisfied[column], obs.similar[column]
        if len(columns) > 1:
            yield family.mean, obs.satisfied[columns].mean(axis=0), obs.similar[columns].mean(axis=0)


Pair = tuple[str, str, Floats, Floats]
"""The names of two scores, and their values by system and sentence."""


def _on_every_scale(obs: Observed, pair: Pair, draws: SentenceDraws) -> Iterator[ScoreAgreement]:
    yield _of_sentences(SENTENCE, pair, draws)
    inside = np.ones((1, len(obs.sentences)), dtype=bool)
    if obs.domains:
        yield _of_means(DOMAIN, "", pair, _inside(obs), draws)
    yield _of_means(SYSTEM, "", pair, inside, draws)


def _within_domains(obs: Observed, pair: Pair, draws: SentenceDraws) -> Iterator[ScoreAgreement]:
    """Tables 3 and 4: over the systems, in each domain."""
    if len(obs.systems) > 2:
        for domain, inside in zip(obs.domains, _inside(obs), strict=True):
            yield _of_means(SYSTEM, domain, pair, inside[None, :], draws)


def _inside(obs: Observed) -> Any:
    """Which sentences each domain has."""
    return np.array(list(map(obs.inside, obs.domains)), dtype=bool).reshape(-1, len(obs.sentences))


def _of_sentences(scale: str, pair: Pair, draws: SentenceDraws) -> ScoreAgreement:
    first, second, x, y = pair
    defined = np.isfinite(x) & np.isfinite(y)
    sentence = np.nonzero(defined)[1]
    enough = defined.sum() > 2 and len(np.unique(sentence)) >= FEWEST
    ends = drawn_pairs(x[defined], y[defined], sentence, draws, CONFIDENCE) if enough else {}
    return _agreement(scale, "", (first, second), (x[defined], y[defined]), ends)


def _of_means(scale: str, domain: str, pair: Pair, inside: Any, draws: SentenceDraws) -> ScoreAgreement:
    """The agreement of means over the sentences that have both scores, for each set of `inside` and each system."""
    first, second, x, y = pair
    defined = np.isfinite(x) & np.isfinite(y)
    values = np.where(inside[:, None, :] & defined, np.stack([x, y])[:, None], np.nan)
    values = values.reshape(2, -1, values.shape[-1])
    values = values[:, np.isfinite(values).any(axis=-1).all(axis=0)]
    whole = means(values, np.ones((1, draws.sentences)))[0]
    ends: dict[str, tuple[float, float]] = {}
    if values.shape[1] > 2 and np.isfinite(values[0]).any(axis=0).sum() >= FEWEST:
        drawn = draws.drawn(lambda weights: by_rows(*np.moveaxis(means(values, weights), 1, 0)))
        lower, upper = wider_ends(drawn, by_rows(whole[:1], whole[1:])[0], CONFIDENCE)
        ends = {method: (float(a), float(b)) for method, a, b in zip(METHODS, lower, upper, strict=True)}
    return _agreement(scale, domain, (first, second), (whole[0], whole[1]), ends)


def _agreement(
    scale: str,
    domain: str,
    names: tuple[str, str],
    values: tuple[Floats, Floats],
    ends: dict[str, tuple[float, float]],
) -> ScoreAgreement:
    correlations = correlate(values[0].tolist(), values[1].tolist(), level=CONFIDENCE)
    coefficients = [_coefficient(r, values, ends.get(r.method, NOWHERE)) for r in correlations]
    return ScoreAgreement(scale, domain, *names, correlations[0].n, coefficients)


def _coefficient(correlation: Correlation, values: tuple[Floats, Floats], ends: tuple[float, float]) -> Coefficient:
    # An undefined coefficient may be defined in some draws, but these give it no interval.
    undefined, exact = correlation.r != correlation.r, exact_p(*values) if correlation.method == "spearman" else None
    p = correlation.p if undefined or exact is None else exact
    # Fisher's z of a perfect correlation is infinite.
    fisher = NOWHERE if undefined or abs(correlation.r) > PERFECT else (correlation.lower, correlation.upper)
    return Coefficient(correlation.method, correlation.r, p, *(NOWHERE if undefined else ends), fisher)


def _between(obs: Observed, draws: SentenceDraws) -> Iterator[ScoreAgreement]:
    """Table 5: the relations with each other, sentence by sentence."""
    for i, j in combinations(range(len(obs.columns)), 2):
        names = obs.columns[i].name, obs.columns[j].name
        yield _of_sentences(SENTENCE, (*names, obs.satisfied[i], obs.satisfied[j]), draws)


def _contributed(obs: Observed, family: ScoreFamily, outside: Outside, draws: SentenceDraws) -> Iterator[Contributed]:
    """Tables 2 and 6; none for a family of many relations, which has too many combinations."""
    if len(family.columns) > MOST_RELATIONS:
        return
    patterns = obs.patterns(family)
    values = outside.values[patterns.system, patterns.sentence]
    verdicts = HeldRelations(patterns.bits, values, patterns.sentence, patterns.weight)
    names = [obs.columns[column].name for column in family.columns]
    yield Contributed(names, outside.name, contribution(verdicts, len(names), draws, CONFIDENCE))


def _system_scores(obs: Observed, scores: dict[str, Floats], outside: Sequence[Outside]) -> Iterator[SystemScore]:
    everywhere = np.ones((1, len(obs.sentences)), dtype=bool)
    by_name = {**scores, **{score.name: score.values for score in outside}}
    whole = {score.name: score.whole for score in outside}
    for domain, inside in zip(["", *obs.domains], np.concatenate([everywhere, _inside(obs)]), strict=True):
        for score, values in by_name.items():
            system_means = means(values, inside[None, :].astype(np.float64))[0]
            for system, mean in enumerate(system_means.tolist()):
                own = whole.get(score, {}).get((domain, system), float("nan"))
                yield SystemScore(domain, obs.systems[system], score, mean, own)


def _notes(obs: Observed, outside: Sequence[Outside], agreements: Sequence[ScoreAgreement]) -> Iterator[str]:
    yield from obs.notes
    systems = len(obs.systems)
    if systems < 3:
        few = "one system" if systems == 1 else "two systems"
        yield f"{obs.direction}: with {few} nothing can be said by system; three are the fewest"
    elif systems < FEW:
        # Systems without an outside score make no pair.
        enough = any(agreement.n >= FISHER for agreement in agreements if agreement.scale == SYSTEM)
        more = "see the intervals by Fisher's z" if enough else f"how much, only {FISHER} or more can say"
        yield (
            f"{obs.direction}: {systems} systems are few. Intervals by system say what other sentences would show of"
            f" these systems; other systems may differ more ({more})"
        )
    yield from _gaps(obs, outside)
    tested = np.isfinite(obs.satisfied).any(axis=0)
    if any((np.isfinite(score.values) & tested).any(axis=0).sum() < FEWEST for score in outside):
        yield f"{obs.direction}: fewer than {FEWEST} sentences have no intervals (–)"
    if any(c.r != c.r for agreement in agreements for c in agreement.coefficients if agreement.n > 2):
        yield f"{obs.direction}: where a score is the same for all, there is no correlation (–)"
    if any(len(family.columns) > MOST_RELATIONS for family in obs.families()):
        yield f"{obs.direction}: more than {MOST_RELATIONS} relations have too many combinations; name fewer runs"


def _gaps(obs: Observed, outside: Sequence[Outside]) -> Iterator[str]:
    """Notes on how many tested translations have no outside score; scores with equal gaps share a note."""
    tested = np.isfinite(obs.satisfied).any(axis=0)
    gaps: dict[int, list[str]] = {}
    for score in outside:
        gaps.setdefault(int((tested & ~np.isfinite(score.values)).sum()), []).append(score.name)
    for missing, names in gaps.items():
        if missing:
            total, listed = f"of {plural(int(tested.sum()), 'translation')}", ", ".join(names)
            text = plural(missing, f"{total} has no {listed} and is", f"{total} have no {listed} and are")
            yield f"{obs.direction}: {text} left out there"
