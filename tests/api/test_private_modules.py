"""What the doors of `concord.api` share among themselves is nobody else's."""

from __future__ import annotations

import re
from pathlib import Path

import concord

ROOT = Path(concord.__file__).parent
PRIVATE = re.compile(r"concord\.api\._\w+|concord\.api import _\w+")


OF_THE_INDEX = re.compile(r"\bindex\._\w+")


def test_what_is_private_to_the_index_is_asked_by_itself_alone():
    files = {path: path.read_text() for path in ROOT.rglob("*.py") if path.parent != ROOT / "store" / "index"}
    assert any("index.indexed()" in text for text in files.values())
    assert {path.name: found for path, text in files.items() if (found := OF_THE_INDEX.findall(text))} == {}


def test_private_modules_of_the_api_are_imported_there_alone():
    files = [path for path in ROOT.rglob("*.py") if path.parent != ROOT / "api"]
    assert len(files) > 100
    assert {str(path.relative_to(ROOT)): found for path in files if (found := PRIVATE.findall(path.read_text()))} == {}
