"""Damage in any column of any table: nothing ends in a traceback, and every other row is there."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.main import get_command

from concord import api
from concord.cli.commands import app
from concord.errors import UserError
from concord.labels.queues import Samples
from concord.model import Outcome, Segment, Text
from concord.store import Workspace
from concord.store.comparators import Comparator, Comparators, Learnt
from concord.store.damage import left_out
from concord.web.app import create
from concord.web.settings import Site

KINDS = ("flipped", "flipped at first", "not UTF-8", "cut", "of another type", "missing")
"""How the first rows of a column are damaged, one in each way."""
ROWS = [
    "show 1,2 --limit 100",
    "show 1,2 --by case --limit 100",
    "show 1,2 --errors",
    "show 1 --by problem",
    "runs",
    "report 1,2 -o report.html",
    "gate 1 --max 0.5 --no-worse-than 3",
    "compare 3 1",
    "evaluate 1",
    "thresholds 1,2",
    "quality 1,3",
]
EXPORTS = {
    "cases": "csv",
    "findings": "csv",
    "problems": "jsonl",
    "labels": "csv",
    "corrections": "tsv",
    "spans": "json",
}
LABELS = [
    "label list 1",
    "label agreement 1",
    "label queues",
    "label next --queue mine --annotator ann",
    "label estimate --queue mine",
    "label export 1 sheet.csv --all --force",
    *(f"export --what {what} 1 -o {what}.{ending}" for what, ending in EXPORTS.items()),
    "label undo --annotator ann",
]
REST = ["faults", "tune --fit 2", "repair 2"]
LABEL_PAGES = ["/label", "/label/queue/mine", "/evaluate"]
PAGES = ["/", "/findings?flagged=all", "/compare?before=3&after=1", "/export", *LABEL_PAGES]
READERS = {
    **dict.fromkeys(("runs", "checks", "cases"), (ROWS + LABELS + REST, PAGES)),
    **dict.fromkeys(("labels", "label_history"), (["evaluate 1", "thresholds 1", *LABELS], PAGES)),
    **dict.fromkeys(("samples", "strata", "sampled"), (LABELS, LABEL_PAGES)),
}
"""Who reads what; a table that is not named here is read by the rest, and by another run."""
AGAIN = "run demo --limit 8 --from en --to es -r rtt -s fake"


def built(path: Path) -> Path:
    """A workspace with a row in every table."""
    if path.exists():
        return path
    corpus = api.read("demo", "en", limit=8)
    api.run(corpus, relations=["rtt", "rti"], systems=["faulty:fake,rate=0.5"], to=["es"], workspace=path)
    api.run(corpus, relations=["rtt"], systems=["fake"], to=["es"], workspace=path)
    with Workspace(path) as store:
        store.add(store.run(1), [Outcome(Segment("bad", Text("Refused.", "en"), 99, "d"), error="refused")])
        store.epoch("fake", renew=True)
        store.note_sent("fake", 10)
        Comparators(store).keep(Comparator("rti", ("en", "es"), b"data", 0.9, 0.5, 20, 10))
        cases = [row["case"] for row in store.rows([1]) if "case" in row]
    for number, case in enumerate(cases):
        for annotator in ("ann", "bob"):
            verdict = "error" if number % 2 else "correct"
            more = {"categories": "unclear logic", "severity": "minor", "correction": "so"} if number % 2 else {}
            api.say(path, {"case": case, "verdict": verdict, "comment": "so", **more}, annotator=annotator)
    api.undo_label(path, "bob")
    api.draw_queue(path, [1], name="mine", size=8, seed=1)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    return built(tmp_path_factory.mktemp("sound") / "concord.sqlite")


@pytest.fixture
def own(concord, sound, tmp_path) -> Path:
    """A copy to be damaged, in the folder where commands look for it."""
    return Path(shutil.copy(sound, tmp_path / "concord.sqlite"))


def columns() -> list[tuple[str, str]]:
    """Every column of every table that the migrations make."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        from concord.store.migrations import migrate

        db.isolation_level = None
        migrate(db)
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]


