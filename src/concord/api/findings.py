"""Cases, findings and problems of a workspace, filtered and in pages: quick however many cases there are.

They are read from an index beside the workspace. The functions bring it up to date, except for runs with thousands of
new cases, for which a page would have to wait: those are shown as they were last indexed, and `as_of` names them until
`update_index` has been called. With `patient=True` a function waits instead.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from concord.api._index import Row, read_index
from concord.errors import UserError, command
from concord.labels.labels import Label, labelled
from concord.store import RunRecord, Workspace
from concord.store.damage import Shape, printable, sound
from concord.store.finding_filter import LABELS as LABELS  # the page offers these
from concord.store.finding_filter import SORTS as SORTS
from concord.store.finding_filter import Filter
from concord.store.findings import Problem, TranslationFinding, WrongWord
from concord.store.index import with_index
from concord.store.index.filter import counted
from concord.store.index.finding_reader import read_findings, read_problems
from concord.store.index.pages import CasePage
from concord.store.index.reader import FILTERS, Neighbour, Reader, check_words, passes
from concord.store.queries import flagged_sql
from concord.views.reason import reason_text

_OCCURRENCE = Shape(run=int, position=int, repetition=int, number=int, suspicion=float, threshold=float, flagged=int)
ANY = Filter()
G = TypeVar("G", TranslationFinding, Problem)
_COUNTED = ("domains", "labels", "annotators")
MOST = 1_000
"""The most rows, findings or problems of a page."""
_DIGITS = 10
ROWS = 20
"""The most rows of one finding."""


@dataclass(frozen=True, slots=True)
class FindingsPage:
    """A page of cases, findings or problems: rows with their `rank`, `labels` and `other_labels`, or groups of such.

    `next` and `previous` are values for `after`; they are empty where there is no such page. `before` and `total` count
    what is listed. `as_of` are the runs that have changed since they were indexed.
    """

    next: str
    previous: str
    before: int
    total: int
    as_of: Sequence[int]
    rows: Sequence[Row] = ()
    findings: Sequence[TranslationFinding] = ()
    problems: Sequence[Problem] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A check that gave a case, and its result."""

    run: int
    position: int
    repetition: int
    number: int
    suspicion: float
    threshold: float
    flagged: int


