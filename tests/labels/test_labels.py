"""Labels are kept with the outputs they judged, and travel through spreadsheets unharmed."""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import api
from concord.corpus.formats.tables import guarded, unguarded
from concord.errors import UserError
from concord.labels.labels import CATEGORIES, Labels
from concord.labels.sheets import COLUMNS, labels_from, lines_of, states
from concord.labels.spreadsheets import write_sheet
from concord.model import Case, Outcome, Segment, Text
from concord.store.case_keys import outputs_id
from concord.store.label_rows import outputs_of

FORMATS = ("csv", "tsv", "jsonl")


def phrase(words="a dog", made="un perro", suspicion=1.0, inside="un can"):
    texts = Text(f"I see {words}.", "en"), Text(words, "en"), Text(f"Veo {inside}.", "es"), Text(made, "es")
    return Case(*texts, texts[2:], suspicion, 0.0)


@pytest.fixture
def stored(workspace, facts):
    """`stored(*cases)` is a run of one sentence with these cases."""

    def made(*cases):
        run = workspace.begin(facts("rti"))
        workspace.add(run, [Outcome(Segment("s0", Text("I see.", "en"), 0), cases=list(cases))])
        return run.id

    return made


def exported(workspace, run, path, annotator="", changes=()):
    """Export, with the cells of some lines filled in by a person."""
    labels = Labels(workspace).of_runs([run])
    lines = list(lines_of(api.worst(workspace.path, [run], 100), labels, annotator))
    for line, change in zip(lines, changes, strict=False):
        line.update(change)
    write_sheet(path, COLUMNS, lines)
    return lines


def imported(workspace, path, annotator="ana"):
    found = labels_from(path, Labels(workspace), annotator)
    Labels(workspace).save(found)
    return found


@pytest.mark.parametrize("format", FORMATS)
def test_a_label_comes_back_as_it_was_filled_in(workspace, tmp_path, format, stored):
    run, path = stored(phrase(), phrase("two cats", "dos gatos")), tmp_path / f"l.{format}"
    said = {
        "verdict": "error",
        "categories": ["under-translation", "unclear logic"],
        "wrong": "both",
        "correction": '=un "perro",\ty; más',
        "comment": "-first line\nsecond 'line'",
    }
    exported(workspace, run, path, changes=[said, {"verdict": "bad test"}])
    imported(workspace, path)
    first, second = exported(workspace, run, tmp_path / f"again.{format}")
    assert {name: first[name] for name in said} == {**said, "categories": tuple(said["categories"])}
    assert (first["annotator"], second["verdict"], second["wrong"]) == ("ana", "bad test", "")
    assert imported(workspace, tmp_path / f"again.{format}", "") == imported(workspace, path)


@pytest.mark.parametrize("format", FORMATS[:2])
def test_nothing_in_a_table_is_executed(workspace, tmp_path, format, stored):
    evil = ('=HYPERLINK("x")', "+1+1", "-1", "@SUM(A1)", "  =1", "\t=1", "＝1", "'=1")
    run = stored(*(phrase(words, words, inside=words) for words in evil))
    path = tmp_path / f"l.{format}"
    exported(workspace, run, path, changes=[{"verdict": "error", "comment": words} for words in evil])
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="," if format == "csv" else "\t"))
    for row in rows:
        for cell in row.values():
            assert not cell.strip().startswith(("=", "+", "-", "@", "＝"))
    assert sorted(row["follow_up"] for row in rows) == sorted(f"'{words}" for words in evil)
    assert sorted(label.comment for label in imported(workspace, path)) == sorted(words.strip() for words in evil)


@given(st.text(alphabet=st.sampled_from("=+-@'\t\r\n ＝a1")))
def test_the_guard_can_always_be_taken_off(cell):
    assert unguarded(guarded(cell)) == cell
    assert not guarded(cell).strip().startswith(("=", "+", "-", "@", "＝"))


