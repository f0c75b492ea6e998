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
    {"options", "signature"},
    {"plugins"},
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
DOORS = {"api", "views", "errors"}
"""What the command line and the page see of Concord."""
DOMAINLESS = {"database", "interruption", "plural", "processes"}
"""Floor modules that know nothing of translations, which they may import as well."""
LONGEST_DOOR = 40
PROTOCOLS = {"Encoder", "Parser", "Substitutes", "Translator"}
"""The classes that make a file a plug-in, by the same name in each."""
PROCESSES = {"Pipeline", "Line", "_Lines", "Tagger", "Parsers", "ParserChoice", "SharedParsers", "subprocess.Popen"}
"""What starts processes, or keeps them."""
FORBIDDEN = {("relations", "translators"), ("engine", "translators"), ("store", "engine"), ("views", "engine")}
READERS = {"store", "labels", "stats", "views"}
"""Layers that read what runs have left behind, for which no plug-in need be installed any more."""
MIGRATION = Path("store/migration_facts.py")
"""It fills the records of older workspaces from the relations that are installed."""
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FILES = sorted(ROOT.rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The layers of Concord that a file imports, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        assert not getattr(node, "level", 0), "imports are absolute"
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("concord.")}
    return found & set(RANK)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_imports_only_layers_to_its_left(path):
    here = layer(path)
    if here == "__init__":
        return
    for other in imported(path) - {here}:
        assert RANK[other] < RANK[here] or (RANK[other] == RANK[here] == 0), f"{here} imports {other}"
        assert (here, other) not in FORBIDDEN


@pytest.mark.parametrize("path", [path for path in FILES if layer(path) in READERS], ids=name_of)
def test_what_reads_a_workspace_knows_no_plug_in(path):
    if path.relative_to(ROOT) != MIGRATION:
        assert not imported(path) & {"plugins", "relations"}


def test_only_the_protocol_and_what_runs_relations_loads_them():
    inside = {"runs", "engine", "testing"}
    calls = [
        (path.relative_to(ROOT), ast.unparse(node))
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if layer(path) not in inside and isinstance(node, ast.Call) and ast.unparse(node.func).endswith("load")
    ]
    assert {path for path, call in calls if "relations" in call} == {Path("relations/_protocol.py")}


@pytest.mark.parametrize("path", [path for path in FILES if layer(path) == "runs"], ids=name_of)
def test_what_plans_runs_knows_no_translator_by_its_name(path):
    if path.stem != "doctor":  # it says which of them can be used here
        constants = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
        assert not constants & set(plugins.names("translators"))


def test_no_global_holds_a_process():
    found = []
    for path in FILES:
        tree = ast.parse(path.read_text())
        kept = [node.value for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and node.value]
        cached = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.decorator_list]
        kept += [node for node in cached if any("cache" in ast.unparse(each) for each in node.decorator_list)]
        calls = {ast.unparse(node.func) for value in kept for node in ast.walk(value) if isinstance(node, ast.Call)}
        found += [f"{name_of(path)}: {call}" for call in calls if call in PROCESSES]
    assert not found


@pytest.mark.parametrize("path", [path for path in FILES if layer(path) in ("cli", "web")], ids=name_of)
def test_the_command_line_and_the_page_go_through_the_doors(path):
    server = {"web"} if path == ROOT / "cli" / "serve.py" else set()  # the command that starts it
    assert imported(path) <= {layer(path)} | DOORS | DOMAINLESS | server


def test_a_function_of_the_api_is_a_door_and_not_a_house():
    long = [
        f"{path.name}: {node.name} has {length} lines"
        for path in FILES
        if layer(path) == "api"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := node.end_lineno - node.lineno + 1) > LONGEST_DOOR
    ]
    assert not long


def test_a_class_name_has_one_meaning():
    names = [
        node.name
        for path in FILES
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert {name for name in names if names.count(name) > 1} == PROTOCOLS


def test_every_file_belongs_to_a_layer():
    assert {layer(path) for path in FILES} - {"__init__"} <= set(RANK)


def test_one_module_reads_what_relations_define():
    reading = [name_of(path) for path in FILES if 'load("relations"' in path.read_text(encoding="utf-8")]
    assert reading == ["relations/_protocol.py"]
    defined = ("check", "compare", "plan", "services", "thresholds", "select", "construct", "TRAITS")
    names = {f"module.{name}" for name in defined}
    reading = [name_of(path) for path in FILES if any(name in path.read_text(encoding="utf-8") for name in names)]
    assert reading == ["relations/_protocol.py"]


def test_the_public_surface_is_what_all_says():
    for name in [concord, *(importlib.import_module(f"concord.{each}") for each in ("corpus", "store", "testing"))]:
        assert sorted(name.__all__, key=lambda each: (not each.isupper(), each)) == list(name.__all__)
        assert all(hasattr(name, each) for each in name.__all__)


def test_the_doors_are_what_the_api_imports_under_its_own_name():
    imports = ast.parse((ROOT / "api" / "__init__.py").read_text()).body[1:]
    assert all(isinstance(node, ast.ImportFrom) for node in imports)
    doors = [alias.name for node in imports for alias in node.names]
    assert doors == [alias.asname for node in imports for alias in node.names]
    assert len(doors) == len(set(doors))
    assert all(hasattr(api, door) for door in doors)


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
