"""Labelling as a user does it: run, export, fill in, import, look at the thresholds."""

from __future__ import annotations

import csv
import json

import pytest

from concord import api

CORPUS = "id\tdomain\ttext\n1\tnews\tA dog sleeps.\n2\tnews\tTwo cats run.\n3\tlaw\tThe court closed.\n"
ANSWERS = [
    ("en", "es", "A dog sleeps.", "Un perro duerme."),
    ("es", "en", "Un perro duerme.", "A dog is asleep, they say."),
    ("en", "es", "Two cats run.", "Dos gatos corren."),
    ("es", "en", "Dos gatos corren.", "Two cats run."),
    ("en", "es", "The court closed.", "=cmd|' /C calc'!A0"),
    ("es", "en", "=cmd|' /C calc'!A0", "@nothing of the kind"),
]


@pytest.fixture
def concord(concord, tmp_path):
    """The program in a folder with a small run."""
    (tmp_path / "c.tsv").write_text(CORPUS)
    _answer(tmp_path, ANSWERS)
    assert concord(*RUN)[0] == 0
    return concord


RUN = ("run", "c.tsv", "-s", "table:t.tsv", "-t", "es", "-r", "rtt,threshold=0.2", "--top", "0")


def _answer(folder, rows):
    (folder / "t.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))


def _filled(path, **cells):
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0], delimiter=";")
        writer.writeheader()
        writer.writerows([line | cells for line in lines])
    return lines


def test_labels_go_out_and_come_back_and_count(concord, tmp_path):
    code, out, _ = concord("label", "export", "2", "l.csv")
    assert code == 0
    assert "2 lines: l.csv" in out
    assert "label import l.csv --annotator YOU" in out
    empty = "0 labels from l.csv: no verdict is filled in\n"
    assert concord("label", "import", "l.csv", "--annotator", "ana")[1] == empty
    lines = _filled(tmp_path / "l.csv", verdict="Error", wrong="follow-up", categories="unclear logic")
    assert lines[0]["source_output"] == "'=cmd|' /C calc'!A0"
    assert [line["segment"] for line in lines] == ["3", "1"]
    assert concord("label", "import", "l.csv", "--annotator", "ana")[1] == "2 labels from l.csv\n"
    (sweep,) = json.loads(concord("thresholds", "--at", "0,0.2", "--json")[1])["relations"]
    (total,) = [scope for scope in sweep["scopes"] if scope["domain"] is None]
    assert [scope["domain"] for scope in sweep["scopes"]] == ["law", "news", None]
    for point in total["points"]:
        counts = (point["flagged"], point["labelled"], point["erroneous"], point["precision"])
        assert counts == (2, 2, 2, 1.0)
        assert (point["translations"], point["wrong_translations"]) == (4, 2)
        assert point["categories"]["unclear logic"] == 2
        assert 0.3 < point["interval"][0] < 0.4
    out = concord("thresholds", "--at", "0")[1]
    assert "100.0%" in out
    assert "34.2 … 100.0%" in out


def test_a_system_that_answers_anew_makes_labels_stale(concord, tmp_path):
    concord("label", "export", "l.csv")
    _filled(tmp_path / "l.csv", verdict="error")
    concord("label", "import", "l.csv", "--annotator", "ana")
    _answer(tmp_path, [(*row[:3], row[3].replace("they say", "I hear")) for row in ANSWERS])
    made = api.run(
        "c.tsv", relations=["rtt,threshold=0.2"], systems=["table:t.tsv"], to=["es"], workspace="concord.sqlite"
    )
    number = str(made[0].run.id)
    rows = json.loads(concord("label", "list", number, "--json")[1])["rows"]
    assert [(row["segment"], row["stale"]) for row in rows] == [("1", True), ("3", False)]
    out = concord("label", "list", number)[1]
    assert "stale" in out
    assert "counts" in out


def test_a_wrong_line_is_named_and_nothing_is_imported(concord, tmp_path):
    concord("label", "export", "l.csv")
    _filled(tmp_path / "l.csv", verdict="yes")
    code, out, err = concord("label", "import", "l.csv", "--annotator", "ana", "--json")
    assert code == 2
    assert (
        "l.csv, line 2: the verdict 'yes' is not known. Choices: error, correct, bad test. Also wrong: line 3." in err
    )
    assert json.loads(out)["error"].endswith("Nothing was imported")
    assert json.loads(concord("label", "list", "--json")[1]) == {"rows": []}


@pytest.mark.parametrize(
    ("words", "lines"), [((), 2), (("--limit", "1"), 1), (("--all",), 3), (("--all", "--limit", "2"), 2)]
)
def test_as_many_cases_are_exported_as_are_wanted(concord, words, lines):
    assert json.loads(concord("label", "export", "2", "l.jsonl", *words, "--json")[1])["lines"] == lines


def test_the_workspace_is_not_written_over(concord, tmp_path):
    (tmp_path / "l.csv").symlink_to(tmp_path / "concord.sqlite")
    assert concord("label", "export", "l.csv")[0] == 2
    assert concord("label", "export", "other.xlsx")[0] == 2
    assert concord("label", "import", "none.csv")[0] == 2


@pytest.mark.parametrize("at", ["x", "0;1", "nan"])
def test_thresholds_that_are_no_numbers_are_refused(concord, at):
    code, _, err = concord("thresholds", "--at", at)
    assert code == 2
    assert "numbers" in err


def test_findings_are_shown_by_default_and_cases_or_problems_where_wanted(concord):
    code, out, _ = concord("show")
    assert code == 0
    assert out.count("  1 case") == 2
    shown = {by: json.loads(concord("show", "2", "--by", by, "--json")[1]) for by in ("case", "finding", "problem")}
    assert [set(shown[by]) - {"runs", "total", "against_baseline"} for by in shown] == [
        {"rows"},
        {"findings"},
        {"problems"},
    ]
    assert [shown[by]["total"] for by in shown] == [3, 2, 0]
    assert [each["rows"][0]["segment"] for each in shown["finding"]["findings"]] == ["3", "1"]
    assert all(each["reason"] == each["rows"][0]["reason"] != "" for each in shown["finding"]["findings"])
    assert len(json.loads(concord("show", "2", "--limit", "1", "--json")[1])["findings"]) == 1
    code, _, err = concord("show", "--by", "word")
    assert (code, "case, finding, problem" in err) == (2, True)


def test_a_sheet_that_is_there_is_not_written_over(concord, tmp_path):
    assert concord("label", "export", "2", "work.csv")[0] == 0
    before = (tmp_path / "work.csv").read_bytes()
    code, _, said = concord("label", "export", "2", "work.csv")
    assert (code, "may hold verdicts" in said) == (2, True)
    assert (tmp_path / "work.csv").read_bytes() == before
    assert concord("label", "export", "2", "work.csv", "--force")[0] == 0


@pytest.mark.parametrize(
    "words", [("export", "2", "l.csv"), ("import", "l.csv"), ("say", "00ff", "error"), ("next", "queue")]
)
def test_a_name_of_several_lines_is_refused(concord, tmp_path, words):
    code, out, err = concord("label", *words, "--annotator", "an\na")
    assert (code, out) == (2, "")
    assert "the annotator's name 'an\\na' has a line break" in err
    assert not (tmp_path / "l.csv").exists()


def test_what_was_said_under_a_name_of_several_lines_can_still_be_asked_back(concord):
    code, _, err = concord("label", "undo", "--annotator", "an\na")
    assert code == 2
    assert "has a line break" not in err
