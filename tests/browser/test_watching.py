"""Runs as they are seen while they go on: held, stopped, taken up again, labelled beside, started by somebody else."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from concord import api

HELD = """import pathlib, sys, time
gate, passed = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[1] + ".passed")
count = int(passed.read_text()) if passed.exists() else 0
while count >= 6 and not gate.exists():
    time.sleep(0.02)
passed.write_text(str(count + 1))
for line in sys.stdin:
    text = line.rstrip("\\n")
    there, back = text.split(), text.split(" de ")
    print(*(word[::-1] for word in (back if back[1:] else there)), sep=" " if back[1:] else " de ")
"""
"""A system that answers six batches, and then nothing until its gate is there; its answers pass for Spanish."""
SENTENCES = 60


@pytest.fixture
def gate(tmp_path) -> Path:
    return tmp_path / "gate"


@pytest.fixture
def held(tmp_path, gate) -> str:
    program = tmp_path / "held.py"
    program.write_text(HELD)
    return f"command:{shlex.join([sys.executable, str(program), str(gate)])},batch=4,seconds=900,version=1"


def started(page: Page, system: str) -> None:
    """A run that has begun, and whose system answers no more."""
    page.goto("/run")
    page.get_by_label("Maximum number of sentences").fill(str(SENTENCES))
    for name, wanted in (("system", system), ("relation", "rtt")):
        for box in page.locator(f"input[name={name}]").all():
            box.set_checked(box.get_attribute("value") == wanted)
    page.get_by_role("button", name="Estimate the cost").click()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text(re.compile(r"[1-9]\d* texts sent"))).to_be_visible()


def test_a_run_is_watched_stopped_and_taken_up_again(serve, visit, held, gate):
    served = serve(None, "--system", held)
    page = visit(served)
    started(page, held)
    assert api.runs(served.workspace)[-1].finished is None

    page.keyboard.press("s")
    expect(page.get_by_role("status")).to_contain_text("Stopping")
    page.evaluate("() => { window.same = true; }")
    gate.touch()
    expect(page.get_by_role("status")).to_contain_text("Stopped.")
    assert page.evaluate("() => window.same")
    assert api.runs(served.workspace)[-1].finished is None

    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("status")).to_have_text("Finished.")
    expect(page.get_by_text("60 of 60 checks")).to_have_count(2)
    found = [(run.relation, run.finished is not None) for run in api.runs(served.workspace)]
    assert found == [("sane", True), ("rtt", True)]


def test_labels_that_are_given_during_a_run_are_all_kept(serve, visit, template, held, gate):
    served = serve(template, "--system", held)
    page, beside = visit(served, who="Hedy"), visit(served)
    started(beside, held)
    page.goto("/label/queue/first")
    for number in range(8):
        expect(page.get_by_role("status")).to_contain_text(f"{number} of 40 labelled")
        expect(page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")  # a key before is held
        page.keyboard.press("e" if number % 2 else "c")
        if number == 3:
            gate.touch()  # from here on, the run writes at the same time
        with page.expect_navigation():
            page.keyboard.press("Enter")

    expect(beside.get_by_role("status")).to_have_text("Finished.")
    assert api.queues(served.workspace, annotator="Hedy")[0].labelled == 8
    run = api.runs(served.workspace)[-1]
    assert (run.system, run.finished is not None) == (held.partition(",")[0], True)
    assert len(api.cases(served.workspace, api.Filter(runs=(run.id,), flagged=None), limit=200).rows) == SENTENCES


def test_a_run_of_another_process_appears_on_the_overview_by_itself(serve, visit, template):
    served = serve(template)
    page = visit(served)
    page.goto("/")
    before = len(api.runs(served.workspace))
    link = page.get_by_role("region", name="Runs").get_by_role("link", name=str(before + 1), exact=True)
    expect(link).to_have_count(0)
    signature = page.locator(f"#signature-{before}")
    signature.locator("summary").click()
    page.evaluate("() => { window.same = true; }")

    words = ["run", "demo", "--limit", "5", "-s", "fake", "-r", "rtt", "-w", str(served.workspace)]
    subprocess.run([sys.executable, "-m", "concord.cli", *words], check=True, capture_output=True)

    expect(link).to_be_visible()
    assert page.evaluate("() => window.same")
    expect(signature).to_have_attribute("open", "")
    expect(signature.locator("summary")).to_be_focused()
