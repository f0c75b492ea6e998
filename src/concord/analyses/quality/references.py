"""Reference translations from a file, and whether references fit their sentences."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from concord.analyses.quality.observations import Observed
from concord.analyses.quality.reference_scores import NothingOutside, first_few, named_sentences, unmatched
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
"""The number of sentences that are checked; more would not change the outcome."""
SURE = 2.0
"""The difference in standard errors; references in a wrong order exceed it by chance one time in forty."""


def files_by_target(arguments: Sequence[str], targets: Sequence[str]) -> dict[str, Path]:
    """The file of each target, from texts such as `refs.txt` and `es=refs.es.txt`.

    A table may have a column `target`, so it serves every direction.
    """
    files: dict[str, Path] = {}
    for text in arguments:
        lang, equals, name = text.partition("=")
        if not equals or Path(text).exists():
            lang, name = "", text
        langs = [normalise(lang)] if lang else list(targets)
        if not lang and len(set(targets)) > 1 and format_of(Path(name)) not in TABLES:
            raise UserError(
                f"the runs go into {', '.join(dict.fromkeys(targets))}: say whose references {name} has, such as"
                f" --references {targets[0]}={name}"
            )
        for target in langs:
            if target not in targets:
                raise UserError(f"no run goes into '{target}'. References can be given for: {', '.join(targets)}")
            if target in files:
                both = f"{files[target]} and {name}"
                raise UserError(f"there are two files with references for {target}: {both}. Give one")
            files[target] = Path(name)
    return files


def read_references(obs: Observed, path: Path) -> tuple[dict[int, str], list[str]]:
    """The reference of each sentence that has one, and notes on the file.

    It has one line each, or is a table with the columns sentence, reference and perhaps target.
    """
    return _from_table(obs, path) if format_of(path) in TABLES else (_from_lines(obs, path), [])


def _from_table(obs: Observed, path: Path) -> tuple[dict[int, str], list[str]]:
    sentences = named_sentences(obs)
    references: dict[int, str] = {}
    unknown, several = Counter[str](), dict[str, None]()
    for row in texts_of(path, ["sentence", "reference"], ["target"]):
        if row["reference"] and (not row["target"] or normalise(row["target"]) == obs.target):
            if row["sentence"] not in sentences:
                unknown[row["sentence"]] += 1
            for number in sentences.get(row["sentence"], ()):
                if references.setdefault(number, row["reference"]) != row["reference"]:
                    several[row["sentence"]] = None
    if not references:
        raise NothingOutside(
            f"no row of {path} belongs to a sentence of these runs ({obs.direction}). A sentence is named by its id"
            f" or its text; ids of the runs: {first_few(obs.ids)}"
        )
    notes = list(unmatched(path, unknown, f"sentence of these runs ({obs.direction})", "ids of the runs", obs.ids))
    if several:
        have = f"{plural(len(several), 'sentence has', 'sentences have')} different references in {path}"
        notes.append(f"{have} ({obs.direction}): {first_few(several)}. The first of each counts")
    return references, notes


def _from_lines(obs: Observed, path: Path) -> dict[int, str]:
    corpora = list(dict.fromkeys(corpus for corpus, _ in obs.positions))
    if len(corpora) > 1 or obs.mixed:
        raise UserError(
            f"the runs are of several corpora ({first_few(corpora)}), so lines of {path} could belong to any. Name runs"
            " of one corpus, or give a .csv, .tsv or .jsonl table with the columns sentence (id or text) and reference"
        )
    lines = [line.strip() for _, line in open_file(path)]
    _same_length(obs, path, lines)
    references: dict[int, str] = {}
    for (_, position), sentence in obs.positions.items():
        if lines[position]:
            references.setdefault(sentence, lines[position])
    return references


def _same_length(obs: Observed, path: Path, lines: Sequence[str]) -> None:
    """UserError if the file does not have a line for each row of the corpus; rows without a case are counted too."""
    corpus, last = max(obs.positions, key=lambda key: key[1])
    beyond = obs.untested.get(corpus, 0)
    filled = max((number for number, line in enumerate(lines, 1) if line), default=0)
    if len(lines) > last and filled <= last + 1 + beyond:
        return
    rows = f"{last + 1:,}" if not beyond else f"{last + 1:,} to {last + 1 + beyond:,}"
    raise UserError(
        f"{path} has {plural(len(lines), 'line')}, but the corpus {corpus} of these runs has {rows}. References"
        " need one line for each line of the corpus, an empty one where there is none; if the runs had a --limit,"
        " cut them to it"
    )


def misplaced(obs: Observed, references: Mapping[int, str]) -> Iterator[str]:
    """A note if translations are no more similar to their own references than to the next ones, by chrF."""
    following = _following(references)
    outputs = {cell: words for cell, words in obs.outputs.items() if cell[1] in following}
    if len({sentence for _, sentence in outputs}) < FEWEST:
        return
    own_fit, next_fit = (_likeness(outputs, texts, obs.target) for texts in (references, following))
    gain = own_fit - next_fit
    if gain.mean() <= SURE * gain.std(ddof=1) / np.sqrt(len(gain)):
        yield (
            f"{obs.direction}: translations are no more like their own references than like those of the next"
            f" sentences (chrF {own_fit.mean():.2f} and {next_fit.mean():.2f}). Are the references in the order of the"
            f" corpus, and in '{obs.target}'?"
        )


def _likeness(outputs: Mapping[tuple[int, int], str], references: Mapping[int, str], lang: str) -> Floats:
    """The similarity of outputs to references by sentence, as the mean over systems."""
    pairs = [(Text(references[sentence], lang), Text(words, lang)) for (_, sentence), words in outputs.items()]
    by_sentence: dict[int, list[float]] = {}
    for (_, sentence), score in zip(outputs, similarity_many("chrf", pairs), strict=True):
        by_sentence.setdefault(sentence, []).append(score)
    return np.array([sum(scores) / len(scores) for scores in by_sentence.values()])


def _following(references: Mapping[int, str]) -> dict[int, str]:
    """For each sentence the reference of the next one, unless it is the same; the first follows the last."""
    numbers = sorted(references)[:MOST]
    around = zip(numbers, [*numbers[1:], *numbers[:1]], strict=True)
    return {number: references[after] for number, after in around if references[after] != references[number]}
