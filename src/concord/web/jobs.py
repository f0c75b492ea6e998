"""Background jobs of the server: each is a child process, watched by a thread."""

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
    """A job and the messages of its process so far. `version` grows with each change, so that a page can wait for it.

    A job that has ended never changes again. `left_out` counts translations beyond the most that are kept.
    """

    id: int
    request: Mapping[str, Any]
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
    def task(self) -> str:
        return str(self.request["do"])

    @property
    def ended(self) -> bool:
        return self.state not in ("running", "stopping")

    def messages_of(self, name: str) -> list[Any]:
        """The contents of all messages that have this name."""
        return [message[name] for message in list(self.messages) if name in message]

    def receive(self, message: dict[str, Any]) -> None:
        if "progress" in message:
            # A new mapping each time, because other threads may be reading the old one.
            self.progress = {**self.progress, message["progress"]["run"]: message["progress"]}
        elif "error" in message:
            self.set_state("failed", str(message["error"]))
        elif "done" in message or "stopped" in message:
            self.set_state("done" if "done" in message else "stopped")
        elif "answer" in message and len(self.messages) >= MESSAGES:
            self.left_out += 1
        else:
            self.messages.append(message)
        self.version += 1

    def set_state(self, state: str, error: str = "") -> bool:
        """Change the state, unless the job has ended."""
        with self._lock:
            if self.ended:
                return False
            self.state, self.error = state, error
            self.version += 1
            return True

    def end(self, code: int) -> None:
        stopped = self.stops and (code < 0 or code in CODES.values())
        ending = f"was killed (signal {-code})" if code < 0 else f"ended unexpectedly (exit code {code})"
        advice = "It can be continued" if code < 0 else "The terminal of the server says more"
        message = "" if stopped else f"It {ending}. {advice}"
        self.set_state("stopped" if stopped else "failed", message)


class Jobs:
    """The jobs of a server; only the latest ended ones are kept."""

    def __init__(self) -> None:
        self._jobs: dict[int, BackgroundJob] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.closing = False

    def start(self, request: Mapping[str, Any]) -> BackgroundJob:
        with self._lock:
            under_way = [job for job in self._jobs.values() if not job.ended]
            if request["do"] == "run" and any(job.task == "run" for job in under_way):
                raise UserError("a run is in progress already. Wait for it, or stop it")
            if len(under_way) >= AT_ONCE:
                raise UserError("too many jobs are in progress already. Wait for one of them, or stop it")
            job = BackgroundJob(next(self._numbers), request, _started(request))
            self._jobs[job.id] = job
            for old in [job.id for job in self._jobs.values() if job.ended][:-KEPT]:
                del self._jobs[old]
        threading.Thread(target=_watch, args=(job,), daemon=True).start()
        return job

    def get(self, number: int) -> BackgroundJob:
        job = self._jobs.get(number)
        if job is None:
            advice = "The server may have been restarted since; 'Earlier runs' on the page Run continues a run"
            raise Absent(f"there is no job {str(number)[:20]} here. {advice}")
        return job

    def running(self) -> list[BackgroundJob]:
        return [job for job in list(self._jobs.values()) if not job.ended and job.task == "run"]

    def latest(self, task: str) -> list[BackgroundJob]:
        return [job for job in reversed(list(self._jobs.values())) if job.task == task]

    def stop(self, number: int, *, at_once: bool = False) -> None:
        """Stop a job: the first signal ends it cleanly, as Ctrl-C does, and the second one at once."""
        job = self.get(number)
        if (job.stops and not at_once) or not job.set_state("stopping"):
            return
        job.stops += 1
        family = descendants(job.process.pid) if at_once else []
        job.process.send_signal(signal.SIGINT)
        if at_once:
            threading.Thread(target=_put_down, args=(job.process, family), daemon=True).start()

    def close(self) -> None:
        """Stop all jobs, and kill those that do not stop in time."""
        self.closing = True
        left = [job for job in self._jobs.values() if job.process.poll() is None]
        families = [descendants(job.process.pid) for job in left]
        for job in left:
            job.stops += 1
            job.process.send_signal(signal.SIGINT)
        for job, family in zip(left, families, strict=True):
            _put_down(job.process, family)


def _put_down(process: subprocess.Popen[bytes], family: Sequence[int] = ()) -> None:
    """Wait for a process that was told to stop, kill it if it does not, and kill the child processes that it leaves."""
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    kill(family)


def _started(request: Mapping[str, Any]) -> subprocess.Popen[bytes]:
    # In a session of its own, so that a Ctrl-C for the server does not reach it; and without the current folder on the
    # import path (-P), because somebody who sent the workspace may have put Python files beside it.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "concord.web.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    companions.add(process.pid)
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
        pipe.write(json.dumps(request).encode())
    return process


def _watch(job: BackgroundJob) -> None:
    assert job.process.stdout is not None
    with job.process.stdout as pipe:
        while line := pipe.readline(LONGEST_LINE):
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict):
                    job.receive(message)
    job.end(job.process.wait())
    companions.discard(job.process.pid)
