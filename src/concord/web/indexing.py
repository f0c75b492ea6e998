"""Keeping the index and what comparisons read up to date in the background, so that no page waits for it."""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from pathlib import Path

from concord import api
from concord.api.comparing import prepare

PAUSE = 2.0
REST = 5
"""A run that goes on changes all the time; indexing and preparing it takes no more than a sixth of the time."""


class Indexing:
    """A thread that brings the index up to date whenever the workspace has changed, until it is told to end."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._end.set()

    def _work(self) -> None:
        seen: object = None
        pause = 0.0
        with sqlite3.connect(f"{self._workspace.absolute().as_uri()}?mode=ro", uri=True) as db:
            while not self._end.wait(pause):
                began = time.monotonic()
                pause = PAUSE
                try:
                    now = db.execute("PRAGMA data_version").fetchone()
                    if now != seen:
                        api.update_index(self._workspace)
                        # What another process kept us from keeping is made at the next turn.
                        seen = now if prepare(self._workspace) else None
                        pause += REST * (time.monotonic() - began)
                except Exception as error:  # a full disk, say: the pages go on with what there is
                    print(f"The index is not brought up to date: {error!r}", file=sys.stderr)
                    pause = 30 * PAUSE
        db.close()
