"""One state of a workspace and its index, for the doors that read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.errors import UserError
from concord.labels.labels import Label, Labels
from concord.runs.select import select
from concord.store import RunRecord, Workspace
from concord.store.finding_filter import Wanted
from concord.store.label_rows import outputs_of

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index import Index
    from concord.store.index.columns import Array
    from concord.store.index.filter import Ordered
    from concord.store.index.pages import CasePage

MOST = 1_000
"""So many rows or sentences a page may have, and so many cases of one sentence are shown."""
FILTERS = {"relations": "relation", "systems": "system", "sources": "source", "targets": "target"}
"""The filters that choose among runs, and the columns that they look at."""
Row = dict[str, Any]
T = TypeVar("T")


class Reader:
    """One state of a workspace and its index, and the runs that are looked at."""

    def __init__(self, store: Workspace, index: Index, records: Sequence[RunRecord], as_of: Sequence[int]) -> None:
        from concord.store.index.labels import Said

        self.store = store
        self.index = index
        self.records = records
        self.as_of = as_of
        self.said = Said(store)

    def lists(self, wanted: Wanted) -> list[Ordered]:
        """The wanted cases of each run."""
        from concord.store.index.filter import chosen, ordered

        check_words(wanted.text)
        found = []
        for record in self.records:
            columns = self.index.columns(record.id)
            if columns is not None and all(passes(record, wanted, *each) for each in FILTERS.items()):
                found.append(ordered(columns, wanted, self.said, chosen(columns, wanted, self.said)))
        return found

    def page(self, lists: Sequence[Ordered], wanted: Wanted, after: str, limit: int) -> CasePage:
        from concord.store.index.pages import page

        if not 1 <= limit <= MOST:
            raise UserError(f"a page has between 1 and {MOST:,} findings, not {limit}")
        return page(lists, wanted, after, limit)

    def labelled(self, rows: Iterator[Row]) -> list[Row]:
        """The rows with what was said of these outputs (`labels`) and of others of the case (`other_labels`)."""
        return [{**row, **_said(self.store, row)} for row in rows]


@dataclass(frozen=True, slots=True)
class Listed:
    """The cases of a list in its order, as arrays: a few bytes each, however long their texts are."""

    records: Mapping[int, RunRecord]
    run: Array
    rank: Array
    where: Array

    def rows(self, store: Workspace) -> Iterator[Row]:
        """The rows one after the other; what a run no longer has is passed over."""
        for run, rank, where in zip(self.run, self.rank, self.where, strict=True):
            row = store.row_at(self.records[int(run)], where.tolist())
            if row:
                yield {**row, "rank": int(rank)}


def listed(workspace: str | Path, wanted: Wanted) -> Listed:
    """All cases that are wanted, in the order in which their pages have them."""
    import numpy as np

    def ask(reader: Reader) -> Listed:
        lists = reader.lists(wanted)
        places = [each.sign * each.places for each in lists]
        run = _joined(np.full(len(each.places), each.columns.run) for each in lists)
        rank = _joined(each.columns.ranks(wanted.violated)[at] for each, at in zip(lists, places, strict=True))
        where = [
            _joined(each.columns[name][at] for each, at in zip(lists, places, strict=True))
            for name in ("position", "repetition", "number")
        ]
        sign = -1 if wanted.reverse else 1
        order = np.lexsort((_joined(each.places for each in lists), sign * run, _joined(each.major for each in lists)))
        records = {record.id: record for record in reader.records}
        return Listed(records, run[order], rank[order], np.stack(where, axis=1)[order])

    return read_index(workspace, wanted.runs, True, ask)


def _joined(parts: Iterable[Array]) -> Array:
    import numpy as np

    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _said(store: Workspace, row: Row) -> dict[str, list[Label]]:
    said, outputs = Labels(store).of_case(row["case"]), outputs_of(row)
    return {
        "labels": [each for each in said if each.outputs == outputs],
        "other_labels": [each for each in said if each.outputs != outputs],
    }


def check_words(text: str) -> None:
    """Refuse a text that has no word to look for: it would pass every case, as if nothing had been asked."""
    from concord.store.index.words import asked

    if text.strip() and not any(asked(text)):
        raise UserError(
            f"'{text[:80]}' has no word to look for. Cases are found by their words, the last of which may be just"
            " begun, and not by signs or wildcards. Leave the text out for all cases"
        )


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
