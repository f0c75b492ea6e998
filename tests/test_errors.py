"""What is to be typed is said in one form everywhere."""

from __future__ import annotations

import doctest
from pathlib import Path

from concord import errors


def test_the_examples_hold():
    assert doctest.testmod(errors) == doctest.TestResults(failed=0, attempted=2)


def test_a_command_names_the_workspace_only_where_it_is_not_the_usual_one():
    assert errors.command("show --errors", Path("concord.sqlite")) == "concord show --errors"
    assert errors.command("show --errors", Path("a b.sqlite")) == "concord show --errors -w 'a b.sqlite'"
    assert errors.command("runs", "x; rm y", "./concord") == "./concord runs -w 'x; rm y'"
