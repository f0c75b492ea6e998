"""A cache of evaluated detectors, which are evaluated again only when runs, labels or queues have changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from concord.analyses.detection.detectors import Detector, detectors
from concord.analyses.detection.ground_truth import VerdictReading
from concord.analyses.detection.overlap import Overlap, overlaps
from concord.errors import UserError
from concord.store import RunRecord, Workspace
from concord.store.index.reader import Reader

REMEMBERED = 4
"""The number of selections of runs whose evaluations are cached."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The detectors of some runs, and their overlaps.

    `offered` are all runs of the workspace. `as_of` are the runs that have changed since they were indexed.
    """

    detectors: Sequence[Detector]
    overlaps: Sequence[Overlap] = ()
    offered: Sequence[RunRecord] = ()
    as_of: Sequence[int] = ()

    @property
    def labelled(self) -> int:
        """The number of labels that these detectors are judged by."""
        return sum(len(detector.decided) for detector in self.detectors)

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "detectors": [detector.plain() for detector in self.detectors],
            "overlaps": [overlap.plain() for overlap in self.overlaps],
            "as_of": list(self.as_of),
        }

    def find(self, number: int | None) -> Detector | None:
        """The detector that has this run or, without a number, the one with a threshold and the most labels."""
        if number is None:
            return max(self.detectors, key=_threshold_and_labels, default=None)
        matches = [detector for detector in self.detectors if any(run.id == number for run in detector.runs)]
        if not matches:
            ids = ", ".join(str(detector.id) for detector in self.detectors) or "none"
            raise UserError(f"no detector here has run {number}. First runs of those there are: {ids}")
        return matches[0]


def _threshold_and_labels(detector: Detector) -> tuple[bool, int]:
    return bool(detector.runs[0].facts.thresholds), len(detector.decided)


def evaluated(reader: Reader) -> Evaluated:
    """The detectors of the runs that a reader reads."""
    stamps = reader.index.indexed()
    runs = tuple((record.id, stamps.get(record.id)) for record in reader.records)
    inputs = _Inputs((reader.store.path.absolute(), runs, _label_state(reader.store)), reader)
    return Evaluated(*_evaluated(inputs), reader.store.runs(), reader.as_of)


@dataclass(slots=True, unsafe_hash=True)
class _Inputs:
    """What detectors are computed from; `state` identifies the indexed runs, the labels and the queues."""

    state: tuple[object, ...]
    reader: Reader | None = field(compare=False)


@lru_cache(REMEMBERED)
def _evaluated(inputs: _Inputs) -> tuple[list[Detector], list[Overlap]]:
    assert inputs.reader is not None
    reader, inputs.reader = inputs.reader, None  # what is remembered must not keep a workspace open
    columns = {record.id: run_columns for record, run_columns in reader.indexed}
    reading = VerdictReading(reader.store, reader.records, columns, reader.labels)
    return detectors(reader.records, columns, reading), overlaps(reader.records, columns, reading)


def _label_state(store: Workspace) -> tuple[object, ...]:
    """Values that differ once anybody has labelled a case, taken a label back, or drawn a queue."""
    if not store.has("samples"):
        return tuple(store.first("SELECT count(*), max(id), max(created) FROM labels", ()))
    query = (
        "SELECT (SELECT max(id) FROM label_history), (SELECT count(undone) FROM label_history),"
        " (SELECT count(*) FROM samples), (SELECT max(created) FROM samples), (SELECT count(*) FROM sampled)"
    )
    return tuple(store.first(query, ()))
