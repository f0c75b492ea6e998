"""Temporary folders: removed at the end and, if their owner was killed, when the next one is made."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from concord import run
from concord.scratch import temporary_folder

OWNER = """
import sys, time
from concord.scratch import temporary_folder
with temporary_folder(sys.argv[1]) as folder:
    (folder / "deep").mkdir()
    (folder / "deep" / "text").write_text("private")
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def owner(place: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that has made a folder, and the folder."""
    with subprocess.Popen([sys.executable, "-c", OWNER, str(place)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_a_folder_is_removed_at_the_end(place: Path) -> None:
    with temporary_folder() as folder:
        (folder / "file").write_text("")
        assert folder.parent == place
        assert folder.stat().st_mode & 0o077 == 0
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_is_removed_when_the_next_run_starts(owner, tmp_path) -> None:
    process, left = owner
    process.kill()
    process.wait()
    (tmp_path / "c.txt").write_text("A cat sat here.\n")
    run(tmp_path / "c.txt", relations=["rtt"], systems=["fake"], to=["es"], workspace=tmp_path / "w.sqlite")
    assert not left.exists()


def test_what_a_killed_process_left_is_removed_when_the_next_folder_is_made(owner) -> None:
    process, left = owner
    with temporary_folder():
        assert (left / "deep" / "text").exists(), "its owner is alive"
    process.kill()
    process.wait()
    assert left.exists()
    with temporary_folder() as folder:
        assert not left.exists()
        assert folder.exists()


def test_what_only_looks_like_a_folder_of_ours_stays(place: Path, owner) -> None:
    process, left = owner
    process.kill()
    process.wait()
    elsewhere = left.rename(place / "elsewhere")
    (place / "concord-link").symlink_to(elsewhere)
    (place / "concord-mine").mkdir()
    (place / "concord-mine" / "notes").write_text("of somebody")
    (place / "concord-linked").mkdir()
    (place / "concord-linked" / ".concord-lock").symlink_to(elsewhere / ".concord-lock")
    (place / "concord-file").write_text("")
    with temporary_folder():
        pass
    assert (elsewhere / "deep" / "text").exists()
    assert sorted(each.name for each in place.iterdir()) == [
        "concord-file", "concord-link", "concord-linked", "concord-mine", "elsewhere",
    ]  # fmt: skip
