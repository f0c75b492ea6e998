from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.store import RunRecord, Workspace

SOURCE = "The old bridge is closed."
DIRECT = "El puente viejo está cerrado."
DETOUR = "El puente antiguo está cerrado."


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "w.sqlite", clock=lambda: "2025-11-15T20:30:00.000000+00:00") as opened:
        yield opened


@pytest.fixture
def begin(workspace: Workspace) -> Callable[..., RunRecord]:
    def made(**facts: Any) -> RunRecord:
        usual = {
            "signature": "pivot|threshold:0.5|en-es|mt:fake@1|corpus:demo#x|seed:1|v:0.1.0",
            "relation": "pivot",
            "settings": {"threshold": 0.5},
            "system": "fake",
            "source": "en",
            "target": "es",
            "corpus": "demo#x",
            "seed": 1,
        }
        return workspace.begin(usual | facts)

    return made


@pytest.fixture
def case() -> Callable[..., Case]:
    """A detour through Catalan; any part can be replaced."""

    def made(**parts: Any) -> Case:
        pivot = Text("El pont vell està tancat.", "ca")
        usual: dict[str, Any] = {
            "source": Text(SOURCE, "en"),
            "follow_up": pivot,
            "source_output": Text(DIRECT, "es"),
            "follow_up_output": Text(DETOUR, "es"),
            "suspicion": 0.59,
            "threshold": 0.5,
            "steps": {"pivot": pivot},
            "scores": {"chrf": 0.41},
            "factors": {"pivot": "ca"},
        }
        usual |= parts
        usual.setdefault("compared", (usual["source_output"], usual["follow_up_output"]))
        return Case(**usual)

    return made


@pytest.fixture
def outcome() -> Callable[..., Outcome]:
    def made(*cases: Case, position: int = 0, error: str | None = None, **facts: Any) -> Outcome:
        usual: dict[str, Any] = {
            "id": f"news-{position}",
            "text": Text(SOURCE, "en"),
            "position": position,
            "domain": "news",
        }
        return Outcome(Segment(**(usual | facts)), cases=list(cases), error=error)

    return made
