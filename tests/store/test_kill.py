"""Resume is the same command again, even after `kill -9` at any moment."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from concord import api

BATCH = 8
IN_FLIGHT = 4
COUNTING = """
import sys
texts = sys.stdin.read().splitlines()
with open(sys.argv[1], "a") as log:
    log.write("".join(f"{sys.argv[2]}>{sys.argv[3]} {text}\\n" for text in texts))
import time
time.sleep(0.02)
print("".join(text[::-1] + "\\n" for text in texts), end="")
"""


def command(folder, workers):
    program = f"{sys.executable} -IS {folder / 'counting.py'} {folder / 'log'} {{source}} {{target}}"
    system = f"command:{program},batch={BATCH},processes={IN_FLIGHT},version=1"
    words = ["run", "texts.txt", "-r", "pivot,pivots=ca,gl", "--system", system, "--to", "es"]
    return [sys.executable, "-m", "concord.cli", *words, "-w", "w.sqlite", "--workers", str(workers)]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "counting.py").write_text(COUNTING)
    (tmp_path / "texts.txt").write_text("".join(f"Sentence number {i} of the test.\n" for i in range(200)))
    (tmp_path / "log").touch()
    return tmp_path


def answered(folder):
    """The questions whose answers are in the workspace."""
    if not (folder / "w.sqlite").exists():
        return set()
    db = sqlite3.connect(folder / "w.sqlite")
    try:
        return {f"{a}>{b} {text}" for a, b, text in db.execute("SELECT source, target, text FROM translations")}
    except sqlite3.OperationalError:
        return set()
    finally:
        db.close()


def wait_for_programs(folder):
    """Wait until every translator that a killed run has left behind has written its log."""
    while any(str(folder / "log") in words for words in map(command_line, Path("/proc").glob("[0-9]*"))):
        time.sleep(0.02)


def command_line(process):
    try:
        return (process / "cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return []


def seen(folder):
    return (folder / "log").read_text().splitlines()


def unnumbered_rows(folder):
    """The rows without the numbers of their runs: sane ends before a kill, and each command has one."""
    return [{**row, "run": None} for row in api.rows(folder / "w.sqlite")]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_ends_as_an_uninterrupted_one_and_asks_nothing_twice(folder, workers):
    rng = random.Random(workers)
    kills = 0
    for _ in range(5):
        before, known = len(seen(folder)), answered(folder)
        child = subprocess.Popen(
            command(folder, workers), cwd=folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        target = before + rng.randrange(20, 120)
        while child.poll() is None and len(seen(folder)) < target:
            time.sleep(0.005)
        child.kill()
        kills += child.wait() == -signal.SIGKILL
        wait_for_programs(folder)
        assert not known & set(seen(folder)[before:]), "a text whose answer had arrived was sent again"
    assert kills >= 3
    before, known = len(seen(folder)), answered(folder)
    subprocess.run(command(folder, workers), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    assert not known & set(seen(folder)[before:])

    killed = unnumbered_rows(folder)
    times = seen(folder)
    expected_sent = len(set(times))
    sent = sum(run.sent for run in api.runs(folder / "w.sqlite"))
    assert sent >= expected_sent - kills * BATCH * IN_FLIGHT, "what was spent before a kill is counted"
    assert len(times) - expected_sent <= kills * BATCH * IN_FLIGHT, "more was sent twice than was in flight"

    (folder / "log").write_text("")
    (folder / "w.sqlite").rename(folder / "killed.sqlite")
    for suffix in ("-wal", "-shm", "-lock"):
        (folder / f"w.sqlite{suffix}").unlink(missing_ok=True)
    subprocess.run(command(folder, 1), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    assert unnumbered_rows(folder) == killed
    assert len(seen(folder)) == expected_sent
