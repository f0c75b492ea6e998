"""What is written from a workspace: rows, reports and references, and never over the workspace."""

from __future__ import annotations

import csv
import json
import os

from concord.plural import plural

FAKE = ("--system", "fake", "--to", "es", "-r", "sane")


def test_export_writes_every_row_in_three_formats(concord, tmp_path):
    import pyarrow.parquet as pq

    concord("run", "demo", *FAKE, "--limit", "30")
    for name in ("rows.jsonl", "rows.csv", "rows.parquet"):
        assert concord("export", "-o", name) == (0, f"30 rows: {name}\n", "")
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    with (tmp_path / "rows.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    parquet = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    assert [row["position"] for row in lines] == list(range(30))
    for a, b, c in zip(lines, table, parquet, strict=True):
        assert a["source"]["words"] == b["source"] == c["source"]
        assert a["suspicion"] == float(b["suspicion"]) == c["suspicion"]
    assert json.loads(concord("export", "--json")[1])["rows"] == lines


def test_what_show_lists_is_exported_with_the_same_filters(concord):
    concord("run", "demo", *FAKE, "-r", "rtt,threshold=0", "--limit", "20")
    for kind in ("case", "finding", "problem"):
        total = json.loads(concord("show", "--by", kind, "--flagged", "--text", "the", "--json")[1])["total"]
        words = ("export", "--what", f"{kind}s", "-o", f"{kind}s.csv")
        assert concord(*words, "--text", "the")[1] == f"{plural(total, kind)}: {kind}s.csv\n"
        assert concord(*words, "--relation", "rtx")[0] == 2


def test_export_to_stdout_is_jsonl(concord):
    concord("run", "demo", *FAKE, "--limit", "3")
    assert len(concord("export")[1].splitlines()) == 3


def test_a_report_is_a_page_that_needs_nothing_else(concord, tmp_path):
    concord("run", "demo", *FAKE, "--limit", "30", "--report", "r.html")
    page = (tmp_path / "r.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "src=" not in page
    assert "http:" not in page.replace("http://www.w3.org", "")
    assert "https:" not in page
    assert concord("report")[0] == 0
    assert (tmp_path / "report.html").exists()


def test_references_are_kept_beside_the_rows(concord, tmp_path):
    (tmp_path / "en.txt").write_text("One.\nTwo.\n")
    (tmp_path / "es.txt").write_text("Uno.\nDos.\n")
    concord("run", "en.txt", *FAKE, "--reference", "es.txt")
    assert [row["reference"] for row in json.loads(concord("export", "--json")[1])["rows"]] == ["Uno.", "Dos."]


def test_the_workspace_is_not_overwritten_by_what_is_made_from_it(concord):
    concord("run", "demo", *FAKE, "--limit", "2")
    for command in ("report", "export"):
        code, _, err = concord(command, "-o", "concord.sqlite", *(("--format", "csv") if command == "export" else ()))
        assert code == 2
        assert "is the workspace itself" in err
    assert concord("show")[0] == 0


def test_a_device_is_written_to_and_not_replaced(concord):
    concord("run", "demo", *FAKE, "--limit", "2")
    assert concord("report", "-o", "/dev/null")[0] == 0
    assert concord("export", "-o", "/dev/null", "--format", "csv")[0] == 0
    assert os.stat("/dev/null").st_rdev == os.makedev(1, 3)
    code, _, err = concord("export", "-o", "/dev/full", "--format", "csv")
    assert code == 1
    assert "No space left" in err