def damaged(value: Any, kind: str) -> tuple[str, Any]:
    """An SQL expression and its value that stand for a damaged one."""
    raw = value if isinstance(value, bytes) else str(value).encode()
    text = "?" if isinstance(value, bytes) else "CAST(? AS TEXT)"
    if kind.startswith("flipped"):
        place = 0 if kind == "flipped at first" else len(raw) // 2
        return text, raw[:place] + bytes([raw[place] ^ 0x02]) + raw[place + 1 :] if raw else b"\x01"
    if kind == "not UTF-8":
        return "CAST(? AS TEXT)", raw[: len(raw) // 2] + b"\xff\xfe" + raw[len(raw) // 2 :]
    if kind == "cut":
        return text, raw[: len(raw) // 2]
    if kind == "of another type":
        return "?", "words" if isinstance(value, (int, float, bytes)) else 7.5
    return "?", None


@contextlib.contextmanager
def without_constraints(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that may write what the schema forbids, as a fault of the disk does."""
    kept = []
    for nulls in (True, False):
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema = ON")
            if nulls:
                kept = db.execute("SELECT sql, name FROM sqlite_master WHERE type = 'table'").fetchall()
                db.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
                db.execute("PRAGMA schema_version = 1000")
                continue
            db.execute("PRAGMA foreign_keys = OFF")
            yield db
            db.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", kept)
            db.execute("PRAGMA schema_version = 1001")


def harm(path: Path, table: str, column: str, kinds: Sequence[str]) -> list[tuple[Any, ...]]:
    """Damage the first rows of a column, each in another way; gives the rows as they were."""
    with without_constraints(path) as db:
        names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        keys = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]]
        rows = db.execute(f"SELECT * FROM {table} ORDER BY {', '.join(keys)} LIMIT {len(kinds)}").fetchall()
        assert rows, f"{table} is empty"
        for row, kind in zip(rows, kinds, strict=False):
            old = dict(zip(names, row, strict=True))
            expression, value = damaged(old[column], kind)
            where = " AND ".join(f"{key} = ?" for key in keys)
            with contextlib.suppress(sqlite3.IntegrityError):  # a key of a table is unique whatever the schema says
                update = f"UPDATE {table} SET {column} = {expression} WHERE {where}"
                db.execute(update, (value, *(old[key] for key in keys)))
        return rows


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """Have the command line put together once, which takes most of the time of a command."""
    monkeypatch.setattr(sys.modules["concord.cli.app"], "app", COMMAND_LINE)


COMMAND_LINE = get_command(app)


def exported(path: Path) -> dict[tuple[int, int, int, int | None], dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {(row["run"], row["position"], row["repetition"], row.get("number")): row for row in rows}


@pytest.mark.parametrize(("table", "column"), columns(), ids=lambda each: each)
def test_damage_in_a_column_costs_the_damaged_rows_alone(concord, sound, tmp_path, table, column):
    path = tmp_path / "concord.sqlite"
    shutil.copy(sound, path)
    assert concord("export", "1,2", "-o", "sound.jsonl")[0] == 0
    before = exported(tmp_path / "sound.jsonl")
    damaged_rows = harm(path, table, column, KINDS)
    commands, pages = READERS.get(table, ([AGAIN, *REST], ["/"]))
    for command in commands:
        code, _, err = concord(*command.split())
        assert code in (0, 1, 2, 3), command
        assert "Traceback" not in err
    with TestClient(create(Site(path)), base_url="http://127.0.0.1:8765") as browser:
        for page in pages:
            assert browser.get(page).status_code < 500, page
    if table == "runs":
        return
    assert concord("export", "1,2", "-o", "rows.jsonl")[0] == 0
    after = exported(tmp_path / "rows.jsonl")
    touched = {row[:2] for row in damaged_rows} if table in ("checks", "cases") else set()
    assert [place for place, row in before.items() if place[:2] not in touched and after.get(place) != row] == []


@pytest.mark.parametrize("column", ["key", "suspicion", "threshold", "body"])
def test_a_damaged_case_is_a_row_with_an_error_that_names_it(concord, own, column):
    position = harm(own, "cases", column, ["of another type"])[0][1]
    (error,) = [row["error"] for row in api.rows(own, [1]) if "damaged" in row]
    assert error.startswith(f"the row at position {position}, case 0 of run 1 is damaged: its {column} is ")
    assert "Repeat the run" in error
    assert error in concord("show", "1", "--errors")[1]


def test_a_gate_does_not_let_a_run_with_a_damaged_row_pass(concord, own):
    assert concord("gate", "1", "--max", "1.0")[0] == 0
    harm(own, "cases", "body", ["cut"])
    with sqlite3.connect(own) as db:  # as whoever opens the workspace elsewhere, without the index, sees it
        db.execute("UPDATE runs SET changes = changes + 1")
    code, out, err = concord("gate", "1", "--max", "1.0")
    assert code == 3
    assert "damaged" in out
    assert "2 rows with an error" in err, "one of them is what the system refused"


def test_a_case_whose_check_is_gone_is_a_row_with_an_error(own):
    with sqlite3.connect(own) as db:
        db.execute("DELETE FROM checks WHERE run = 1 AND position = 2")
    (row,) = [row for row in api.rows(own, [1]) if "damaged" in row]
    assert "position 2" in row["error"]
    assert "its check is missing" in row["error"]


def test_a_check_whose_cases_are_gone_is_a_row_with_an_error(own):
    with sqlite3.connect(own) as db:
        db.execute("DELETE FROM cases WHERE run = 1 AND position = 2")
    assert [row["position"] for row in api.rows(own, [1]) if "its cases are missing" in (row["error"] or "")] == [2]


@pytest.mark.parametrize("deep", ["[" * 50_000 + "]" * 50_000, "[" * 200 + "]" * 200, '"\\ud800"', "NaN] ["])
def test_evidence_that_nobody_could_print_is_damage(concord, own, deep):
    with sqlite3.connect(own) as db:
        (body,) = db.execute("SELECT body FROM cases WHERE run = 1 AND position = 2").fetchone()
        body = body.removesuffix("}") + f', "evidence": {{"it": {deep}}}}}'
        db.execute("UPDATE cases SET body = ? WHERE run = 1 AND position = 2", (body,))
    assert concord("export", "1", "-o", "rows.csv")[0] == 0
    assert [row["position"] for row in api.rows(own, [1]) if "damaged" in row] == [2]


def test_a_damaged_run_hides_no_other_and_says_what_it_lacks(concord, own):
    harm(own, "runs", "settings", ["cut"])
    first, *others = api.runs(own)
    assert [first.id, *(run.id for run in others)] == [1, 2, 3]
    assert first.finished is None, "no gate lets it pass"
    assert "the record of run 1 is damaged" in first.notes[-1]
    assert "the record of run 1 is damaged" in concord("show", "1")[1]
    assert concord("gate", "1", "--max", "1.0")[0] == 3


def test_an_unfinished_run_that_is_damaged_is_not_continued(workspace, facts):
    run = workspace.begin(facts())
    assert workspace.unfinished(run.signature) == run
    with workspace.writing() as db:
        db.execute("UPDATE runs SET settings = '{'")
    assert workspace.unfinished(run.signature) is None


@pytest.mark.parametrize(
    ("column", "value"),
    [("outputs", "words"), ("outputs", "[]"), ("outputs", '{"source_output": 7}'), ("outputs", "[" * 50_000)]
    + [("details", f'{{"{name}": {value}}}') for name in ("categories", "wrong") for value in (7, "[7]", '{"a": "b"}')],
)
def test_a_damaged_label_costs_no_other_correction(own, tmp_path, column, value):
    before = api.export(own, [1], tmp_path / "before.jsonl", kind="corrections")
    with sqlite3.connect(own) as db:
        (last,) = db.execute("SELECT max(id) FROM labels WHERE verdict = 'error'").fetchone()
        db.execute(f"UPDATE labels SET {column} = ? WHERE id = ?", (value, last))
    assert api.export(own, [1], tmp_path / "after.jsonl", kind="corrections") == before - 1 > 0


@pytest.mark.parametrize("untested", [7, None, [], {"part": 7}, "words"])
def test_evidence_of_another_form_is_damage(concord, own, untested):
    with sqlite3.connect(own) as db:
        (body,) = db.execute("SELECT body FROM cases WHERE run = 1 AND position = 2").fetchone()
        body = json.dumps(json.loads(body) | {"evidence": {"untested": untested}})
        db.execute("UPDATE cases SET body = ? WHERE run = 1 AND position = 2", (body,))
    assert concord("gate", "1", "--max", "1.0")[0] == 3
    assert [row["position"] for row in api.rows(own, [1]) if "damaged" in row] == [2]


def test_a_schema_that_is_not_utf_8_is_told_in_one_line(concord, own):
    own.write_bytes(own.read_bytes().replace(b"CREATE TABLE runs (", b"CREATE \xff\xfeBLE runs (", 1))
    code, _, err = concord("show")
    assert (code, err.count("\n")) == (1, 1)
    assert "malformed" in err


def test_a_place_of_a_queue_without_its_stratum_is_left_out(concord, own):
    with Workspace(own) as store, store.writing() as db:
        (lost,) = db.execute("SELECT count(*) FROM sampled WHERE band = 1").fetchone()
        db.execute("DELETE FROM strata WHERE band = 1")
    for command in ("evaluate 1", "label estimate --queue mine"):
        assert concord(*command.split())[0] in (0, 2), command
    with Workspace(own) as store:
        places = Samples(store).places(Samples(store).get("mine"))
    assert lost
    assert len(places) == 8 - lost


@pytest.mark.parametrize("settings", [{"threshold": [{}]}, {"threshold": "words"}, {}])
def test_a_run_with_settings_of_another_form_is_read(concord, own, settings):
    with sqlite3.connect(own) as db:
        db.execute("UPDATE runs SET settings = ?", (json.dumps(settings),))
    for command in ("evaluate 1", "thresholds 1,2", "label agreement 1", "show 1,2"):
        code, _, err = concord(*command.split())
        assert code in (0, 2), err
        assert "Traceback" not in err


def test_a_damaged_label_is_named_and_left_out_and_the_others_count(own, caplog):
    before = api.labels(own, [1])
    harm(own, "labels", "verdict", ["flipped"])
    left_out.cache_clear()
    after = api.labels(own, [1])
    assert len(after) == len(before) - 1
    assert "by 'ann' is damaged and left out: its verdict is" in caplog.text


@pytest.mark.parametrize("value", ["CAST(x'ff' AS TEXT)", "x'ff'"])
def test_a_damaged_answer_is_asked_for_again(workspace, value):
    asked = ("fake", "1", ("en", "es"))
    workspace.remember(*asked, ["one", "two"], ["uno", "dos"])
    with workspace.writing() as db:
        db.execute(f"UPDATE translations SET answer = {value} WHERE text = 'one'")
    assert workspace.recall(*asked, ["one", "two"]) == [None, "dos"]


def test_what_a_run_or_labels_have_taught_and_is_damaged_is_one_line_with_the_cure(own):
    for table in ("learnt", "comparators"):
        harm(own, table, "data", ["flipped"])
    with Workspace(own) as store:
        with pytest.raises(UserError, match="what run 1 has learnt is damaged"):
            Learnt(store).load(1)
        with pytest.raises(UserError, match="the fitted comparator of rti is damaged"):
            Comparators(store).get("rti", ("en", "es"))
