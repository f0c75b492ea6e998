"""Keeping the index and what comparisons read up to date in the background, so that no page waits for it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

from concord.api.regression import index_of
from concord.database import open_database
from concord.web.index_process import bring_up_to_date

PAUSE = 2.0
REST = 5
"""A run that goes on changes all the time; indexing and preparing it takes no more than a sixth of the time."""


class Indexing:
    """Brings the index up to date whenever the workspace has changed, until it is told to end.

    A thread looks for changes, and a process does the work.
    """

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._helper = Helper()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._helper.close()

    def _watch(self) -> None:
        seen: object = None
        pause = 0.0
        with contextlib.closing(open_database(self._workspace, "?mode=ro")) as db:
            while not self._end.wait(pause):
                began = time.monotonic()
                pause = PAUSE
                try:
                    now = db.execute("PRAGMA data_version").fetchone()
                    if now != seen:
                        # What another process kept us from keeping is made at the next turn.
                        seen = now if self._update() else None
                        pause += REST * (time.monotonic() - began)
                except Exception as error:  # a full disk, say: the pages go on with what there is
                    if not self._end.is_set():
                        print(f"The index is not brought up to date: {error}", file=sys.stderr)
                    pause = 30 * PAUSE

    def _update(self) -> bool:
        # Where nothing can be written beside the workspace, the index is in a folder that only this process knows.
        beside = index_of(self._workspace).parent == self._workspace.parent
        return self._helper.update(self._workspace) if beside else bring_up_to_date(self._workspace)


class Helper:
    """The process that does the work. It is started when it is first asked, and again if it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._asking = threading.Lock()

    def update(self, workspace: Path) -> bool:
        """Have the index brought up to date; says whether all of it is kept."""
        with self._asking:
            line = _answer(self._started(), json.dumps(str(workspace.absolute())))
            if not line:
                raise ChildProcessError(f"the process that does it has ended (exit code {self._gone()})")
            told = _read(line)
            if told is None:
                # Its next line may be the answer to this question: it would be one behind for ever.
                self._gone()
                raise ChildProcessError(f"the process that does it was ended, since it answered {line[:80]!r}")
        if "error" in told:
            raise ChildProcessError(told["error"])
        return bool(told["kept"])

    def close(self) -> None:
        """End it at once, whatever it is at: an index that is half made is made again."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        with self._asking:  # who asks hears of the end before the pipes are closed
            self._gone()

    def _started(self) -> subprocess.Popen[str]:
        with self._lock:
            if self._closed:
                raise ChildProcessError("the server is about to end")
            if self._process is None:
                # As jobs are started: out of reach of a Ctrl-C, and of files that somebody put beside the workspace.
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "concord.web.index_process"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                )
            return self._process

    def _gone(self) -> int | None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(BrokenPipeError), process:  # which closes the pipes, and waits
            process.kill()
        return process.returncode


def _answer(process: subprocess.Popen[str], question: str) -> str:
    """The line that a process answers with; none if it has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question + "\n")
        process.stdin.flush()
        return process.stdout.readline()
    except BrokenPipeError:
        return ""


def _read(line: str) -> dict[str, object] | None:
    """An answer; none if the line is something else."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) and ("kept" in told or "error" in told) else None
