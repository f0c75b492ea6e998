"""Reference translations: those that a corpus came with, or a file of them; and whether they fit their sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from concord.analyses.quality.observations import Observed
from concord.analyses.quality.reference_scores import NothingOutside, named_sentences, some, unmatched
from concord.corpus.files import open_file
from concord.corpus.formats import format_of
from concord.errors import UserError
from concord.language.codes import normalise
from concord.metrics import similarity_many
from concord.model import Text
from concord.plural import plural
from concord.stats.bootstrap_sentences import Floats
from concord.stats.table import texts_of

TABLES = ("csv", "tsv", "jsonl")
FEWEST = 5
MOST = 200
"""Sentences that are looked at; more would say the same."""
SURE = 2.0
"""Standard errors: references in a wrong order fit better than the next ones by as much one time in forty."""


def files_by_target(given: Sequence[str], targets: Sequence[str]) -> dict[str, Path]:
    """The file of each target, from texts such as `refs.txt` and `es=refs.es.txt`.

    A table may have a column `target`, so it serves every direction.
    """
    found: dict[str, Path] = {}
    for text in given:
        lang, equals, name = text.partition("=")
        if not equals or Path(text).exists():
            lang, name = "", text
        wanted = [normalise(lang)] if lang else list(targets)
        if not lang and len(set(targets)) > 1 and format_of(Path(name)) not in TABLES:
            raise UserError(
                f"the runs go into {', '.join(dict.fromkeys(targets))}: say whose references {name} has, such as"
                f" --references {targets[0]}={name}"
            )
        for each in wanted:
            if each not in targets:
                raise UserError(f"no run goes into '{each}'. References can be given for: {', '.join(targets)}")
            if each in found:
                raise UserError(f"there are two files with references for {each}: {found[each]} and {name}. Give one")
            found[each] = Path(name)
    return found


@dataclass(frozen=True, slots=True)
class References:
    """The reference of each sentence that has one, and what the user should know about the file."""

    of: Mapping[int, str]
    notes: Sequence[str] = ()


def read_references(seen: Observed, path: Path) -> References:
    """The references of the sentences: line by line, or of a table with columns sentence, reference, perhaps target."""
    return _from_table(seen, path) if format_of(path) in TABLES else References(_from_lines(seen, path))


def _from_table(seen: Observed, path: Path) -> References:
    sentences = named_sentences(seen)
    found: dict[int, str] = {}
    strange, several = Counter[str](), dict[str, None]()
    for row in texts_of(path, ["sentence", "reference"], ["target"]):
        if row["reference"] and (not row["target"] or normalise(row["target"]) == seen.target):
            if row["sentence"] not in sentences:
                strange[row["sentence"]] += 1
            for number in sentences.get(row["sentence"], ()):
                if found.setdefault(number, row["reference"]) != row["reference"]:
                    several[row["sentence"]] = None
    if not found:
        raise NothingOutside(
            f"no row of {path} belongs to a sentence of these runs ({seen.direction}). A sentence is named by its id"
            f" or its text; ids of the runs: {some(seen.ids)}"
        )
    return References(found, list(_remarks(seen, path, strange, list(several))))


def _remarks(seen: Observed, path: Path, strange: Counter[str], several: Sequence[str]) -> Iterator[str]:
    which = f"sentence of these runs ({seen.direction})"
    yield from unmatched(path, strange, which, "ids of the runs", seen.ids)
    if several:
        have = plural(len(several), "sentence has", "sentences have")
        yield f"{have} different references in {path} ({seen.direction}): {some(several)}. The first of each counts"


def _from_lines(seen: Observed, path: Path) -> dict[int, str]:
    corpora = list(dict.fromkeys(corpus for corpus, _ in seen.positions))
    if len(corpora) > 1 or seen.mixed:
        raise UserError(
            f"the runs are of several corpora ({some(corpora)}), so lines of {path} could belong to any. Name runs of"
            " one corpus, or give a .csv, .tsv or .jsonl table with the columns sentence (id or text) and reference"
        )
    lines = [line.strip() for _, line in open_file(path)]
    _same_length(seen, path, lines)
    found: dict[int, str] = {}
    for (_, position), sentence in seen.positions.items():
        if lines[position]:
            found.setdefault(sentence, lines[position])
    return found


def _same_length(seen: Observed, path: Path, lines: Sequence[str]) -> None:
    """Rows of the corpus beyond the last known one can only be such as gave no case, or are empty."""
    corpus, last = max(seen.positions, key=lambda place: place[1])
    beyond = seen.untested.get(corpus, 0)
    filled = max((number for number, line in enumerate(lines, 1) if line), default=0)
    if len(lines) > last and filled <= last + 1 + beyond:
        return
    rows = f"{last + 1:,}" if not beyond else f"{last + 1:,} to {last + 1 + beyond:,}"
    raise UserError(
        f"{path} has {plural(len(lines), 'line')}, but the corpus {corpus} of these runs has {rows}. References"
        " need one line for each line of the corpus, an empty one where there is none; cut them alike if the runs had a"
        " --limit"
    )


def misplaced(seen: Observed, references: Mapping[int, str]) -> Iterator[str]:
    """A word where translations are no more like their own reference than like that of the next sentence, by chrF."""
    following = _following(references)
    outputs = {place: words for place, words in seen.outputs.items() if place[1] in following}
    if len({sentence for _, sentence in outputs}) < FEWEST:
        return
    own, other = (_likeness(outputs, chosen, seen.target) for chosen in (references, following))
    gain = own - other
    if gain.mean() <= SURE * gain.std(ddof=1) / np.sqrt(len(gain)):
        yield (
            f"{seen.direction}: translations are no more like their own references than like those of the next"
            f" sentences (chrF {own.mean():.2f} and {other.mean():.2f}). Are the references in the order of the corpus,"
            f" and in '{seen.target}'?"
        )


def _likeness(outputs: Mapping[tuple[int, int], str], references: Mapping[int, str], lang: str) -> Floats:
    """By sentence, the mean over systems."""
    pairs = [(Text(references[sentence], lang), Text(words, lang)) for (_, sentence), words in outputs.items()]
    found: dict[int, list[float]] = {}
    for (_, sentence), score in zip(outputs, similarity_many("chrf", pairs), strict=True):
        found.setdefault(sentence, []).append(score)
    return np.array([sum(scores) / len(scores) for scores in found.values()])


def _following(references: Mapping[int, str]) -> dict[int, str]:
    """For each sentence the reference of the next; the first follows the last. One that is the same tells nothing."""
    numbers = sorted(references)[:MOST]
    around = zip(numbers, [*numbers[1:], *numbers[:1]], strict=True)
    return {number: references[after] for number, after in around if references[after] != references[number]}
