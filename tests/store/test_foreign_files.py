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
from concord.database import LONGEST, NotPlain, open_database
from concord.errors import StoreError, UserError
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.learnt import Learnt

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


def test_a_case_of_300_megabytes_is_a_damaged_row_and_the_others_are_shown(sent):
    # In a process of its own: it takes twice the memory to write.
    write = "UPDATE cases SET body = CAST(zeroblob(300000000) AS TEXT) WHERE run = 1 AND position = 3"
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, str(sent), write], check=True)
    program = [sys.executable, "-m", "concord.cli"]
    for command in (["show", "1", "--limit", "100", "--json"], ["export", "1", "--format", "jsonl"]):
        call = [sys.executable, "-c", MEASURED, *program, *command, "-w", str(sent)]
        code, out, err, memory, seconds = json.loads(subprocess.run(call, capture_output=True, text=True).stdout)
        assert code == 0, err
        assert memory < 300_000, "KB"
        assert seconds < 20
        rows = json.loads(out)["rows"] if command[0] == "show" else [json.loads(line) for line in out.splitlines()]
        assert {row["position"] for row in rows if "case" in row} == {0, 1, 2, 4, 5, 6, 7}
        named = "the row at position 3, case 0 of run 1 is damaged: its body is longer than 50,000,000 bytes"
        assert named in out + err


@pytest.mark.parametrize("column", ["position", "key", "body"])
def test_whatever_is_too_long_the_other_rows_are_there(sent, column):
    before = [row for row in api.rows(sent, [1]) if row["position"] != 3]
    with contextlib.closing(sqlite3.connect(sent, isolation_level=None)) as db:
        db.execute(f"UPDATE cases SET {column} = zeroblob({LONGEST + 1}) WHERE run = 1 AND position = 3")
    assert [row for row in api.rows(sent, [1]) if "damaged" not in row] == before
    assert [row for row in api.rows(sent, [1]) if "damaged" in row]
    assert len(api.findings(sent, api.Wanted(violated=None), limit=100).rows) == len(before)


def test_what_is_read_from_a_copy_cannot_be_written(sent):
    with contextlib.closing(sqlite3.connect(sent, isolation_level=None)) as db:
        db.execute(f"UPDATE cases SET body = zeroblob({LONGEST + 1}) WHERE run = 1 AND position = 3")
    with Workspace(sent) as store:
        assert len(list(store.rows([1]))) == 8
        with pytest.raises(StoreError, match="it can be read, but not be written"), store.writing():
            pass


def test_a_case_of_ones_own_that_is_too_long_is_a_row_with_an_error(workspace, facts):
    run = workspace.begin(facts())
    long, short = Text("a" * (LONGEST + 1), "en"), Text("a", "en")
    case = Case(long, short, short, short, (short, short), 0.9, 0.4)
    workspace.add(run, [Outcome(Segment("s", short, 0), cases=[case])])
    (row,) = workspace.rows([run.id])
    assert "more than 50,000,000 bytes" in row["error"]


def test_what_unpacks_to_more_than_anything_that_concord_packs_is_damaged(workspace, facts):
    run = workspace.begin(facts())
    with workspace.writing() as db:
        db.execute("INSERT INTO learnt VALUES (?, ?)", (run.id, zlib.compress(bytes(LONGEST + 1))))
    with pytest.raises(UserError, match="longer than 50,000,000 bytes"):
        Learnt(workspace).of(run.id)


def test_the_schema_of_a_database_is_not_trusted(tmp_path):
    with contextlib.closing(open_database(tmp_path / "new")) as db:
        assert db.execute("PRAGMA trusted_schema").fetchone() == (0,)
        assert db.execute("PRAGMA cell_size_check").fetchone() == (1,)
        db.execute("CREATE VIEW v AS SELECT 1")
    with pytest.raises(NotPlain, match="'v' in it"):
        open_database(tmp_path / "new")


def wrong_column(
    name: str, values: Callable[[np.ndarray], np.ndarray], dtype: str
) -> Callable[[sqlite3.Connection], None]:
    def write(db: sqlite3.Connection) -> None:
        (data,) = db.execute("SELECT data FROM columns WHERE run = 1 AND name = ?", (name,)).fetchone()
        new = values(np.frombuffer(data, dtype).copy()).astype(dtype).tobytes()
        db.execute("UPDATE columns SET data = ?, sum = ? WHERE run = 1 AND name = ?", (new, zlib.crc32(new), name))

    return write


Forge = Callable[[sqlite3.Connection], object]
FORGED: dict[str, Forge] = {
    "a place beyond the last": wrong_column("by_key", lambda old: old + 1_000_000, "u4"),
    "a row beyond the last": wrong_column("row", lambda old: old + 1_000_000, "u4"),
    "a domain that is not there": wrong_column("domain", lambda old: old - 1, "i4"),
    "a column that is too short": wrong_column("suspicion", lambda old: old[1:], "f8"),
    "more cases than the workspace has bytes": lambda db: db.execute("UPDATE runs SET cases = 1000000000000"),
    "domains that are no list": lambda db: db.execute("UPDATE runs SET domains = '7'"),
    "counts that are words": lambda db: db.execute("UPDATE counts SET cases = 'many'"),
    "half of a row number": lambda db: db.execute("UPDATE words SET rows = x'ff'"),
    "a trigger": lambda db: db.execute("CREATE TRIGGER t AFTER INSERT ON blobs BEGIN DELETE FROM runs; END"),
    "a view": lambda db: db.executescript(f"ALTER TABLE runs RENAME TO other; CREATE VIEW runs AS {ENDLESS}"),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_an_index_that_a_stranger_has_made_is_made_anew(sent, forge):
    wanted = api.Wanted(violated=None, text="the", domains=("news",))

    def seen() -> tuple[object, ...]:
        return (
            [row["case"] for row in api.findings(sent, wanted, patient=True).rows],
            api.facets(sent, wanted, patient=True).choices,
            api.counts(sent, patient=True),
        )

    before = seen()
    index = Path(f"{sent}-index")
    with contextlib.closing(sqlite3.connect(index, isolation_level=None)) as db:
        forge(db)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert seen() == before


@pytest.mark.parametrize(
    "name", ["place", "row_case", "row_verdict", "row_check", "check_domain", "row_untested", "state"]
)
def test_arrays_of_verdicts_that_a_stranger_has_made_are_made_anew(sent, name):
    from concord.store.packed import pack, unpack
    from concord.store.verdict_arrays import made, verdicts

    with Workspace(sent) as store:
        arrays, facts = unpack(made(store, 1))
        arrays[name] = arrays[name][1:] if name == "state" else arrays[name] + 1_000_000
        found = verdicts(store, 1, lambda *_: pack(arrays, facts))
        assert len(found.state) == len(found.case)
        assert found.place.max() < 8
