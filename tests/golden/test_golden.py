"""Golden rows: whatever is moved or renamed, every relation leaves the same rows, to the last character."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

RECORD = Path(__file__).with_name("record.py")


@pytest.mark.large
def test_every_relation_leaves_the_rows_that_it_left_before(tmp_path):
    golden = runpy.run_path(str(RECORD))
    workspace = golden["record"](tmp_path, [golden["FAULTY"]], golden["SENTENCES"])
    assert list(golden["rows"](workspace)) == golden["ROWS"].read_text().splitlines(keepends=True)
