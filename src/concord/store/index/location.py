"""Where an index is, how it is opened and thrown away, and who may write it."""

from __future__ import annotations

import atexit
import contextlib
import os
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from concord.database import closing_on_error, open_database
from concord.errors import StoreError
from concord.scratch import temporary_folder
from concord.signature import digest
from concord.store.connection import open_lock, take_lock, transaction
from concord.store.index.schema import OURS, TABLES, version_for


class Damaged(Exception):
    """The index is not one, or not whole, or of another version of Concord."""


def place_of(workspace: Path) -> Path:
    """Beside the workspace or, where nothing can be written, in a folder that ends with the process."""
    beside = workspace.with_name(workspace.name + "-index")
    if os.access(workspace.parent, os.W_OK) and (not beside.exists() or os.access(beside, os.W_OK)):
        return beside
    return _hidden() / digest(str(workspace.absolute())).hex()


@cache
def _hidden() -> Path:
    folder = contextlib.ExitStack()
    atexit.register(folder.close)
    return folder.enter_context(temporary_folder())


def open_index(path: Path, workspace: Path) -> sqlite3.Connection:
    """The file, made first if it is not there; it belongs to this workspace."""
    version = version_for(workspace)
    if not path.exists():
        with locked(path):
            if not path.exists():
                _make(path, version)
    db = open_database(path)
    with closing_on_error(db):
        known = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if known != [OURS, version]:
            raise Damaged(f"{path} is no index of this version and workspace")
        db.execute("PRAGMA synchronous = NORMAL")
    return db


def _make(path: Path, version: int) -> None:
    """Made under another name and moved into its place, so that nobody meets half of it."""
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
    """Remove a damaged index, unless another process has put a new one in its place."""
    with locked(path), contextlib.suppress(FileNotFoundError):
        if file in (None, path.stat().st_ino):
            _remove(path)


@contextlib.contextmanager
def locked(path: Path, *, patient: bool = True, seconds: float = 0.0) -> Iterator[bool]:
    """Be the one writer of an index; without patience perhaps not, should another be that for so many seconds.

    The lock ends with the process, however it ends.
    """
    lock = Path(f"{path}-lock")
    with contextlib.ExitStack() as held:
        try:
            file = held.enter_context(open_lock(lock))
            alone = take_lock(file, None if patient else seconds)
        except OSError as error:
            cure = "Check that its folder can be written"
            raise StoreError(f"{lock} cannot be locked: {error.strerror}. {cure}") from None
        yield alone


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """Tell damage, which is cured by making the index anew, from what only the user can cure."""
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
