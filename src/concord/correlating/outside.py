"""Which outside scores each direction gets: from references in files or in the corpora, and from people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from concord import plugins
from concord.correlating.observed import Observed
from concord.correlating.references import coverage, files_by_target, read_references
from concord.correlating.scored import METRICS, Outside, against_references, by_people


def outside(
    observed: Sequence[Observed], references: Sequence[str], human: str | Path | None, metrics: Sequence[str]
) -> list[list[Outside]]:
    """The outside scores of each direction. Metrics that are named need references."""
    files = files_by_target(references, list(dict.fromkeys(each.target for each in observed)))
    for name in metrics:
        plugins.metric(name)
    found = []
    for seen in observed:
        known = read_references(seen, files[seen.target]) if seen.target in files else seen.references
        made = against_references(seen, known, metrics or METRICS) if known or metrics or not human else []
        seen.notes += coverage(seen, known) if made else []
        found.append([*made, *([by_people(seen, human)] if human else [])])
    return found
