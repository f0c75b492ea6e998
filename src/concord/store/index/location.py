"""The file of an index: its schema, its path, opening it, deleting it, and the lock of its one writer.

The schema is never migrated: a file with another one is rebuilt.
"""

import atexit
import contextlib
import os
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

from concord.database import closing_on_error, open_database
from concord.errors import StoreError
from concord.scratch import temporary_folder
from concord.signature import digest
from concord.store.connection import open_lock, take_lock, transaction

REVISION = 10
"""To be raised when the same rows are to give another index."""
OURS = 0x434E4349  # "CNCI": in the header of every index

TABLES = Path(__file__).with_name("schema.sql").read_text("utf-8")


class Damaged(Exception):
    """The file is no index, or damaged, or of another version of Concord."""


def index_path(workspace: Path) -> Path:
    """The file beside the workspace or, where that is read-only, in a temporary folder of this process."""
    beside = workspace.with_name(workspace.name + "-index")
    if os.access(workspace.parent, os.W_OK) and (not beside.exists() or os.access(beside, os.W_OK)):
        return beside
    return _temporary() / digest(str(workspace.absolute())).hex()


@cache
def _temporary() -> Path:
    folder = contextlib.ExitStack()
    atexit.register(folder.close)
    return folder.enter_context(temporary_folder())


def open_index(path: Path, workspace: Path) -> sqlite3.Connection:
    """Open the index of this workspace; if there is no file, create it."""
    version = version_for(workspace)
    if not path.exists():
        with locked(path):
            if not path.exists():
                _make(path, version)
    db = open_database(path)
    with closing_on_error(db):
        header = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if header != [OURS, version]:
            raise Damaged(f"{path} is no index of this version and workspace")
        db.execute("PRAGMA synchronous = NORMAL")
    return db


def version_for(workspace: Path) -> int:
    """The version number in the header of the index of this very file.

    It depends on the workspace's inode, which nobody knows who sends a workspace with its index: such an index is
    rebuilt, and so is one that was copied or belongs to another workspace. So an index needs no checks of its content
    beyond checksums.
    """
    # The line feed stood before the tables when they were in this file: an index from then is still good.
    return crc32(f"{REVISION} \n{TABLES} {workspace.stat().st_ino}".encode()) & 0x7FFFFFFF


def _make(path: Path, version: int) -> None:
    """Create the file under another name and rename it, so that no process opens half of it."""
    part = Path(f"{path}-new")
    _remove(part)
    db = open_database(part)
    with contextlib.closing(db):
        db.execute("PRAGMA page_size = 16384")
        db.execute("PRAGMA journal_mode = WAL")
        with transaction(db, "BEGIN IMMEDIATE"):
            for statement in TABLES.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {OURS}")
            db.execute(f"PRAGMA user_version = {version}")
    part.replace(path)


def _remove(path: Path) -> None:
    for suffix in ("-wal", "-shm", ""):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def throw_away(path: Path, file: int | None) -> None:
    """Delete a damaged index, unless another process has replaced it."""
    with locked(path), contextlib.suppress(FileNotFoundError):
        if file in (None, path.stat().st_ino):
            _remove(path)


@contextlib.contextmanager
def locked(path: Path, *, patient: bool = True, seconds: float = 0.0) -> Iterator[bool]:
    """Lock an index for writing. Unless `patient`, yield False if another process holds the lock for `seconds`.

    The lock ends with the process, however that ends.
    """
    lock = Path(f"{path}-lock")
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(open_lock(lock))
            alone = take_lock(file, None if patient else seconds)
        except OSError as error:
            cure = "Check that its folder can be written"
            raise StoreError(f"{lock} cannot be locked: {error.strerror}. {cure}") from None
        yield alone


@contextlib.contextmanager
def index_errors(path: Path) -> Iterator[None]:
    """Tell damage, which rebuilding the index cures, from errors that only the user can cure."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            raise Damaged(str(error)) from error
        cure = "Free some space, or delete the file, which is then made anew"
        raise StoreError(f"the index {path} cannot be used: {error}. {cure}") from error
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from error
    except MemoryError as error:
        raise StoreError(f"the index {path} cannot be used: out of memory. Close other programs") from error
