"""A workspace and the facts of a run: a test names only those that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from concord.store import Workspace

SETTINGS = {"rtt": {"metric": "chrf", "threshold": 0.4}, "rti": {"d": 0}}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "w.sqlite") as opened:
        yield opened


@pytest.fixture(scope="session")
def facts() -> Callable[..., dict[str, Any]]:
    """`facts("rti", corpus="two")` is what a run of that relation on that corpus begins with."""

    def told(relation: str = "rtt", **more: Any) -> dict[str, Any]:
        usual = {
            "signature": f"{relation}|en-es",
            "relation": relation,
            "settings": SETTINGS.get(relation, {}),
            "system": "fake",
            "source": "en",
            "target": "es",
            "corpus": "demo#1",
            "seed": 1,
        }
        return usual | more

    return told
