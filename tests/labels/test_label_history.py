"""What a person said before comes back when they take their last word back, and nothing is lost beside a run."""

from __future__ import annotations

import csv
import json
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import api
from concord.errors import UserError
from concord.labels.labels import KINDS, SEVERITIES, Label, Labels
from concord.labels.sheets import COLUMNS, LONGEST_TEXT, SheetReader, labels_from, lines_of
from concord.labels.spreadsheets import write_sheet
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace, case_json
from concord.store.case_keys import outputs_id, outputs_number
from concord.store.label_rows import outputs_of, packed_outputs
from concord.store.migrations import STEPS


def phrase(words):
    texts = Text(f"I see {words}.", "en"), Text(words, "en"), Text(f"Veo {words}.", "es"), Text(words, "es")
    return Case(*texts, texts[2:], 1.0, 0.0)


@pytest.fixture
def workspace(tmp_path, facts):
    with Workspace(tmp_path / "w.sqlite") as opened:
        run = opened.begin(facts("rti"))
        cases = [phrase(words) for words in ("a dog", "two cats", "a hat")]
        opened.add(run, [Outcome(Segment("s0", Text("I see.", "en"), 0), cases=cases)])
        yield opened


@pytest.fixture
def rows(workspace):
    return api.worst(workspace.path, [1], 10)


def label(row, verdict, annotator="ana", **more):
    return Label(row["case"], annotator, verdict, outputs_of(row), **more)


def said(workspace):
    """Who says what of which case, as it holds now."""
    found = Labels(workspace).of_runs([1])
    return {(each.case, each.annotator): each.verdict for some in found.values() for each in some}


def test_undo_brings_the_previous_word_back_and_then_none(workspace, rows):
    labels = Labels(workspace)
    first = label(rows[0], "error", severity="major", categories=("unclear logic",))
    labels.save([first])
    labels.save([label(rows[0], "correct")])
    (undone,) = labels.undo("ana")
    assert (undone.label.verdict, undone.before.verdict, undone.before.severity) == ("correct", "error", "major")
    ((kept,),) = labels.of_runs([1]).values()
    assert (kept.verdict, kept.severity, kept.categories) == ("error", "major", ("unclear logic",))
    (undone,) = labels.undo("ana")
    assert (undone.label.verdict, undone.before) == ("error", None)
    assert said(workspace) == {}
    with pytest.raises(UserError, match="'ana' has said nothing that could be taken back"):
        labels.undo("ana")


def test_undo_takes_back_ones_own_words_alone(workspace, rows):
    labels = Labels(workspace)
    labels.save([label(rows[0], "error"), label(rows[0], "correct", "ben")])
    labels.save([label(rows[1], "error", "ben")])
    labels.undo("ana")
    assert said(workspace) == {(rows[0]["case"], "ben"): "correct", (rows[1]["case"], "ben"): "error"}
    with pytest.raises(UserError, match="Who has: ben"):
        labels.undo("ana")


def test_a_sheet_is_taken_back_as_a_whole(workspace, rows):
    labels = Labels(workspace)
    labels.save([label(rows[0], "error")])
    labels.save([label(row, "correct") for row in rows])
    assert len(labels.undo("ana")) == 3
    assert said(workspace) == {(rows[0]["case"], "ana"): "error"}


def test_nothing_that_was_said_is_deleted(workspace, rows):
    labels = Labels(workspace)
    for verdict in ("error", "correct", "bad test"):
        labels.save([label(rows[0], verdict)])
    labels.undo("ana")
    kept = list(workspace.many("SELECT verdict, undone IS NULL FROM label_history ORDER BY id", ()))
    assert kept == [("error", 1), ("correct", 1), ("bad test", 0)]


def test_after_an_undo_a_new_word_is_the_last(workspace, rows):
    labels = Labels(workspace)
    for verdict in ("error", "correct"):
        labels.save([label(rows[0], verdict)])
    labels.undo("ana")
    labels.save([label(rows[0], "bad test")])
    (undone,) = labels.undo("ana")
    assert (undone.label.verdict, undone.before.verdict) == ("bad test", "error")


def test_saying_the_same_again_changes_nothing(workspace, rows):
    labels = Labels(workspace)
    labels.save([label(rows[0], "error")])
    before = labels.of_runs([1])
    labels.save([label(rows[0], "error")])
    assert labels.of_runs([1]) == before
    labels.undo("ana")
    assert said(workspace) == {}


def test_a_label_says_when_it_was_said(tmp_path, facts):
    with Workspace(tmp_path / "c.sqlite", clock=iter(("t0", "t1", "t2")).__next__) as workspace:
        run = workspace.begin(facts("rti"))
        workspace.add(run, [Outcome(Segment("s0", Text("I see.", "en"), 0), cases=[phrase("a dog")])])
        (row,) = api.worst(workspace.path, [1], 1)
        Labels(workspace).save([label(row, "error")])
        ((kept,),) = Labels(workspace).of_runs([1]).values()
        assert kept.created.startswith("t")


