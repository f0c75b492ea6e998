"""Which outside scores each direction gets: from references in files or in the corpora, and from people."""

from __future__ import annotations

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
class Given:
    """The outside scores of one direction, and notes on those that it lacks."""

    seen: Observed
    scores: Sequence[Outside]
    notes: Sequence[str]


def outside(
    observed: Sequence[Observed], references: Sequence[str], human: str | Path | None, metrics: Sequence[str]
) -> list[Given]:
    """The outside scores of each direction that has some; what others lack is noted with the first.

    Metrics that are named need references. Without a score in any direction, the error says what the first lacks.
    """
    files = files_by_target(references, list(dict.fromkeys(each.target for each in observed)))
    for name in metrics:
        plugins.metric(name)
    found, lacking = [], list[NothingOutside]()
    for seen in observed:
        scores, errors = _tried(_sources(seen, files.get(seen.target), human, metrics))
        lacking += errors
        notes = dict.fromkeys(note for score in scores for note in score.notes)
        found.append(Given(seen, scores, [*(f"left out: {error}" for error in errors), *notes]))
    kept = [each for each in found if each.scores]
    if not kept:
        raise lacking[0]
    others = [note for each in found if not each.scores for note in each.notes]
    return [replace(kept[0], notes=[*others, *kept[0].notes]), *kept[1:]]


def _sources(
    seen: Observed, file: Path | None, human: str | Path | None, metrics: Sequence[str]
) -> Iterator[Callable[[], list[Outside]]]:
    if file or seen.references or metrics or not human:

        def by_references() -> list[Outside]:
            known = read_references(seen, file) if file else References(seen.references)
            short = {number: words for number, words in known.of.items() if len(words) <= LONGEST_TEXT}
            scores = against_references(seen, short, metrics or METRICS)
            notes = [*known.notes, *_too_long(len(known.of) - len(short)), *misplaced(seen, short)]
            return [replace(score, notes=notes) for score in scores]

        yield by_references
    if human:
        yield lambda: [by_people(seen, human)]


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
