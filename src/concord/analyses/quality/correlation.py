"""How far scores without references agree with references or people, as tables 2 to 6 of the paper on MGMT."""

from __future__ import annotations

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
"""Sentences for an interval: of three, one draw in nine is one sentence over and over, which has no spread."""


def correlated(
    seen: Observed, outside: Sequence[Outside], terms: QualityTerms, notes: Sequence[str] = ()
) -> Correlated:
    """Everything about one direction, which has some outside score."""
    scores = _scores(seen, terms.by)
    draws = SentenceDraws(len(seen.sentences), terms.resamples, terms.seed)
    pairs = [(name, each.name, values, each.values) for name, values in scores.items() for each in outside]
    agreements = [found for pair in pairs for found in _on_every_scale(seen, pair, draws)]
    return Correlated(
        seen,
        scores,
        list(outside),
        list(_system_scores(seen, scores, outside)),
        agreements,
        [domain for pair in pairs for domain in _within_domains(seen, pair, draws)],
        list(_between(seen, draws)),
        [found for family in seen.families() for each in outside for found in _contributed(seen, family, each, draws)],
        [*notes, *_notes(seen, outside, agreements)],
    )


def _scores(seen: Observed, by: str) -> dict[str, Floats]:
    """Every metamorphic score of every system and sentence; suspicion only where it says more than the verdict."""
    made: dict[str, Floats] = {}
    for name, satisfied, similar in _named(seen):
        told = not np.array_equal(satisfied, similar, equal_nan=True)
        made |= {name: satisfied} if by != "suspicion" else {}
        made |= {f"{name}, {SUSPICION}": similar} if by != "satisfied" and told else {}
    if not made:
        raise UserError(f"{seen.direction}: the suspicion of these runs is only 0 or 1. Leave --by out")
    return made


def _named(seen: Observed) -> Iterator[tuple[str, Floats, Floats]]:
    """Columns, and the mean of those that make one score together, where all of them were tested."""
    for family in seen.families():
        chosen = list(family.columns)
        for each in chosen:
            yield seen.columns[each].name, seen.satisfied[each], seen.similar[each]
        if len(chosen) > 1:
            yield family.mean, seen.satisfied[chosen].mean(axis=0), seen.similar[chosen].mean(axis=0)


Pair = tuple[str, str, Floats, Floats]
"""The names of two scores, and their values by system and sentence."""


def _on_every_scale(seen: Observed, pair: Pair, draws: SentenceDraws) -> Iterator[ScoreAgreement]:
    yield _of_sentences(SENTENCE, pair, draws)
    inside = np.ones((1, len(seen.sentences)), dtype=bool)
    if seen.domains:
        yield _of_means(DOMAIN, "", pair, _inside(seen), draws)
    yield _of_means(SYSTEM, "", pair, inside, draws)


def _within_domains(seen: Observed, pair: Pair, draws: SentenceDraws) -> Iterator[ScoreAgreement]:
    """Tables 3 and 4: over the systems, in each domain."""
    if len(seen.systems) > 2:
        for domain, inside in zip(seen.domains, _inside(seen), strict=True):
            yield _of_means(SYSTEM, domain, pair, inside[None, :], draws)


def _inside(seen: Observed) -> Any:
    """Which sentences each domain has."""
    return np.array(list(map(seen.inside, seen.domains)), dtype=bool).reshape(-1, len(seen.sentences))


def _of_sentences(scale: str, pair: Pair, draws: SentenceDraws) -> ScoreAgreement:
    name, other, x, y = pair
    known = np.isfinite(x) & np.isfinite(y)
    sentence = np.nonzero(known)[1]
    enough = known.sum() > 2 and len(np.unique(sentence)) >= FEWEST
    ends = drawn_pairs(x[known], y[known], sentence, draws, CONFIDENCE) if enough else {}
    return _agreement(scale, "", (name, other), (x[known], y[known]), ends)


def _of_means(scale: str, domain: str, pair: Pair, inside: Any, draws: SentenceDraws) -> ScoreAgreement:
    """Pairs of means over the sentences that have both scores: for each of the sets `inside`, and each system."""
    name, other, x, y = pair
    known = np.isfinite(x) & np.isfinite(y)
    values = np.where(inside[:, None, :] & known, np.stack([x, y])[:, None], np.nan)
    values = values.reshape(2, -1, values.shape[-1])
    values = values[:, np.isfinite(values).any(axis=-1).all(axis=0)]
    whole = means(values, np.ones((1, draws.sentences)))[0]
    ends: dict[str, tuple[float, float]] = {}
    if values.shape[1] > 2 and np.isfinite(values[0]).any(axis=0).sum() >= FEWEST:
        drawn = draws.drawn(lambda weights: by_rows(*np.moveaxis(means(values, weights), 1, 0)))
        lower, upper = wider_ends(drawn, by_rows(whole[:1], whole[1:])[0], CONFIDENCE)
        ends = {method: (float(a), float(b)) for method, a, b in zip(METHODS, lower, upper, strict=True)}
    return _agreement(scale, domain, (name, other), (whole[0], whole[1]), ends)


