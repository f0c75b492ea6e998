"""Errors that come from the configuration file name the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from concord.errors import UserError
from concord.runs import config

FAKE = ("--system", "fake", "--to", "es")


@pytest.mark.parametrize("command", [("run", "-s", "fake"), ("run", "-s", "fake", "--dry-run"), ("plan",)])
def test_an_error_about_an_option_of_the_file_names_the_file(concord, tmp_path, command):
    (tmp_path / "c.txt").write_text("One house.\n")
    (tmp_path / "concord.toml").write_text("[relations.rtt]\nthreshold = 3\n")
    code, _, err = concord(command[0], "c.txt", *command[1:], "-r", "rtt")
    assert code == 2
    assert "cannot be '3'" in err
    assert "(concord.toml has threshold = 3 for rtt; what the command says wins: --relation rtt,threshold=…)" in err
    code, _, err = concord(command[0], "c.txt", *command[1:], "-r", "rtt,threshold=4")
    assert code == 2
    assert "concord.toml has" not in err


def test_an_error_about_what_an_option_of_the_file_is_set_to_names_the_file(concord, tmp_path, monkeypatch):
    from concord.metrics import wer

    def refuse(a, b):
        raise UserError("wer cannot compare two texts")

    monkeypatch.setattr(wer, "similarity", refuse)
    (tmp_path / "concord.toml").write_text('[relations.rtt]\nmetric = "wer"\n')
    code, _, err = concord("run", "demo", "--limit", "2", *FAKE, "-r", "rtt")
    assert code == 2
    assert "(concord.toml has metric = wer for rtt; what the command says wins: --relation rtt,metric=…)" in err


@pytest.mark.parametrize("command", [("run",), ("run", "--dry-run"), ("plan", "-s", "files:exchange")])
def test_a_command_reads_the_file_once(concord, tmp_path, monkeypatch, command):
    (tmp_path / "concord.toml").write_text("[relations.rtt]\nthreshold = 0.3\n")
    times = []
    read = config.read_configuration

    def counted(path):
        times.append(Path(path).name)
        return read(path)

    monkeypatch.setattr(config, "read_configuration", counted)
    system = () if "-s" in command else ("-s", "fake")
    assert concord(*command, *system, "demo", "--limit", "1", "--to", "es", "-r", "rtt")[0] == 0
    assert times == ["concord.toml"]


def test_an_error_about_something_else_does_not_name_the_file(concord, tmp_path):
    (tmp_path / "concord.toml").write_text("[relations.rtt]\nthreshold = 0.3\n")
    for words in (("-s", "fake", "-t", "en"), ("-s", "nobody", "-t", "es")):
        code, _, err = concord("run", "demo", "-r", "rtt", *words)
        assert code == 2
        assert "concord.toml has" not in err


def test_a_library_that_a_configured_option_needs_is_not_the_commands_fault(concord, tmp_path, monkeypatch):
    from concord.language import models
    from concord.metrics import embedding

    monkeypatch.setattr(embedding, "_choice", embedding._choice.__wrapped__)  # another test may have loaded it
    found = models.importlib.util.find_spec
    monkeypatch.setattr(models.importlib.util, "find_spec", lambda name: None if name == "torch" else found(name))
    (tmp_path / "concord.toml").write_text('[relations.rtt]\nmetric = "embedding"\n')
    code, _, err = concord("run", "demo", "--limit", "2", *FAKE, "-r", "rtt")
    assert code == 2
    assert "torch is not installed. To install it: pip install 'concord-mt[semantic]' (concord.toml has metric" in err
