"""The file behind a workspace: opened, claimed by one writer of runs, asked and written to."""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Self

from concord.errors import StoreError, UserError
from concord.store.connection import connect, open_lock, take_lock, told, transaction


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class DatabaseFile:
    """An open workspace file. Whoever keeps a table in it asks by `one` and `many` and changes it within `writing`.

    `clock` says when something is written.
    """

    def __init__(self, path: str | Path, *, create: bool = True, clock: Callable[[], str] = now) -> None:
        self.path = Path(path)
        self.clock = clock
        self._lock: IO[str] | None = None
        if not create and not self.path.exists():
            raise UserError(f"there is no workspace {self.path}. `concord run` makes one")
        self._db = connect(self.path, create)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def claim(self) -> None:
        """Become the one writer of runs; the claim ends with the process, however it ends."""
        path = self.path.with_name(self.path.name + "-lock")
        try:
            self._lock = open_lock(path)
            # Somebody may just be looking whether it is locked.
            alone = take_lock(self._lock, 0.07)
        except OSError as error:
            raise StoreError(f"{path} cannot be locked: {error.strerror}. Choose another --workspace") from None
        if not alone:
            raise StoreError(f"another run is writing to {self.path}: wait, or choose another --workspace")

    def claimed(self) -> bool:
        """Whether a process is writing runs now."""
        try:
            with self.path.with_name(self.path.name + "-lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def has(self, table: str, column: str = "") -> bool:
        """Whether there is such a table, or column of it: what cannot be written may be of an older format."""
        if column:
            return self.one("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", (table, column)) is not None
        return self.one("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)) is not None

    def many(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows that a query finds, as they are read; one query sees one state of the file."""
        with told(self.path):
            # `yield from` would close the cursor of whoever stops reading, who may have closed the workspace.
            for row in self._db.execute(query, values):  # noqa: UP028
                yield row

    def one(self, query: str, values: Sequence[Any] = ()) -> Any:
        """The first row that a query finds, or None."""
        return next(self.many(query, values), None)

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """One state of the file for several queries, whoever writes meanwhile."""
        with transaction(self._db, "BEGIN"):
            yield

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all that is written within it is kept, or nothing."""
        with told(self.path), transaction(self._db, "BEGIN IMMEDIATE"):
            yield self._db
