"""Whoever keeps a table in the workspace asks by its public names, and sees one state where it matters."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import concord
from concord.errors import StoreError
from concord.store import Workspace

ROOT = Path(concord.__file__).parent
NAMES = {"store", "workspace", "_store", "_workspace"}


def private(path):
    """The private names of a workspace that a file uses."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            owner = node.value
            if getattr(owner, "id", getattr(owner, "attr", "")) in NAMES:
                yield f"{path.name}:{node.lineno} {node.attr}"


def test_nobody_uses_private_names_of_a_workspace():
    assert [use for path in ROOT.rglob("*.py") for use in private(path)] == []


def test_several_questions_see_one_state_while_others_write(workspace, facts):
    count = "SELECT count(*) FROM runs"
    with Workspace(workspace.path) as other, workspace.still():
        before = workspace.first(count)
        other.begin(facts())
        assert workspace.first(count) == before == (0,)
    assert workspace.first(count) == (1,)


def test_what_fails_half_way_is_not_kept(workspace):
    def half():
        with workspace.writing() as db:
            db.execute("INSERT INTO epochs VALUES ('mt', 1)")
            raise KeyError

    with pytest.raises(KeyError):
        half()
    assert workspace.epoch("mt") == 0


def test_a_question_that_cannot_be_asked_is_told_as_an_error_of_the_store(workspace):
    with pytest.raises(StoreError, match="no such table"):
        list(workspace.many("SELECT * FROM nowhere"))


def test_a_table_is_there_or_not(workspace):
    assert workspace.has("samples")
    assert not workspace.has("nowhere")
