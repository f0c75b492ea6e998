"""Ctrl-C and SIGTERM: heard from the first line of the program on, clean the first time, at once the second time."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
AT_ONCE = {signal.SIGINT: "stopped at once\n", signal.SIGTERM: "SIGTERM: stopped at once\n"}
SIGNALS = pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
WORKERS = pytest.mark.parametrize("workers", ["1", "2"])
PROGRAM = [sys.executable, "-m", "concord.cli"]
SCRIPT = [sys.executable, "-c", "import sys; from concord.cli.__main__ import program; sys.exit(program())"]

AT_IMPORT = """
import os, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.write(2, b"imported ")
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Finder())
"""
BUSY = """
import os, pathlib
from concord import interruption
async def check(x, translate, *, to):
    pathlib.Path(f"busy-{os.getpid()}").touch()
    while interruption._first is None:
        pass
    pathlib.Path("heard").touch()
    while True:
        pass
"""
MT = """
import pathlib, sys, time
pathlib.Path("asked").touch()
while not pathlib.Path("answer").exists():
    time.sleep(0.01)
sys.stdout.write(sys.stdin.read())
"""


@pytest.fixture
def start(tmp_path):
    """Start the program in an empty folder and a session of its own; what is left of it ends with the test."""
    started = []

    def begin(*words, command=PROGRAM, **environment):
        (tmp_path / "c.txt").write_text("".join(f"Sentence number {i}.\n" for i in range(30)))
        (tmp_path / "mt.py").write_text(MT)
        child = subprocess.Popen(
            [*command, *words],
            cwd=tmp_path,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(child)
        return child

    yield begin
    for child in started:
        child.kill()
        child.communicate()


def wait_for(condition, child=None):
    while not (met := condition()):
        assert child is None or child.poll() is None, child.communicate()
        time.sleep(0.01)
    return met


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def stored(folder):
    with sqlite3.connect(folder / "concord.sqlite") as database:
        (count,) = database.execute("SELECT count(*) FROM translations").fetchone()
    database.close()
    return count


SLOW = ("run", "c.txt", "-s", f"command:{sys.executable} mt.py,batch=10", "-t", "es", "-r", "sane", "--json")


@SIGNALS
@pytest.mark.parametrize(
    ("command", "module"),
    [(PROGRAM, each) for each in ("concord.cli.commands", "typer", "concord.cli.judge", "concord.api", "asyncio")]
    + [(PROGRAM, "sqlite3"), (PROGRAM, "numpy"), (PROGRAM, "rapidfuzz"), (SCRIPT, "typer"), (SCRIPT, "numpy")],
)
def test_a_signal_while_python_imports_ends_the_program_without_a_traceback(start, tmp_path, module, command, number):
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT.format(module=module, number=int(number)))
    words = ("run", "c.txt", "-s", "fake", "-t", "es", "-r", "rti")
    child = start(*words, command=command, PYTHONPATH=str(tmp_path))
    _, said = child.communicate()
    assert (child.returncode, said) == (CODES[number], "imported " + AT_ONCE[number])


@SIGNALS
@pytest.mark.parametrize("command", [PROGRAM, SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize("module", ["concord.interruption", "concord.processes"])
def test_a_signal_before_signals_are_attended_to_leaves_no_traceback_either(start, tmp_path, module, command, number):
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT.format(module=module, number=int(number)))
    child = start("--version", command=command, PYTHONPATH=str(tmp_path))
    assert child.communicate() == ("", "imported ")
    assert child.returncode == CODES[number]


@SIGNALS
def test_a_second_signal_ends_a_run_whose_loop_is_busy(start, guest, tmp_path, number):
    guest("relations", "busy", BUSY)
    child = start("run", "c.txt", "-r", "busy", "-s", "fake", "-t", "es")
    wait_for(lambda: list(tmp_path.glob("busy-*")), child)
    child.send_signal(number)
    wait_for((tmp_path / "heard").exists, child)
    child.send_signal(number)
    _, said = child.communicate()
    assert child.returncode == CODES[number]
    assert said == AT_ONCE[number]


@SIGNALS
def test_a_second_signal_ends_a_busy_worker_too(start, guest, tmp_path, number):
    guest("relations", "busy", BUSY)
    child = start("run", "c.txt", "-r", "busy", "-s", "fake", "-t", "es", "--workers", "2")
    (busy,) = wait_for(lambda: list(tmp_path.glob("busy-*")), child)
    worker = int(busy.name.partition("-")[2])
    assert worker != child.pid
    os.killpg(child.pid, number)  # as a terminal or a service manager does
    while child.poll() is None:  # until it has heard the first, a second one is the same
        child.send_signal(number)
        time.sleep(0.05)
    _, said = child.communicate()
    assert child.returncode == CODES[number]
    assert said == AT_ONCE[number]
    wait_for(lambda: not alive(worker))


@SIGNALS
@WORKERS
def test_what_is_in_flight_is_waited_for_and_kept_and_the_same_command_goes_on(start, tmp_path, workers, number):
    child = start(*SLOW, "--workers", workers)
    wait_for((tmp_path / "asked").exists, child)
    os.killpg(child.pid, number)
    (tmp_path / "answer").touch()
    _, said = child.communicate()
    assert child.returncode == CODES[number], said
    assert ("SIGTERM: stopped; " in said) is (number == signal.SIGTERM)
    assert said.endswith("stopped; everything that was answered is kept. Run the same command again to continue\n")
    kept = stored(tmp_path)
    again = start(*SLOW, "--workers", workers)
    made = json.loads(again.communicate()[0])
    assert (made["run"], made["cases"]) == ("1", 30)
    assert made["translations"]["sent"] == 30, "nothing that was answered before is sent again"
    assert 0 < kept < 30


def test_a_service_that_does_not_answer_is_not_waited_for_longer_than_sigterm_allows(start, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import concord.interruption as it\nit.GRACE = 0.01\n")
    (tmp_path / "hangs.sh").write_text("echo $$ > pid.part; mv pid.part pid; sleep 600\n")
    child = start("run", "c.txt", "-s", "command:sh hangs.sh", "-t", "es", "-r", "sane", PYTHONPATH=str(tmp_path))
    wait_for((tmp_path / "pid").exists, child)
    child.terminate()
    _, said = child.communicate()
    assert (child.returncode, said) == (143, "SIGTERM: stopped at once\n")
    wait_for(lambda: not alive(int((tmp_path / "pid").read_text())))


def test_sigterm_ends_an_experiment_as_it_does_a_run(start, tmp_path):
    (tmp_path / "e.toml").write_text(
        f'corpus = "c.txt"\nsystems = ["command:{sys.executable} mt.py", "fake"]\ntargets = ["es"]\n'
        'pivots = ["gl"]\nreplications = 2\n'
    )
    child = start("experiment", "run", "e.toml")
    wait_for((tmp_path / "asked").exists, child)
    child.terminate()
    (tmp_path / "answer").touch()
    _, said = child.communicate()
    assert child.returncode == 143, said
    assert "SIGTERM: stopped; everything that was answered is kept" in said


def test_a_library_leaves_the_signals_of_its_host_alone(tmp_path, monkeypatch):
    import concord

    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.txt").write_text("A sentence.\n")
    heard = []
    before = {number: signal.signal(number, lambda number, _: heard.append(number)) for number in CODES}
    ours = {number: signal.getsignal(number) for number in CODES}
    try:
        concord.run("c.txt", relations=["rtt"], systems=["fake"], to=["es"])
        assert {number: signal.getsignal(number) for number in CODES} == ours
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert heard == []
