"""Names that the system refuses, and too many open files, end in one line, wherever a command takes a file."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys

import pytest

from concord import api
from concord.errors import ConcordError, UserError, refusal

FAKE = ("-s", "fake", "-t", "es", "-r", "rtt")
SERVE = ("--no-browser", "--port", "0")
COMMANDS = [
    ("run", "@", *FAKE),
    ("run", "c.txt", *FAKE, "-w", "@"),
    ("run", "c.txt", *FAKE, "--config", "@"),
    ("run", "c.txt", *FAKE, "--reference", "@"),
    ("run", "c.txt", *FAKE, "--report", "@"),
    ("run", "c.txt", *FAKE, "-r", "rti", "--glossary", "@"),
    ("run", "c.txt", *FAKE, "-r", "rti", "--synonyms", "@"),
    ("run", "c.txt", "-s", "@.toml"),
    *(("run", "c.txt", "-s", f"{name}:@") for name in ("table", "replay", "ctranslate2", "command")),
    ("plan", "@"),
    ("plan", "c.txt", "-s", "files:@"),
    ("demo", "-w", "@"),
    *((name, "-w", "@") for name in ("show", "runs", "report", "export", "faults", "thresholds", "quality", "blame")),
    ("report", "-o", "@"),
    ("export", "-o", "@"),
    ("export", "--format", "csv", "-o", "@"),
    ("compare", "1", "1", "-w", "@"),
    ("gate", "1", "--max", "0.5", "--junit", "@"),
    ("gate", "1", "--config", "@"),
    ("serve", "@", *SERVE),
    ("serve", "--new", "-w", "@", *SERVE),
    ("evaluate", "@"),
    ("tune", "@"),
    ("calibrate", "c.txt", *FAKE, "-w", "@"),
    ("correlate", "--references", "@"),
    ("analyse", "@", "--response", "a", "--factor", "b"),
    ("sample", "@"),
    ("sample", "c.txt", "-o", "@"),
    ("phrases", "@"),
    ("regex", "@"),
    ("regex", "c.txt", "--compare", "@"),
    ("prevalence", "@"),
    ("judge", "@"),
    ("repair", "1", "-w", "@"),
    ("label", "export", "@"),
    ("label", "import", "@"),
    ("experiment", "run", "@"),
    ("experiment", "analyse", "@"),
    ("experiment", "report", "@"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    (folder / "c.txt").write_text("A cat sat here.\n")
    api.run(folder / "c.txt", relations=["rtt"], systems=["fake"], to=["es"], workspace=folder / "concord.sqlite")
    return folder


@pytest.mark.parametrize("name", ["a" * 300, "loop"], ids=["long", "loop"])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_name_that_cannot_be_used_is_told_in_one_line(concord, made, tmp_path, words, name):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    for link in ("loop", "loop.toml"):
        (tmp_path / link).symlink_to(link)
    code, _, said = concord(*(word.replace("@", name) for word in words))
    assert code in (1, 2)
    *_, told = said.splitlines()
    assert told.startswith(("error: ", "Error: "))


def test_the_line_names_the_file_and_the_reason(concord):
    assert concord("report", "-w", "a" * 300)[2] == f"error: {'a' * 50}…{'a' * 50} cannot be used: File name too long\n"


def test_a_null_byte_in_a_name_is_told_in_one_line(concord, tmp_path):
    (tmp_path / "c.txt").write_text("A cat sat here.\n")
    (tmp_path / "s.toml").write_text('translator = "table"\nargument = "a\\u0000b"\n')
    code, _, said = concord("run", "c.txt", "-s", "s.toml", "-t", "es")
    assert (code, said) == (2, "error: there is no file a␀b.\n")
    with pytest.raises(ValueError, match="null byte") as caught:
        (tmp_path / "a\0b").read_text()
    assert str(refusal(caught.value)) == "a file name with a null byte cannot be used"


@pytest.mark.parametrize("most", [8, 10, 16, 20])
def test_too_few_descriptors_are_told_in_one_line(tmp_path, most):
    (tmp_path / "c.txt").write_text("A cat sat here.\n")
    ended = subprocess.run(
        [sys.executable, "-m", "concord.cli", "run", "c.txt", *FAKE, "--workers", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)),
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("error: ")
    assert len(ended.stderr.splitlines()) == 1
    assert "oo many open files" in ended.stderr


def test_what_may_be_a_mistake_of_ours_keeps_its_traceback(concord, monkeypatch):
    for error in (OSError(9, os.strerror(9)), FileNotFoundError(2, "No such file", "x"), RuntimeError("oh")):
        assert refusal(error) is None

        def fail(*_, error=error):
            raise error

        monkeypatch.setattr(api, "runs", fail)
        with pytest.raises(type(error)):
            concord("runs")
    assert isinstance(refusal(OSError(36, "File name too long", "x")), UserError)
    assert type(refusal(OSError(24, "Too many open files"))) is ConcordError
