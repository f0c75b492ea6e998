"""The verdicts of a sheet that Concord wrote are its labels, and rows without a usable one are left out and counted."""

from __future__ import annotations

import csv

import pytest

from concord import api
from concord.analyses.detection.labelled_rows import read_labelled
from concord.errors import UserError

HEAD = "case,judged,run,relation,suspicion,threshold,verdict"


def sheet(tmp_path, *verdicts, head=HEAD, more=""):
    path = tmp_path / "sheet.csv"
    lines = [f"c{at},o{at},1,rtt,0.{at},0.4,{said}{more}" for at, said in enumerate(verdicts)]
    path.write_text("\n".join([head, *lines]), encoding="utf-8")
    return path


def test_the_verdict_is_the_label_of_a_sheet_without_being_told(tmp_path):
    found = read_labelled(sheet(tmp_path, "correct", "error"))
    assert found.bug.tolist() == [False, True]
    assert found.notes[0] == "the label is the column 'verdict', since Concord wrote this table"
    told = read_labelled(sheet(tmp_path, "correct", "error"), "verdict")
    assert list(told.notes) == list(found.notes[1:])


def test_a_column_of_labels_that_somebody_added_to_a_sheet_goes_before_its_verdicts(tmp_path):
    path = sheet(tmp_path, "correct,bug", "error,correct", head=f"{HEAD},label")
    assert read_labelled(path).bug.tolist() == [True, False]


def test_rows_without_a_verdict_are_left_out_and_bad_tests_are_no_bugs(tmp_path):
    found = read_labelled(sheet(tmp_path, "", "error", "bad test", "correct", " ", "Bad-Test", ""), "verdict")
    assert found.bug.tolist() == [True, False, False, False]
    assert found.scores[0].values.tolist() == [0.1, 0.2, 0.3, 0.5]
    assert found.notes[:2] == ["3 of 7 rows are left out: 3 have no verdict", "2 bad tests count as no bug"]


def test_one_row_is_left_out_in_words_that_agree(tmp_path):
    found = read_labelled(sheet(tmp_path, "error", "", "bad test", "correct"), "verdict")
    assert found.notes[:2] == ["1 of 4 rows is left out: 1 has no verdict", "1 bad test counts as no bug"]


def test_exported_labels_that_are_stale_are_left_out(tmp_path):
    lines = [
        "c0,o0,1,rtt,0.9,0.4,error,False",
        "c1,o1,1,rtt,0.1,0.4,correct,ben: error",
        "c2,o2,1,rtt,0.2,0.4,error,True",
    ]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join([f"{HEAD},stale", *lines]), encoding="utf-8")
    found = read_labelled(path, "verdict")
    assert found.bug.tolist() == [True, False]
    assert found.notes[0] == "1 of 3 rows is left out: 1 has a stale verdict"


def test_a_score_need_not_be_known_where_a_row_is_left_out(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("case,judged,verdict,mine\na,o,error,0.1\nb,o,,none yet\nc,o,correct,0.5\n")
    assert [score.name for score in read_labelled(path, scores=["mine"]).scores] == ["mine"]


def test_in_a_sheet_that_hides_suspicions_only_what_somebody_added_is_a_score(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("case,judged,run,relation,verdict,mine\na,o,1,rtt,error,0.1\nb,o,2,rtt,correct,0.5\n")
    assert [score.name for score in read_labelled(path).scores] == ["mine"]


def test_a_verdict_that_is_not_known_is_an_error_with_its_line(tmp_path):
    with pytest.raises(UserError, match=r"sheet\.csv, line 4: the label 'maybe' is not known"):
        read_labelled(sheet(tmp_path, "error", "", "maybe"))


def test_bad_tests_of_other_tables_are_an_error_as_before(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("verdict,s\nerror,1\nbad test,2\n")
    with pytest.raises(UserError, match="line 3: the label 'bad test' is not known"):
        read_labelled(path, "verdict")


def test_a_sheet_that_nobody_filled_in_says_what_to_do(tmp_path):
    with pytest.raises(UserError, match=r"no row is left: 2 have no verdict\. Fill in the column 'verdict'"):
        read_labelled(sheet(tmp_path, "", ""))


def test_the_sheet_of_a_run_is_evaluated_as_people_filled_it_in(tmp_path, path, run):
    run([0.9, 0.8, 0.2, 0.1, 0.3])
    file = tmp_path / "out.csv"
    api.export_labels(path, ["1"], file, unflagged=True)
    with file.open(encoding="utf-8-sig", newline="") as read:
        lines = list(csv.DictReader(read))
    said = {"s0": "error", "s1": "bad test", "s2": "correct", "s3": "correct"}
    with file.open("w", encoding="utf-8", newline="") as written:
        writer = csv.DictWriter(written, lines[0])
        writer.writeheader()
        writer.writerows(line | {"verdict": said.get(line["segment"], "")} for line in lines)
    found = api.evaluate(file)
    assert (found.rows, found.bugs, [each.score.name for each in found.metrics]) == (4, 1, ["suspicion"])
    assert {"1 of 5 rows is left out: 1 has no verdict", "1 bad test counts as no bug"} <= set(found.notes)
