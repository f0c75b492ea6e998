"""Blobs of a run with a checksum, stored in pieces, so that SQLite reads and writes them in little memory."""

import sqlite3
from zlib import crc32

PIECE = 1 << 24


def put_blob(db: sqlite3.Connection, run: int, name: str, stamp: str, data: bytes) -> None:
    """Store bytes in place of those of the same name."""
    db.execute("DELETE FROM blobs WHERE run = ? AND name = ?", (run, name))
    facts, view = (stamp, crc32(data)), memoryview(data)
    db.executemany(
        "INSERT INTO blobs (run, name, start, stamp, sum, data) VALUES (?, ?, ?, ?, ?, ?)",
        ((run, name, start, *facts, view[start : start + PIECE]) for start in range(0, len(data) or 1, PIECE)),
    )


def get_blob(db: sqlite3.Connection, run: int, name: str, stamp: str) -> bytes | None:
    """The stored bytes; None if there are none, or if they are damaged."""
    query = "SELECT data, sum FROM blobs WHERE run = ? AND name = ? AND stamp = ? ORDER BY start"
    rows = db.execute(query, (run, name, stamp)).fetchall()
    if not all(type(data) is bytes for data, _ in rows):
        return None
    joined = rows[0][0] if len(rows) == 1 else b"".join(data for data, _ in rows)
    return joined if rows and crc32(joined) == rows[0][1] else None
