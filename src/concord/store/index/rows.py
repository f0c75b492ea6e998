"""The rows of cases with their rank, by where they stand in the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from concord.store.hashes import half
from concord.store.index.columns import Columns
from concord.store.records import RunRecord
from concord.store.workspace import Workspace

_KEY = "SELECT key FROM cases WHERE run = ? AND position = ? AND repetition = ? AND number = ?"


class Rows:
    """Reads rows; what a run no longer has since it was indexed is passed over."""

    def __init__(self, workspace: Workspace, violated: bool | None) -> None:
        self._workspace = workspace
        self._violated = violated
        self._records: dict[int, RunRecord] = {}
        self._ranks: dict[int, Any] = {}

    def at(self, places: Iterable[tuple[Columns, int]]) -> Iterator[dict[str, Any]]:
        for columns, place in places:
            run = columns.run
            if run not in self._records:
                self._records[run] = self._workspace.run(run)
                self._ranks[run] = columns.ranks(self._violated)
            row = self._workspace.row_at(self._records[run], standing(columns, place))
            if row:
                yield {**row, "rank": int(self._ranks[run][place])}


def standing(columns: Columns, place: int) -> tuple[int, int, int]:
    """Position, repetition and number of a case."""
    position, repetition, number = (int(columns[name][place]) for name in ("position", "repetition", "number"))
    return position, repetition, number


def neighbours(workspace: Workspace, columns: Columns, case: str) -> tuple[int | None, Any, Any]:
    """The rank of a case, and the case, run, repetition and rank of those before and after it."""
    _, places = columns.places(np.array([half(bytes.fromhex(case))], dtype=np.uint64))
    if not len(places):
        return None, None, None
    listed = columns.listed(None)
    place = next((each for each in places.tolist() if listed[each]), int(places[0]))
    ranks = columns.ranks(None)
    others = np.flatnonzero(listed)
    at = int(np.searchsorted(others, place))

    def told(number: int) -> tuple[str, int, int, int] | None:
        if not 0 <= number < len(others):
            return None
        other = int(others[number])
        where = standing(columns, other)
        row = workspace.one(_KEY, (columns.run, *where))
        return (row[0].hex(), columns.run, where[1], int(ranks[other])) if row else None

    return int(ranks[place]), told(at - 1), told(at + 1)
