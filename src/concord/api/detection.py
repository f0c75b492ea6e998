"""Relations as detectors of bugs: how far each can be trusted, at which threshold, and what several find together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.api._index import read_index
from concord.errors import UserError
from concord.runs.config import CONFIGURATION
from concord.runs.select import Chosen, select
from concord.store import RunRecord, Workspace

if TYPE_CHECKING:  # they bring numpy along
    from concord.analyses.detection.detectors import At, Detector
    from concord.analyses.detection.overlap import Overlap
    from concord.analyses.detection.threshold_choice import Kept
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
        return sum(len(each.decided) for each in self.detectors)

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "detectors": [each.plain() for each in self.detectors],
            "overlaps": [each.plain() for each in self.overlaps],
            "as_of": list(self.as_of),
        }

    def named(self, number: int | None) -> Detector | None:
        """The detector that has this run or, without a number, the one with the most labels."""
        if number is None:
            return max(self.detectors, key=lambda each: len(each.decided), default=None)
        found = [each for each in self.detectors if any(run.id == number for run in each.runs)]
        if not found:
            known = ", ".join(str(each.id) for each in self.detectors) or "none"
            raise UserError(f"no detector here has run {number}. First runs of those there are: {known}")
        return found[0]


def detectors(workspace: str | Path, runs: Chosen = (), *, patient: bool = True) -> Evaluated:
    """Precision, recall, base rate, F and area of each relation by the labels there are, beside trivial baselines.

    Labels of cases that a queue drew are weighted, and then speak for all cases; see `ground_truth`.
    Without patience, large runs that have changed are shown as they were indexed last, or left out.
    """

    def ask(reader: Reader) -> Evaluated:
        known, together = _evaluated(_Asked(reader))
        return Evaluated(known, together, reader.store.runs(), reader.as_of)

    return read_index(workspace, tuple(runs), patient, ask)


def overlap(workspace: str | Path, runs: Chosen = (), *, patient: bool = True) -> Sequence[Overlap]:
    """The sentences that several relations flag, together and alone, and what they find in combination."""
    return detectors(workspace, runs, patient=patient).overlaps


def threshold_points(
    workspace: str | Path, runs: Chosen = (), *, of: int | None = None, patient: bool = True
) -> list[At]:
    """What each threshold of a detector would do: findings among all cases, precision, recall and F with intervals.

    The detector is the one that has the run `of`.
    """
    chosen = detectors(workspace, runs, patient=patient).named(of)
    return [] if chosen is None else list(chosen.points())


def keep_threshold(
    workspace: str | Path, runs: Chosen, threshold: float, *, config: str | Path = CONFIGURATION
) -> Kept:
    """Write this threshold for the relation of these runs where `run` finds it, as `tune` writes the one it chooses."""
    from concord.analyses.detection.threshold_choice import kept

    if not math.isfinite(threshold):
        raise UserError(f"a threshold is a number, such as 0.4; {threshold} is none")
    with Workspace(workspace, create=False) as store:
        records = [store.run(number) for number in dict.fromkeys(select(store, runs))]
        return kept(records, threshold, Path(config))


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
    from concord.analyses.detection.detectors import detectors
    from concord.analyses.detection.ground_truth import Reading
    from concord.analyses.detection.overlap import overlaps

    reader, asked.reader = asked.reader, None  # what is remembered must not keep a workspace open
    assert reader is not None
    columns = {record.id: each for record, each in reader.indexed}
    reading = Reading(reader.store, reader.records, columns, reader.said)
    return detectors(reader.records, columns, reading), overlaps(reader.records, columns, reading)


def _said_so_far(store: Workspace) -> tuple[object, ...]:
    """What is different once anybody has labelled a case, taken a label back, or drawn a queue."""
    if not store.has("samples"):
        return tuple(store.one("SELECT count(*), max(id), max(created) FROM labels", ()))
    query = (
        "SELECT (SELECT max(id) FROM label_history), (SELECT count(undone) FROM label_history),"
        " (SELECT count(*) FROM samples), (SELECT max(created) FROM samples), (SELECT count(*) FROM sampled)"
    )
    return tuple(store.one(query, ()))
