"""The alignments that a run's first pass has learnt, stored with the run, so that a resumed run judges by the same."""

import zlib

from concord.errors import UserError
from concord.store.damage import DamagedRow, inflated
from concord.store.workspace import Workspace


class Learnt:
    """The serialised alignments of a workspace, one for each run."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def load(self, run: int) -> bytes | None:
        """The alignments of a run, or None if its first pass has not ended."""
        row = self._workspace.first("SELECT data FROM learnt WHERE run = ?", (run,))
        try:
            return None if row is None else inflated(row[0], "data")
        except DamagedRow as error:
            raise UserError(
                f"the alignments of run {run} are damaged: {error}. Give its command again with another --workspace"
            ) from None

    def keep(self, run: int, data: bytes) -> None:
        with self._workspace.writing() as db:
            db.execute("INSERT OR REPLACE INTO learnt VALUES (?, ?)", (run, zlib.compress(data)))