@dataclass(frozen=True, slots=True)
class FoundCase:
    """One case: its row, its labels, its other occurrences, and its neighbours by rank.

    `labels` judge the outputs of this row, and `other_labels` other outputs that the case has, or had, elsewhere.
    The row's `rank` counts all cases of the run; it is None while the run is not indexed.
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
    """By the name of each filter, its possible values with the number of cases that each would give."""

    choices: dict[str, dict[str, int]] = field(default_factory=dict)
    total: int = 0
    as_of: Sequence[int] = ()


def cases(
    workspace: str | Path, filters: Filter = ANY, *, after: str = "", limit: int = 20, patient: bool = False
) -> FindingsPage:
    """A page of the cases that pass the filters."""

    def ask(reader: Reader) -> FindingsPage:
        page, rows = reader.rows(filters, limit, after)
        return _page(reader, page, rows=labelled(reader.store, rows))

    return _read(workspace, filters, limit, ask, patient=patient)


def findings(workspace: str | Path, filters: Filter = ANY, *, after: str = "", limit: int = 20) -> FindingsPage:
    """A page of the findings that have a flagged case which passes the filters, with at most `ROWS` such cases each."""

    def ask(reader: Reader) -> FindingsPage:
        page, found = read_findings(reader, filters, limit, after, ROWS)
        return _page(reader, page, findings=with_labels(reader.store, found))

    return _read(workspace, filters, limit, ask)


def problems(workspace: str | Path, filters: Filter = ANY, *, after: str = "", limit: int = 20) -> FindingsPage:
    """A page of the problems of such findings, those first that touch the most sentences."""
    if after and not (after.isdecimal() and len(after) < _DIGITS):
        raise UserError("this is not the address of a page of problems; begin with the first page")
    start = int(after or "0")

    def ask(reader: Reader) -> FindingsPage:
        total, found = read_problems(reader, filters, limit, start)
        following = str(start + limit) if start + limit < total else ""
        previous = str(max(0, start - limit)) if start else ""
        return FindingsPage(following, previous, start, total, reader.as_of, problems=with_labels(reader.store, found))

    return _read(workspace, filters, limit, ask)


def with_labels(store: Workspace, groups: Sequence[G]) -> list[G]:
    """Findings or problems whose rows have their labels."""
    return [replace(group, rows=labelled(store, group.rows)) for group in groups]


def plain_row(row: Mapping[str, Any]) -> Row:
    """A row with its reason, and with its labels as JSON objects; an error row has neither."""
    reason = {"reason": reason_text(row)} if "case" in row else {}
    labels = {name: list(map(asdict, row[name])) for name in ("labels", "other_labels") if name in row}
    return {**row, **reason, **labels}


def plain_group(group: TranslationFinding | Problem) -> Row:
    """A finding or a problem with the reason of its example, and the parts of what is wrong."""
    wrong = (group.wrong or WrongWord("", "", ""))._asdict()
    facts = {field.name: getattr(group, field.name) for field in fields(group) if field.name not in ("wrong", "rows")}
    if isinstance(group, TranslationFinding):
        facts["translations"] = [translation._asdict() for translation in group.translations]
    return {"reason": reason_text(group.rows[0]), **wrong, **facts, "rows": list(map(plain_row, group.rows))}


def _page(reader: Reader, page: CasePage, **listed: Any) -> FindingsPage:
    return FindingsPage(page.next, page.previous, page.before, page.total, reader.as_of, **listed)


def _read(
    workspace: str | Path, filters: Filter, limit: int, ask: Callable[[Reader], FindingsPage], *, patient: bool = False
) -> FindingsPage:
    if not 1 <= limit <= MOST:
        raise UserError(f"a page has between 1 and {MOST:,} entries, not {limit}")
    return read_index(workspace, filters.runs, patient, ask)


def case(workspace: str | Path, key: str, *, run: int | None = None, repetition: int | None = None) -> FoundCase:
    """One case by its key, in the latest run that has it, or in the given run."""
    with Workspace(workspace, create=False) as store:
        occurrences = _occurrences(store, key)
        matching = [
            occurrence
            for occurrence in occurrences
            if run in (None, occurrence.run) and repetition in (None, occurrence.repetition)
        ]
        if not matching:
            where = "" if run is None else f" in run {run}"
            where += "" if repetition is None else f", repetition {repetition}"
            runs = ", ".join(dict.fromkeys(str(occurrence.run) for occurrence in occurrences)) or "none"
            raise UserError(f"there is no case '{key[:80]}'{where}. Runs that have it: {runs}")
    first = matching[0]
    return read_index(workspace, (first.run,), False, lambda reader: _found_case(reader, key, first, occurrences))


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
    rows = store.many(query, (key,))
    return list(sound(rows, _OCCURRENCE, Occurrence, lambda row: f"case {case} of run {printable(row[0])}"))


def _found_case(reader: Reader, case: str, first: Occurrence, occurrences: Sequence[Occurrence]) -> FoundCase:
    row = reader.store.row_at(first.run, (first.position, first.repetition, first.number))
    if row is None:
        raise UserError(
            f"the case '{case}' is damaged in run {first.run}, or no longer in it, if the run has changed just now."
            f" Look again, or at every row of the run: {command(f'export {first.run}', reader.store.path)}"
        )
    (row,) = labelled(reader.store, [row])
    rank, before, after = reader.neighbours(case)
    return FoundCase(
        {**row, "rank": rank},
        reader.store.run(first.run),
        row["labels"],
        row["other_labels"],
        occurrences,
        before,
        after,
        reader.as_of,
    )


def facets(workspace: str | Path, filters: Filter = ANY, *, patient: bool = False) -> Facets:
    """The possible values of each filter while the others stay, with the number of cases of each."""
    return read_index(workspace, filters.runs, patient, lambda reader: _facets(reader, filters))


def _facets(reader: Reader, filters: Filter) -> Facets:
    check_words(filters.text)
    choices: dict[str, dict[str, int]] = {name: {} for name in ("runs", *FILTERS, *_COUNTED)}
    choices["labels"] = dict.fromkeys(LABELS, 0)
    total = 0
    for record, columns in reader.indexed:
        failing = [name for name in FILTERS if not passes(record, filters, name)]
        if len(failing) > 1:
            continue
        count = counted(columns, filters, reader.labels, whole=not failing)
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
    """By run and domain, the numbers of checks, checks without a case, cases, flagged cases and errors."""
    return read_index(
        workspace, tuple(runs), patient, lambda reader: {run.id: columns.counts for run, columns in reader.indexed}
    )


def update_index(workspace: str | Path) -> None:
    """Index every run that has changed, however long it takes; for a background process of the server."""
    with Workspace(workspace, create=False) as store:
        with_index(store, lambda index: index.update())
