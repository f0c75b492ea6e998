"""Ids: is each of them new? Kept on disk, since a corpus may have more of them than memory."""

from __future__ import annotations

import sqlite3
from hashlib import blake2b


class Ids:
    """The ids seen so far, with their lines. Hashes are kept: an id may be long, or hold any character."""

    def __init__(self) -> None:
        self._seen: sqlite3.Connection | None = None

    def __enter__(self) -> Ids:
        return self

    def __exit__(self, *_: object) -> None:
        if self._seen is not None:
            self._seen.close()

    def add(self, id: str, line: int) -> int | None:
        """The line where the id was seen before, or None if it is new."""
        if self._seen is None:
            self._seen = _opened()
        key = blake2b(id.encode(), digest_size=16).digest()
        new = self._seen.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, line)).rowcount
        if new:
            return None
        (earlier,) = self._seen.execute("SELECT line FROM seen WHERE id = ?", (key,)).fetchone()
        return int(earlier)


def _opened() -> sqlite3.Connection:
    # The empty name makes a database that spills to a file of its own and vanishes when closed.
    seen = sqlite3.connect("", isolation_level=None)
    seen.execute("PRAGMA journal_mode = OFF")
    seen.execute("CREATE TABLE seen (id BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID")
    seen.execute("BEGIN")
    return seen
