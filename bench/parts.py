"""The parts of the benchmarks, each in a process of its own: alone, and beside a busy loop.

    python -m bench.parts Engine

prints the rows of a part as JSON, measured alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile

from bench import (
    apertium,
    compare,
    engine,
    experiment,
    language,
    memory,
    metrics,
    mgmt,
    mutants,
    page,
    recommended,
    rti,
    semmt,
)

Row = tuple[str, str, str]
PARTS: dict[str, Callable[[], list[Row]]] = {
    "Recommended": recommended.rows,
    "Engine": engine.rows,
    "Apertium": apertium.rows,
    "Memory": memory.rows,
    "Metrics": metrics.rows,
    "Experiment": experiment.rows,
    "Language": language.rows,
    "Mutants": mutants.rows,
    "RTI": rti.rows,
    "SemMT": semmt.rows,
    "Compare": compare.rows,
    "MGMT": mgmt.rows,
    "Page": page.rows,
}
MOST = 1.3


def measured(title: str) -> list[Row]:
    """The rows of a part, measured alone, and how much more processor time it takes beside a busy loop."""
    rows, alone = _measured(title)
    with _busy_loop():
        _, beside = _measured(title)
    spent = f"{beside / alone:.2f} × ({alone:.1f} s and {beside:.1f} s)"
    return [*rows, ("processor time of all this beside a busy loop, against alone", spent, f"≤ {MOST}")]


def _measured(title: str) -> tuple[list[Row], float]:
    """The rows, and the processor time of the part with all processes that it started and waited for."""
    with TemporaryFile() as output:
        child = subprocess.Popen([sys.executable, "-m", "bench.parts", title], stdout=output)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0, f"the part {title} failed"
        output.seek(0)
        return [tuple(row) for row in json.load(output)], usage.ru_utime + usage.ru_stime


@contextmanager
def _busy_loop() -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    print(json.dumps(PARTS[sys.argv[1]]()))
