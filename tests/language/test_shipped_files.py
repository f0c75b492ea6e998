"""What ships with the language services: the models, small enough, each with the notice that its sources ask for."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LANGUAGE = ROOT / "src/concord/language"
READERS = sorted(path for path in LANGUAGE.rglob("*.py") if "word_tables(__file__)" in path.read_text("utf-8"))
TABLES = [path.relative_to(LANGUAGE).with_suffix(".toml").as_posix() for path in READERS]
SHIPPED = [
    *TABLES,
    "parse/concord_en.npz",
    "parse/NOTICE",
    "parse/APACHE-LICENCE",
    "substitutes/lexicon.npz",
    "substitutes/neighbours.npz",
    "substitutes/WORDNET-LICENCE",
]


def test_the_wheel_is_made_of_the_whole_package():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/concord"]
    assert not {"exclude", "include", "only-include"} & wheel.keys()


def test_every_table_of_words_has_a_module_that_reads_it():
    assert sorted(TABLES) == sorted(path.relative_to(LANGUAGE).as_posix() for path in LANGUAGE.rglob("*.toml"))


@pytest.mark.parametrize("name", SHIPPED)
def test_models_and_notices_are_files_of_the_package_that_the_wheel_takes_along(name):
    assert files("concord.language").joinpath(name).is_file()
    # The build leaves out what git leaves out.
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().split()]
    parts = Path("src/concord/language", name).parts
    assert [line for line in ignored if any(fnmatch(part, line) for part in parts)] == []


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("parse/concord_en.npz", 8_000_000),
        ("substitutes/lexicon.npz", 4_000_000),
        ("substitutes/neighbours.npz", 2_000_000),
    ],
)
def test_models_are_small_enough_for_the_wheel(name, most):
    assert 1_000_000 < len(files("concord.language").joinpath(name).read_bytes()) <= most


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("parse/NOTICE", ["CC BY-SA 4.0", "GUM", "Amir Zeldes", "Wikinews", "Wikivoyage", "Wikipedia", "MASC"]),
        ("parse/NOTICE", ["all-MiniLM-L6-v2", "Apache License, Version 2.0", "Changed:"]),
        ("parse/APACHE-LICENCE", ["Apache License", "Version 2.0, January 2004"]),
        ("substitutes/WORDNET-LICENCE", ["WordNet 3.0", "Princeton University"]),
    ],
)
def test_notices_name_what_the_models_are_made_from(name, named):
    notice = files("concord.language").joinpath(name).read_text("utf-8")
    assert [each for each in named if each not in notice] == []
