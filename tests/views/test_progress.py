"""The live line says what one would ask while waiting."""

from __future__ import annotations

from concord.cli.output import progress
from concord.runs.summary import Progress
from concord.views.progress import Live, remark


def test_a_pause_of_the_provider_is_visible():
    assert remark(Progress(1, "x", 1, 9, 0, 5, 2, 12.2)) == "5 sent, 2 cached, waiting for provider, 12 s"


def test_a_provider_that_throttles_is_told_once_in_each_run_where_there_is_no_terminal(capsys):
    with progress() as watch:
        for run, throttled in [(1, 0.0), (1, 9.9), (1, 10.1), (1, 30.0), (2, 5.0), (2, 60.0)]:
            watch(Progress(run, f"run {run}", 1, 9, 0, 5, 2, 12.2, 0, throttled))
    assert capsys.readouterr().err.splitlines() == [
        "run 1: the provider has throttled every request for 10 s; waiting",
        "run 2: the provider has throttled every request for 60 s; waiting",
    ]


def test_errors_and_stopping_are_visible():
    said = remark(Progress(1, "x", 1, 9, 3, 5, 2, 0.0, 4))
    assert said == "5 sent, 2 cached, 3 errors, stopping: 4 requests under way, Ctrl-C again leaves at once"


def test_each_run_has_a_line_of_its_own(capsys):
    with Live() as live:
        live.update(Progress(1, "first [run]", 9, 9, 0, 5, 2, 0.0))
        live.update(Progress(2, "second", 1, 9, 0, 5, 2, 0.0))
    shown = capsys.readouterr().err
    assert "first [run]" in shown
    assert "second" in shown
