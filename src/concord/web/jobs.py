"""What the server has under way: each job is a process of its own, watched by a thread."""

from __future__ import annotations

import contextlib
import itertools
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.errors import UserError
from concord.interruption import CODES, companions
from concord.processes import descendants, kill

KEPT = 30
MESSAGES = 2_000
LONGEST_LINE = 8 * 2**20
PATIENCE = 10.0
AT_ONCE = 3


class Absent(UserError):
    """A job that this server does not know."""


@dataclass(slots=True)
class BackgroundJob:
    """A deed and what was told of it so far. `version` grows with whatever changes, so that a page can wait for it.

    What has ended stays so. `left_out` counts the translations that were heard of, but are more than can be shown.
    """

    id: int
    asked: Mapping[str, Any]
    process: subprocess.Popen[bytes]
    messages: list[dict[str, Any]] = field(default_factory=list)
    progress: Mapping[int, dict[str, Any]] = field(default_factory=dict)
    version: int = 0
    state: str = "running"
    error: str = ""
    stops: int = 0
    left_out: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def deed(self) -> str:
        return str(self.asked["do"])

    @property
    def ended(self) -> bool:
        return self.state not in ("running", "stopping")

    def told(self, name: str) -> list[Any]:
        """Everything that was told under a name."""
        return [message[name] for message in list(self.messages) if name in message]

    def hear(self, message: dict[str, Any]) -> None:
        if "progress" in message:
            # A new mapping each time: pages are reading the old one.
            self.progress = {**self.progress, message["progress"]["run"]: message["progress"]}
        elif "error" in message:
            self.turn("failed", str(message["error"]))
        elif "done" in message or "stopped" in message:
            self.turn("done" if "done" in message else "stopped")
        elif "answer" in message and len(self.messages) >= MESSAGES:
            self.left_out += 1
        else:
            self.messages.append(message)
        self.version += 1

    def turn(self, state: str, error: str = "") -> bool:
        """Take on another state, unless it has ended."""
        with self._lock:
            if self.ended:
                return False
            self.state, self.error = state, error
            self.version += 1
            return True

    def end(self, code: int) -> None:
        stopped = self.stops and (code < 0 or code in CODES.values())
        how = f"was killed (signal {-code})" if code < 0 else f"ended unexpectedly (exit code {code})"
        more = "It can be continued" if code < 0 else "The terminal of the server says more"
        said = "" if stopped else f"It {how}. {more}"
        self.turn("stopped" if stopped else "failed", said)


class Jobs:
    """The jobs of a server, the latest of them kept."""

    def __init__(self) -> None:
        self._jobs: dict[int, BackgroundJob] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.closing = False

    def start(self, asked: Mapping[str, Any]) -> BackgroundJob:
        with self._lock:
            under_way = [job for job in self._jobs.values() if not job.ended]
            if asked["do"] == "run" and any(job.deed == "run" for job in under_way):
                raise UserError("a run is going on already. Wait for it, or stop it")
            if len(under_way) >= AT_ONCE:
                raise UserError("too much is going on already. Wait for one of the jobs, or stop it")
            job = BackgroundJob(next(self._numbers), asked, _started(asked))
            self._jobs[job.id] = job
            for old in [each.id for each in self._jobs.values() if each.ended][:-KEPT]:
                del self._jobs[old]
        threading.Thread(target=_watch, args=(job,), daemon=True).start()
        return job

    def get(self, number: int) -> BackgroundJob:
        found = self._jobs.get(number)
        if found is None:
            again = "The server may have been started anew since; 'Asked before' on the page Run takes a run up again"
            raise Absent(f"there is no job {str(number)[:20]} here. {again}")
        return found

    def running(self) -> list[BackgroundJob]:
        return [job for job in list(self._jobs.values()) if not job.ended and job.deed == "run"]

    def latest(self, deed: str) -> list[BackgroundJob]:
        return [job for job in reversed(list(self._jobs.values())) if job.deed == deed]

    def stop(self, number: int, *, at_once: bool = False) -> None:
        """The first signal ends a job cleanly, as Ctrl-C does, and the second one at once."""
        job = self.get(number)
        if (job.stops and not at_once) or not job.turn("stopping"):
            return
        job.stops += 1
        family = descendants(job.process.pid) if at_once else []
        job.process.send_signal(signal.SIGINT)
        if at_once:
            threading.Thread(target=_put_down, args=(job.process, family), daemon=True).start()

    def close(self) -> None:
        """End everything, gently first."""
        self.closing = True
        left = [job for job in self._jobs.values() if job.process.poll() is None]
        families = [descendants(job.process.pid) for job in left]
        for job in left:
            job.stops += 1
            job.process.send_signal(signal.SIGINT)
        for job, family in zip(left, families, strict=True):
            _put_down(job.process, family)


def _put_down(process: subprocess.Popen[bytes], family: Sequence[int] = ()) -> None:
    """Wait for the end of what was told to end, and kill it if it does not, and what it leaves behind."""
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    kill(family)


def _started(asked: Mapping[str, Any]) -> subprocess.Popen[bytes]:
    # In a session of its own, lest a Ctrl-C meant for the server reach it unseen; and without this folder among the
    # places that modules come from (-P), since who sent the workspace may have put files beside it.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "concord.web.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    companions.add(process.pid)
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
        pipe.write(json.dumps(asked).encode())
    return process


def _watch(job: BackgroundJob) -> None:
    assert job.process.stdout is not None
    with job.process.stdout as pipe:
        while line := pipe.readline(LONGEST_LINE):
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict):
                    job.hear(message)
    job.end(job.process.wait())
    companions.discard(job.process.pid)
