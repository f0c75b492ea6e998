"""Scores of translations from outside: against references by any metric, or by people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from concord import plugins
from concord.analyses.quality.observations import Observed
from concord.errors import UserError
from concord.language.codes import normalise
from concord.metrics import similarity_many
from concord.metrics._corpus import Pairs, summed
from concord.model import Text
from concord.plural import plural
from concord.stats.bootstrap_sentences import Floats
from concord.stats.table import scores_of

METRICS = ("bleu", "chrf", "ter", "meteor", "wer")
HUMAN = "human"
OfAll = Callable[[Sequence[int]], float]
_RATES = {"ter": "1 − TER", "wer": "1 − WER"}


class NothingOutside(UserError):
    """A direction has no score of that kind; others may."""


@dataclass(frozen=True, slots=True)
class Outside:
    """One score of every translation (system × sentence, NaN where there is none); higher is better.

    `whole` are the scores of whole sets of sentences, where the metric has its own: by domain ("" for all) and system.
    """

    name: str
    values: Floats
    whole: Mapping[tuple[str, int], float] = field(default_factory=dict)
    notes: Sequence[str] = ()


def against_references(seen: Observed, references: Mapping[int, str], metrics: Sequence[str]) -> list[Outside]:
    """Every metric of every translation that has a reference."""
    places = [place for place in seen.outputs if place[1] in references]
    if not places:
        raise NothingOutside(
            f"{seen.direction}: no sentence has both a translation and a reference. Give references with"
            " --references FILE, one line for each line of the corpus; or run with --reference FILE"
        )
    pairs = [(Text(references[place[1]], seen.target), Text(seen.outputs[place], seen.target)) for place in places]
    sources = [Text(seen.sentences[sentence].text, seen.source) for _, sentence in places]
    return [_outside(name, seen, places, pairs, sources) for name in dict.fromkeys(metrics)]


def _outside(
    name: str,
    seen: Observed,
    places: Sequence[tuple[int, int]],
    pairs: Pairs,
    sources: Sequence[Text],
) -> Outside:
    scores, of_all = _scores(name, pairs, sources)
    values = np.full((len(seen.systems), len(seen.sentences)), nan)
    for place, score in zip(places, scores, strict=True):
        values[place] = float(score)
    whole = {key: float(of_all(chosen)) for key, chosen in _sets(seen, places).items()} if of_all else {}
    return Outside(_RATES.get(name, name), values, whole)


def _scores(name: str, pairs: Pairs, sources: Sequence[Text]) -> tuple[Sequence[float], OfAll | None]:
    """The score of each pair, and that of several by their numbers, where the metric has its own."""
    module, options = plugins.metric(name)
    if hasattr(module, "scored"):
        # Systems often say the same, and counting is what takes long.
        known = {pair: module.counts(*pair, **options) for pair in dict.fromkeys(pairs)}
        rows = [known[pair] for pair in pairs]
        scores = [module.scored(row, whole=False, **options) for row in rows]
        return scores, lambda chosen: module.scored(summed(rows[each] for each in chosen), whole=True, **options)
    if hasattr(module, "score_many"):
        return module.score_many(sources, [b for _, b in pairs], [a for a, _ in pairs], **options), None
    own = getattr(module, "corpus", None)
    return similarity_many(name, pairs), own and (lambda chosen: own([pairs[each] for each in chosen], **options))


def _sets(seen: Observed, places: Sequence[tuple[int, int]]) -> dict[tuple[str, int], list[int]]:
    """The numbers of the pairs of each system, in all and by domain."""
    found = defaultdict[tuple[str, int], list[int]](list)
    domains = set(seen.domains)
    for number, (system, sentence) in enumerate(places):
        domain = seen.sentences[sentence].domain
        for name in ("", domain) if domain in domains else ("",):
            found[name, system].append(number)
    return found


# -- people ------------------------------------------------------------------------------------------


def by_people(seen: Observed, path: str | Path) -> Outside:
    """The scores of a table with the columns system, sentence (its id or text), score and perhaps target.

    Several scores of one translation are averaged. A system may be named as the user wrote it, or without the hash
    behind its name, where that is clear.
    """
    systems, sentences = _systems(seen), named_sentences(seen)
    given = defaultdict[tuple[int, int], list[float]](list)
    others, strange = Counter[str](), Counter[str]()
    for row, score in scores_of(path, ["system", "sentence"], ["target"]):
        if row["target"] and normalise(row["target"]) != seen.target:
            continue
        if row["system"] not in systems:
            others[row["system"]] += 1
        elif row["sentence"] not in sentences:
            strange[row["sentence"]] += 1
        else:
            for sentence in sentences[row["sentence"]]:
                given[systems[row["system"]], sentence].append(score)
    if not given:
        raise NothingOutside(
            f"no row of {path} belongs to a translation of these runs ({seen.direction}). Its other systems:"
            f" {some(others)}; those of the runs: {some(seen.systems)}. A sentence is named by its id or its text"
        )
    values = np.full((len(seen.systems), len(seen.sentences)), nan)
    for place, scores in given.items():
        values[place] = sum(scores) / len(scores)
    notes = [
        *unmatched(path, others, f"system of the runs ({seen.direction})", "the runs' systems", seen.systems),
        *unmatched(path, strange, f"sentence of the runs ({seen.direction})", "ids of the runs", seen.ids),
    ]
    return Outside(HUMAN, values, notes=notes)


def unmatched(path: str | Path, rows: Counter[str], which: str, what: str, known: Iterable[str]) -> Iterator[str]:
    """A word on rows that belong to nothing, with what they name and what they could have named."""
    if rows:
        belong = plural(rows.total(), f"row of {path} belongs", f"rows of {path} belong")
        yield f"{belong} to no {which}: {some(rows)}; {what}: {some(known)}"


def _systems(seen: Observed) -> dict[str, int]:
    numbers = {name: number for number, name in enumerate(seen.systems)}
    short = [name.partition("#")[0] for name in seen.systems]
    clear = {name: number for number, name in enumerate(short) if short.count(name) == 1}
    given = {said: numbers[name] for said, (name, *others) in seen.given.items() if said and not others}
    return clear | given | numbers


def named_sentences(seen: Observed) -> dict[str, list[int]]:
    """The sentences that an id or a text means."""
    found = defaultdict[str, set[int]](set, {name: set(numbers) for name, numbers in seen.ids.items()})
    for number, each in enumerate(seen.sentences):
        found[each.text.strip()].add(number)
    return {name: sorted(numbers) for name, numbers in found.items()}


def some(names: Iterable[Any]) -> str:
    found = sorted(dict.fromkeys(map(str, names)))
    return (", ".join(found[:5]) + (", …" if len(found) > 5 else "")) or "none"
