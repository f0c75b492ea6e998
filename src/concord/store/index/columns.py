"""The cases of one run as columns in the order of rank, each read from the index when it is first used."""

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
"""The blob about a whole run: how many `rows` and `errors` it has, its `domains`, `parts`, and `counts` by domain."""
LOCATION = ("position", "repetition", "number")
COUNTS = ("checks", "bare", "cases", "flagged", "not_judged", "errors")
ERRORS = 100
"""How many rows with an error are stored in one blob."""
FIRST, BAD, HIT = 1, 2, 4
"""Bits of `flags`: the first occurrence of its case; flagged; the first flagged occurrence of its case."""
DTYPES = {
    "position": "i8", "repetition": "i4", "number": "i4", "suspicion": "f8", "threshold": "f8", "domain": "i4",
    "flags": "u1", "outputs": "u8", "row": "u4", "by_position": "u4", "by_key": "u4", "keys": "u8",
    "judged": "i8", "judged_flagged": "u1", "blamed": "u8", "problem": "u8", "against": "u8",
    "rival": "u8", "rival_problem": "u8", "rival_against": "u8",
}  # fmt: skip
"""`row` is a case's number in corpus order; `by_position` and `by_key` are indexes, and `keys` are in their order.

`judged` has an entry for each part of a sentence that has a case: `PARTED` times the part's number plus as many bits of
the sentence's hash.
"""
PARTED = 1 << 48
SUSPECTS = ("blamed", "problem", "against", "rival", "rival_problem", "rival_against")
"""Columns of the flagged cases alone: for the likeliest suspect and for the other, the numbers of the translation, of
its problem and of what contradicts it.

A number of 0 is none; `concord.store.findings` says what they are.
"""
Array = NDArray[Any]
Booleans = NDArray[np.bool_]


class Columns:
    """The columns of a run. A case's index counts from 0 by descending suspicion; its rank counts listed cases only."""

    def __init__(self, db: sqlite3.Connection, run: int, stamp: str) -> None:
        self._db = db
        self._stamp = stamp
        self.run = run
        self._read: dict[str, Array] = {}
        facts = json.loads(self._blob(FACTS))
        self._rows: int = facts["rows"]
        self.errors: int = facts["errors"]
        self._parts: list[str] = facts["parts"]
        self.domains: list[str] = facts["domains"]
        counts = sorted(facts["counts"].items())
        self.counts = {domain: {name: count.get(name, 0) for name in COUNTS} for domain, count in counts}
        """The counts of `Workspace.tally`, by domain."""

    def __getitem__(self, name: str) -> Array:
        if name not in self._read:
            self._read[name] = np.frombuffer(self._blob(name), dtype=DTYPES[name])
        return self._read[name]

    def _blob(self, name: str) -> bytes:
        # SQLite notices damage to its own structures, not to the values in them.
        blob = get_blob(self._db, self.run, name, self._stamp)
        if blob is None:
            raise Damaged(f"run {self.run}: the column '{name}' is not what was written")
        return blob

    def tally(self) -> dict[str, int]:
        """The counts of `Workspace.tally`."""
        return {name: sum(count[name] for count in self.counts.values()) for name in COUNTS}

    def error_rows(self) -> Iterator[dict[str, Any]]:
        """The rows with an error, in corpus order."""
        for start in range(0, self.errors, ERRORS):
            yield from json.loads(self._blob(f"errors from {start}"))

    def verdicts(self) -> dict[str, tuple[Array, Booleans]]:
        """For each part of the run's cases, the hashes of the sentences, ascending, and whether each is flagged.

        A sentence is flagged if it has a flagged case in more than half of its repetitions that were judged.
        """
        part, sentence = np.divmod(self["judged"], PARTED)
        starts = np.searchsorted(part, np.arange(len(self._parts) + 1))
        flagged = self["judged_flagged"] > 0
        ranges = map(slice, starts[:-1], starts[1:])
        return {name: (sentence[span], flagged[span]) for name, span in zip(self._parts, ranges, strict=True)}

    def __len__(self) -> int:
        return len(self["flags"])

    def location(self, case: int) -> tuple[int, ...]:
        """Position, repetition and number of a case."""
        return tuple(int(self[name][case]) for name in LOCATION)

    def listed(self, flagged: bool | None) -> Booleans:
        """Which cases are listed: all, the flagged ones, or the others."""
        flags = self["flags"]
        if flagged:
            return (flags & HIT) > 0
        return (flags & FIRST) > 0 if flagged is None else (flags & (FIRST | BAD)) == FIRST

    def ranks(self, flagged: bool | None) -> Array:
        """Each case's rank: among the flagged ones, or among all."""
        name = "flagged ranks" if flagged else "ranks"
        if name not in self._read:
            self._read[name] = np.cumsum((self["flags"] & (HIT if flagged else FIRST)) > 0, dtype=np.int32)
        return self._read[name]

    def in_domains(self, names: tuple[str, ...]) -> Booleans:
        is_in: Booleans = np.array([name in names for name in self.domains], dtype=bool)[self["domain"]]
        return is_in

    def between(self, least: float | None, most: float | None) -> slice:
        """The range of cases whose suspicion is within bounds."""
        ascending = -self["suspicion"]
        start = 0 if most is None else int(np.searchsorted(ascending, -most, "left"))
        end = len(ascending) if least is None else int(np.searchsorted(ascending, -least, "right"))
        return slice(start, end)

    def with_words(self, search: str) -> Booleans | None:
        """Which cases have every word of a search; None for a search without words."""
        try:
            rows = rows_with(self._db, self.run, self._rows, search)
        except (ValueError, TypeError) as error:
            raise Damaged(f"run {self.run}: a list of rows is not what was written ({error})") from None
        return None if rows is None else rows[self["row"]]

    def find_keys(self, halves: Array) -> tuple[Array, Array]:
        """The cases with keys that begin with these halves: the number of the half, and the case. Some occur twice."""
        keys = self["keys"]
        starts, ends = np.searchsorted(keys, halves, "left"), np.searchsorted(keys, halves, "right")
        which = np.repeat(np.arange(len(halves)), ends - starts)
        offsets = np.arange(len(which)) - np.repeat(np.cumsum(ends - starts) - (ends - starts), ends - starts)
        return which, self["by_key"][starts[which] + offsets].astype(np.int64)
