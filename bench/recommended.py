"""What the recommended set costs: processor time of all processes on the demo corpus, and where it goes.

    python -m bench.recommended run demo --system apertium --to es

runs a command, and prints where its processor time went, as JSON on stderr.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter

from concord.engine.services import _worker_thread

SPENT: Counter[str] = Counter()
MAIN = "relations, engine, store and output"


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    one, spent, _ = _measured(["run", "demo", "--system", "apertium", "--to", "es"])
    both, _, wall = _measured(["demo"])
    parts = sorted(spent.items(), key=lambda part: -part[1])
    return [
        ("the recommended set on 288 sentences, en→es", f"{one:.1f} s of processor time", "aim ≤ 30 s"),
        *((f"of which {name}", f"{seconds:.1f} s, {seconds / one:.0%}", "") for name, seconds in parts),
        ("`concord demo`, en→es and en→ca", f"{both:.1f} s of processor time", f"{both / one:.2f} × one direction"),
        ("the same, wall time", f"{wall:.1f} s", "aim ≤ 45 s on two idle cores"),
    ]


def _measured(command: list[str]) -> tuple[float, dict[str, float], float]:
    """The processor time of a command with all its processes, where it went, and the wall time."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        module = ["-m", "bench.recommended", *command, "--workspace", f"{folder}/w.sqlite"]
        module += ["--report", f"{folder}/report.html"] if command == ["demo"] else []
        child = subprocess.Popen([sys.executable, *module], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert child.stderr is not None
        printed = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0, printed
        wall = time.monotonic() - start
        return usage.ru_utime + usage.ru_stime, json.loads(printed.splitlines()[-1]), wall


def _timed(tasks: _worker_thread._Tasks) -> None:
    """Serve a thread's tasks, and count its processor time under its name."""
    start = time.thread_time()
    try:
        SERVE(tasks)
    finally:
        SPENT[threading.current_thread().name] += time.thread_time() - start


SERVE = _worker_thread._serve


def _run(command: list[str]) -> None:
    """Run a command in this process, and print where its processor time went."""
    from concord.cli.commands import app

    _worker_thread._serve = _timed
    try:
        app(command)
    finally:
        for thread in threading.enumerate():
            if thread is not threading.main_thread():
                thread.join(timeout=10)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        SPENT["Apertium's processes"] = children.ru_utime + children.ru_stime
        own = resource.getrusage(resource.RUSAGE_SELF)
        SPENT[MAIN] = own.ru_utime + own.ru_stime + SPENT["Apertium's processes"] - SPENT.total()
        print(json.dumps(SPENT), file=sys.stderr)


if __name__ == "__main__":
    _run(sys.argv[1:])
