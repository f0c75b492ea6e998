"""Findings of a workspace, filtered and in pages: quick however many cases there are.

They are read from an index beside the workspace. It is brought up to date here, but a page is not kept waiting for
runs with thousands of new cases: those are shown as they were indexed last, and `as_of` names them until
`update_index` has been called. With `patient=True` a function waits instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.analyses.case_groups import Group, by_segment, by_translation
from concord.api._index import Row, read_index
from concord.errors import UserError, command
from concord.labels.labels import Label, labelled
from concord.store import RunRecord, Workspace
from concord.store.damage import Shape, shown, sound
from concord.store.finding_filter import LABELS, Wanted
from concord.store.queries import flagged_sql

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index.pages import CasePage
    from concord.store.index.reader import Reader

_OCCURRENCE = Shape(run=int, position=int, repetition=int, number=int, suspicion=float, threshold=float, violated=int)
_COUNTED = ("domains", "labels", "annotators")
MOST = 1_000
"""So many rows or sentences a page may have, and so many cases of one sentence are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paged:
    """Where a page stands among the others.

    `next` and `previous` are to be given as `after`; they are empty where there is no such page. `before` and `total`
    count findings or, of groups, sentences. `as_of` are the runs that have changed since they were indexed.
    """

    next: str = ""
    previous: str = ""
    before: int = 0
    total: int = 0
    as_of: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class FindingsPage(Paged):
    """A page of findings: rows with their `rank`, `labels` and `other_labels`."""

    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class GroupsPage(Paged):
    """A page of groups of findings."""

    groups: Sequence[Group]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a case was checked, and with what result."""

    run: int
    position: int
    repetition: int
    number: int
    suspicion: float
    threshold: float
    violated: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The case before or after another one by rank in the same run."""

    case: str
    run: int
    repetition: int
    rank: int


@dataclass(frozen=True, slots=True)
class FoundCase:
    """One case: its row, all that was said of it, where else it occurs, and its neighbours by rank.

    `labels` are of the outputs of this row, and `other_labels` of other outputs that the case has, or had, elsewhere.
    The row's `rank` is that among all cases of the run, or None while the run is not indexed.
    """

    row: Row
    record: RunRecord
    labels: Sequence[Label]
    other_labels: Sequence[Label]
    occurrences: Sequence[Occurrence]
    previous: Neighbour | None = None
    next: Neighbour | None = None
    as_of: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Facets:
    """What each filter could be set to, with the number of findings that there would be, by the filter's name."""

    choices: dict[str, dict[str, int]] = field(default_factory=dict)
    total: int = 0
    as_of: Sequence[int] = ()


def findings(
    workspace: str | Path, wanted: Wanted | None = None, *, after: str = "", limit: int = 20, patient: bool = False
) -> FindingsPage:
    """A page of the findings that are wanted."""
    asked = wanted or Wanted()
    _check_limit(limit)

    def ask(reader: Reader) -> FindingsPage:
        page, rows = reader.rows(asked, limit, after)
        return FindingsPage(labelled(reader.store, rows), **_place(page, reader))

    return read_index(workspace, asked.runs, patient, ask)


def sentences(
    workspace: str | Path, wanted: Wanted | None = None, after: str = "", limit: int = 20, *, patient: bool = False
) -> GroupsPage:
    """A page of the sentences that have wanted findings, each with these."""
    return _groups(workspace, wanted or Wanted(), (after, limit, patient), by_segment)


def translations(
    workspace: str | Path, wanted: Wanted | None = None, after: str = "", limit: int = 20, *, patient: bool = False
) -> GroupsPage:
    """The wanted findings of a page of sentences by the translation behind them; see `concord.analyses.case_groups`.

    The groups of a sentence stay together, so a page has more groups than sentences.
    """
    return _groups(workspace, wanted or Wanted(), (after, limit, patient), by_translation)


def _groups(
    workspace: str | Path,
    wanted: Wanted,
    asked: tuple[str, int, bool],
    grouped: Callable[[Sequence[Row]], Sequence[Group]],
) -> GroupsPage:
    after, limit, patient = asked
    _check_limit(limit)

    def ask(reader: Reader) -> GroupsPage:
        page, rows = reader.sentences(wanted, limit, after, MOST)
        return GroupsPage(grouped(labelled(reader.store, rows)), **_place(page, reader))

    return read_index(workspace, wanted.runs, patient, ask)


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MOST:
        raise UserError(f"a page has between 1 and {MOST:,} findings, not {limit}")


def _place(page: CasePage, reader: Reader) -> dict[str, Any]:
    """What `Paged` tells of a page."""
    told = {name: getattr(page, name) for name in ("next", "previous", "before", "total")}
    return {**told, "as_of": reader.as_of}