def _agreement(
    scale: str,
    domain: str,
    names: tuple[str, str],
    values: tuple[Floats, Floats],
    ends: dict[str, tuple[float, float]],
) -> ScoreAgreement:
    found = correlate(values[0].tolist(), values[1].tolist(), level=CONFIDENCE)
    made = [_coefficient(each, values, ends.get(each.method, NOWHERE)) for each in found]
    return ScoreAgreement(scale, domain, *names, found[0].n, made)


def _coefficient(found: Correlation, values: tuple[Floats, Floats], ends: tuple[float, float]) -> Coefficient:
    # An undefined coefficient may be defined in some draws, which then say nothing about it.
    undefined, exact = found.r != found.r, exact_p(*values) if found.method == "spearman" else None
    p = found.p if undefined or exact is None else exact
    # Fisher's z of a perfect order has no end.
    fisher = NOWHERE if undefined or abs(found.r) > PERFECT else (found.lower, found.upper)
    return Coefficient(found.method, found.r, p, *(NOWHERE if undefined else ends), fisher)


def _between(seen: Observed, draws: SentenceDraws) -> Iterator[ScoreAgreement]:
    """Table 5: the relations with each other, sentence by sentence."""
    for one, other in combinations(range(len(seen.columns)), 2):
        names = seen.columns[one].name, seen.columns[other].name
        yield _of_sentences(SENTENCE, (*names, seen.satisfied[one], seen.satisfied[other]), draws)


def _contributed(seen: Observed, family: ScoreFamily, other: Outside, draws: SentenceDraws) -> Iterator[Contributed]:
    """Tables 2 and 6. Combinations of many relations are too many to be told apart."""
    if len(family.columns) > MOST_RELATIONS:
        return
    found = seen.patterns(family)
    held = HeldRelations(found.bits, other.values[found.system, found.sentence], found.sentence, found.weight)
    names = [seen.columns[column].name for column in family.columns]
    yield Contributed(names, other.name, contribution(held, len(names), draws, CONFIDENCE))


def _system_scores(seen: Observed, scores: dict[str, Floats], outside: Sequence[Outside]) -> Iterator[SystemScore]:
    everywhere = np.ones((1, len(seen.sentences)), dtype=bool)
    named = {**scores, **{each.name: each.values for each in outside}}
    whole = {each.name: each.whole for each in outside}
    for domain, inside in zip(["", *seen.domains], np.concatenate([everywhere, _inside(seen)]), strict=True):
        for score, values in named.items():
            found = means(values, inside[None, :].astype(np.float64))[0]
            for system, mean in enumerate(found.tolist()):
                own = whole.get(score, {}).get((domain, system), float("nan"))
                yield SystemScore(domain, seen.systems[system], score, mean, own)


def _notes(seen: Observed, outside: Sequence[Outside], agreements: Sequence[ScoreAgreement]) -> Iterator[str]:
    yield from seen.notes
    systems = len(seen.systems)
    if systems < 3:
        some = "one system" if systems == 1 else "two systems"
        yield f"{seen.direction}: with {some} nothing can be said by system; three are the fewest"
    elif systems < FEW:
        # Systems without an outside score make no pair.
        enough = any(agreement.n >= FISHER for agreement in agreements if agreement.scale == SYSTEM)
        more = "see the intervals by Fisher's z" if enough else f"how much, only {FISHER} or more can say"
        yield (
            f"{seen.direction}: {systems} systems are few. Intervals by system say what other sentences would show of"
            f" these systems; other systems may differ more ({more})"
        )
    yield from _gaps(seen, outside)
    tested = np.isfinite(seen.satisfied).any(axis=0)
    if any((np.isfinite(each.values) & tested).any(axis=0).sum() < FEWEST for each in outside):
        yield f"{seen.direction}: fewer than {FEWEST} sentences have no intervals (–)"
    if any(c.r != c.r for agreement in agreements for c in agreement.coefficients if agreement.n > 2):
        yield f"{seen.direction}: where a score is the same for all, there is no correlation (–)"
    if any(len(family.columns) > MOST_RELATIONS for family in seen.families()):
        yield f"{seen.direction}: more than {MOST_RELATIONS} relations have too many combinations; name fewer runs"


def _gaps(seen: Observed, outside: Sequence[Outside]) -> Iterator[str]:
    """How many translations that were tested have no outside score; scores with the same gaps are named together."""
    tested = np.isfinite(seen.satisfied).any(axis=0)
    gaps: dict[int, list[str]] = {}
    for each in outside:
        gaps.setdefault(int((tested & ~np.isfinite(each.values)).sum()), []).append(each.name)
    for lacking, names in gaps.items():
        if lacking:
            of, what = f"of {plural(int(tested.sum()), 'translation')}", ", ".join(names)
            said = plural(lacking, f"{of} has no {what} and is", f"{of} have no {what} and are")
            yield f"{seen.direction}: {said} left out there"