def test_a_negative_suspicion_stays_a_number(workspace, tmp_path, stored):
    path = tmp_path / "l.csv"
    exported(workspace, stored(phrase(suspicion=-0.5)), path)
    assert ",-0.5," in path.read_text("utf-8-sig")


def test_what_spreadsheets_do_to_a_file_does_no_harm(workspace, tmp_path, stored):
    run, path = stored(phrase(), phrase("two cats")), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}] * 2)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    names = ["my notes; etc.", "Verdict ", "ANNOTATOR", "case", "Wrong", "judged", "Categories", "comment"]
    lines = [names]
    for row in reversed(rows):
        said = ["x", " Error", "Ana", row["case"].upper(), "Follow_Up", row["judged"]]
        lines.append([*said, "Word / Phrase MISTRANSLATION, over translation"])  # the last, empty cell is cut off
    text = "\r\n".join(";".join(f'"{cell}"' if ";" in cell else cell for cell in line) for line in lines)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode() + b"\r\n;;;;;;;\r\n\r\n")
    found = imported(workspace, path, "")
    assert [label.case for label in found] == [row["case"] for row in reversed(rows)]
    assert {(each.verdict, each.annotator, each.wrong) for each in found} == {("error", "Ana", "follow-up output")}
    assert {each.categories for each in found} == {("over-translation", "word/phrase mistranslation")}


