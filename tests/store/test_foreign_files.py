"""Workspaces and indexes that a stranger has made: nothing in them is executed, and no value is too long to read."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from concord import api
from concord.database import NotPlain, open_database
from concord.errors import StoreError, UserError
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.comparators import Learnt

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n"
MEASURED = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, done.stdout, done.stderr, used.ru_maxrss, used.ru_utime + used.ru_stime]))
"""
"""A process of its own, so that the most memory of its only child is known."""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("made") / "concord.sqlite"
    api.run(api.read("demo", "en", limit=8), relations=["rtt"], systems=["fake"], to=["es"], workspace=path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def sent(made, tmp_path) -> Path:
    return Path(shutil.copy(made, tmp_path / "concord.sqlite"))


@pytest.fixture
def longest(monkeypatch) -> int:
    """A bound that takes less memory to exceed than the real one."""
    for module in ("concord.database", "concord.store.connection", "concord.store.runs", "concord.store.damage"):
        monkeypatch.setattr(f"{module}.LONGEST_VALUE", 1_000_000)
    return 1_000_000


def change(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(script)


HOSTILE = {
    "view": f"ALTER TABLE runs RENAME TO other; CREATE VIEW runs AS {ENDLESS};",
    "trigger": f"CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM checks WHERE run IN ({ENDLESS}); END;",
    "virtual table": "CREATE VIRTUAL TABLE more USING fts5(words);",
    "computed column": "ALTER TABLE runs ADD COLUMN more AS (hex(zeroblob(1000)));",
    "view that calls itself a table": f"""
        CREATE VIEW more AS {ENDLESS};
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET type = 'table' WHERE name = 'more';
        """,
}


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE)
def test_a_workspace_that_computes_is_refused_in_one_line(concord, sent, script):
    change(sent, script)
    for command in (
        "runs",
        "show",
        "run demo --limit 1 --from en --to es -r rtt -s replay:concord.sqlite -w new.sqlite",
    ):
        code, _, err = concord(*command.split())
        assert code == 2 or (code == 1 and "malformed" in err), "SQLite itself refuses some of it"
        assert "concord.sqlite" in err
        assert err.count("\n") == 1


def test_tables_and_indexes_of_ones_own_are_no_reason_to_refuse_a_workspace(concord, sent):
    change(sent, "CREATE TABLE mine (note TEXT); CREATE INDEX my_index ON runs (system); ANALYZE;")
    assert concord("runs")[0] == 0


def test_a_workspace_with_a_value_of_300_megabytes_is_refused_in_one_line_and_little_memory(sent):
    # In a process of its own: it takes twice the memory to write.
    write = "UPDATE cases SET body = CAST(zeroblob(300000000) AS TEXT) WHERE run = 1 AND position = 3"
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, str(sent), write], check=True)
    program = [sys.executable, "-m", "concord.cli"]
    for command in (["show", "1"], ["export", "1", "--format", "jsonl"], ["label", "export", "1", "sheet.csv"]):
        call = [sys.executable, "-c", MEASURED, *program, *command, "-w", str(sent)]
        code, _, err, memory, seconds = json.loads(subprocess.run(call, capture_output=True, text=True).stdout)
        assert code == 1
        assert err.count("\n") == 1
        assert err.startswith(f"error: the workspace {sent} cannot be used: ")
        assert "a value is longer than 50,000,000 bytes" in err or "out of memory" in err
        assert memory < 300_000, "KB"
        assert seconds < 20


@pytest.mark.parametrize("column", ["position", "key", "body"])
def test_a_value_that_is_too_long_is_told_with_the_file(longest, sent, column):
    with contextlib.closing(sqlite3.connect(sent, isolation_level=None)) as db:
        db.execute(f"UPDATE cases SET {column} = zeroblob({longest + 1}) WHERE run = 1 AND position = 3")
    refused = f"{sent} cannot be used: a value is longer than 1,000,000 bytes"
    with Workspace(sent) as store, pytest.raises(StoreError, match=refused):
        list(store.rows([1]))


def test_a_value_that_is_too_long_is_not_written(longest, workspace):
    with (
        pytest.raises(StoreError, match="a value is longer than 1,000,000 bytes"),
        workspace.writing() as db,
    ):
        db.execute("INSERT INTO epochs VALUES (?, 1)", ("a" * (longest + 1),))


