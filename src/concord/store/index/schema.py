"""The shape of the index file. It is never migrated: a file of another shape is made anew."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

MADE = 4
"""To be raised when the same rows are to give another index."""
OURS = 0x434E4349  # "CNCI": stands in the header of every index

TABLES = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    stamp TEXT NOT NULL
);
CREATE TABLE blobs (
    run INTEGER NOT NULL,
    name TEXT NOT NULL,
    start INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    data BLOB NOT NULL,
    sum INTEGER NOT NULL,
    UNIQUE (run, name, start)
);
CREATE TABLE words (
    run INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    token TEXT NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (run, chunk, token)
) WITHOUT ROWID;
"""


def version_for(workspace: Path) -> int:
    """What stands in the header of the index of this very file.

    Its number in the file system is known to nobody who has sent both: their index is made anew, and so is one that
    was copied or belongs to another workspace. Nothing in an index needs to be distrusted beyond its checksums.
    """
    return crc32(f"{MADE} {TABLES} {workspace.stat().st_ino}".encode()) & 0x7FFFFFFF
