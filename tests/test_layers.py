"""Imports go one way, the public surface is what `__all__` says, every plug-in is listed and documented."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

import concord
from concord import api, plugins

ROOT = Path(concord.__file__).parent
LAYERS = [
    {
        *("arithmetic", "atomic", "blas", "bounds", "database", "errors", "interruption", "model", "pipes"),
        *("plain_data", "plural", "processes", "response_body", "scratch", "toml_file"),
    },
    {"plugins"},
    {"signature"},
    {"language"},
    {"corpus"},
    {"metrics", "comparator"},
    {"translators"},
    {"relations"},
    {"engine"},
    {"store"},
    {"labels", "stats"},
    {"runs"},
    {"analyses"},
    {"views"},
    {"api"},
    {"web"},
    {"cli", "testing"},
]
FORBIDDEN = {("relations", "translators"), ("engine", "translators"), ("store", "engine"), ("views", "engine")}
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FILES = sorted(ROOT.rglob("*.py"))


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The layers of Concord that a file imports, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("concord.")}
    return found & set(RANK)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_imports_only_layers_to_its_left(path):
    here = layer(path)
    if here == "__init__":
        return
    for other in imported(path) - {here}:
        assert RANK[other] < RANK[here] or (RANK[other] == RANK[here] == 0), f"{here} imports {other}"
        assert (here, other) not in FORBIDDEN


def test_every_file_belongs_to_a_layer():
    assert {layer(path) for path in FILES} - {"__init__"} <= set(RANK)


def test_the_public_surface_is_what_all_says():
    for name in [
        concord,
        api,
        *(importlib.import_module(f"concord.{each}") for each in ("corpus", "store", "testing")),
    ]:
        assert sorted(name.__all__) == list(name.__all__)
        assert all(hasattr(name, each) for each in name.__all__)


def test_the_package_exports_nothing_by_accident():
    light = {"errors", "model", "signature", "plugins"}
    modules = {module.name for module in pkgutil.iter_modules([str(ROOT)])}
    public = {name for name in vars(concord) if not name.startswith("_")} - modules
    assert public <= set(concord.__all__) | light


@pytest.mark.parametrize("family", plugins.FAMILIES)
def test_every_plugin_is_listed_with_purpose_and_options(family):
    rows = api.describe(family)
    assert [row["name"] for row in rows] == plugins.names(family)
    assert all(len(row["purpose"].split()) > 3 for row in rows)


@pytest.mark.parametrize("family", plugins.FAMILIES)
def test_every_plugin_is_documented(family):
    page = (ROOT.parent.parent / "docs" / "plugins.md").read_text()
    for row in api.describe(family):
        assert f"### `{row['name']}`" in page
        assert all(f"`{option['name']}`" in page for option in row["options"])


def test_the_generated_pages_are_up_to_date():
    namespace = importlib.util.spec_from_file_location("generate", ROOT.parent.parent / "docs" / "generate.py")
    assert namespace is not None
    assert namespace.loader is not None
    generate = importlib.util.module_from_spec(namespace)
    namespace.loader.exec_module(generate)
    for name, text in generate.pages().items():
        assert (ROOT.parent.parent / "docs" / name).read_text() == text, f"run: make docs ({name} is out of date)"
