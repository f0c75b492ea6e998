"""Tables with a value that is too long: read from a copy for this connection, in which a mark stands for the value.

SQLite ends a query at such a value. The copies are temporary tables, which hide the ones of the file from all queries.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from concord.store.damage import TOO_LONG

_REFERENCES = re.compile(r"REFERENCES \w+( \(\w+\))?( ON DELETE CASCADE)?")
REFUSALS = (sqlite3.DataError, MemoryError)
"""What SQLite says of a value that is too long, or that takes too much memory to get past."""


def quarantine(db: sqlite3.Connection) -> None:
    """Copy the tables that have such a value."""
    tables = db.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for name, statement in tables.fetchall():
        if bad := list(_refused(db, _quoted(name))):
            # Of other tables there are no copies that it could refer to.
            db.execute(_REFERENCES.sub("", statement).replace("TABLE ", "TABLE temp.", 1))
            _copy(db, _quoted(name), bad)
            indexes = "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
            for (index,) in db.execute(indexes, (name,)).fetchall():
                db.execute(index.replace("INDEX ", "INDEX temp.", 1))


def _refused(db: sqlite3.Connection, table: str) -> Iterator[int]:
    """The numbers of the rows that SQLite refuses to read, in the order in which they lie in the file."""
    row = 0
    while True:
        try:
            # Neither skipping a row nor going on to the next one reads what is long in it; looking for one would.
            for _ in db.execute(f"SELECT * FROM main.{table} NOT INDEXED LIMIT -1 OFFSET ?", (row,)):
                row += 1
            return
        except REFUSALS:
            # Python reads one row ahead, so it may have been the next one.
            if not _readable(db, f"SELECT * FROM main.{table} NOT INDEXED LIMIT 1 OFFSET ?", row):
                yield row
            row += 1


def _copy(db: sqlite3.Connection, table: str, bad: Sequence[int]) -> None:
    columns = [_quoted(name) for _, name, *_ in db.execute(f"PRAGMA main.table_info({table})")]
    copy = f"INSERT OR REPLACE INTO temp.{table} SELECT * FROM main.{table} NOT INDEXED LIMIT ? OFFSET ?"
    add = f"INSERT OR REPLACE INTO temp.{table} VALUES ({', '.join('?' * len(columns))})"
    # Where a query names all columns, none but the table itself has them, and its order is the one that counts.
    types = ", ".join(f"typeof({each})" for each in columns)
    start = 0
    for row in bad:
        db.execute(copy, (row - start, start))
        cells = [f"SELECT {each}, {types} FROM main.{table} NOT INDEXED LIMIT 1 OFFSET ?" for each in columns]
        db.execute(add, [(_readable(db, each, row) or (TOO_LONG,))[0] for each in cells])
        start = row + 1
    db.execute(copy, (-1, start))


def _readable(db: sqlite3.Connection, query: str, row: int) -> Any:
    """What a query finds from a row on, or None if SQLite refuses to read that."""
    try:
        return db.execute(query, (row,)).fetchone()
    except REFUSALS:
        return None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
