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

from concord.errors import Missing
from concord.store.export import flat, write_rows, written

FORMULA = "=1+1 is two."
BEFORE = math.nextafter(0.4, 0)


@pytest.fixture
def concord(concord, tmp_path):
    """The program with a run over a text that a spreadsheet would calculate."""
    (tmp_path / "c.txt").write_text(f"{FORMULA}\nNobody came.\n")
    assert concord("run", "c.txt", "-s", "fake", "--to", "es", "-r", "semmt,threshold=0.4", "-r", "rtt")[0] == 0
    return concord


def test_csv_is_raw_and_a_sheet_is_guarded(concord, tmp_path):
    assert concord("export", "-o", "raw.csv")[0] == 0
    assert concord("export", "-o", "sheet.csv", "--format", "sheet")[0] == 0
    found = {}
    for name in ("raw.csv", "sheet.csv"):
        with (tmp_path / name).open(encoding="utf-8-sig", newline="") as file:
            found[name] = [row["text"] for row in csv.DictReader(file)]
    assert FORMULA in found["raw.csv"]
    assert f"'{FORMULA}" in found["sheet.csv"]
    assert FORMULA not in found["sheet.csv"]
    assert (tmp_path / "sheet.csv").read_bytes().startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_a_dash_is_standard_output(concord, tmp_path, format):
    code, out, err = concord("export", "-o", "-", "--format", format)
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
    assert "threshold 0.4:" in concord("show")[1]
    assert "0.3999" not in concord("show")[1]


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize(("suspicion", "threshold"), [(0.4, BEFORE), (BEFORE, BEFORE), (0.1 + 0.2, 0.3)])
def test_a_row_for_programs_does_not_contradict_its_verdict(tmp_path, format, suspicion, threshold):
    row = {"suspicion": suspicion, "threshold": threshold, "violated": suspicion > threshold}
    file = tmp_path / f"rows.{format}"
    assert write_rows([row], file, None) == 1
    if format == "parquet":
        found = pq.read_table(file).to_pylist()[0]
    elif format == "jsonl":
        found = json.loads(file.read_text())
    else:
        cells = next(csv.DictReader(io.StringIO(file.read_text())))
        found = {name: ast.literal_eval(cells[name]) for name in row}
    assert {name: found[name] for name in row} == row


def test_rows_on_the_terminal_do_not_contradict_their_verdicts(concord):
    rows = json.loads(concord("show", "--json")[1])["rows"]
    assert {row["threshold"] for row in rows if row["relation"] == "semmt"} == {BEFORE}


def test_other_numbers_are_those_that_people_write():
    row = {"suspicion": 0.4, "scores": {"r": 0.1 + 0.2}, "number": 3, "evidence": {"a": [None]}}
    assert written(row) == {**row, "scores": {"r": 0.3}}
    assert flat(row)["scores"] == '{"r": 0.3}'


def test_without_pyarrow_the_extra_is_named_and_no_place_on_this_machine(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Missing) as error:
        write_rows([], tmp_path / "rows.parquet", None)
    assert str(error.value).endswith("To install it: pip install 'concord-mt[parquet]'")
