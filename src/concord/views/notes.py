"""What a summary says besides its table: answers that are no translations, and notes, one line of each kind."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from concord.language.codes import direction
from concord.language.sanity import SANE
from concord.plural import plural
from concord.runs.summary import Summary
from concord.views.wording import run_numbers

T = TypeVar("T")
MOST = 20
"""The most kinds of notes that are told apart."""
LISTED = 12
MOST_REASONS = 3
LONGEST = 400
ALIKE = 0.75
"""The share of words in which two notes agree if they are of one kind."""
_NUMBER = re.compile(r"(?<![\w#.-])\d")  # not the digits of a version or of a name
FURTHER = "further notes, which --json lists"
FAILURES = {
    "copy": "copied",
    "language": "wrong language",
    "wordless": "without a letter",
    "repeated": "the same for different texts",
    "length": "out of proportion",
    "encoding": "broken characters",
    "broken": "broken output",
}
"""What people call the kinds of failures that need more than their name."""


def failed_answers(summaries: Sequence[Summary]) -> list[str]:
    """A line for each run of `sane` with an answer that is no translation."""
    return [_failed(summary) for summary in summaries if summary.run.relation == SANE and summary.flagged]


def _failed(summary: Summary) -> str:
    run, is_one = summary.run, summary.flagged == 1
    kinds = [f"{count:,} {FAILURES.get(kind, kind)}" for kind, count in summary.failures.items()]
    return (
        f"{run.system} {direction(run.source, run.target)}: {summary.flagged:,} of {plural(summary.cases, 'answer')}"
        f" {'is no translation' if is_one else 'are no translations'} ({_listed(kinds)}). Other relations do not judge"
        f" {'it' if is_one else 'them'}."
    )


def notes(summaries: Sequence[Summary], more: Iterable[str] = ()) -> list[str]:
    """The notes of all runs, one line of each kind; `more` are notes that name their runs themselves."""
    of_runs = merged((note, summary) for summary in summaries for note in summary.notes)
    named = [_names(owners, summaries) + note for note, owners in of_runs]
    return [*_gaps(summaries), *named, *(note for note, _ in merged((note, None) for note in more))]


def _gaps(summaries: Sequence[Summary]) -> Iterator[str]:
    """What runs have not done: finished, found something to test, or judged it."""
    unfinished = [summary.run.id for summary in summaries if not summary.run.finished]
    if unfinished:
        yield f"not finished: run {run_numbers(unfinished)}; run the same command again to continue"
    bare = [summary for summary in summaries if summary.bare and summary.run.finished]
    if bare:
        yield f"checks without a case, because there was nothing to test: {_bare(bare)}"
    if count := sum(summary.not_judged for summary in summaries):
        failing = "whose answer is no translation or whose text is too long (show --errors)"
        yield f"not judged: {plural(count, 'check')} {failing}"


def _bare(summaries: Sequence[Summary]) -> str:
    """How many checks gave no case: `sit 18 of 40, cat 7`."""
    parts, before = [], ""
    for relation in dict.fromkeys(summary.run.relation for summary in summaries):
        same = [summary for summary in summaries if summary.run.relation == relation]
        checks = f" of {_span([summary.checks for summary in same])}"
        bare = f"{relation} {_span([summary.bare for summary in same])}{checks if checks != before else ''}"
        parts.append(bare + _reasons(same))
        before = checks
    return _listed(parts)


def _reasons(summaries: Sequence[Summary]) -> str:
    """Why checks gave no case, the most frequent reason first: ` (121 no word with a substitute, 25 no noun)`."""
    reasons = {reason for summary in summaries for reason in summary.untested if reason}
    counts = {reason: [summary.untested.get(reason, 0) for summary in summaries] for reason in sorted(reasons)}
    frequent = sorted(counts, key=lambda reason: -max(counts[reason]))[:MOST_REASONS]
    if len(frequent) == 1 and counts[frequent[0]] == [summary.bare for summary in summaries]:
        return f" ({frequent[0]})"
    return f" ({', '.join(f'{_span(counts[reason])} {reason}' for reason in frequent)})" if frequent else ""


def _span(counts: Sequence[int]) -> str:
    return "–".join(f"{count:,}" for count in sorted({min(counts), max(counts)}))


def _names(owners: Sequence[Summary], summaries: Sequence[Summary]) -> str:
    """The runs that a note is about: nothing if it is about all."""
    runs = {summary.run.id: summary.run.relation for summary in owners}
    if len(runs) == len(summaries):
        return ""
    which = f"run{'s' if len(runs) > 1 else ''} {run_numbers(list(runs))}"
    return f"{_listed(list(dict.fromkeys(runs.values())))}, {which}: "


# -- notes of one kind -------------------------------------------------------------------------------


def merged(notes: Iterable[tuple[str, T]]) -> list[tuple[str, list[T]]]:
    """Notes with their owners; those that differ in few words are one, which lists these words.

    >>> merged([("no parser for 'es'", 1), ("no parser for 'ca'", 2), ("no pivot", 3)])
    [("no parser for 'es' and 'ca'", [1, 2]), ('no pivot', [3])]
    """
    kinds: list[tuple[list[dict[str, None]], list[T]]] = []
    for note, owner in notes:
        words = (note if len(note) <= LONGEST else f"{note[:LONGEST]}…").split(" ")
        words = words if len(kinds) < MOST or any(_alike(places, words) for places, _ in kinds) else FURTHER.split(" ")
        kind = next((kind for kind in kinds if _alike(kind[0], words)), None)
        if kind is None:
            kind = [{} for _ in words], []
            kinds.append(kind)
        for place, word in zip(kind[0], words, strict=True):
            place[word] = None
        kind[1].append(owner)
    return [(_sentence(places), owners) for places, owners in kinds]


def _alike(places: Sequence[dict[str, None]], words: Sequence[str]) -> bool:
    differing = [(word, *place) for place, word in zip(places, words, strict=False) if word not in place]
    if any(_NUMBER.search(word) for choices in differing for word in choices):
        return False  # numbers that belong together would be torn apart
    same = sum(word in place for place, word in zip(places, words, strict=False))
    return len(places) == len(words) and same >= ALIKE * len(words)


def _sentence(places: Sequence[dict[str, None]]) -> str:
    before = [{"": None}, *places]
    return " ".join(_choices(list(place), "install" in last) for last, place in zip(before, places, strict=False))


def _choices(words: list[str], in_command: bool) -> str:
    """The words that stand in one place; those of a command can be copied with it."""
    if in_command:
        return " ".join(words[:LISTED])
    bare = [word.rstrip(".,:;") for word in words]
    return _listed(bare) + words[-1][len(bare[-1]) :]


def _listed(words: Sequence[str]) -> str:
    """Words with commas and an `and`; of many, the first and how many more."""
    kept = words if len(words) <= LISTED else [*words[: LISTED - 1], f"{len(words) - LISTED + 1:,} more"]
    return " and ".join(filter(None, [", ".join(kept[:-1]), *kept[-1:]]))
