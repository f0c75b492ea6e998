"""Commands end cleanly when nobody reads them any more and when they are stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

FAKE = ("--system", "fake", "--to", "es")


@pytest.mark.parametrize(
    "words", [("export",), ("export", "--json"), ("export", "--format", "csv"), ("show", "--json")]
)
def test_a_reader_that_has_gone_is_nothing_wrong(concord, tmp_path, words):
    concord("run", "demo", *FAKE, "--top", "0")
    command = [sys.executable, "-m", "concord.cli", *words]
    child = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert (child.wait(), said) == (0, b"")


TRY = ("try", "The old stone bridge was closed.", "-r", "rtt")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("both", [False, True], ids=["stdout", "stdout and stderr"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((*TRY, "-s", "fake"), 0),
        ((*TRY, "-s", "fake", "--json"), 0),
        ((*TRY, "-s", "command:false"), 0),  # as `run` and `judge`: whoever has gone wants no verdict
        (("run", "one.txt", "-s", "command:false"), 0),
        ((*TRY, "-s", "nonsense"), 2),
        (("run", "one.txt", "-s", "nonsense"), 2),
    ],
)
def test_trying_ends_like_other_commands_when_nobody_reads_it(tmp_path, words, code, both, unbuffered):
    (tmp_path / "one.txt").write_text("Hello there.\n")
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "concord.cli", *words]
    with open(writing, "wb") as output:
        errors = output if both else subprocess.PIPE
        ended = subprocess.run(command, cwd=tmp_path, env=environment, stdout=output, stderr=errors, text=True)
    assert ended.returncode == code
    assert "Traceback" not in (ended.stderr or "")
    assert "Broken" not in (ended.stderr or "")


def test_trying_shows_its_first_line_to_whoever_wants_no_more(tmp_path):
    command = [sys.executable, "-m", "concord.cli", *TRY, "-s", "fake"]
    child = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert [child.stdout.readline(), child.stdout.readline()] == [b"\n", b"rtt: 1 case\n"]
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert child.wait() == 0
    assert b"Traceback" not in said


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_cleanly_and_the_same_command_goes_on(tmp_path, workers):
    (tmp_path / "c.txt").write_text("".join(f"Sentence number {i}.\n" for i in range(120)))
    slow = "command:sh -c 'sleep 0.1; cat',batch=10"
    words = [sys.executable, "-m", "concord.cli", "run", "c.txt", "--system", slow, "--to", "es", "--json"]
    words += ["--workers", workers]
    child = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not _stored(tmp_path / "concord.sqlite") and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    assert "Run the same command again to continue" in err
    stored = _stored(tmp_path / "concord.sqlite")
    made = json.loads(subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
    assert (made["run"], made["cases"]) == ("1", 120)
    assert made["translations"]["sent"] == 240, "nothing that was answered before Ctrl-C is sent again"
    assert 0 < stored < 240


def _stored(path: os.PathLike[str]) -> int:
    import sqlite3

    if not os.path.exists(path):
        return 0
    try:
        with sqlite3.connect(path) as db:
            return db.execute("SELECT count(*) FROM translations").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()
