"""The cases of one run as columns in the order of rank, each read when it is first asked for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.store.index.blobs import get_blob
from concord.store.index.location import Damaged
from concord.store.index.words import rows_with

FACTS = "facts"
"""What is said of a whole run: its `rows` and `errors` by number, its `domains`, `counts` by domain, and `parts`."""
COUNTS = ("checks", "bare", "cases", "violated", "errors")
ERRORS = 100
"""So many rows with an error stand in a piece of their list."""
FIRST, BAD, HIT = 1, 2, 4
"""Flags: the first occurrence of its case; violated; the first violated occurrence of its case."""
DTYPES = {
    "position": "i8", "repetition": "i4", "number": "i4", "suspicion": "f8", "threshold": "f8", "domain": "i4",
    "flags": "u1", "outputs": "u8", "row": "u4", "by_position": "u4", "by_key": "u4", "keys": "u8",
    "judged": "i8", "judged_violated": "u1",
}  # fmt: skip
"""`row` counts a run's cases in corpus order; `by_position` and `by_key` are places, and `keys` go with `by_key`.

`judged` has an entry for each part of a sentence that has a case (`PARTED` times the part's number, and the position).
"""
PARTED = 1 << 31
Array = NDArray[Any]
Booleans = NDArray[np.bool_]


class Columns:
    """A case's place counts from 0 by falling suspicion; its rank also depends on which cases are listed."""

    def __init__(self, db: sqlite3.Connection, run: int, stamp: str) -> None:
        self._db = db
        self._stamp = stamp
        self.run = run
        self._read: dict[str, Array] = {}
        facts = json.loads(self._kept(FACTS))
        self._rows: int = facts["rows"]
        self.errors: int = facts["errors"]
        self._parts: list[str] = facts["parts"]
        self.domains: list[str] = facts["domains"]
        counts = sorted(facts["counts"].items())
        self.counts = {domain: {name: each.get(name, 0) for name in COUNTS} for domain, each in counts}
        """What `Workspace.tally` counts, by domain."""

    def __getitem__(self, name: str) -> Array:
        if name not in self._read:
            self._read[name] = np.frombuffer(self._kept(name), dtype=DTYPES[name])
        return self._read[name]

    def _kept(self, name: str) -> bytes:
        # SQLite notices damage of its own structures, not of what is in them.
        found = get_blob(self._db, self.run, name, self._stamp)
        if found is None:
            raise Damaged(f"run {self.run}: the column '{name}' is not what was written")
        return found

    def tally(self) -> dict[str, int]:
        """What `Workspace.tally` counts."""
        return {name: sum(count[name] for count in self.counts.values()) for name in COUNTS}

    def error_rows(self) -> Iterator[dict[str, Any]]:
        """The rows with an error, in corpus order."""
        for start in range(0, self.errors, ERRORS):
            yield from json.loads(self._kept(f"errors from {start}"))

    def verdicts(self) -> dict[str, tuple[Array, Booleans]]:
        """For each part of the run's cases, the positions that were judged, rising, and whether each is violated.

        A sentence is violated if it has a violated case in more than half of its repetitions that were judged.
        """
        part, position = np.divmod(self["judged"], PARTED)
        starts = np.searchsorted(part, np.arange(len(self._parts) + 1))
        violated = self["judged_violated"] > 0
        ranges = map(slice, starts[:-1], starts[1:])
        return {name: (position[here], violated[here]) for name, here in zip(self._parts, ranges, strict=True)}

    def __len__(self) -> int:
        return len(self["flags"])

    def listed(self, violated: bool | None) -> Booleans:
        """The cases of a list: all, those that are violated, or those that are not."""
        flags = self["flags"]
        if violated:
            return (flags & HIT) > 0
        return (flags & FIRST) > 0 if violated is None else (flags & (FIRST | BAD)) == FIRST

    def ranks(self, violated: bool | None) -> Array:
        """Each case's rank: among the violated ones, or among all."""
        name = "flagged ranks" if violated else "ranks"
        if name not in self._read:
            self._read[name] = _counted_up((self["flags"] & (HIT if violated else FIRST)) > 0)
        return self._read[name]

    def in_domains(self, names: tuple[str, ...]) -> Booleans:
        chosen: Booleans = np.array([name in names for name in self.domains], dtype=bool)[self["domain"]]
        return chosen

    def between(self, least: float | None, most: float | None) -> slice:
        """The places whose suspicion is within bounds."""
        falling = -self["suspicion"]
        start = 0 if most is None else int(np.searchsorted(falling, -most, "left"))
        end = len(falling) if least is None else int(np.searchsorted(falling, -least, "right"))
        return slice(start, end)

    def with_words(self, question: str) -> Booleans | None:
        """The cases with every word of a question; None for a question without words."""
        try:
            rows = rows_with(self._db, self.run, self._rows, question)
        except (ValueError, TypeError) as error:
            raise Damaged(f"run {self.run}: a list of rows is not what was written ({error})") from None
        return None if rows is None else rows[self["row"]]

    def places(self, halves: Array) -> tuple[Array, Array]:
        """Where cases stand, by the first halves of their keys: which key, and the place. Some stand twice."""
        keys = self["keys"]
        starts, ends = np.searchsorted(keys, halves, "left"), np.searchsorted(keys, halves, "right")
        which = np.repeat(np.arange(len(halves)), ends - starts)
        offsets = np.arange(len(which)) - np.repeat(np.cumsum(ends - starts) - (ends - starts), ends - starts)
        return which, self["by_key"][starts[which] + offsets].astype(np.int64)


def _counted_up(listed: Booleans) -> Array:
    """How many are listed up to each place."""
    number = int(np.count_nonzero(listed))
    if listed[:number].all():  # mostly so, and much quicker
        return np.minimum(np.arange(1, len(listed) + 1, dtype=np.int32), number)
    return np.cumsum(listed, dtype=np.int32)
