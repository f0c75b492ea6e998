"""Labelled rows from tables, however they are written, and what is wrong with them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from concord.analyses.detection.labelled_rows import read_labelled, requested_scores
from concord.analyses.detection.options import is_table
from concord.errors import UnknownName, UserError


def table(tmp_path, text, name="l.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_every_column_of_numbers_is_a_score(tmp_path):
    found = read_labelled(table(tmp_path, "id,label,a,text,b\nx,bug,0.5,No,1\ny,correct,,Yes,0\nz,correct,NA,,3\n"))
    assert found.bug.tolist() == [True, False, False]
    assert [(score.name, score.rule) for score in found.scores] == [("b", "≤")]
    assert "a is left out" in found.notes[0]
    assert found.notes[-1] == "columns of numbers taken for scores, worse when lower: b"


@pytest.mark.parametrize("name", ["id", "No.", "case_id", "Line", "row number", "position", "Unnamed: 0", ""])
def test_a_column_that_numbers_the_rows_is_a_score_only_if_named(tmp_path, name):
    path = table(tmp_path, f"{name},label,s\n4,bug,1\n7,correct,2\n")
    found = read_labelled(path)
    assert [score.name for score in found.scores] == ["s"]
    assert f"{name} is left out: it numbers the rows" in found.notes[0]
    assert [score.name for score in read_labelled(path, scores=[name]).scores] == [name]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("id", (4, 4, 5, 6)),
        ("id", (0.5, 7, 8, 9)),
        ("id", (1, 2, 3, "")),
        ("edits", (4, 7, 8, 9)),
        ("grid", (4, 7, 8, 9)),
    ],
)
def test_other_columns_of_numbers_are_scores(tmp_path, name, values):
    lines = [f"{label},{value}" for label, value in zip(["bug", "correct"] * 2, values, strict=True)]
    found = read_labelled(table(tmp_path, "\n".join([f"label,{name}", *lines])))
    assert [score.name for score in found.scores] == [name]


@pytest.mark.parametrize("cell", ["1_0", "٣", "0x1", "1e999", "infinity"])
def test_what_only_a_program_takes_for_a_number_is_none(tmp_path, cell):
    with pytest.raises(UserError, match=f"line 2: '{cell}' in column 's' is not a number. Leave unknown ones empty"):
        read_labelled(table(tmp_path, f"label,s\nbug,{cell}\ncorrect,1\n"), scores=["s"])


@pytest.mark.parametrize(("cell", "value"), [(" 1.5 ", 1.5), ("-.5e-1", -0.05), ("+3.", 3.0), ("2E2", 200.0)])
def test_numbers_are_read_in_every_spelling(tmp_path, cell, value):
    found = read_labelled(table(tmp_path, f"label,s\nbug,{cell}\ncorrect,1\n"), scores=["s"])
    assert found.scores[0].values[0] == value


def test_decimal_commas_are_called_that(tmp_path):
    path = table(tmp_path, "label\ts\nbug\t0,25\ncorrect\t0,5\n", "l.tsv")
    for scores in ((), ("s",)):
        with pytest.raises(UserError, match=r"line 2.*'0,25'.*Decimals are written with a point: 0\.25"):
            read_labelled(path, scores=scores)


@pytest.mark.parametrize(
    ("bug", "correct"),
    [("bug", "correct"), (" Error", "CORRECT"), ("1", "0"), ("1.0", "0.0"), ("True", "false"), ("yes", "No ")],
)
def test_labels_are_read_in_every_spelling(tmp_path, bug, correct):
    found = read_labelled(table(tmp_path, f"label\ts\n{bug}\t1\n{correct}\t2\n", "l.tsv"))
    assert found.bug.tolist() == [True, False]


def test_json_lines_may_say_true_and_leave_fields_out(tmp_path):
    rows = [{"label": True, "s": 0.5}, {"label": 0, "s": None, "t": 2}, {"label": "correct", "s": 1, "t": True}]
    found = read_labelled(table(tmp_path, "\n".join(map(json.dumps, rows)), "l.jsonl"))
    (score,) = found.scores
    assert score.name == "s"
    assert np.isnan(score.values).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label,s\nbug,1\n\nmaybe,2\n", r"l\.csv, line 4: the label 'maybe'.*bug or correct.*1/0"),
        ("label,s\nbug,1\n,2\n", r"line 3: the label ''"),
        ("label,s\nbug,1\nbug,2\n", "none of 2 rows is correct"),
        ("label,s\ncorrect,1\n", "none of 1 row is a bug"),
        ("label,s\nbug,1,2\n", r"line 2: 3 columns"),
        ("label,s,s\nbug,1,2\n", "twice"),
        ("label,s\n", "no row"),
        ("", "no row"),
        ("label,s\nbug,x\ncorrect,y\n", "no column of numbers"),
        ("verdict,s\nbug,1\n", "there is no column 'label'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, said):
    with pytest.raises(UserError, match=said):
        read_labelled(table(tmp_path, text))


def test_a_score_that_was_asked_for_must_be_there_and_be_numbers(tmp_path):
    path = table(tmp_path, "label,s,t,u\nbug,1,False,\ncorrect,2,1,0.5\nbug,3,1,\n")
    assert [score.name for score in read_labelled(path, scores=["s:higher-is-worse"]).scores] == ["s"]
    with pytest.raises(UserError, match="line 2: 'False' in column 't'"):
        read_labelled(path, scores=["t"])
    with pytest.raises(UserError, match="'u' is missing for all bugs"):
        read_labelled(path, scores=["u"])
    with pytest.raises(UnknownName, match="'v'"):
        read_labelled(path, scores=["v"])
    assert any("t is no score: line 2 has 'False'" in note for note in read_labelled(path).notes)


def test_a_column_of_few_words_is_passed_over_in_silence(tmp_path):
    found = read_labelled(table(tmp_path, "label,s,kind\nbug,1,\ncorrect,2,\nbug,3,omission\ncorrect,4,NA\n"))
    assert [note for note in found.notes if "kind" in note] == []


SHEET = """case,judged,run,relation,suspicion,threshold,verdict,severity,chrf
a,o1,1,rtt,0.9,0.4,error,minor,0.1
b,o2,1,rtt,0.2,0.4,correct,,0.8
"""


def test_in_a_table_that_concord_wrote_suspicion_is_worse_when_higher(tmp_path):
    found = read_labelled(table(tmp_path, SHEET), "verdict")
    assert {score.name: score.rule for score in found.scores} == {"suspicion": ">", "chrf": "≤"}
    assert found.notes == [
        "columns of numbers taken for scores, worse when lower: chrf; "
        "worse when higher, since Concord wrote this table: suspicion"
    ]


@pytest.mark.parametrize(
    ("score", "rule", "notes"),
    [
        ("suspicion", ">", ["worse when higher, since Concord wrote this table: suspicion"]),
        ("suspicion:lower-is-worse", "≤", []),
        ("suspicion:higher-is-worse", "≥", []),
        ("threshold", "≤", []),
    ],
)
def test_in_a_table_that_concord_wrote_a_direction_that_is_told_is_believed(tmp_path, score, rule, notes):
    found = read_labelled(table(tmp_path, SHEET), "verdict", [score])
    assert [each.rule for each in found.scores] == [rule]
    assert found.notes == notes


def test_a_suspicion_of_others_goes_the_way_of_all_columns(tmp_path):
    (found,) = read_labelled(table(tmp_path, "label,suspicion\nbug,1\ncorrect,2\n")).scores
    assert found.rule == "≤"


def test_endless_numbers_are_none(tmp_path):
    path = table(tmp_path, "label,s,t\nbug,1,inf\ncorrect,2,1\n")
    assert [score.name for score in read_labelled(path).scores] == ["s"]


def test_directions_are_read_off_the_end_of_a_name():
    assert requested_scores(["a", "b:higher-is-worse", "x:y", "x:y:lower-is-worse"]) == {
        "a": "≤",
        "b": "≥",
        "x:y": "≤",
    }
    with pytest.raises(UnknownName, match="higher-is-worse"):
        requested_scores(["a:highest-is-worse"])


def test_a_file_named_like_a_run_does_not_hide_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("3", "last", "data"):
        (tmp_path / name).write_text("")
    assert [is_table(each) for each in ("3", "3,4", "last", "data", "x.csv", "x.tsv.gz")] == [
        False,
        False,
        False,
        True,
        True,
        True,
    ]
    with pytest.raises(UserError, match=r"\.csv, \.tsv or \.jsonl"):
        read_labelled(tmp_path / "data")


def test_a_cell_of_many_digits_that_is_no_number_is_refused_at_once(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("label,score\nbug," + "1" * 100_000 + "x\ncorrect,0.5\n")
    with pytest.raises(UserError):
        read_labelled(path)
