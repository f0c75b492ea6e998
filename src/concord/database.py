"""Safe opening of SQLite files from anywhere: nothing in them is executed, and nothing too long is read.

A file from a stranger may hold views that never end, triggers, computed columns, and texts of any length. SQLite also
stores texts that are not UTF-8: such a text is read as bytes.
"""

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

BUSY_SECONDS = 30.0
LONGEST_VALUE = 50_000_000
"""The most bytes of one value in a database."""
MEMORY = 200_000_000
"""The most bytes that SQLite may use in a process of Concord's own."""
_PLAIN = re.compile(r"CREATE (TABLE|(UNIQUE )?INDEX) ")
_COMPUTED = (
    "SELECT name FROM sqlite_master m WHERE type = 'table'"
    " AND EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE hidden)"
)


class NotPlain(sqlite3.DatabaseError):
    """The database holds something other than tables and their indexes."""


def bound_memory() -> None:
    """Bound the memory of SQLite, which reads a row whole to compare its key, in a process that is Concord's own.

    The bound holds for the whole process and can never be raised again. SQLite before 3.31 knows none.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute(f"PRAGMA hard_heap_limit = {MEMORY}")


def open_database(path: str | Path, mode: str = "") -> sqlite3.Connection:
    """Connect to a file of plain tables; `mode` is the query of the SQLite URI, such as `?mode=ro`.

    Raises `sqlite3.Error` for a file that is no database, and `NotPlain` for one with views, triggers or the like.
    """
    address = f"file:{quote(os.fsencode(os.path.abspath(path)))}{mode}"
    db = sqlite3.connect(address, BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=True)
    with closing_on_error(db):
        db.text_factory = _text
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        try:
            _refuse_what_computes(db)
        except UnicodeDecodeError:  # SQLite quotes a damaged schema as it is, which Python cannot read
            raise sqlite3.DatabaseError("malformed database schema, which is not UTF-8") from None
    return db


@contextlib.contextmanager
def closing_on_error(db: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        db.close()
        raise


def _text(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _refuse_what_computes(db: sqlite3.Connection) -> None:
    # The statement is what SQLite goes by; the kind that is written beside it may be another.
    for name, statement in db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"):
        if not _PLAIN.match(str(statement)):
            raise NotPlain(f"'{str(name)[:80]}' in it is not a plain table")
    for (name,) in db.execute(_COMPUTED):
        raise NotPlain(f"'{str(name)[:80]}' in it has computed columns")
