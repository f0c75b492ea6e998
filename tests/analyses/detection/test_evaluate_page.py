"""What docs/evaluate.md shows is what the program prints."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from concord.language import models

PAGE = (Path(__file__).parents[3] / "docs" / "evaluate.md").read_text("utf-8")
ROWS = re.findall(r"```csv\n(.*?)```", PAGE, re.DOTALL)[0]
SHOWN = re.findall(r"```\n\$ concord ([^\n]*)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def concord(concord, tmp_path):
    """The program beside the rows of the page."""
    (tmp_path / "labelled.csv").write_text(ROWS)
    return concord


@pytest.mark.parametrize(("words", "printed"), SHOWN, ids=[words.split()[0] for words, _ in SHOWN])
def test_the_page_shows_what_is_printed(concord, words, printed):
    code, out, _ = concord(*shlex.split(words))
    assert code == 0
    assert out.lstrip("\n").startswith(printed)


def test_the_configuration_on_the_page_is_the_one_that_is_written(concord, tmp_path):
    concord(*shlex.split(SHOWN[1][0]))
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert (tmp_path / "concord.toml").read_text() == shown
    assert tomllib.loads(shown)["relations"]["rtt"]["threshold"] == 0.25


def test_the_page_can_be_followed_where_nothing_optional_is_installed(concord, monkeypatch):
    found = models.importlib.util.find_spec
    monkeypatch.setattr(models.importlib.util, "find_spec", lambda name: None if name == "torch" else found(name))
    tune, run = (re.search(rf"^concord ({each} [^#\n]*)", PAGE, re.MULTILINE)[1] for each in ("tune", "run"))
    assert concord(*shlex.split(tune))[0] == 0
    code, _, err = concord(*shlex.split(run.replace("apertium", "fake")), "--limit", "3")
    assert (code, err) == (0, "")
    assert "|threshold:0.25|" in json.loads(concord("runs", "--json")[1])["rows"][-1]["signature"]


def test_the_python_of_the_page_runs(concord, tmp_path):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    assert (tmp_path / "evaluation" / "index.html").is_file()
