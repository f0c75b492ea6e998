"""One state of a workspace and its index, for the doors that read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.api._runs import select
from concord.errors import UserError
from concord.store import RunRecord, Workspace
from concord.store.labels import Labels
from concord.store.wanted import Wanted

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index import Index
    from concord.store.index.choosing import Ordered
    from concord.store.index.paging import Page

MOST = 1_000
"""So many rows or sentences a page may have, and so many cases of one sentence are shown."""
FILTERS = {"relations": "relation", "systems": "system", "sources": "source", "targets": "target"}
"""The filters that choose among runs, and the columns that they look at."""
Row = dict[str, Any]
T = TypeVar("T")


class Reader:
    """One state of a workspace and its index, and the runs that are looked at."""

    def __init__(self, store: Workspace, index: Index, records: Sequence[RunRecord], as_of: Sequence[int]) -> None:
        from concord.store.index.said import Said

        self.store = store
        self.index = index
        self.records = records
        self.as_of = as_of
        self.said = Said(store)

    def lists(self, wanted: Wanted) -> list[Ordered]:
        """The wanted cases of each run."""
        from concord.store.index.choosing import chosen, ordered

        found = []
        for record in self.records:
            columns = self.index.columns(record.id)
            if columns is not None and all(passes(record, wanted, *each) for each in FILTERS.items()):
                found.append(ordered(columns, wanted, self.said, chosen(columns, wanted, self.said)))
        return found

    def page(self, lists: Sequence[Ordered], wanted: Wanted, after: str, limit: int) -> Page:
        from concord.store.index.paging import page

        if not 1 <= limit <= MOST:
            raise UserError(f"a page has between 1 and {MOST:,} findings, not {limit}")
        return page(lists, wanted, after, limit)

    def labelled(self, rows: Iterator[Row]) -> list[Row]:
        labels = Labels(self.store)
        return [{**row, "labels": labels.of_case(row["case"])} for row in rows]


def passes(record: RunRecord, wanted: Wanted, name: str, column: str) -> bool:
    chosen = getattr(wanted, name)
    return not chosen or getattr(record, column) in chosen


def read_index(workspace: str | Path, runs: tuple[int | str, ...], patient: bool, ask: Callable[[Reader], T]) -> T:
    """Ask one state of the index, after bringing the runs up to date as far as there is time."""
    from concord.store.index import with_index

    with Workspace(workspace, create=False) as store:
        chosen = list(dict.fromkeys(select(store, runs))) if store.runs() else []
        records = [record for record in store.runs() if record.id in chosen]  # one may be discarded meanwhile

        def asked(index: Index) -> T:
            as_of = index.update(chosen, patient=patient)
            with index.reading():
                return ask(Reader(store, index, records, as_of))

        return with_index(store, asked)
