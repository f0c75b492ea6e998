"""The migrations that bring a workspace file to the present schema: the steps of `migrations.sql`, in their order."""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

from concord.errors import StoreError
from concord.store.migration_case_keys import without_answers
from concord.store.migration_facts import with_facts

OURS = 0x434E4344  # "CNCD": in the header of every workspace

Step = str | Callable[[sqlite3.Connection], None]
"""SQL statements or, where SQL is not enough, a function that runs within the step's transaction."""

_FUNCTIONS: dict[str, Step] = {"without_answers": without_answers, "with_facts": with_facts}


def steps_in(text: str) -> list[Step]:
    """The steps of a file, each headed by `-- step`, or by `-- step: name` where the function of that name does it."""
    _, *headed = re.split(r"^-- step(?:: (\w+))?\n", text, flags=re.MULTILINE)
    return [_FUNCTIONS[name] if name else sql for name, sql in zip(headed[::2], headed[1::2], strict=True)]


STEPS = steps_in(Path(__file__).with_name("migrations.sql").read_text("utf-8"))


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the steps that the file lacks, each in a transaction of its own."""
    while (version := _version(connection)) != len(STEPS):
        if version > len(STEPS):
            formats = f"format {version}; known here: {len(STEPS)}"
            raise StoreError(f"the workspace was written by a newer Concord ({formats})")
        connection.execute("BEGIN IMMEDIATE")
        if _version(connection) == version:  # another process may have been faster
            _apply(STEPS[version], connection)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute(f"PRAGMA application_id = {OURS}")
        connection.execute("COMMIT")


def _apply(step: Step, connection: sqlite3.Connection) -> None:
    if callable(step):
        step(connection)
        return
    for statement in step.split(";"):
        connection.execute(statement)


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the file is a workspace, by its header alone: nothing else in it is read before."""
    return int(connection.execute("PRAGMA application_id").fetchone()[0]) == OURS


def is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