def test_labels_of_an_older_workspace_can_be_taken_back_too(tmp_path, monkeypatch):
    before = next(number for number, step in enumerate(STEPS) if "label_history" in step)
    with monkeypatch.context() as older:
        older.setattr("concord.store.migrations.STEPS", STEPS[:before])
        Workspace(tmp_path / "old.sqlite").close()
    db = sqlite3.connect(tmp_path / "old.sqlite")
    add = "INSERT INTO labels (case_key, annotator, verdict, details, outputs, created) VALUES (?, ?, ?, ?, ?, ?)"
    details = '{"categories": ["unclear logic"], "wrong": "both"}'
    db.executemany(add, [(bytes([n] * 16), "ana", "error", details, "{}", "2026-01-01") for n in (1, 2)])
    db.commit()
    db.close()
    with Workspace(tmp_path / "old.sqlite") as workspace:
        (kept,) = Labels(workspace).of_case("01" * 16)
        assert (kept.categories, kept.kinds, kept.severity, kept.wrong) == (("unclear logic",), (), "", "both")
        (undone,) = Labels(workspace).undo("ana")
        assert undone.label.case == "02" * 16
        assert Labels(workspace).of_case("02" * 16) == []


# -- the new columns ---------------------------------------------------------------------------------


def sheet(workspace, path, *changes, leave_out=()):
    lines = list(lines_of(api.worst(workspace.path, [1], 10), Labels(workspace).of_runs([1]), ""))
    for line, change in zip(lines, changes, strict=False):
        line.update(change)
    write_sheet(path, [name for name in COLUMNS if name not in leave_out], lines)
    return labels_from(path, Labels(workspace), "ana")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_severity_and_kinds_go_out_and_come_back(workspace, tmp_path, ending):
    change = {"verdict": "error", "severity": "critical", "kinds": ["incorrect order", "incorrect semantics"]}
    Labels(workspace).save(sheet(workspace, tmp_path / f"a.{ending}", change))
    (found,) = sheet(workspace, tmp_path / f"b.{ending}")
    assert (found.severity, found.kinds) == ("critical", ("incorrect order", "incorrect semantics"))
    assert found.categories == ("unclear logic",)


def test_a_kind_brings_its_category_along(workspace, rows):
    for kind, category in KINDS.items():
        line = {"case": rows[0]["case"], "verdict": "error", "kinds": kind.upper(), "categories": ""}
        made = SheetReader(Labels(workspace), "ana").label(line)
        assert (made.kinds, made.categories) == ((kind,), (category,))


def test_a_sheet_of_before_is_still_read(workspace, tmp_path):
    found = sheet(workspace, tmp_path / "l.csv", {"verdict": "error"}, leave_out=("kinds", "severity", "created"))
    with (tmp_path / "l.csv").open(encoding="utf-8-sig", newline="") as file:
        assert "severity" not in next(csv.reader(file))
    assert [(each.verdict, each.severity, each.kinds) for each in found] == [("error", "", ())]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "error", "severity": "awful"}, f"'awful' is not known. Choices: {', '.join(SEVERITIES)}"),
        ({"verdict": "correct", "severity": "minor"}, "no severity; only 'error' does"),
        ({"verdict": "correct", "kinds": "incorrect order"}, "only 'error' does"),
        ({"verdict": "error", "kinds": "typo"}, "the kind 'typo' is not known"),
        ({"verdict": "error", "comment": "x" * (LONGEST_TEXT + 1)}, "at most 50,000 are kept"),
    ],
)
def test_what_does_not_go_together_is_refused(workspace, tmp_path, change, message):
    with pytest.raises(UserError) as error:
        sheet(workspace, tmp_path / "l.csv", change)
    assert message in str(error.value)


def test_none_is_another_word_for_neutral(workspace, rows):
    line = {"case": rows[0]["case"], "verdict": "error", "severity": "None"}
    assert SheetReader(Labels(workspace), "ana").label(line).severity == "neutral"


# -- beside a run ------------------------------------------------------------------------------------

WRITER = """
import sys
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace

with Workspace(sys.argv[1]) as workspace:
    workspace.claim()
    run = workspace.run(1)
    for at in range(1, 201):
        text = Text(f"number {at}", "en")
        case = Case(text, text, text, text, (text, text), 1.0, 0.0)
        workspace.add(run, [Outcome(Segment(f"s{at}", text, at), cases=[case])])
        if at == 20:
            print("writing", flush=True)
"""