def finding(
    workspace: str | Path, case: str, *, run: int | None = None, repetition: int | None = None, patient: bool = False
) -> FoundCase:
    """One case by its key, in the latest run that has it unless another is named."""
    with Workspace(workspace, create=False) as store:
        occurrences = _occurrences(store, case)
        here = [
            occurrence
            for occurrence in occurrences
            if run in (None, occurrence.run) and repetition in (None, occurrence.repetition)
        ]
        if not here:
            where = "" if run is None else f" in run {run}"
            where += "" if repetition is None else f", repetition {repetition}"
            others = ", ".join(dict.fromkeys(str(occurrence.run) for occurrence in occurrences)) or "none"
            raise UserError(f"there is no case '{case[:80]}'{where}. Runs that have it: {others}")
        chosen = here[0]

    def ask(reader: Reader) -> FoundCase:
        return _found(reader, case, chosen, occurrences)

    return read_index(workspace, (chosen.run,), patient, ask)


def _occurrences(store: Workspace, case: str) -> list[Occurrence]:
    try:
        key = bytes.fromhex(case)
    except ValueError:
        return []
    query = (
        f"SELECT run, position, repetition, number, suspicion, threshold, {flagged_sql(store.runs())}"
        " FROM cases WHERE key = ?"
        f" ORDER BY run DESC, position, repetition, number LIMIT {MOST}"
    )
    found = store.many(query, (key,))
    return list(sound(found, _OCCURRENCE, Occurrence, lambda row: f"case {case} of run {shown(row[0])}"))


def _found(reader: Reader, case: str, chosen: Occurrence, occurrences: Sequence[Occurrence]) -> FoundCase:
    from concord.store.index.rows import neighbours

    row = reader.store.row_at(chosen.run, (chosen.position, chosen.repetition, chosen.number))
    if row is None:
        raise UserError(
            f"the case '{case}' is damaged in run {chosen.run}, or no longer in it, if the run has changed just now."
            f" Look again, or at every row of the run: {command(f'export {chosen.run}', reader.store.path)}"
        )
    (row,) = labelled(reader.store, [row])
    columns = next((columns for _, columns in reader.indexed), None)
    rank, before, after = (None, None, None) if columns is None else neighbours(reader.store, columns, case)
    return FoundCase(
        {**row, "rank": rank},
        reader.store.run(chosen.run),
        row["labels"],
        row["other_labels"],
        occurrences,
        None if before is None else Neighbour(*before),
        None if after is None else Neighbour(*after),
        reader.as_of,
    )


def facets(workspace: str | Path, wanted: Wanted | None = None, *, patient: bool = False) -> Facets:
    """What each filter could be set to while the others stay: choices with the number of findings."""
    asked = wanted or Wanted()
    return read_index(workspace, asked.runs, patient, lambda reader: _facets(reader, asked))


def _facets(reader: Reader, wanted: Wanted) -> Facets:
    from concord.store.index.facets import counted
    from concord.store.index.reader import FILTERS, check_words, passes

    check_words(wanted.text)
    choices: dict[str, dict[str, int]] = {name: {} for name in ("runs", *FILTERS, *_COUNTED)}
    choices["labels"] = dict.fromkeys(LABELS, 0)
    total = 0
    for record, columns in reader.indexed:
        failing = [name for name in FILTERS if not passes(record, wanted, name)]
        if len(failing) > 1:
            continue
        count = counted(columns, wanted, reader.said, whole=not failing)
        values = {"runs": str(record.id), **{name: getattr(record, column) for name, column in FILTERS.items()}}
        for name in failing or values:
            choices[name][values[name]] = choices[name].get(values[name], 0) + count.total
        if not failing:
            total += count.total
            for name in _COUNTED:
                for value, number in getattr(count, name).items():
                    choices[name][value] = choices[name].get(value, 0) + number
    return Facets(choices, total, reader.as_of)


def counts(
    workspace: str | Path, runs: Sequence[int] = (), *, patient: bool = False
) -> dict[int, dict[str, dict[str, int]]]:
    """For each run and domain the checks, those without a case, the cases, the violated ones and the errors."""

    def ask(reader: Reader) -> dict[int, dict[str, dict[str, int]]]:
        return {record.id: columns.counts for record, columns in reader.indexed}

    return read_index(workspace, tuple(runs), patient, ask)


def update_index(workspace: str | Path, runs: Sequence[int] | None = None) -> None:
    """Index every run that has changed, however long it takes; for the background of a server."""
    from concord.store.index import with_index

    with Workspace(workspace, create=False) as store:
        with_index(store, lambda index: index.update(runs))
