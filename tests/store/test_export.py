"""Rows leave the workspace as programs or as spreadsheets want them."""

from __future__ import annotations

import ast
import csv
import io
import json
import math
import sys

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concord import api
from concord.analyses.detection.columns import read_columns
from concord.corpus.files import open_file
from concord.corpus.formats.tables import csv_table, unguarded
from concord.corpus.pairs import read_pairs
from concord.errors import Missing
from concord.store.export import COLUMNS, Form, flat, put_lines, put_rows, write_parquet, written

FORMULA = "=1+1 is two."
HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\t1", "\r1", "＝1", "＋1", "－1", "＠1", "'=1", "''"]
BEFORE = math.nextafter(0.4, 0)


@pytest.fixture
def concord(concord, tmp_path):
    """The program with a run over a text that a spreadsheet would calculate."""
    (tmp_path / "c.txt").write_text(f"{FORMULA}\nNobody came.\n")
    assert concord("run", "c.txt", "-s", "fake", "--to", "es", "-r", "semmt,threshold=0.4", "-r", "rtt")[0] == 0
    return concord


def test_no_table_has_a_formula_unless_it_is_raw(concord, tmp_path):
    assert concord("export", "-o", "plain.csv")[0] == 0
    assert concord("export", "-o", "sheet.csv", "--format", "sheet")[0] == 0
    assert concord("export", "-o", "raw.csv", "--raw")[0] == 0
    texts = {name: [row["text"] for row in rows_of(tmp_path / name)] for name in ("plain.csv", "sheet.csv", "raw.csv")}
    assert texts["plain.csv"] == texts["sheet.csv"]
    assert f"'{FORMULA}" in texts["plain.csv"]
    assert FORMULA not in texts["plain.csv"]
    assert FORMULA in texts["raw.csv"]
    assert (tmp_path / "sheet.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert not (tmp_path / "plain.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("words", HOSTILE)
def test_texts_are_guarded_and_numbers_are_left(words):
    out = io.StringIO(newline="")
    assert put_lines([{"text": words, "score": -0.5, "whole": -3}], ("text", "score", "whole"), out, Form("csv")) == 1
    out.seek(0)
    (line,) = csv.DictReader(out)
    assert line == {"text": f"'{words}", "score": "-0.5", "whole": "-3"}
    assert unguarded(line["text"]) == words


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("words", ["one\r=1+1", "one\n=1+1", 'one",=1+1', "one\r\n=1+1"])
def test_nothing_inside_a_text_begins_another_cell(words, raw):
    out = io.StringIO(newline="")
    put_lines([{"text": words}], ("text",), out, Form("csv", raw))
    out.seek(0)
    assert [line["text"] for line in csv.DictReader(out)] == [words]


TEXTS = st.text(st.sampled_from("'=-+@ \t\n\"',;a＝é") | st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)


@pytest.mark.parametrize("form", [Form("csv"), Form("sheet"), Form("csv", raw=True)])
@given(texts=st.lists(TEXTS, min_size=1))
@example(texts=["'- no"])
def test_a_table_is_read_back_as_it_was_be_it_guarded_or_raw(tmp_path_factory, form, texts):
    path = tmp_path_factory.mktemp("table") / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        put_rows([{"case": "00", "text": text} for text in texts], file, form)
    (_, names), *lines = csv_table(open_file(path))
    assert tuple(names) == (*COLUMNS, "raw") if form.raw else COLUMNS
    assert [cells[names.index("text")] for _, cells in lines] == texts


@pytest.mark.parametrize("raw", [False, True])
def test_what_is_exported_is_read_again_as_the_same_corpus(concord, tmp_path, raw):
    (tmp_path / "c.txt").write_text("'- no\n- no\nIt's so.\n")
    assert concord("run", "c.txt", "-s", "fake", "--to", "es", "-r", "rtt", "-w", "new.sqlite")[0] == 0
    api.export(tmp_path / "new.sqlite", [1], tmp_path / "rows.csv", raw=raw)
    found = api.read(tmp_path / "rows.csv", "en")
    assert [each.text.words for each in found] == ["'- no", "- no", "It's so."]


@pytest.mark.parametrize("words", [("-o", "x.jsonl"), ("-o", "x.csv", "--format", "sheet"), ("--json",)])
def test_raw_is_refused_where_it_says_nothing(concord, words):
    code, _, err = concord("export", *words, "--raw")
    assert code == 2
    assert "leave it out" in err.lower()


@pytest.mark.parametrize("ending", [(), ("--format", "sheet")], ids=["csv", "sheet"])
def test_what_was_exported_for_people_is_read_back_as_it_was(concord, tmp_path, ending):
    assert concord("export", "1", "-o", "rows.csv", *ending)[0] == 0
    rows = list(api.rows("concord.sqlite", [1]))
    assert [segment.text.words for segment in api.read("rows.csv", "en")] == [row["text"] for row in rows]
    pairs = list(read_pairs("rows.csv"))
    assert [pair.words["source"] for pair in pairs] == [row["source"]["words"] for row in rows]
    assert FORMULA in [pair.words["source"] for pair in pairs]
    _, columns = read_columns(open_file(tmp_path / "rows.csv"), tmp_path / "rows.csv")
    assert columns["text"] == [row["text"] for row in rows]


def test_a_table_of_somebody_else_keeps_its_apostrophes(tmp_path):
    (tmp_path / "c.csv").write_text("id,text\n1,'=' means equal.\n2,'- no' is no answer.\n")
    assert [each.text.words for each in api.read(tmp_path / "c.csv", "en")] == [
        "'=' means equal.",
        "'- no' is no answer.",
    ]


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_a_dash_is_standard_output(concord, tmp_path, format):
    code, out, err = concord("export", "-o", "-", "--format", format, *(["--raw"] if format == "csv" else []))
    assert (code, err) == (0, "")
    rows = list(map(json.loads, out.splitlines())) if format == "jsonl" else list(csv.DictReader(io.StringIO(out)))
    assert FORMULA in [row["text"] for row in rows]
    assert not (tmp_path / "-").exists()
    assert json.loads(concord("export", "-o", "-", "--json")[1])["rows"]


def test_a_sheet_has_the_threshold_that_was_told(concord, tmp_path):
    assert concord("export", "-o", "sheet.csv", "--format", "sheet")[0] == 0
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["relation"] for row in rows if row["threshold"] == "0.4"} == {"semmt", "rtt"}
    assert "threshold 0.4:" in concord("show", "--by", "case")[1]
    assert "0.3999" not in concord("show", "--by", "case")[1]


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize(("suspicion", "threshold"), [(0.4, BEFORE), (BEFORE, BEFORE), (0.1 + 0.2, 0.3)])
def test_a_row_for_programs_does_not_contradict_its_verdict(tmp_path, format, suspicion, threshold):
    row = {"suspicion": suspicion, "threshold": threshold, "flagged": suspicion > threshold}
    if format == "parquet":
        assert write_parquet([row], tmp_path / "rows.parquet") == 1
        found = pq.read_table(tmp_path / "rows.parquet").to_pylist()[0]
    else:
        out = io.StringIO()
        assert put_rows([row], out, Form(format)) == 1
        if format == "jsonl":
            found = json.loads(out.getvalue())
        else:
            cells = next(csv.DictReader(io.StringIO(out.getvalue())))
            found = {name: ast.literal_eval(cells[name]) for name in row}
    assert {name: found[name] for name in row} == row


def test_rows_on_the_terminal_do_not_contradict_their_verdicts(concord):
    rows = json.loads(concord("show", "--by", "case", "--json")[1])["rows"]
    assert {(row["operator"], row["threshold"]) for row in rows if row["relation"] == "semmt"} == {(">=", 0.4)}


def test_other_numbers_are_those_that_people_write():
    row = {"suspicion": 0.4, "scores": {"r": 0.1 + 0.2}, "number": 3, "evidence": {"a": [None]}}
    assert written(row) == {**row, "scores": {"r": 0.3}}
    assert flat(row)["scores"] == '{"r": 0.3}'


def test_without_pyarrow_the_extra_is_named_and_no_place_on_this_machine(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Missing) as error:
        write_parquet([], tmp_path / "rows.parquet")
    assert str(error.value).endswith("To install it: pip install 'concord-mt[parquet]'")
