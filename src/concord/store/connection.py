"""Opening the file of a workspace, locking it, and explaining SQLite's errors to the user."""

import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from concord.database import LONGEST_VALUE, NotPlain, closing_on_error, open_database
from concord.errors import StoreError, UserError
from concord.store.migrations import is_empty, is_ours, migrate


def connect(path: Path, create: bool) -> sqlite3.Connection:
    if not path.parent.is_dir():
        raise UserError(f"the folder {path.parent} of the workspace does not exist")
    if path.is_dir():
        raise UserError(f"{path} is a folder; the workspace is a file")
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if not create and not writable:
        return _opened(path, "?mode=ro" if Path(f"{path}-wal").exists() else "?immutable=1")
    return _opened(path, "")


def open_lock(path: Path) -> IO[str]:
    """Open the file of a lock. It is never emptied, and no link is followed: a sender may have put one there."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666), "r+")


def take_lock(file: IO[str], seconds: float | None) -> bool:
    """Lock a file; False if that fails within `seconds`. None waits for as long as it takes."""
    if seconds is None:
        fcntl.flock(file, fcntl.LOCK_EX)
        return True
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.02)


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    with workspace_errors(path):
        db = open_database(path, mode)
        with closing_on_error(db):
            if not is_ours(db) and not is_empty(db):
                raise StoreError(f"{path} is the database of another program; choose another with --workspace")
            if mode:
                return db
            db.execute("PRAGMA journal_mode = WAL")
            # A commit then survives the death of the process, though not of the machine.
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA foreign_keys = ON")
            migrate(db)
        return db


@contextlib.contextmanager
def transaction(db: sqlite3.Connection, begin: str) -> Iterator[None]:
    db.execute(begin)
    try:
        yield
    except BaseException:
        if db.in_transaction:  # on a full disk SQLite has rolled back by itself
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextlib.contextmanager
def workspace_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into errors that say what the user can do."""
    try:
        yield
    except NotPlain as error:
        raise UserError(
            f"{path} is no workspace that Concord has made: {error}. Choose another with --workspace"
        ) from None
    except sqlite3.DataError as error:
        reason = f"a value is longer than {LONGEST_VALUE:,} bytes"
        raise StoreError(f"the workspace {path} cannot be used: {reason}. Choose another with --workspace") from error
    except MemoryError as error:
        raise StoreError(f"the workspace {path} cannot be used: out of memory. Choose a smaller one") from error
    except sqlite3.Error as error:
        raise StoreError(f"the workspace {path} cannot be used: {error}. {_cure(str(error))}") from error


def _cure(message: str) -> str:
    if "full" in message or "disk I/O" in message:
        return "Free some space and run the same command again; what was stored stays"
    if "not a database" in message or "malformed" in message:
        return "It is not a Concord workspace, or is damaged; choose another with --workspace"
    if "locked" in message:
        return "Another process holds it; try again"
    if "readonly" in message or "unable to open" in message:
        return "Check that the file and its folder can be written"
    return "Choose another with --workspace"
