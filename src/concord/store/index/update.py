"""What is in the index, whether it is up to date, and how it is brought up to date.

A run is indexed whole or not at all, and anew once it has changed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from concord.errors import StoreError
from concord.signature import digest
from concord.store.connection import transaction
from concord.store.index.blobs import get_blob, put_blob
from concord.store.index.builder import build
from concord.store.index.columns import Columns
from concord.store.index.location import Damaged, locked, open_index, place_of, throw_away, told
from concord.store.workspace import Workspace

SMALL = 2_000
"""So many cases are indexed while somebody waits for a page."""
SOON = 2.0
"""Seconds in which so many are indexed, also on a busy machine."""
_TRIES = 3
T = TypeVar("T")


def with_index(workspace: Workspace, ask: Callable[[Index], T]) -> T:
    """Ask the index of a workspace; if it turns out to be damaged, it is made anew and asked again."""
    path = place_of(workspace.path)
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
    """The index of a workspace. Use it as a context manager; `with_index` also cures what is damaged."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.path = place_of(workspace.path)
        with told(self.path):
            self._db = open_index(self.path, workspace.path)

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -- being up to date -----------------------------------------------------------------------

    def update(self, runs: Sequence[int] | None = None, *, patient: bool = True) -> list[int]:
        """Index the runs (by default all) that have changed; gives those that are still to be done.

        Without patience, only a few cases are indexed, and nothing while another process is at it; where no more than a
        few are missing, another process will soon have done with it and is waited for.
        """
        with told(self.path):
            stale = self._stale(runs)
            if not stale and (runs is not None or not self._discarded()):
                return []
            seconds = SOON if not patient and list(self._few(stale)) == stale else 0.0
            with locked(self.path, patient=patient, seconds=seconds) as alone:
                if alone:
                    stale = self._stale(runs)  # another process may have been faster
                    for run in stale if patient else self._few(stale):
                        self._build(run)
                    self._forget(self._discarded())
            return self._stale(runs)

    @property
    def kept(self) -> bool:
        """Whether it stands beside the workspace, and does not end with the process."""
        return self.path.parent == self._workspace.path.parent

    def missing(self, runs: Sequence[int]) -> int:
        """How many cases of runs are to be indexed before these are up to date."""
        count = "SELECT count(*) FROM cases INDEXED BY cases_by_suspicion WHERE run = ?"
        return sum(self._workspace.one(count, (run,))[0] for run in self._stale(runs))

    def _stale(self, runs: Sequence[int] | None) -> list[int]:
        known, present = self.indexed(), self._stamps()
        return [run for run in (present if runs is None else runs) if known.get(run) != present.get(run)]

    def _discarded(self) -> list[int]:
        present = self._stamps()
        return [run for run in self.indexed() if run not in present]

    def _stamps(self) -> dict[int, str]:
        """What is different once a run has changed, or is another one under the same number."""
        columns = {name for _, name, *_ in self._workspace.many("PRAGMA table_info(runs)", ())}
        # A workspace that cannot be written may be of an older format.
        change = "changes, changed" if "changes" in columns else "finished, asked"
        query = f"SELECT id, signature, started, {change} FROM runs"
        return {run: digest(*map(str, facts)).hex() for run, *facts in self._workspace.many(query, ())}

    def _few(self, runs: Sequence[int]) -> Iterator[int]:
        count = "SELECT count(*) FROM (SELECT 1 FROM cases INDEXED BY cases_by_suspicion WHERE run = ? LIMIT ?)"
        left = SMALL
        for run in runs:
            (cases,) = self._workspace.one(count, (run, left + 1))
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

    def _forget(self, runs: Sequence[int]) -> None:
        with transaction(self._db, "BEGIN IMMEDIATE"):
            for run in runs:
                self._clear(run)

    def _clear(self, run: int, stamp: str = "") -> None:
        for table in ("runs", "words"):
            self._db.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
        self._db.execute("DELETE FROM blobs WHERE run = ? AND stamp != ?", (run, stamp))

    # -- reading --------------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """One state of the index, whoever writes meanwhile."""
        with told(self.path), transaction(self._db, "BEGIN"):
            yield

    def indexed(self) -> dict[int, str]:
        """The runs that are indexed, each with a stamp that is another one once the run is indexed anew, changed."""
        return dict(self._db.execute("SELECT run, stamp FROM runs"))

    def columns(self, run: int) -> Columns | None:
        """The cases of a run in the order of rank; None if it was never indexed."""
        with told(self.path):
            stamp = self.indexed().get(run)
            return None if stamp is None else Columns(self._db, run, stamp)

    def blob(self, run: int, name: str, make: Callable[[], bytes]) -> bytes:
        """Anything that is made of a run's rows, remembered until the run changes. Not to be asked while `reading`."""
        stamp = self._stamps().get(run, "")
        with told(self.path):
            data = get_blob(self._db, run, name, stamp)
        if data is not None:
            return data
        data = make()
        # Of a run that changed while it was read nobody knows what was read.
        if self._stamps().get(run, "") == stamp:
            self._keep(run, name, stamp, data)
        return data

    def _keep(self, run: int, name: str, stamp: str, data: bytes) -> None:
        with told(self.path), locked(self.path, patient=False) as alone:
            if alone:
                with transaction(self._db, "BEGIN IMMEDIATE"):
                    put_blob(self._db, run, name, stamp, data)
