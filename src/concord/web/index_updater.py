"""Update the index in the background, so that no page waits for it."""

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
"""Pause REST times the duration of an update: while a run changes all the time, updates take a sixth of it."""


class Indexing:
    """Updates the index whenever the workspace has changed, until it is closed.

    A thread looks for changes, and a child process does the work.
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
        last_version: object = None
        pause = 0.0
        with contextlib.closing(open_database(self._workspace, "?mode=ro")) as db:
            while not self._end.wait(pause):
                began = time.monotonic()
                pause = PAUSE
                try:
                    version = db.execute("PRAGMA data_version").fetchone()
                    if version != last_version:
                        # An update that another process kept from being stored is repeated.
                        last_version = version if self._update() else None
                        pause += REST * (time.monotonic() - began)
                except Exception as error:  # a full disk, for example: the pages keep the old index
                    if not self._end.is_set():
                        print(f"The index is not updated: {error}", file=sys.stderr)
                    pause = 30 * PAUSE

    def _update(self) -> bool:
        # If the folder of the workspace is read-only, the index is in a folder that only this process knows.
        beside = index_of(self._workspace).parent == self._workspace.parent
        return self._helper.update(self._workspace) if beside else bring_up_to_date(self._workspace)


class Helper:
    """The child process that updates the index. It is started on the first request, and again if it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._asking = threading.Lock()

    def update(self, workspace: Path) -> bool:
        """Update the index; return whether all of it was stored."""
        with self._asking:
            line = _answer(self._started(), json.dumps(str(workspace.absolute())))
            if not line:
                raise ChildProcessError(f"the process that does it has ended (exit code {self._gone()})")
        answer = json.loads(line)
        if "error" in answer:
            raise ChildProcessError(answer["error"])
        return bool(answer["kept"])

    def close(self) -> None:
        """Kill the process; an unfinished update is rolled back and repeated later."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        with self._asking:  # a waiting caller gets its answer before the pipes are closed
            self._gone()

    def _started(self) -> subprocess.Popen[str]:
        with self._lock:
            if self._closed:
                raise ChildProcessError("the server is about to end")
            if self._process is None:
                # As for jobs: not reached by Ctrl-C, and not importing files that lie beside the workspace.
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
    """The line that a process answers; empty if it has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question + "\n")
        process.stdin.flush()
        return process.stdout.readline()
    except BrokenPipeError:
        return ""
