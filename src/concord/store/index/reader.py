"""Reading cases from one state of a workspace and of its index."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np

from concord.errors import UserError
from concord.plural import plural
from concord.store.case_keys import key_number
from concord.store.finding_filter import Filter
from concord.store.index.columns import LOCATION, Array, Columns
from concord.store.index.filter import Ordered, ordered, passing_all
from concord.store.index.groups import joined
from concord.store.index.index import Index, with_index
from concord.store.index.labels import LabelStates
from concord.store.index.pages import CasePage, page
from concord.store.index.words import search_terms
from concord.store.records import RunRecord
from concord.store.workspace import Workspace

FILTERS = {"relations": "relation", "systems": "system", "sources": "source", "targets": "target"}
"""The filters that select runs, and the fields of `RunRecord` that they compare."""
MANY = 50_000
"""If more cases are to be indexed, which takes seconds, a message says so."""
_KEY = "SELECT key FROM cases WHERE run = ? AND position = ? AND repetition = ? AND number = ?"
Row = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CaseList:
    """Cases in the order of their list, as arrays: a few bytes each, however long their texts are."""

    records: Mapping[int, RunRecord]
    run: Array
    rank: Array
    location: Array

    def rows(self, store: Workspace) -> Iterator[Row]:
        """The rows one after the other; a case that its run no longer has is skipped."""
        for run, rank, location in zip(self.run, self.rank, self.location, strict=True):
            row = store.row_at(self.records[int(run)], location.tolist())
            if row:
                yield {**row, "rank": int(rank)}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The case before or after another one by rank in the same run."""

    case: str
    run: int
    repetition: int
    rank: int


class Reader:
    """Some runs in one state of a workspace and its index. `as_of` are runs that changed after they were indexed."""

    def __init__(self, store: Workspace, index: Index, records: Sequence[RunRecord], as_of: Sequence[int]) -> None:
        self.store = store
        self.index = index
        self.records = records
        self.as_of = as_of
        self.labels = LabelStates(store)
        pairs = [(record, index.columns(record.id)) for record in records]
        self.indexed = [(record, columns) for record, columns in pairs if columns is not None]

    def for_run(self, record: RunRecord) -> "Reader":
        """A reader of one of the runs, in the same state."""
        return Reader(self.store, self.index, [record], self.as_of)

    def lists(self, filters: Filter) -> list[Ordered]:
        """The cases of each run that pass the filters, sorted."""
        check_words(filters.text)
        return [
            ordered(columns, filters, self.labels, passing_all(columns, filters, self.labels))
            for record, columns in self.indexed
            if can_have(record, filters)
        ]

    def rows(self, filters: Filter, limit: int, after: str = "") -> tuple[CasePage, Iterator[Row]]:
        """A page of the cases that pass the filters, and their rows."""
        lists = self.lists(filters)
        case_page = page(lists, filters, after, limit)
        cases = ((lists[number].columns, case) for number, case in case_page.picked)
        return case_page, self.rows_of(cases, filters.flagged)

    def rows_of(self, cases: Iterable[tuple[Columns, int]], flagged: bool | None) -> Iterator[Row]:
        """The rows of cases with their rank; a case that its run no longer has is skipped."""
        records = {record.id: record for record in self.records}
        for columns, case in cases:
            row = self.store.row_at(records[columns.run], columns.location(case))
            if row:
                yield {**row, "rank": int(columns.ranks(flagged)[case])}

    def listed(self, filters: Filter) -> CaseList:
        """All cases that pass the filters, in the order of their pages."""
        lists = self.lists(filters)
        pairs = [(ordered.columns, ordered.sign * ordered.cases) for ordered in lists]
        run = joined(np.full(len(cases), columns.run) for columns, cases in pairs)
        rank = joined(columns.ranks(filters.flagged)[cases] for columns, cases in pairs)
        location = [joined(columns[name][cases] for columns, cases in pairs) for name in LOCATION]
        sign = -1 if filters.reverse else 1
        major = joined(ordered.major for ordered in lists)
        order = np.lexsort((joined(ordered.cases for ordered in lists), sign * run, major))
        records = {record.id: record for record in self.records}
        return CaseList(records, run[order], rank[order], np.stack(location, axis=1)[order])

    def neighbours(self, key: str) -> tuple[int | None, Neighbour | None, Neighbour | None]:
        """The rank of a case in the one run of this reader, and the cases before and after it."""
        for _, columns in self.indexed:
            _, cases = columns.find_keys(np.array([key_number(bytes.fromhex(key))], dtype=np.uint64))
            if len(cases):
                listed = columns.listed(None)
                case = next((case for case in cases.tolist() if listed[case]), int(cases[0]))
                by_rank = np.flatnonzero(listed)
                number = int(np.searchsorted(by_rank, case))
                before, after = (self._neighbour(columns, by_rank, near) for near in (number - 1, number + 1))
                return int(columns.ranks(None)[case]), before, after
        return None, None, None

    def _neighbour(self, columns: Columns, by_rank: Array, number: int) -> Neighbour | None:
        if not 0 <= number < len(by_rank):
            return None
        case = int(by_rank[number])
        location = columns.location(case)
        row = self.store.first(_KEY, (columns.run, *location))
        return Neighbour(row[0].hex(), columns.run, location[1], int(columns.ranks(None)[case])) if row else None

    def errors(self, limit: int) -> tuple[int, list[Row]]:
        """How many rows with an error the runs have, and the first of them."""
        rows = chain.from_iterable(columns.error_rows() for _, columns in self.indexed)
        return sum(columns.errors for _, columns in self.indexed), list(islice(rows, limit))


def check_words(text: str) -> None:
    """Refuse a search without words: every case would pass it, as if there were no search."""
    if text.strip() and not any(search_terms(text)):
        raise UserError(
            f"'{text[:80]}' has no word to look for. Cases are found by their words, the last of which may be just"
            " begun, and not by signs or wildcards. Leave the text out for all cases"
        )


def can_have(record: RunRecord, filters: Filter) -> bool:
    """Whether a run passes all filters of runs."""
    return all(passes(record, filters, name) for name in FILTERS)


def passes(record: RunRecord, filters: Filter, name: str) -> bool:
    """Whether a run passes the filter of this name."""
    values = getattr(filters, name)
    return not values or getattr(record, FILTERS[name]) in values


def read(store: Workspace, records: Sequence[RunRecord], ask: Callable[[Reader], T], *, patient: bool = True) -> T:
    """Call `ask` with a reader, after indexing the runs that have changed: all or, without patience, small ones."""
    runs = [record.id for record in records]

    def answer(index: Index) -> T:
        if patient and (cases := index.missing(runs)) > MANY:
            lifetime = "kept until a run changes" if index.persistent else "nothing can be kept beside the workspace"
            logging.getLogger("concord").warning("indexing %s first; %s", plural(cases, "case"), lifetime)
        as_of = index.update(runs, patient=patient)
        with index.reading():
            return ask(Reader(store, index, records, as_of))

    return with_index(store, answer)
