"""Detection of repeated ids; the ids are kept on disk, since a corpus may have more of them than fit into memory."""

import sqlite3
from hashlib import blake2b
from typing import Self


class Ids:
    """The ids read so far, with their lines. Hashes are stored: an id may be long, or hold any character."""

    def __init__(self) -> None:
        # The empty name makes a temporary database, which spills to a file of its own and vanishes when closed.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE seen (id BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def add(self, id: str, line: int) -> int | None:
        """Store an id; the line of its first occurrence, or None if it is new."""
        key = blake2b(id.encode(), digest_size=16).digest()
        new = self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, line)).rowcount
        if new:
            return None
        (earlier,) = self._database.execute("SELECT line FROM seen WHERE id = ?", (key,)).fetchone()
        return int(earlier)
