"""The one way to read findings: one state of a workspace and of its index."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, TypeVar

from concord.errors import UserError
from concord.plural import plural
from concord.store.finding_filter import Wanted
from concord.store.index.columns import Columns
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

    def errors(self, limit: int) -> tuple[int, list[Row]]:
        """How many rows with an error the runs have, and the first of them."""
        every = [columns for _, columns in self.indexed]
        rows = chain.from_iterable(columns.error_rows() for columns in every)
        return sum(columns.errors for columns in every), list(islice(rows, limit))


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
