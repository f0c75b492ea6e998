"""A run remembers how many substitutes were turned away, by reason."""

from __future__ import annotations

import sqlite3

from concord.store import Spent, Workspace
from concord.store.migrations import STEPS


def test_rejections_add_up(tmp_path, facts):
    with Workspace(tmp_path / "w.sqlite") as store:
        run = store.begin(facts())
        assert run.rejected == {}
        store.add(run, [], spent=Spent(run.id, 0, 0, 0, 0.0, {"tag": 2, "tree": 1}))
        store.add(run, [], spent=Spent(run.id, 1, 0, 0, 0.0))
        store.remember("fake", "1", ("en", "es"), ["a"], ["b"], spent=Spent(run.id, 0, 0, 0, 0.0, {"tag": 3}))
        assert store.run(run.id).rejected == {"tag": 5, "tree": 1}
        assert store.run(run.id).asked == 1


def test_a_run_of_an_older_workspace_has_none(tmp_path, monkeypatch, facts):
    with monkeypatch.context() as before:
        before.setattr("concord.store.migrations.STEPS", STEPS[:3])
        from concord.store.connection import connect

        connect(tmp_path / "w.sqlite", True).close()
    with sqlite3.connect(tmp_path / "w.sqlite") as db:
        columns = ", ".join([*facts("r"), "started"])
        db.execute(f"INSERT INTO runs ({columns}) VALUES ('s', 'r', '{{}}', 'fake', 'en', 'es', 'c', 1, 'now')")
    db.close()
    with Workspace(tmp_path / "w.sqlite") as store:
        assert store.run(1).rejected == {}
