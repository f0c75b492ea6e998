"""The SQLite file of a workspace: opening it, the lock of its one writer of runs, queries and transactions."""

import contextlib
import fcntl
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Self

from concord.errors import StoreError, UserError
from concord.store.connection import connect, open_lock, take_lock, transaction, workspace_errors


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class DatabaseFile:
    """An open workspace file. Tables are read by `first` and `many`, and changed within `writing`.

    `clock` gives the times that are stored.
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
        """Become the one writer of runs. The lock ends with the process, however that ends."""
        path = self.path.with_name(self.path.name + "-lock")
        try:
            self._lock = open_lock(path)
            # `claimed` in another process holds the lock for a moment.
            alone = take_lock(self._lock, 0.07)
        except OSError as error:
            raise StoreError(f"{path} cannot be locked: {error.strerror}. Choose another --workspace") from None
        if not alone:
            raise StoreError(f"another run is writing to {self.path}: wait, or choose another --workspace")

    def claimed(self) -> bool:
        """Whether a process holds the lock of the writer of runs."""
        try:
            with self.path.with_name(self.path.name + "-lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def has(self, table: str, column: str = "") -> bool:
        """Whether a table or a column of it exists: a read-only file is not migrated, and may be of an older format."""
        if column:
            return self.first("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", (table, column)) is not None
        return self.first("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)) is not None

    def many(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of a query, read one by one; one query sees one state of the file."""
        with workspace_errors(self.path):
            # `yield from` would close the cursor of whoever stops reading, who may have closed the workspace.
            for row in self._db.execute(query, values):  # noqa: UP028
                yield row

    def first(self, query: str, values: Sequence[Any] = ()) -> Any:
        """The first row of a query, or None."""
        return next(self.many(query, values), None)

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """A read transaction: all queries in it see one state of the file, whoever writes meanwhile."""
        with transaction(self._db, "BEGIN"):
            yield

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: all that is written in it is stored, or nothing."""
        with workspace_errors(self.path), transaction(self._db, "BEGIN IMMEDIATE"):
            yield self._db
