"""The outside scores of each direction: from references in files or in the corpora, and from people."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from concord import plugins
from concord.analyses.quality.observations import Observed
from concord.analyses.quality.reference_scores import METRICS, NothingOutside, Outside, against_references, by_people
from concord.analyses.quality.references import files_by_target, misplaced, read_references
from concord.bounds import LONGEST_TEXT
from concord.errors import NOT_JUDGED
from concord.plural import plural


@dataclass(frozen=True, slots=True)
class DirectionScores:
    """The outside scores of one direction, and notes on those that it lacks."""

    observed: Observed
    scores: Sequence[Outside]
    notes: Sequence[str]


def outside(
    observed: Sequence[Observed], references: Sequence[str], human: str | Path | None, metrics: Sequence[str]
) -> list[DirectionScores]:
    """The outside scores of each direction that has any; notes on other directions go to the first.

    Metrics that are named need references. If no direction has a score, the error says what the first one lacks.
    """
    files = files_by_target(references, list(dict.fromkeys(obs.target for obs in observed)))
    for name in metrics:
        plugins.metric(name)
    directions, missing = [], list[NothingOutside]()
    for obs in observed:
        scores, errors = list[Outside](), list[NothingOutside]()
        for source in _sources(obs, files.get(obs.target), human, metrics):
            try:
                scores += source()
            except NothingOutside as error:
                errors.append(error)
        missing += errors
        notes = dict.fromkeys(note for score in scores for note in score.notes)
        directions.append(DirectionScores(obs, scores, [*(f"left out: {error}" for error in errors), *notes]))
    scored = [direction for direction in directions if direction.scores]
    if not scored:
        raise missing[0]
    more = [note for direction in directions if not direction.scores for note in direction.notes]
    return [replace(scored[0], notes=[*more, *scored[0].notes]), *scored[1:]]


def _sources(
    obs: Observed, file: Path | None, human: str | Path | None, metrics: Sequence[str]
) -> Iterator[Callable[[], list[Outside]]]:
    if file or obs.references or metrics or not human:

        def by_references() -> list[Outside]:
            texts, notes = read_references(obs, file) if file else (obs.references, [])
            short = {number: words for number, words in texts.items() if len(words) <= LONGEST_TEXT}
            scores = against_references(obs, short, metrics or METRICS)
            if left := len(texts) - len(short):
                references = plural(left, "reference has", "references have")
                notes = [*notes, f"{NOT_JUDGED}{references} more than {LONGEST_TEXT:,} characters"]
            notes = [*notes, *misplaced(obs, short)]
            return [replace(score, notes=notes) for score in scores]

        yield by_references
    if human:
        yield lambda: [by_people(obs, human)]
