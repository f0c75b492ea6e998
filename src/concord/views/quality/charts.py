"""Charts of a correlation: each metamorphic score against each score with references, or human score."""

from collections.abc import Iterator, Sequence

from concord.analyses.quality.results import Correlated
from concord.views import charts

MOST = 24
"""The most charts on one page."""


def pictures(correlations: Sequence[Correlated]) -> list[str]:
    """A chart for each pair of scores, with systems as points; with fewer than three systems, sentences."""
    return [picture for correlation in correlations for picture in _drawn(correlation)][:MOST]


def _drawn(correlation: Correlated) -> Iterator[str]:
    systems = len(correlation.observed.systems) > 2
    for score in correlation.scores:
        for outside in (outside_score.name for outside_score in correlation.outside):
            points = _systems(correlation, score, outside) if systems else _sentences(correlation, score, outside)
            title = f"{correlation.observed.direction}: {score} and {outside}, by {'system' if systems else 'sentence'}"
            yield charts.scatter(points, title=title, x=score, y=outside, grades=not systems)


def _systems(correlation: Correlated, score: str, outside: str) -> list[charts.Point]:
    """A point for each system, or for each system and domain."""
    cells = {
        (score_row.domain, score_row.system, score_row.score): score_row.mean for score_row in correlation.system_scores
    }
    return [
        charts.Point(cells[domain, system, score], cells[domain, system, outside], system, domain)
        for domain in correlation.observed.domains or [""]
        for system in correlation.observed.systems
    ]


def _sentences(correlation: Correlated, score: str, outside: str) -> Iterator[charts.Point]:
    values = next(outside_score.values for outside_score in correlation.outside if outside_score.name == outside)
    for row, system in enumerate(correlation.observed.systems):
        for column, sentence in enumerate(correlation.observed.sentences):
            x, y = float(correlation.scores[score][row, column]), float(values[row, column])
            if x == x and y == y:
                yield charts.Point(x, y, system, sentence.text)
