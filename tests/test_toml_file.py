"""TOML that no person would write ends in one line, wherever a command reads it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.bounds import is_deeper
from concord.errors import UserError
from concord.toml_file import DEEPEST, parse_toml, read_toml

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


@pytest.mark.parametrize("key", ["a.", "a . ", '"a.b".', "'a'.", "-_1\t."])
@pytest.mark.parametrize(
    "line", ["{} = 1", "[{}]", "[[{}]]", 'b = {{c = """d"""", {} = 1}}', "b = {{c = '''d'''', {} = 1}}"]
)
def test_a_key_of_many_parts_is_refused_wherever_it_stands(line, key):
    assert parse_toml(Path("t.toml"), line.format(key * (DEEPEST - 3) + "a"))
    with pytest.raises(UserError, match="more than 20 deep"):
        parse_toml(Path("t.toml"), line.format(key * 100 + "a"))


DOTS = "a." * 30
HARMLESS = {
    "comment": f"# {DOTS}",
    "string": f'a = "\\"{DOTS}"',
    "literal": f"a = '{DOTS}'",
    "lines": f'a = """"\n{DOTS}\\""""',
    "literal lines": f"a = '''\n'{DOTS}''''",
    "numbers": "\n".join(f"a{number} = 1.5" for number in range(30)),
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_dots_in_strings_comments_and_numbers_are_no_depth(text):
    assert parse_toml(Path("t.toml"), text) or text.startswith("#")


@given(st.text(alphabet="ab.\"'\\#= \n[]{},", max_size=60))
def test_no_text_before_a_long_key_hides_it_or_makes_one_of_a_string(text):
    document = f"{text}\n{'a.' * DEEPEST}z = 1"
    try:
        is_too_deep = is_deeper(tomllib.loads(document), DEEPEST)
    except ValueError:
        return
    assert _is_refused(document) == is_too_deep


def _is_refused(document: str) -> bool:
    try:
        parse_toml(Path("t.toml"), document)
    except UserError:
        return True
    return False
