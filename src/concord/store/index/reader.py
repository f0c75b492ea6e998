"""The one way to read findings: one state of a workspace and of its index."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np

from concord.errors import UserError
from concord.plural import plural
from concord.store.finding_filter import Wanted
from concord.store.index.columns import Array, Columns
from concord.store.index.filter import Ordered, chosen, heads, of_sentences, ordered
from concord.store.index.labels import Said
from concord.store.index.pages import CasePage, page
from concord.store.index.rows import Rows
from concord.store.index.update import Index, with_index
from concord.store.index.words import asked
from concord.store.records import RunRecord
from concord.store.workspace import Workspace

FILTERS = {"relations": "relation", "systems": "system", "sources": "source", "targets": "target"}
"""The filters that choose among runs, and the columns that they look at."""
MANY = 50_000
"""Who waits until so many cases are indexed, some seconds, is told."""
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


class Reader:
    """One state of a workspace and its index, and the runs that are looked at."""

    def __init__(self, store: Workspace, index: Index, records: Sequence[RunRecord], as_of: Sequence[int]) -> None:
        self.store = store
        self.index = index
        self.records = records
        self.as_of = as_of
        self.said = Said(store)
        found = [(record, index.columns(record.id)) for record in records]
        self.indexed = [(record, columns) for record, columns in found if columns is not None]

    def of(self, record: RunRecord) -> Reader:
        """The same, where one of the runs is looked at."""
        return Reader(self.store, self.index, [record], self.as_of)

    def lists(self, wanted: Wanted) -> list[Ordered]:
        """The wanted cases of each run."""
        check_words(wanted.text)
        return [
            ordered(columns, wanted, self.said, chosen(columns, wanted, self.said))
            for record, columns in self.indexed
            if can_have(record, wanted)
        ]

    def rows(self, wanted: Wanted, limit: int, after: str = "") -> tuple[CasePage, Iterator[Row]]:
        """A page of the wanted cases and their rows; the most suspicious first, by rank within the run."""
        lists = self.lists(wanted)
        found = page(lists, wanted, after, limit)
        places = ((lists[number].columns, place) for number, place in found.picked)
        return found, Rows(self.store, wanted.violated).at(places)

    def sentences(
        self, wanted: Wanted, limit: int, after: str = "", most: int | None = None
    ) -> tuple[CasePage, Iterator[Row]]:
        """A page of the sentences with wanted cases, and the rows of these, sentence by sentence; at most `most`."""
        lists = self.lists(wanted)
        found = page([heads(each) for each in lists], wanted, after, limit)
        return found, Rows(self.store, wanted.violated).at(_of_sentences(lists, found, most))

    def listed(self, wanted: Wanted) -> Listed:
        """All cases that are wanted, in the order in which their pages have them."""
        lists = self.lists(wanted)
        places = [each.sign * each.places for each in lists]
        run = _joined(np.full(len(each.places), each.columns.run) for each in lists)
        rank = _joined(each.columns.ranks(wanted.violated)[at] for each, at in zip(lists, places, strict=True))
        where = [
            _joined(each.columns[name][at] for each, at in zip(lists, places, strict=True))
            for name in ("position", "repetition", "number")
        ]
        sign = -1 if wanted.reverse else 1
        order = np.lexsort((_joined(each.places for each in lists), sign * run, _joined(each.major for each in lists)))
        records = {record.id: record for record in self.records}
        return Listed(records, run[order], rank[order], np.stack(where, axis=1)[order])

    def errors(self, limit: int) -> tuple[int, list[Row]]:
        """How many rows with an error the runs have, and the first of them."""
        every = [columns for _, columns in self.indexed]
        rows = chain.from_iterable(columns.error_rows() for columns in every)
        return sum(columns.errors for columns in every), list(islice(rows, limit))


def _joined(parts: Iterable[Array]) -> Array:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _of_sentences(lists: Sequence[Ordered], found: CasePage, most: int | None) -> Iterator[tuple[Columns, int]]:
    """Every wanted case of the sentences of a page, in order."""
    positions = [int(lists[number].columns["position"][place]) for number, place in found.picked]
    of_list: dict[int, list[int]] = {}
    for (number, _), position in zip(found.picked, positions, strict=True):
        of_list.setdefault(number, []).append(position)
    cases = {number: of_sentences(lists[number], each, most) for number, each in of_list.items()}
    for (number, _), position in zip(found.picked, positions, strict=True):
        for place in cases[number][position]:
            yield lists[number].columns, place


def check_words(text: str) -> None:
    """Refuse a text that has no word to look for: it would pass every case, as if nothing had been asked."""
    if text.strip() and not any(asked(text)):
        raise UserError(
            f"'{text[:80]}' has no word to look for. Cases are found by their words, the last of which may be just"
            " begun, and not by signs or wildcards. Leave the text out for all cases"
        )


def can_have(record: RunRecord, wanted: Wanted) -> bool:
    """Whether any of what is wanted can be of this run."""
    return all(passes(record, wanted, name) for name in FILTERS)


def passes(record: RunRecord, wanted: Wanted, name: str) -> bool:
    """Whether a run passes the filter of this name."""
    values = getattr(wanted, name)
    return not values or getattr(record, FILTERS[name]) in values


def read(store: Workspace, records: Sequence[RunRecord], ask: Callable[[Reader], T], *, patient: bool = True) -> T:
    """Ask one state of the index, after bringing the runs up to date: all of them or, impatiently, small ones."""
    runs = [record.id for record in records]

    def answer(index: Index) -> T:
        if patient and (cases := index.missing(runs)) > MANY:
            kept = "kept until a run changes" if index.kept else "nothing can be kept beside the workspace"
            logging.getLogger("concord").warning("indexing %s first; %s", plural(cases, "case"), kept)
        as_of = index.update(runs, patient=patient)
        with index.reading():
            return ask(Reader(store, index, records, as_of))

    return with_index(store, answer)
