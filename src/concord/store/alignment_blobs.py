"""What a run's first pass has learnt, kept with the run: taken up again, it judges by the same."""

from __future__ import annotations

import zlib

from concord.errors import UserError
from concord.store.damage import DamagedRow, inflated
from concord.store.workspace import Workspace


class Learnt:
    """What the runs of a workspace have learnt, as bytes."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def of(self, run: int) -> bytes | None:
        """What a run has learnt, or None if it has not come so far."""
        row = self._workspace.one("SELECT data FROM learnt WHERE run = ?", (run,))
        try:
            return None if row is None else inflated(row[0], "data")
        except DamagedRow as error:
            raise UserError(
                f"what run {run} has learnt is damaged: {error}. Give its command again with another --workspace"
            ) from None

    def keep(self, run: int, data: bytes) -> None:
        with self._workspace.writing() as db:
            db.execute("INSERT OR REPLACE INTO learnt VALUES (?, ?)", (run, zlib.compress(data)))
