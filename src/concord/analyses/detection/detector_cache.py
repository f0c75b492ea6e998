"""The detectors of some runs, evaluated again only when something has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from concord.analyses.detection.detectors import Detector, detectors
from concord.analyses.detection.ground_truth import VerdictReading
from concord.analyses.detection.overlap import Overlap, overlaps
from concord.errors import UserError
from concord.store import RunRecord, Workspace
from concord.store.index.reader import Reader

REMEMBERED = 4
"""So many choices of runs are remembered as they were evaluated, until something changes."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The detectors of some runs, and what they flag together.

    `offered` are all runs that there are. `as_of` are the runs that have changed since they were indexed.
    """

    detectors: Sequence[Detector]
    overlaps: Sequence[Overlap] = ()
    offered: Sequence[RunRecord] = ()
    as_of: Sequence[int] = ()

    @property
    def labelled(self) -> int:
        """How many labels there are to judge these detectors by."""
        return sum(len(detector.decided) for detector in self.detectors)

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "detectors": [detector.plain() for detector in self.detectors],
            "overlaps": [overlap.plain() for overlap in self.overlaps],
            "as_of": list(self.as_of),
        }

    def named(self, number: int | None) -> Detector | None:
        """The detector that has this run or, without a number, the one with the most labels."""
        if number is None:
            return max(self.detectors, key=lambda each: len(each.decided), default=None)
        found = [detector for detector in self.detectors if any(run.id == number for run in detector.runs)]
        if not found:
            known = ", ".join(str(detector.id) for detector in self.detectors) or "none"
            raise UserError(f"no detector here has run {number}. First runs of those there are: {known}")
        return found[0]


def evaluated(reader: Reader) -> Evaluated:
    """The detectors of the runs that a reader looks at."""
    known, together = _evaluated(_Asked(reader))
    return Evaluated(known, together, reader.store.runs(), reader.as_of)


class _Asked:
    """What detectors depend on: runs as they are indexed, labels and queues. The same again need not be evaluated."""

    def __init__(self, reader: Reader) -> None:
        self.reader: Reader | None = reader
        stamps = reader.index.indexed()
        runs = tuple((record.id, stamps.get(record.id)) for record in reader.records)
        self._same = (reader.store.path.absolute(), runs, _said_so_far(reader.store))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self._same == other._same

    def __hash__(self) -> int:
        return hash(self._same)


@lru_cache(REMEMBERED)
def _evaluated(asked: _Asked) -> tuple[list[Detector], list[Overlap]]:
    assert asked.reader is not None
    reader, asked.reader = asked.reader, None  # what is remembered must not keep a workspace open
    columns = {record.id: each for record, each in reader.indexed}
    reading = VerdictReading(reader.store, reader.records, columns, reader.labels)
    return detectors(reader.records, columns, reading), overlaps(reader.records, columns, reading)


def _said_so_far(store: Workspace) -> tuple[object, ...]:
    """What is different once anybody has labelled a case, taken a label back, or drawn a queue."""
    if not store.has("samples"):
        return tuple(store.first("SELECT count(*), max(id), max(created) FROM labels", ()))
    query = (
        "SELECT (SELECT max(id) FROM label_history), (SELECT count(undone) FROM label_history),"
        " (SELECT count(*) FROM samples), (SELECT max(created) FROM samples), (SELECT count(*) FROM sampled)"
    )
    return tuple(store.first(query, ()))
