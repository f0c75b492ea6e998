"""The page of the papers' figures is what the list of rows in its script says; the data are not needed for that."""

from __future__ import annotations

import importlib
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "papers.md"


@pytest.fixture
def papers(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("reproduce.papers")


def shown():
    """The rows of the page's tables, with the title of the section that each is in."""
    section, rows = "", []
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| table or figure"):
            rows.append((section, [cell.strip() for cell in line.strip("|").split("|")]))
    return rows


def test_the_page_has_every_row_and_no_other(papers):
    listed = [(row.paper, [row.item, row.published, row.command]) for row in papers.ROWS]
    assert [(section, [item, published, command]) for section, (item, published, _, command) in shown()] == listed


def test_what_cannot_be_had_says_why_and_the_rest_has_a_figure(papers):
    for (_, (_, _, ours, _)), row in zip(shown(), papers.ROWS, strict=True):
        if row.measure is None:
            assert ours == row.why
        elif ours.startswith("not in DATA"):
            assert ours == f"not in DATA: {', '.join(row.needs)}"
        else:
            assert ours
            assert "cannot" not in ours


def test_every_row_is_measured_or_has_a_reason(papers):
    assert all((row.measure is None) == bool(row.why) for row in papers.ROWS)
    sections = [paper for paper, _ in groupby(row.paper for row in papers.ROWS)]
    assert len(sections) == len(set(sections)) == 5


def test_the_folder_that_is_built_has_what_the_rows_need(papers):
    built = {source.target for source in importlib.import_module("reproduce.get").SOURCES}
    needed = {name for row in papers.ROWS for name in row.needs}
    # R's figures are computed with R from the observations.
    assert needed - built == {papers.R_FIGURES}


def test_without_data_a_row_names_the_files_that_it_needs(papers, tmp_path):
    for row in papers.ROWS:
        if row.needs:
            assert row.ours(tmp_path) == f"not in DATA: {', '.join(row.needs)}"


def test_rows_without_data_are_measured_anywhere(papers, tmp_path):
    found = {row.item: row.ours(tmp_path) for row in papers.ROWS if row.measure is not None and not row.needs}
    assert found == {"Section III-D, example of the distance": "2", "Section 5.3, *a few* and *several*": "0.956"}


def test_scripts_that_the_page_names_are_there(papers):
    for row in papers.ROWS:
        for word in row.command.replace("`", " ").replace(",", " ").split():
            if "/" in word:
                assert (ROOT / word).exists(), row.item
