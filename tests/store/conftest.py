"""Fixtures of the store's tests."""

import contextlib

import pytest


@pytest.fixture
def columns_of_today():
    """Lets an older workspace take rows as they are written today, and is gone from it afterwards."""

    @contextlib.contextmanager
    def taken(workspace):
        with workspace.writing() as db:
            db.execute("ALTER TABLE checks ADD COLUMN untested TEXT NOT NULL DEFAULT ''")
        yield
        with workspace.writing() as db:
            db.execute("ALTER TABLE checks DROP COLUMN untested")

    return taken
