"""A workspace whose clock stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from concord.store import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "w.sqlite", clock=lambda: "2025-11-15T20:30:00.000000+00:00") as opened:
        yield opened
