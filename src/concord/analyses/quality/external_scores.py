"""The outside scores of each direction: from references in files or in the corpora, and from people."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from concord import plugins
from concord.analyses.quality.observations import Observed
from concord.analyses.quality.reference_scores import METRICS, NothingOutside, Outside, against_references, by_people
from concord.analyses.quality.references import References, files_by_target, misplaced, read_references
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
        scores, errors = _tried(_sources(obs, files.get(obs.target), human, metrics))
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
            refs = read_references(obs, file) if file else References(obs.references)
            short = {number: words for number, words in refs.texts.items() if len(words) <= LONGEST_TEXT}
            scores = against_references(obs, short, metrics or METRICS)
            notes = [*refs.notes, *_too_long(len(refs.texts) - len(short)), *misplaced(obs, short)]
            return [replace(score, notes=notes) for score in scores]

        yield by_references
    if human:
        yield lambda: [by_people(obs, human)]


def _too_long(left: int) -> Iterator[str]:
    if left:
        references = plural(left, "reference has", "references have")
        yield f"{NOT_JUDGED}{references} more than {LONGEST_TEXT:,} characters"


def _tried(sources: Iterator[Callable[[], list[Outside]]]) -> tuple[list[Outside], list[NothingOutside]]:
    scores, errors = list[Outside](), list[NothingOutside]()
    for source in sources:
        try:
            scores += source()
        except NothingOutside as error:
            errors.append(error)
    return scores, errors
