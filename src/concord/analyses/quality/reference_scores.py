"""Outside scores of translations: by any metric against references, or by people."""

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
    """A direction has no outside score of one kind; other directions may have."""


@dataclass(frozen=True, slots=True)
class Outside:
    """One score of every translation (system × sentence, NaN where there is none); higher is better.

    `whole` are corpus-level scores, if the metric has them, by domain ("" for all) and system.
    """

    name: str
    values: Floats
    whole: Mapping[tuple[str, int], float] = field(default_factory=dict)
    notes: Sequence[str] = ()


def against_references(obs: Observed, references: Mapping[int, str], metrics: Sequence[str]) -> list[Outside]:
    """The scores of every translation that has a reference, by each metric."""
    cells = [cell for cell in obs.outputs if cell[1] in references]
    if not cells:
        raise NothingOutside(
            f"{obs.direction}: no sentence has both a translation and a reference. Give references with"
            " --references FILE, one line for each line of the corpus; or run with --reference FILE"
        )
    pairs = [(Text(references[cell[1]], obs.target), Text(obs.outputs[cell], obs.target)) for cell in cells]
    sources = [Text(obs.sentences[sentence].text, obs.source) for _, sentence in cells]
    return [_outside(name, obs, cells, pairs, sources) for name in dict.fromkeys(metrics)]


def _outside(
    name: str,
    obs: Observed,
    cells: Sequence[tuple[int, int]],
    pairs: Pairs,
    sources: Sequence[Text],
) -> Outside:
    scores, of_all = _scores(name, pairs, sources)
    values = np.full((len(obs.systems), len(obs.sentences)), nan)
    for cell, score in zip(cells, scores, strict=True):
        values[cell] = float(score)
    whole = {key: float(of_all(numbers)) for key, numbers in _sets(obs, cells).items()} if of_all else {}
    return Outside(_RATES.get(name, name), values, whole)


def _scores(name: str, pairs: Pairs, sources: Sequence[Text]) -> tuple[Sequence[float], OfAll | None]:
    """The score of each pair, and a function for the corpus-level score of several pairs, if the metric has one."""
    module, options = plugins.metric(name)
    if hasattr(module, "scored"):
        # Systems often give equal translations, and counting is slow.
        counts = {pair: module.counts(*pair, **options) for pair in dict.fromkeys(pairs)}
        rows = [counts[pair] for pair in pairs]
        scores = [module.scored(row, whole=False, **options) for row in rows]
        return scores, lambda numbers: module.scored(summed(rows[number] for number in numbers), whole=True, **options)
    if hasattr(module, "score_many"):
        return module.score_many(sources, [b for _, b in pairs], [a for a, _ in pairs], **options), None
    own = getattr(module, "corpus", None)
    return similarity_many(name, pairs), own and (lambda numbers: own([pairs[number] for number in numbers], **options))


def _sets(obs: Observed, cells: Sequence[tuple[int, int]]) -> dict[tuple[str, int], list[int]]:
    """The indices of the pairs of each system, in all ("") and by domain."""
    sets = defaultdict[tuple[str, int], list[int]](list)
    domains = set(obs.domains)
    for number, (system, sentence) in enumerate(cells):
        domain = obs.sentences[sentence].domain
        for name in ("", domain) if domain in domains else ("",):
            sets[name, system].append(number)
    return sets


# -- people ------------------------------------------------------------------------------------------


def by_people(obs: Observed, path: str | Path) -> Outside:
    """The scores of a table with the columns system, sentence (its id or text), score and perhaps target.

    Several scores of one translation are averaged. A system may be named as the user wrote it, or without the hash
    after its name, unless that is ambiguous.
    """
    systems, sentences = _systems(obs), named_sentences(obs)
    by_cell = defaultdict[tuple[int, int], list[float]](list)
    unknown_systems, unknown_sentences = Counter[str](), Counter[str]()
    for row, score in scores_of(path, ["system", "sentence"], ["target"]):
        if row["target"] and normalise(row["target"]) != obs.target:
            continue
        if row["system"] not in systems:
            unknown_systems[row["system"]] += 1
        elif row["sentence"] not in sentences:
            unknown_sentences[row["sentence"]] += 1
        else:
            for sentence in sentences[row["sentence"]]:
                by_cell[systems[row["system"]], sentence].append(score)
    if not by_cell:
        raise NothingOutside(
            f"no row of {path} belongs to a translation of these runs ({obs.direction}). Its other systems:"
            f" {first_few(unknown_systems)}; those of the runs: {first_few(obs.systems)}. A sentence is named by its id"
            " or its text"
        )
    values = np.full((len(obs.systems), len(obs.sentences)), nan)
    for cell, scores in by_cell.items():
        values[cell] = sum(scores) / len(scores)
    notes = [
        *unmatched(path, unknown_systems, f"system of the runs ({obs.direction})", "the runs' systems", obs.systems),
        *unmatched(path, unknown_sentences, f"sentence of the runs ({obs.direction})", "ids of the runs", obs.ids),
    ]
    return Outside(HUMAN, values, notes=notes)


def unmatched(path: str | Path, rows: Counter[str], kind: str, heading: str, choices: Iterable[str]) -> Iterator[str]:
    """A note on rows that match nothing, with the names that they have and those that exist."""
    if rows:
        belong = plural(rows.total(), f"row of {path} belongs", f"rows of {path} belong")
        yield f"{belong} to no {kind}: {first_few(rows)}; {heading}: {first_few(choices)}"


def _systems(obs: Observed) -> dict[str, int]:
    numbers = {name: number for number, name in enumerate(obs.systems)}
    short = [name.partition("#")[0] for name in obs.systems]
    clear = {name: number for number, name in enumerate(short) if short.count(name) == 1}
    written = {text: numbers[name] for text, (name, *rest) in obs.written_as.items() if text and not rest}
    return clear | written | numbers


def named_sentences(obs: Observed) -> dict[str, list[int]]:
    """The sentences by id and by text."""
    by_name = defaultdict[str, set[int]](set, {name: set(numbers) for name, numbers in obs.ids.items()})
    for number, sentence in enumerate(obs.sentences):
        by_name[sentence.text.strip()].add(number)
    return {name: sorted(numbers) for name, numbers in by_name.items()}


def first_few(names: Iterable[Any]) -> str:
    distinct = sorted(dict.fromkeys(map(str, names)))
    return (", ".join(distinct[:5]) + (", …" if len(distinct) > 5 else "")) or "none"
