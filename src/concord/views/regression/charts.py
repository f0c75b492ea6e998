"""Charts of systems side by side: how often relations hold, with confidence intervals and letters."""

from collections.abc import Mapping, Sequence
from typing import Any

from concord.language.codes import direction
from concord.views import charts


def standing_picture(table: Mapping[str, Any]) -> str:
    """An SVG chart of the mean share of satisfied relations of each system, with a panel for each domain."""
    relations: Sequence[str] = table["relations"]
    rows = [
        charts.Interval(
            standing["domain"] or "all",
            standing["system"],
            standing["mean"]["rate"],
            standing["mean"]["lower"],
            standing["mean"]["upper"],
            standing["letters"],
        )
        for standing in table["standings"]
    ]
    title = f"{direction(table['source_lang'], table['target_lang'])}: how often {', '.join(relations)} hold"
    return charts.intervals(rows, title=title, score="share of sentences in which a relation holds")
