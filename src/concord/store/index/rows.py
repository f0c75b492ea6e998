"""The neighbours of a case by rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from concord.store.hashes import key_number
from concord.store.index.columns import Columns
from concord.store.workspace import Workspace

_KEY = "SELECT key FROM cases WHERE run = ? AND position = ? AND repetition = ? AND number = ?"


def neighbours(workspace: Workspace, columns: Columns, key: str) -> tuple[int | None, Any, Any]:
    """The rank of a case, and the case, run, repetition and rank of those before and after it."""
    _, cases = columns.find_keys(np.array([key_number(bytes.fromhex(key))], dtype=np.uint64))
    if not len(cases):
        return None, None, None
    listed = columns.listed(None)
    case = next((case for case in cases.tolist() if listed[case]), int(cases[0]))
    ranks = columns.ranks(None)
    by_rank = np.flatnonzero(listed)
    middle = int(np.searchsorted(by_rank, case))

    def neighbour(number: int) -> tuple[str, int, int, int] | None:
        if not 0 <= number < len(by_rank):
            return None
        near = int(by_rank[number])
        location = columns.location(near)
        row = workspace.first(_KEY, (columns.run, *location))
        return (row[0].hex(), columns.run, location[1], int(ranks[near])) if row else None

    return int(ranks[case]), neighbour(middle - 1), neighbour(middle + 1)