def test_labelling_while_a_run_writes_loses_nothing(workspace, rows):
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(workspace.path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout.readline() == "writing\n"
    labels, count = Labels(workspace), 0
    while writer.poll() is None or count < 50:
        count += 1
        labels.save([label(rows[count % 3], "error", comment=str(count))])
        if count % 5 == 0:
            labels.undo("ana")
    writer.stdout.close()
    assert writer.returncode == 0
    assert workspace.tally(1)["checks"] == 201
    (kept,) = workspace.first("SELECT count(*) FROM label_history", ())
    assert kept == count
    (undone,) = workspace.first("SELECT count(*) FROM label_history WHERE undone IS NOT NULL", ())
    assert undone == count // 5


# -- saying again ------------------------------------------------------------------------------------


def test_what_was_taken_back_is_said_again_one_word_after_the_other(workspace, rows):
    labels = Labels(workspace)
    for verdict in ("error", "correct", "bad test"):
        labels.save([label(rows[0], verdict)])
    for verdict in ("bad test", "correct"):
        assert [each.label.verdict for each in labels.undo("ana")] == [verdict]
    for verdict in ("correct", "bad test"):
        assert labels.taken_back("ana") == 1
        assert [each.verdict for each in labels.redo("ana")] == [verdict]
        assert said(workspace) == {(rows[0]["case"], "ana"): verdict}
    assert labels.taken_back("ana") == 0
    with pytest.raises(UserError, match="has taken nothing back"):
        labels.redo("ana")


def test_whoever_says_something_new_does_not_go_back_to_what_was_taken_back(workspace, rows):
    labels = Labels(workspace)
    labels.save([label(rows[0], "error")])
    labels.undo("ana")
    labels.save([label(rows[1], "correct")])
    assert labels.taken_back("ana") == 0
    labels.undo("ana")
    assert [each.verdict for each in labels.redo("ana")] == ["correct"]
    assert labels.taken_back("ana") == 0


def test_one_says_ones_own_words_again_alone(workspace, rows):
    labels = Labels(workspace)
    labels.save([label(rows[0], "error"), label(rows[0], "correct", "ben")])
    labels.undo("ana")
    labels.undo("ben")
    assert [each.annotator for each in labels.redo("ana")] == ["ana"]
    assert said(workspace) == {(rows[0]["case"], "ana"): "error"}


def test_a_sheet_is_said_again_as_a_whole_and_never_where_one_label_is_meant(workspace, rows):
    labels = Labels(workspace)
    labels.save([label(row, "error") for row in rows])
    with pytest.raises(UserError, match=r"a sheet of 3 labels\. `concord label undo` takes it back"):
        labels.undo("ana", single=True)
    assert len(said(workspace)) == 3
    labels.undo("ana")
    with pytest.raises(UserError, match=r"a sheet of 3 labels\. `concord label redo` brings it back"):
        labels.redo("ana", single=True)
    assert said(workspace) == {}
    assert len(labels.redo("ana")) == 3
    assert set(said(workspace).values()) == {"error"}
    assert len(labels.undo("ana")) == 3


def test_words_said_again_are_seen_by_who_remembers_the_last_number(workspace, rows):
    labels = Labels(workspace)
    labels.save([label(rows[0], "error")])
    labels.undo("ana")
    (before,) = workspace.first("SELECT max(id) FROM label_history", ())
    labels.redo("ana")
    (after,) = workspace.first("SELECT max(id) FROM label_history", ())
    assert after > before
    assert workspace.first("SELECT count(*) FROM label_history", ()) == (1,)


# -- outputs and their marks -------------------------------------------------------------------------

WORDS = st.text() | st.sampled_from(
    ['"', "\\", '\\"', '", "lang": "', '"}, "follow_up": {"words": "', "\x00", "\u2028"]
)


@given(words=st.lists(WORDS, min_size=4, max_size=4), langs=st.lists(WORDS, min_size=4, max_size=4))
def test_outputs_are_read_from_a_packed_case_as_from_its_row(words, langs):
    texts = [Text(*each) for each in zip(words, langs, strict=True)]
    packed = case_json.pack(Case(*texts, tuple(texts[2:]), 1.0, 0.0, evidence={words[0]: words[1]}))
    assert packed_outputs(packed) == outputs_of(case_json.unpack(packed))
    turned = json.dumps(dict(reversed(json.loads(packed).items())))
    assert packed_outputs(turned) == outputs_of(case_json.unpack(packed))


@given(outputs=st.text())
def test_the_mark_of_outputs_is_one_whether_it_is_a_word_or_a_number(outputs):
    assert outputs_id(outputs) == f"o{outputs_number(outputs):012x}"


def test_a_row_is_read_by_its_place(workspace, rows):
    row = rows[1]
    where = (row["position"], row["repetition"], row["number"])
    assert {**workspace.row_at(1, where), "rank": row["rank"]} == row
    assert workspace.row_at(workspace.run(1), where) == workspace.row_at(1, where)
    assert workspace.row_at(1, (7, 0, 0)) is None
