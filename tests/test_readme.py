"""Examples of the README run word for word."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import concord

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def block(heading: str) -> str:
    """The first block of code below a heading."""
    return re.search(r"```\w*\n(.*?)```", README.split(f"## {heading}\n", 1)[1], re.DOTALL)[1]


@pytest.fixture
def shell(tmp_path):
    program = tmp_path / ".venv" / "bin" / "concord"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m concord.cli "$@"\n')
    program.chmod(0o755)

    def run(script: str) -> str:
        done = subprocess.run(["sh", "-e", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_a_system_of_ones_own_is_tested_and_its_findings_are_shown(shell, tmp_path):
    shown = shell(block("Test your MT system"))
    assert shown.count("The translation has “21” for “12”.") == 2  # by run, and by show
    assert (tmp_path / "report.html").exists()


def test_the_drawn_queue_is_the_sheet(shell):
    shell(".venv/bin/concord run demo --limit 20 -s fake -t es -r rtt --seed 3 --top 0")
    shown = shell(block("How far can the findings be trusted?").replace(" 3 ", " 2 ").replace(" 3\n", " 2\n"))
    drawn, written = (re.search(pattern, shown)[1] for pattern in (r"(\d+) cases in the queue mine", r"(\d+) lines: "))
    assert drawn == written
    assert "0 labels from sheet.csv: no verdict is filled in" in shown


def test_a_function_is_checked_and_its_exception_is_the_error(capsys):
    function = block("In Python").partition("\n\n\n")[2]
    exec(f"import concord\n{function}", {})
    (suspicion,) = re.findall(r"0\.\d+", capsys.readouterr().out)
    assert 0 < float(suspicion) < 1

    def failing(text, source, target):
        raise KeyError("glossary")

    (outcome,) = concord.check("rtt", ["The cat sat."], translator=failing, to="es")
    assert not outcome.cases
    assert "KeyError: 'glossary'" in outcome.error
