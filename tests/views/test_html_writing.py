"""The page as a file: written whole or not at all, where the user said."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from concord.errors import ConcordError, UserError
from concord.store import RunRecord, Workspace
from concord.views.html import report

Begin = Callable[..., RunRecord]


def test_the_template_ships_with_the_package() -> None:
    assert files("concord.views.html").joinpath("page.html").is_file()


def test_the_page_is_written_over_an_older_one(workspace: Workspace, begin: Begin, tmp_path: Path) -> None:
    run, path = begin(), tmp_path / "report.html"
    path.write_text("old")
    report.write(workspace, [run.id], path)
    assert path.read_text("utf-8") == report.render(workspace, [run.id])
    assert [each.name for each in tmp_path.iterdir() if "w.sqlite" not in each.name] == ["report.html"]


def test_a_page_that_cannot_be_written_leaves_the_old_one(
    workspace: Workspace, begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, path = begin(), tmp_path / "report.html"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    report.render(workspace, [run.id])  # the index stands before the disk is full
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ConcordError, match=r"report\.html cannot be written: No space left on device"):
        report.write(workspace, [run.id], path)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir() if "w.sqlite" not in each.name] == ["report.html"]


def test_a_link_to_the_page_stays_a_link(workspace: Workspace, begin: Begin, tmp_path: Path) -> None:
    (tmp_path / "real.html").write_text("old")
    (tmp_path / "link.html").symlink_to("real.html")
    report.write(workspace, [begin().id], tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert "Concord report" in (tmp_path / "real.html").read_text("utf-8")


def test_a_pipe_is_written_to_rather_than_replaced(workspace: Workspace, begin: Begin, tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    report.write(workspace, [begin().id], pipe)
    reader.join()
    assert pipe.is_fifo()
    assert "Concord report" in read[0]


def test_a_folder_that_does_not_exist_is_named(workspace: Workspace, begin: Begin, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere does not exist"):
        report.write(workspace, [begin().id], tmp_path / "nowhere" / "report.html")


def test_a_folder_in_place_of_a_file_is_named(workspace: Workspace, begin: Begin, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder; name a file"):
        report.write(workspace, [begin().id], tmp_path)


def test_a_run_that_does_not_exist_is_named(workspace: Workspace) -> None:
    with pytest.raises(UserError, match="there is no run 7"):
        report.render(workspace, [7])
