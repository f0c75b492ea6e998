"""The pictures of a correlation: each metamorphic score against each outside one, by system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from concord.analyses.quality.results import Correlated
from concord.views import charts

MOST = 24
"""Pictures on one page; more are not looked at."""


def pictures(found: Sequence[Correlated]) -> list[str]:
    """One for each pair of scores; with fewer than three systems sentences are drawn instead."""
    return [picture for each in found for picture in _drawn(each)][:MOST]


def _drawn(found: Correlated) -> Iterator[str]:
    systems = len(found.observed.systems) > 2
    for score in found.scores:
        for other in (each.name for each in found.outside):
            points = _systems(found, score, other) if systems else _sentences(found, score, other)
            title = f"{found.observed.direction}: {score} and {other}, by {'system' if systems else 'sentence'}"
            yield charts.scatter(points, title=title, x=score, y=other, grades=not systems)


def _systems(found: Correlated, score: str, other: str) -> list[charts.Point]:
    """Systems, or where there are domains, systems within each."""
    cells = {(each.domain, each.system, each.score): each.mean for each in found.system_scores}
    return [
        charts.Point(cells[domain, system, score], cells[domain, system, other], system, domain)
        for domain in found.observed.domains or [""]
        for system in found.observed.systems
    ]


def _sentences(found: Correlated, score: str, other: str) -> Iterator[charts.Point]:
    values = next(each.values for each in found.outside if each.name == other)
    for place, system in enumerate(found.observed.systems):
        for number, sentence in enumerate(found.observed.sentences):
            x, y = float(found.scores[score][place, number]), float(values[place, number])
            if x == x and y == y:
                yield charts.Point(x, y, system, sentence.text)
