"""The shape of the index file. It is never migrated: a file of another shape is made anew."""

from __future__ import annotations

from zlib import crc32

MADE = 2
"""To be raised when the same rows are to give another index."""
OURS = 0x434E4349  # "CNCI": stands in the header of every index

TABLES = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    stamp TEXT NOT NULL,
    cases INTEGER NOT NULL,
    domains TEXT NOT NULL
);
CREATE TABLE counts (
    run INTEGER NOT NULL,
    domain TEXT NOT NULL,
    checks INTEGER NOT NULL,
    bare INTEGER NOT NULL,
    cases INTEGER NOT NULL,
    violated INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    PRIMARY KEY (run, domain)
) WITHOUT ROWID;
CREATE TABLE columns (
    run INTEGER NOT NULL,
    name TEXT NOT NULL,
    data BLOB NOT NULL,
    sum INTEGER NOT NULL,
    UNIQUE (run, name)
);
CREATE TABLE blobs (
    run INTEGER NOT NULL,
    name TEXT NOT NULL,
    stamp TEXT NOT NULL,
    data BLOB NOT NULL,
    sum INTEGER NOT NULL,
    UNIQUE (run, name)
);
CREATE TABLE words (
    run INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    token TEXT NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (run, chunk, token)
) WITHOUT ROWID;
"""
VERSION = crc32(f"{MADE} {TABLES}".encode()) & 0x7FFFFFFF
PER_RUN = ("runs", "counts", "columns", "words")
"""What is made of a run in one piece; `blobs` come one by one."""
