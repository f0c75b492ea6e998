"""Rows leave the workspace as programs or as spreadsheets want them."""

from __future__ import annotations

import csv
import io
import json

import pytest

FORMULA = "=1+1 is two."


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


def test_the_threshold_is_the_one_that_was_told(concord):
    rows = [json.loads(line) for line in concord("export")[1].splitlines()]
    shown = json.loads(concord("show", "--json")[1])["rows"]
    for row in [*rows, *shown]:
        assert row["threshold"] == 0.4
    assert {row["relation"] for row in rows} == {"semmt", "rtt"}
    assert "threshold 0.4:" in concord("show")[1]
    assert "0.3999" not in concord("show")[1]