def test_too_little_memory_is_told_as_such_and_nothing_is_thrown_away(sent, monkeypatch):
    def refuse(*_):
        raise MemoryError

    api.cases(sent, api.Filter(flagged=None), patient=True)
    before = Path(f"{sent}-index").stat().st_ino
    with pytest.raises(StoreError, match="out of memory"), Workspace(sent) as store, store.writing():
        refuse()
    monkeypatch.setattr("concord.store.index.index.Columns", refuse)
    with pytest.raises(StoreError, match=r"the index .* cannot be used: out of memory"):
        api.cases(sent, api.Filter(flagged=None), patient=True)
    assert Path(f"{sent}-index").stat().st_ino == before


def test_a_case_of_ones_own_that_is_too_long_is_a_row_with_an_error(longest, workspace, facts):
    run = workspace.begin(facts())
    long, short = Text("a" * (longest + 1), "en"), Text("a", "en")
    case = Case(long, short, short, short, (short, short), 0.9, 0.4)
    workspace.add(run, [Outcome(Segment("s", short, 0), cases=[case])])
    (row,) = workspace.rows([run.id])
    assert "more than 1,000,000 bytes" in row["error"]


def test_what_unpacks_to_more_than_anything_that_concord_packs_is_damaged(longest, workspace, facts):
    run = workspace.begin(facts())
    with workspace.writing() as db:
        db.execute("INSERT INTO learnt (run, data) VALUES (?, ?)", (run.id, zlib.compress(bytes(longest + 1))))
    with pytest.raises(UserError, match="longer than 1,000,000 bytes"):
        Learnt(workspace).load(run.id)


def test_the_schema_of_a_database_is_not_trusted(tmp_path):
    with contextlib.closing(open_database(tmp_path / "new")) as db:
        assert db.execute("PRAGMA trusted_schema").fetchone() == (0,)
        assert db.execute("PRAGMA cell_size_check").fetchone() == (1,)
        db.execute("CREATE VIEW v AS SELECT 1")
    with pytest.raises(NotPlain, match="'v' in it"):
        open_database(tmp_path / "new")


def forged(db: sqlite3.Connection, name: str) -> None:
    """A column that leads nowhere, with a checksum that is right."""
    data = np.full(8, 1_000_000, "u4").tobytes()
    db.execute("UPDATE blobs SET data = ?, sum = ? WHERE run = 1 AND name = ?", (data, zlib.crc32(data), name))


Forge = Callable[[sqlite3.Connection], object]
FORGED: dict[str, Forge] = {
    "places beyond the last": lambda db: forged(db, "by_key"),
    "rows beyond the last": lambda db: forged(db, "row"),
    "a column that is too short": lambda db: forged(db, "suspicion"),
    "facts that are none": lambda db: forged(db, "facts"),
    "no facts": lambda db: db.execute("DELETE FROM blobs"),
    "half of a row number": lambda db: db.execute("UPDATE words SET rows = x'ff'"),
    "a trigger": lambda db: db.execute("CREATE TRIGGER t AFTER INSERT ON blobs BEGIN DELETE FROM runs; END"),
    "a view": lambda db: db.executescript(f"ALTER TABLE runs RENAME TO other; CREATE VIEW runs AS {ENDLESS}"),
}
FLIPPED = {
    name: f"UPDATE blobs SET data = x'ff' || substr(data, 2) WHERE name = '{name}'"
    for name in ("facts", "row", "domain", "flags", "suspicion")
}


def seen(path: Path) -> tuple[object, ...]:
    wanted = api.Filter(flagged=None, text="the", domains=("news",))
    return (
        [row["case"] for row in api.cases(path, wanted, patient=True).rows],
        api.facets(path, wanted, patient=True).choices,
        api.counts(path, patient=True),
    )


def changed_index(path: Path, change: Forge) -> None:
    with contextlib.closing(sqlite3.connect(f"{path}-index", isolation_level=None)) as db:
        change(db)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_an_index_that_a_stranger_has_sent_along_is_made_anew(sent, tmp_path, forge):
    before = seen(sent)
    changed_index(sent, forge)
    (tmp_path / "mine").mkdir()
    for suffix in ("", "-index"):
        shutil.copy(f"{sent}{suffix}", tmp_path / "mine")
    assert seen(tmp_path / "mine" / sent.name) == before


@pytest.mark.parametrize("script", FLIPPED.values(), ids=FLIPPED)
def test_an_index_with_a_wrong_byte_is_made_anew(sent, script):
    before = seen(sent)
    changed_index(sent, lambda db: db.execute(script))
    assert seen(sent) == before
