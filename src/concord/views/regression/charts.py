"""Pictures of systems side by side: how often relations hold, with intervals and letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from concord.language.codes import direction
from concord.views import charts


def standing_picture(table: Mapping[str, Any]) -> str:
    """The mean share of satisfied relations of each system, a panel for each domain, as SVG."""
    relations: Sequence[str] = table["relations"]
    rows = [
        charts.Interval(
            each["domain"] or "all",
            each["system"],
            each["mean"]["rate"],
            each["mean"]["lower"],
            each["mean"]["upper"],
            each["letters"],
        )
        for each in table["standings"]
    ]
    title = f"{direction(table['source_lang'], table['target_lang'])}: how often {', '.join(relations)} hold"
    return charts.intervals(rows, title=title, score="share of sentences in which a relation holds")
