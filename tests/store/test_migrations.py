"""The steps of the file of migrations."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from concord.store import migrations
from concord.store.migration_case_keys import without_answers
from concord.store.migration_facts import with_facts
from concord.store.migrations import STEPS, migrate, steps_in

FILE = Path(migrations.__file__).with_name("migrations.sql").read_text("utf-8")


def test_steps_are_sql_or_the_functions_that_the_file_names():
    assert len(STEPS) == 13
    assert [number for number, step in enumerate(STEPS) if callable(step)] == [8, 10]
    assert (STEPS[8], STEPS[10]) == (without_answers, with_facts)


def test_a_step_at_the_end_of_the_file_is_applied(monkeypatch):
    appended = steps_in(FILE + "\n-- step\n\nCREATE TABLE added (id INTEGER PRIMARY KEY);\n")
    monkeypatch.setattr(migrations, "STEPS", appended)
    with sqlite3.connect(":memory:", isolation_level=None) as database:
        migrate(database)
        assert database.execute("PRAGMA user_version").fetchone() == (len(STEPS) + 1,)
        assert database.execute("SELECT * FROM added").fetchall() == []
    database.close()


def test_no_sql_stands_below_a_heading_that_names_a_function():
    """It would not be run."""
    assert re.findall(r"^-- step: \w+\n\s*[^\s-].*", FILE, flags=re.MULTILINE) == []


def test_a_heading_that_names_no_function_is_refused():
    with pytest.raises(KeyError, match="with_fact"):
        steps_in("-- step: with_fact\n")
