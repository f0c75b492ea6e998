"""What ships with the package: the data that modules read, and models with the notices that their sources ask for."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src/concord"
DATA = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}}
TABLES = {".json", ".jsonl", ".npz", ".sql", ".toml", ".tsv"}


def files_read_by(module):
    """The files beside a module that it names in its source."""
    source = module.read_text("utf-8")
    if "word_tables(__file__)" in source:
        yield module.with_suffix(".toml")
    for name in re.findall(r"""(?:with_name\(|read_table\(__package__, )"([^"]+)"\)""", source):
        yield module.with_name(name)


READ = {path for module in PACKAGE.rglob("*.py") for path in files_read_by(module)}
# The lexicon's module is in another folder.
READ.add(PACKAGE / "language/substitutes/lexicon.npz")


def test_the_wheel_is_made_of_the_whole_package():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/concord"]
    assert not {"exclude", "include", "only-include"} & wheel.keys()


def test_every_file_that_a_module_reads_is_in_the_package():
    assert sorted(READ - DATA) == []


def test_every_table_has_a_module_that_reads_it():
    assert sorted({path for path in DATA if path.suffix in TABLES} - READ) == []


def test_the_build_leaves_out_no_data():
    """It leaves out what git leaves out."""
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().split()]
    parts = {part for path in DATA for part in path.relative_to(ROOT).parts}
    assert [(part, line) for part in parts for line in ignored if fnmatch(part, line)] == []


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("parse/concord_en.npz", 8_000_000),
        ("substitutes/lexicon.npz", 4_000_000),
        ("substitutes/word_vectors.npz", 1_000_000),
    ],
)
def test_models_are_small_enough_for_the_wheel(name, most):
    assert 500_000 < len(files("concord.language").joinpath(name).read_bytes()) <= most


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("parse/NOTICE", ["CC BY-SA 4.0", "GUM", "Amir Zeldes", "Wikinews", "Wikivoyage", "Wikipedia", "MASC"]),
        ("parse/NOTICE", ["all-MiniLM-L6-v2", "Apache License, Version 2.0", "Changed:"]),
        ("parse/APACHE-LICENCE", ["Apache License", "Version 2.0, January 2004"]),
        ("substitutes/WORDNET-LICENCE", ["WordNet 3.0", "Princeton University"]),
        ("substitutes/WORD-VECTORS-NOTICE", ["all-MiniLM-L6-v2", "Apache License, Version 2.0", "Changed:"]),
        ("substitutes/SYNONYMS-LICENCE", ["Hai Liang Wang", "Hu Ying Xi", "Permission is hereby granted", "changed"]),
    ],
)
def test_notices_name_what_the_models_are_made_from(name, named):
    notice = files("concord.language").joinpath(name).read_text("utf-8")
    assert [each for each in named if each not in notice] == []