def cut(path, *widths):
    """Take cells off the ends of the lines below the header, so that they have these numbers of columns."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *lines = csv.reader(file)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *(line[:width] for line, width in zip(lines, widths, strict=True))])


@pytest.mark.parametrize("width", [1, 5, COLUMNS.index("follow_up_output")])
@pytest.mark.parametrize("alike", [True, False])
def test_a_line_that_breaks_off_is_refused_and_nothing_is_imported(workspace, tmp_path, stored, width, alike):
    run, path = stored(phrase(), phrase("two cats")), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}] * 2)
    cut(path, width if alike else len(COLUMNS), width)
    with pytest.raises(UserError) as error:
        imported(workspace, path)
    columns = "1 column" if width == 1 else f"{width} columns"
    assert f"line {2 if alike else 3}: {columns}, but the header has {len(COLUMNS)}" in str(error.value)
    assert f"'{COLUMNS[width]}' is lacking" in str(error.value)
    assert Labels(workspace).of_runs([run]) == {}


def test_empty_cells_that_were_cut_off_are_no_damage(workspace, tmp_path, stored):
    run, path = stored(phrase(), phrase("two cats")), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}])
    cut(path, COLUMNS.index("verdict") + 1, COLUMNS.index("verdict"))
    (label,) = imported(workspace, path)
    assert label.verdict == "error"


@pytest.mark.parametrize("name", ["an\na", "an\x1b[2Ja", "an\u2028a"])
def test_a_name_that_cannot_be_shown_is_refused(workspace, tmp_path, stored, name):
    run, path = stored(phrase()), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}])
    with pytest.raises(UserError, match=r"line 2: the annotator's name .* cannot be shown"):
        imported(workspace, path, name)
    exported(workspace, run, path, changes=[{"verdict": "error", "annotator": name}])
    with pytest.raises(UserError, match="cannot be shown"):
        imported(workspace, path, "")


def test_a_tsv_whose_quotes_are_only_quotes_is_read_too(workspace, tmp_path, stored):
    run, path = stored(phrase()), tmp_path / "l.tsv"
    (line,) = exported(workspace, run, path)
    path.write_text(f'case\tverdict\tcomment\n{line["case"]}\terror\t"can" is not said\n')
    assert imported(workspace, path)[0].comment == '"can" is not said'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "wrong"}, "the verdict 'wrong' is not known. Choices: error, correct, bad test"),
        ({"verdict": "error", "categories": "typo"}, f"'typo' is not known. Choices: {', '.join(CATEGORIES)}"),
        ({"verdict": "error", "wrong": "left"}, "'left' is not known. Choices: source output, follow-up output, both"),
        ({"comment": "hm"}, "there is no verdict, but something else is filled in. Choices: error"),
        ({"verdict": "correct", "wrong": "both"}, "only 'error' does"),
        ({"verdict": "error", "case": "00ff"}, "there is no case '00ff' in this workspace"),
        ({"verdict": "error", "case": "1.2E+30"}, "there is no case '1.2e+30' in this workspace"),
        ({"verdict": "error", "judged": "o12"}, "the case has no outputs 'o12'"),
        ({"verdict": "error", "annotator": "x" * 101}, "101 characters"),
    ],
)
def test_what_is_meant_must_be_clear_and_nothing_is_half_imported(workspace, tmp_path, change, message, stored):
    run, path = stored(phrase(suspicion=2.0), phrase("two cats")), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}, change])
    with pytest.raises(UserError, match=r"l\.csv, line 3: ") as error:
        imported(workspace, path)
    assert message in str(error.value)
    assert "Nothing was imported" in str(error.value)
    assert Labels(workspace).of_runs([run]) == {}


def test_every_wrong_line_is_named(workspace, tmp_path, stored):
    run, path = stored(*(phrase(f"{n} cats") for n in range(20))), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "x"}] * 20)
    with pytest.raises(
        UserError, match=r"line 2: .* Also wrong: line 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 9 more\. Nothing"
    ):
        imported(workspace, path)


def test_a_line_number_is_that_of_the_file_even_after_a_cell_of_several_lines(workspace, tmp_path, stored):
    run, path = stored(phrase(suspicion=2.0), phrase("two cats")), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error", "comment": "a\nb\nc"}, {"verdict": "x"}])
    with pytest.raises(UserError, match="line 5"):
        imported(workspace, path)


def test_somebody_must_have_said_it(workspace, tmp_path, stored):
    run, path = stored(phrase()), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}])
    with pytest.raises(UserError, match="--annotator NAME"):
        imported(workspace, path, "")


def test_nobody_says_two_things_of_a_case_in_one_file(workspace, tmp_path, stored):
    run, path = stored(phrase()), tmp_path / "l.jsonl"
    (line,) = exported(workspace, run, path)
    both = [{**line, "verdict": verdict} for verdict in ("error", "correct")]
    path.write_text("".join(json.dumps(each) + "\n" for each in both))
    with pytest.raises(UserError, match="line 2: 'ana' says something else of the same case in line 1"):
        imported(workspace, path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("verdict,comment\nerror,x\n", "no column 'case'. Found: comment, verdict"),
        ("", "no line to read"),
        ("case,verdict,case\na,b,c\n", "'case' is there twice"),
        ("case,verdict\na,b,c\n", "line 2: 3 columns, but the header has 2"),
        ('case,verdict\na,"b\n', "not a table"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(workspace, tmp_path, text, message):
    (tmp_path / "l.csv").write_text(text)
    with pytest.raises(UserError) as error:
        imported(workspace, tmp_path / "l.csv")
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["l.xlsx", "l.txt", "l", "l.csv.gz"])
def test_only_files_that_people_can_fill_in_are_written(workspace, tmp_path, name, stored):
    with pytest.raises(UserError, match=r"\.csv, \.tsv or \.jsonl"):
        exported(workspace, stored(phrase()), tmp_path / name)


@pytest.mark.parametrize("line", ['["a"]', '"a"', '{"case": 5, "verdict": "error"}'])
def test_json_of_another_shape_is_refused_with_its_line(workspace, tmp_path, line):
    (tmp_path / "l.jsonl").write_text(line + "\n")
    with pytest.raises(UserError, match=r"line 1: .*(object is expected|must be a string)"):
        imported(workspace, tmp_path / "l.jsonl")


def test_half_a_character_is_refused_with_its_line(workspace, tmp_path, stored):
    run, path = stored(phrase()), tmp_path / "l.jsonl"
    (line,) = exported(workspace, run, path)
    path.write_text(json.dumps({**line, "verdict": "error", "comment": "\ud800"}) + "\n")
    with pytest.raises(UserError, match="line 1: the field 'comment' has half a character"):
        imported(workspace, path)


def test_a_later_label_of_the_same_person_replaces_the_earlier(workspace, tmp_path, stored):
    run, path = stored(phrase()), tmp_path / "l.csv"
    for verdict, name in (("error", "ana"), ("correct", "ana"), ("error", "ben")):
        exported(workspace, run, path, name, [{"verdict": verdict}])
        imported(workspace, path, name)
    ((ana, ben),) = Labels(workspace).of_runs([run]).values()
    assert [(each.annotator, each.verdict) for each in (ana, ben)] == [("ana", "correct"), ("ben", "error")]


def test_another_person_sees_nothing_of_what_was_said(workspace, tmp_path, stored):
    run, path = stored(phrase()), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}])
    imported(workspace, path)
    (line,) = exported(workspace, run, path, "ben")
    assert (line["verdict"], line["annotator"]) == ("", "ben")
    assert len(exported(workspace, run, path)) == 1


def test_a_label_of_other_outputs_is_kept_shown_as_stale_and_not_filled_in(workspace, tmp_path, stored):
    old, path = stored(phrase(made="un perro")), tmp_path / "l.csv"
    exported(workspace, old, path, changes=[{"verdict": "error"}])
    imported(workspace, path)
    new = stored(phrase(made="un chucho"))
    labels = Labels(workspace).of_runs([old, new])
    assert [(row["run"], row["stale"]) for row in states(workspace.rows([old, new]), labels)] == [
        (old, False),
        (new, True),
    ]
    (line,) = exported(workspace, new, path)
    assert (line["verdict"], line["stale"]) == ("", "ana: error")
    exported(workspace, new, path, changes=[{"verdict": "correct"}])
    imported(workspace, path)
    assert [
        (row["run"], row["verdict"], row["stale"])
        for row in states(workspace.rows([old, new]), Labels(workspace).of_runs([old]))
    ] == [
        (old, "error", False),
        (old, "correct", True),
        (new, "error", True),
        (new, "correct", False),
    ]
    assert exported(workspace, new, path)[0]["stale"] == ""


def test_without_the_outputs_mark_a_case_of_several_outputs_is_not_guessed(workspace, tmp_path, stored):
    path = tmp_path / "l.csv"
    for made in ("un perro", "un chucho"):
        run = stored(phrase(made=made))
    exported(workspace, run, path, changes=[{"verdict": "error", "judged": ""}])
    with pytest.raises(UserError, match="2 different outputs"):
        imported(workspace, path)


def test_a_case_that_occurs_in_two_runs_is_exported_once(workspace, tmp_path, stored):
    runs = [stored(phrase()) for _ in range(2)]
    rows = api.worst(workspace.path, runs, 10)
    assert len(rows) == 2
    assert len(list(lines_of(rows, {}, ""))) == 1


def test_a_key_that_reads_as_a_number_is_found_again(workspace, tmp_path, monkeypatch, stored):
    key = bytes.fromhex("123456789012345e" + "78901234" * 2)
    monkeypatch.setattr("concord.store.runs.case_key", lambda run, case: key)
    run, path = stored(phrase()), tmp_path / "l.csv"
    exported(workspace, run, path, changes=[{"verdict": "error"}])
    assert f"\n{key.hex()}" not in path.read_text("utf-8-sig")
    assert imported(workspace, path)[0].case == key.hex()


def test_the_mark_of_outputs_is_no_number(workspace, stored):
    row = api.worst(workspace.path, [stored(phrase())], 1)[0]
    assert outputs_id(outputs_of(row))[0] == "o"
    assert json.loads(outputs_of(row)) == {
        "source_output": "Veo un can.",
        "follow_up": "a dog",
        "follow_up_output": "un perro",
    }
