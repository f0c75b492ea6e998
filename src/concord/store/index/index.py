"""The index of a workspace, and bringing it up to date.

A run is indexed in one transaction, and again once it has changed.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from concord.errors import StoreError
from concord.signature import digest
from concord.store.connection import transaction
from concord.store.index.blobs import get_blob, put_blob
from concord.store.index.builder import build
from concord.store.index.columns import Columns
from concord.store.index.location import Damaged, index_errors, index_path, locked, open_index, throw_away
from concord.store.workspace import Workspace

SMALL = 2_000
"""The most cases that are indexed while somebody waits for a page."""
SOON = 2.0
"""Seconds in which this many cases are indexed, even on a busy machine."""
_TRIES = 3
T = TypeVar("T")


def with_index(workspace: Workspace, ask: "Callable[[Index], T]") -> T:
    """Call `ask` with the index of a workspace; if it is damaged, rebuild it and call again."""
    path = index_path(workspace.path)
    for _ in range(_TRIES):
        file = path.stat().st_ino if path.exists() else None
        try:
            with Index(workspace) as index:
                return ask(index)
        except Damaged as error:
            damage = error
            throw_away(path, file)
    raise StoreError(f"the index {path} is damaged again and again: {damage}. Check the disk")


class Index:
    """The index of a workspace, a context manager. `with_index` also rebuilds a damaged one."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.path = index_path(workspace.path)
        with index_errors(self.path):
            self._db = open_index(self.path, workspace.path)

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -- being up to date -----------------------------------------------------------------------

    def update(self, runs: Sequence[int] | None = None, *, patient: bool = True) -> list[int]:
        """Index the runs (by default all) that have changed, and return those that are still out of date.

        Without patience, only a few cases are indexed, and none while another process indexes; if only a few are
        missing, the other process will soon be ready, and is waited for.
        """
        with index_errors(self.path):
            stale = self._stale(runs)
            if not stale and (runs is not None or not self._discarded()):
                return []
            seconds = SOON if not patient and list(self._few(stale)) == stale else 0.0
            with locked(self.path, patient=patient, seconds=seconds) as alone:
                if alone:
                    stale = self._stale(runs)  # another process may have been faster
                    for run in stale if patient else self._few(stale):
                        self._build(run)
                    with transaction(self._db, "BEGIN IMMEDIATE"):
                        for run in self._discarded():
                            self._clear(run)
            return self._stale(runs)

    @property
    def persistent(self) -> bool:
        """Whether the file is beside the workspace, and not in a temporary folder of this process."""
        return self.path.parent == self._workspace.path.parent

    def missing(self, runs: Sequence[int]) -> int:
        """How many cases have to be indexed before the runs are up to date."""
        count = "SELECT count(*) FROM cases INDEXED BY cases_by_suspicion WHERE run = ?"
        return sum(self._workspace.first(count, (run,))[0] for run in self._stale(runs))

    def _stale(self, runs: Sequence[int] | None) -> list[int]:
        indexed, present = self.indexed(), self._stamps()
        return [run for run in (present if runs is None else runs) if indexed.get(run) != present.get(run)]

    def _discarded(self) -> list[int]:
        present = self._stamps()
        return [run for run in self.indexed() if run not in present]

    def _stamps(self) -> dict[int, str]:
        """A hash for each run, which changes when the run changes or another run gets its number."""
        columns = {name for _, name, *_ in self._workspace.many("PRAGMA table_info(runs)", ())}
        # A workspace that cannot be written may be of an older format.
        change = "changes, changed" if "changes" in columns else "finished, asked"
        query = f"SELECT id, signature, started, {change} FROM runs"
        return {run: digest(*map(str, facts)).hex() for run, *facts in self._workspace.many(query, ())}

    def _few(self, runs: Sequence[int]) -> Iterator[int]:
        """The runs that have no more than `SMALL` cases together."""
        count = "SELECT count(*) FROM (SELECT 1 FROM cases INDEXED BY cases_by_suspicion WHERE run = ? LIMIT ?)"
        left = SMALL
        for run in runs:
            (cases,) = self._workspace.first(count, (run, left + 1))
            if cases <= left:
                left -= cases
                yield run

    def _build(self, run: int) -> None:
        with self._workspace.still():  # one state of the run, though it may go on
            stamp = self._stamps().get(run)
            with transaction(self._db, "BEGIN IMMEDIATE"):
                self._clear(run, stamp or "")
                if stamp is not None:
                    build(self._workspace, self._db, run, stamp)

    def _clear(self, run: int, stamp: str = "") -> None:
        for table in ("runs", "words"):
            self._db.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
        self._db.execute("DELETE FROM blobs WHERE run = ? AND stamp != ?", (run, stamp))

    # -- reading --------------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """A read transaction: all reads in it see one state of the index, whoever writes meanwhile."""
        with index_errors(self.path), transaction(self._db, "BEGIN"):
            yield

    def indexed(self) -> dict[int, str]:
        """The stamp of each indexed run, as of the state that was indexed."""
        return dict(self._db.execute("SELECT run, stamp FROM runs"))

    def columns(self, run: int) -> Columns | None:
        """The columns of a run; None if it was never indexed."""
        with index_errors(self.path):
            stamp = self.indexed().get(run)
            return None if stamp is None else Columns(self._db, run, stamp)

    def blob(self, run: int, name: str, make: Callable[[], bytes]) -> bytes:
        """Bytes that `make` computes from a run's rows, cached until the run changes. Not for use while `reading`."""
        stamp = self._stamps().get(run, "")
        with index_errors(self.path):
            data = get_blob(self._db, run, name, stamp)
        if data is not None:
            return data
        data = make()
        # If the run changed while it was read, the bytes may be of neither state.
        if self._stamps().get(run, "") == stamp:
            self._keep(run, name, stamp, data)
        return data

    def _keep(self, run: int, name: str, stamp: str, data: bytes) -> None:
        with index_errors(self.path), locked(self.path, patient=False) as alone:
            if alone:
                with transaction(self._db, "BEGIN IMMEDIATE"):
                    put_blob(self._db, run, name, stamp, data)
