"""TOML that no person would write ends in one line, wherever a command reads it."""

from __future__ import annotations

import pytest

from concord.errors import UserError
from concord.toml_file import DEEPEST, read_toml

HOSTILE = {
    "lists": "a = " + "[" * 100_000,
    "lists that end": "a = " + "[" * 200 + "]" * 200,
    "inline tables": "a = " + "{a = " * 100_000,
    "a dotted key": ".".join("a" * 5_000) + " = 1",
    "a heading": "[" + ".".join("a" * 5_000) + "]",
    "a number": "a = " + "9" * 5_000,
    "half a table": "a = {",
    "bytes": "\udcff",
}
COMMANDS = [
    ("run", "demo", "-s", "fake", "--config", "t.toml"),
    ("run", "demo", "-s", "t.toml"),
    ("experiment", "run", "t.toml"),
]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_it_is_told_in_one_line(concord, tmp_path, words, text):
    (tmp_path / "t.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    code, out, said = concord(*words)
    assert (code, out) == (2, "")
    assert said.startswith("error: t.toml ")
    assert len(said.splitlines()) == 1
    assert len(said) < 300


def test_tables_as_deep_as_people_write_them_are_read(tmp_path):
    place = tmp_path / "t.toml"
    place.write_text("\ufeffa = " + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1))
    assert read_toml(place)
    place.write_text("a = " + "[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(UserError, match="more than 20 deep"):
        read_toml(place)
