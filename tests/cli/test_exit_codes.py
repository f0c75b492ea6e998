"""Commands end cleanly when nobody reads them any more."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

FAKE = ("--system", "fake", "--to", "es", "-r", "rtt")


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


@pytest.mark.parametrize(
    "words", ["run demo --limit 2 --json -s fake -r sane", "runs --json", "show 1 --limit 1", "show 99"]
)
def test_a_closed_output_ends_no_command_in_a_traceback(concord, tmp_path, words):
    concord("run", "demo", *FAKE, "--limit", "2", "--top", "0")
    command = f"{sys.executable} -m concord.cli {words} >&-"
    ended = subprocess.run(command, shell=True, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == (2 if "99" in words else 0)
    assert "Traceback" not in ended.stderr


TRY = ("try", "The old stone bridge was closed.", "-r", "sane")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("both", [False, True], ids=["stdout", "stdout and stderr"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((*TRY, "-s", "fake"), 0),
        ((*TRY, "-s", "fake", "--json"), 0),
        ((*TRY, "-s", "command:false"), 0),  # as `run` and `judge`: whoever has gone wants no verdict
        (("run", "one.txt", "-s", "command:false", "-r", "sane"), 0),
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
    assert [child.stdout.readline(), child.stdout.readline()] == [b"\n", b"sane: 1 case\n"]
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert child.wait() == 0
    assert b"Traceback" not in said
