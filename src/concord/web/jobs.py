"""What the server has under way: each job is a process of its own, watched by a thread."""

from __future__ import annotations

import contextlib
import itertools
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from concord.errors import UnknownName, UserError

KEPT = 30
MESSAGES = 2_000
LONGEST_LINE = 8 * 2**20
PATIENCE = 10.0
AT_ONCE = 3


@dataclass(slots=True)
class Job:
    """A deed and what was told of it so far. `version` grows with whatever changes, so that a page can wait for it."""

    id: int
    asked: Mapping[str, Any]
    process: subprocess.Popen[bytes]
    messages: list[dict[str, Any]] = field(default_factory=list)
    progress: dict[int, dict[str, Any]] = field(default_factory=dict)
    version: int = 0
    state: str = "running"
    error: str = ""
    stops: int = 0

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
            self.progress[message["progress"]["run"]] = message["progress"]
        elif "error" in message:
            self.state, self.error = "failed", str(message["error"])
        elif "done" in message:
            self.state = "done"
        elif "stopped" in message:
            self.state = "stopped"
        elif len(self.messages) < MESSAGES:
            self.messages.append(message)
        self.version += 1

    def end(self, code: int, trouble: str) -> None:
        if not self.ended:
            killed = code < 0 and self.stops
            self.state = "stopped" if killed else "failed"
            self.error = "" if killed else f"it ended unexpectedly (exit code {code}). {trouble}".strip()
        self.version += 1


class Jobs:
    """The jobs of a server, the latest of them kept. Stopping a run twice ends it at once; it can be taken up again."""

    def __init__(self) -> None:
        self._jobs: dict[int, Job] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.closing = False

    def start(self, asked: Mapping[str, Any]) -> Job:
        with self._lock:
            under_way = [job for job in self._jobs.values() if not job.ended]
            if asked["do"] == "run" and any(job.deed == "run" for job in under_way):
                raise UserError("a run is going on already. Wait for it, or stop it")
            if len(under_way) >= AT_ONCE:
                raise UserError("too much is going on already. Wait for one of the jobs, or stop it")
            job = Job(next(self._numbers), asked, _started(asked))
            self._jobs[job.id] = job
            for old in [each.id for each in self._jobs.values() if each.ended][:-KEPT]:
                del self._jobs[old]
        threading.Thread(target=_watch, args=(job,), daemon=True).start()
        return job

    def get(self, number: int) -> Job:
        found = self._jobs.get(number)
        if found is None:
            raise UnknownName("job", str(number), map(str, self._jobs))
        return found

    def running(self) -> list[Job]:
        return [job for job in list(self._jobs.values()) if not job.ended and job.deed == "run"]

    def latest(self, deed: str) -> list[Job]:
        return [job for job in reversed(list(self._jobs.values())) if job.deed == deed]

    def stop(self, number: int) -> None:
        job = self.get(number)
        if job.ended:
            return
        job.stops += 1
        job.state = "stopping"
        job.version += 1
        job.process.send_signal(signal.SIGINT if job.stops == 1 else signal.SIGKILL)

    def close(self) -> None:
        """End everything, gently first."""
        self.closing = True
        left = [job for job in self._jobs.values() if job.process.poll() is None]
        for job in left:
            job.stops += 1
            job.process.send_signal(signal.SIGINT)
        for job in left:
            try:
                job.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                job.process.kill()
                job.process.wait()


def _started(asked: Mapping[str, Any]) -> subprocess.Popen[bytes]:
    # In a session of its own, lest a Ctrl-C meant for the server reach it unseen.
    process = subprocess.Popen(
        [sys.executable, "-m", "concord.web.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
        pipe.write(json.dumps(asked).encode())
    return process


def _watch(job: Job) -> None:
    assert job.process.stdout is not None
    assert job.process.stderr is not None
    said: list[str] = []
    beside = threading.Thread(target=_overhear, args=(job.process.stderr, said), daemon=True)
    beside.start()
    with job.process.stdout as pipe:
        while line := pipe.readline(LONGEST_LINE):
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict):
                    job.hear(message)
    beside.join()
    job.end(job.process.wait(), said[-1] if said else "")


def _overhear(pipe: IO[bytes], said: list[str]) -> None:
    """Keep the last line of what a job says beside; it would stand still if nobody listened."""
    with pipe:
        while line := pipe.readline(LONGEST_LINE):
            if line.strip():
                said[:] = [line.decode("utf-8", "replace").strip()[:1_000]]
