"""Reading a table of observations: formats, gaps, and what is wrong with it."""

from __future__ import annotations

import gzip
import json

import pytest

from concord.errors import CorpusError, UnknownName, UserError
from concord.stats.cells import count_cells
from concord.stats.table import ObservationTable

HEADER = ["score", "system", "note"]
ROWS = [["0.5", "one", "x, y"], ["0.25", "two", ""], ["0.75", "one", "z"]]


def means(source, response="score", factors=("system",), cluster=None):
    cells = count_cells(ObservationTable(source, response, factors, cluster))
    return dict(zip(cells.levels["system"], cells.mean.tolist(), strict=True))


def separated(separator):
    return "\n".join(
        separator.join(f'"{cell}"' if separator in cell else cell for cell in row) for row in [HEADER, *ROWS]
    )


def as_objects():
    return [dict(zip(HEADER, row, strict=True)) for row in ROWS]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", separated(",") + "\n"),
        ("semicolons.csv", separated(";")),
        ("t.tsv", separated("\t") + "\n\n"),
        ("t.jsonl", "\n".join(json.dumps(row) for row in as_objects())),
        ("no-ending", "\ufeff" + separated(",").replace("\n", "\r\n")),
    ],
)
def test_every_format_is_read_alike(tmp_path, name, text):
    (tmp_path / name).write_bytes(text.encode())
    assert means(tmp_path / name) == means(str(tmp_path / name)) == {"one": 0.625, "two": 0.25}


def test_a_packed_table_is_unpacked(tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(separated(",").encode()))
    assert means(tmp_path / "t.csv.gz") == {"one": 0.625, "two": 0.25}


def test_rows_may_come_from_anywhere_and_hold_numbers():
    rows = ({"score": score, "system": system} for score, system in [(1, 7), (True, 10), (0.5, 7)])
    assert means(rows) == {"7": 0.75, "10": 1.0}


def test_levels_that_are_all_numbers_are_sorted_as_numbers():
    rows = [{"score": 1.0, "system": system} for system in ("10", "9", "1e1", "-2")]
    assert list(means(rows)) == ["-2", "9", "10", "1e1"]


@pytest.mark.parametrize("gap", ["", " ", "NA", "nan", "null", "inf", "-Infinity", None, float("nan")])
def test_a_gap_in_the_response_drops_the_row_and_counts_it(gap):
    table = ObservationTable([*as_objects(), {"score": gap, "system": "three"}], "score", ["system"])
    cells = count_cells(table)
    assert cells.dropped == 1
    assert cells.levels["system"] == ["one", "two"]


@pytest.mark.parametrize("gap", ["", "  ", None])
def test_a_gap_in_a_factor_or_a_cluster_drops_the_row(gap):
    for column in ("system", "note"):
        rows = [{"score": 1, "system": "s", "note": "n"}, {"score": 2, "system": "s", "note": "n", column: gap}]
        cells = count_cells(ObservationTable(rows, "score", ["system"], "note"))
        assert (cells.total, cells.dropped) == (1, 1)


def test_a_response_that_is_no_number_is_named_with_its_line(tmp_path):
    (tmp_path / "t.csv").write_text('score,system\n0.5,"two\nlines"\n"0,5",b\n')
    with pytest.raises(UserError, match=r"t\.csv, line 4: '0,5' in column 'score' is not a number\. Write numbers"):
        means(tmp_path / "t.csv")
    with pytest.raises(UserError, match="row 1: 'high' in column 'score'"):
        means([{"score": "high", "system": "a"}])


def test_an_unknown_column_is_named_with_those_that_there_are(tmp_path):
    (tmp_path / "t.csv").write_text(separated(","))
    with pytest.raises(UnknownName, match=r"no column 'scores'\. Did you mean 'score'\? Known: note, score, system"):
        means(tmp_path / "t.csv", "scores")
    with pytest.raises(UnknownName, match="no column 'scores'"):
        means(as_objects(), "scores")


def test_a_column_that_is_asked_for_must_be_there_once(tmp_path):
    (tmp_path / "t.csv").write_text("score,system,note,score,note\n1,a,x,2,y\n")
    with pytest.raises(UserError, match=r"t\.csv, line 1: the header has 2 columns 'score'\. Rename all but one"):
        means(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("score,system,note,note\n1,a,x,y\n")
    assert means(tmp_path / "t.csv") == {"a": 1.0}


def test_a_row_of_another_length_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("score,system\n1,a\n1,a,b\n")
    with pytest.raises(CorpusError, match="line 3: 3 columns, but the header has 2"):
        means(tmp_path / "t.csv")


def test_json_lines_must_be_objects(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"score": 1, "system": "a"}\n[1]\n')
    with pytest.raises(CorpusError, match="line 2: expected a JSON object"):
        means(tmp_path / "t.jsonl")


@pytest.mark.parametrize("text", ["", "\n\n", "score,system\n", "score,system\n,a\nNA,b\n"])
def test_a_table_without_numbers_has_nothing_to_analyse(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(UserError, match="nothing to analyse: no row has a number in 'score'"):
        means(tmp_path / "t.csv")


def test_a_number_whose_square_is_none_is_said():
    with pytest.raises(UserError, match="beyond 1e"):
        list(ObservationTable([{"score": 1e308, "system": "a"}], "score", ["system"]))
