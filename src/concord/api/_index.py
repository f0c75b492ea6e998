"""Reading the index: for the doors that list findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.labels.labels import Label, Labels
from concord.runs.select import select
from concord.store import RunRecord, Workspace
from concord.store.finding_filter import Wanted
from concord.store.label_rows import outputs_of

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index.columns import Array
    from concord.store.index.reader import Reader

Row = dict[str, Any]
T = TypeVar("T")


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


def labelled(store: Workspace, rows: Iterable[Row]) -> list[Row]:
    """The rows with what was said of these outputs (`labels`) and of others of the case (`other_labels`)."""
    return [{**row, **_said(store, row)} for row in rows]


def _said(store: Workspace, row: Row) -> dict[str, list[Label]]:
    said, outputs = Labels(store).of_case(row["case"]), outputs_of(row)
    return {
        "labels": [each for each in said if each.outputs == outputs],
        "other_labels": [each for each in said if each.outputs != outputs],
    }


def read_index(workspace: str | Path, runs: tuple[int | str, ...], patient: bool, ask: Callable[[Reader], T]) -> T:
    """Ask one state of the index, after bringing the runs up to date as far as there is time."""
    from concord.store.index.reader import read

    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs) if store.runs() else []
        records = [record for record in store.runs() if record.id in chosen]  # one may be discarded meanwhile
        return read(store, records, ask, patient=patient)
