"""The overlap of detectors: what several of them flag, what only one, and what they find in combination.

Detectors are compared on the same sentences of one corpus, translated by one system in one direction. A sentence is
flagged if one of its cases is flagged; without a case it is not. It has a bug if the label of a case of any detector
says so. A case that occurs in several sentences counts in the first.

A translation is wrong if a label of any detector's case says so (figure 6 of He et al., ICSE 2021). A detector reports
it if it stands in a flagged case of its own that the label is of, or is a suspect of another one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.analyses.detection.detectors import detector_names
from concord.analyses.detection.ground_truth import VerdictReading
from concord.analyses.detection.labelled_rows import scale_of
from concord.labels.labels import Labels
from concord.labels.majority import verdict
from concord.language.codes import direction
from concord.plain_data import plain
from concord.stats.detection import RULES, Booleans, Integers, Score
from concord.stats.detection_gains import Alone, CombinedDetectors, Gain, ThresholdedScore, alone, gain, together
from concord.store import RunRecord
from concord.store.findings import finding_number, translations
from concord.store.index.columns import HIT, Columns
from concord.store.label_rows import outputs_of

MOST = 12
"""The number of detectors that are compared; twelve detectors have 4,096 subsets."""
FAR = 50_000_000


@dataclass(frozen=True, slots=True)
class Region:
    """The sentences or translations that exactly these detectors flag; `members` are indices of detectors.

    `confirmed` of the sentences have a case that is labelled as an error, `cleared` have labels but no error.
    """

    members: tuple[int, ...]
    count: int
    confirmed: int
    cleared: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """Detectors on the sentences of one corpus by one system; gains are on the `labelled` sentences.

    `wrong` has the regions of wrong translations, and one without members for those that no detector reports.
    """

    system: str
    source: str
    target: str
    corpus: str
    names: Sequence[str]
    runs: Sequence[int]
    sentences: int
    regions: Sequence[Region]
    wrong: Sequence[Region]
    labelled: int
    bugs: int
    alone: Sequence[Alone]
    gains: Sequence[Gain]
    together: CombinedDetectors | None
    notes: Sequence[str] = ()

    @property
    def name(self) -> str:
        return f"{self.system}, {direction(self.source, self.target)}, {self.corpus}"

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints; detectors by their names."""
        named = {"regions": self._named(self.regions), "wrong": self._named(self.wrong)}
        return {**plain(self), **named, "unflagged": self.sentences - self.flagged}

    def _named(self, regions: Sequence[Region]) -> list[dict[str, Any]]:
        return [{**plain(region), "members": [self.names[member] for member in region.members]} for region in regions]

    @property
    def flagged(self) -> int:
        """The number of sentences that at least one detector flags."""
        return sum(region.count for region in self.regions)


def overlaps(runs: Sequence[RunRecord], columns: Mapping[int, Columns], reading: VerdictReading) -> list[Overlap]:
    """An overlap for every system, direction and corpus with several detectors; of each detector the latest run."""
    groups: dict[tuple[str, str, str, str], dict[str, RunRecord]] = {}
    for run in runs:
        if run.id in columns:
            groups.setdefault((run.system, run.source, run.target, run.corpus), {})[scale_of(run)] = run
    return [_overlap(list(group.values()), columns, reading) for group in groups.values() if len(group) > 1]


def _overlap(runs: Sequence[RunRecord], columns: Mapping[int, Columns], reading: VerdictReading) -> Overlap:
    used, names = runs[:MOST], detector_names(runs)[:MOST]
    sentences = _Sentences([columns[run.id] for run in used])
    truth = _truth(reading, used)
    positions = np.array(sorted(truth), dtype=np.int64)
    bug = np.array([truth[position] for position in sorted(truth)], dtype=bool)
    scored = [
        # A sentence without a case is one that a detector would never flag.
        ThresholdedScore(Score(name, sentences.margins(columns[run.id], positions), RULES[run.facts.operator]), 0.0)
        for name, run in zip(names, used, strict=True)
    ]
    both_kinds = len(np.unique(bug)) == 2
    return Overlap(
        *(used[0].system, used[0].source, used[0].target, used[0].corpus),
        names,
        [run.id for run in used],
        int(sentences.judged.sum()),
        _regions(sentences, positions, bug),
        _wrong_translations(reading, used, columns),
        len(bug),
        int(bug.sum()),
        alone(scored, bug) if both_kinds else [],
        [gain(first, second, bug) for first, second in permutations(scored, 2)] if both_kinds else [],
        together(scored, bug) if both_kinds else None,
        [f"only the first {MOST} of {len(runs)} detectors are compared"] if len(runs) > MOST else [],
    )


class _Sentences:
    """The sentences of a corpus by position: whether they were judged, and a bit for each detector that flags them."""

    def __init__(self, runs: Sequence[Columns]) -> None:
        highest = max((int(run["position"].max(initial=0)) for run in runs), default=0)
        self._size = min(highest + 1, FAR)
        self.judged: Booleans = np.zeros(self._size, dtype=bool)
        self.bits: NDArray[np.uint16] = np.zeros(self._size, dtype=np.uint16)
        for bit, run in enumerate(runs):
            positions = self.within(run["position"])
            self.judged[positions] = True
            hit: Booleans = np.zeros(self._size, dtype=bool)
            hit[positions[(run["flags"] & HIT) > 0]] = True
            self.bits |= hit.astype(np.uint16) << np.uint16(bit)

    def within(self, positions: Integers) -> Integers:
        """Positions that are clipped to the arrays."""
        if len(positions) and (self._size == FAR or int(positions.min()) < 0):
            return np.clip(positions, 0, self._size - 1)
        return positions

    def margins(self, columns: Columns, positions: Integers) -> NDArray[np.float64]:
        """How far the worst case of each of these sentences is above its threshold."""
        row_of = np.full(self._size, -1, dtype=np.int32)
        row_of[self.within(positions)] = np.arange(len(positions), dtype=np.int32)
        rows_at = row_of[self.within(columns["position"])]
        rows = np.flatnonzero(rows_at >= 0)
        margins = np.full(len(positions), -np.inf)
        np.maximum.at(margins, rows_at[rows], columns["suspicion"][rows] - columns["threshold"][rows])
        return margins


def _regions(sentences: _Sentences, positions: Integers, bug: Booleans) -> list[Region]:
    """The regions with any sentence, the largest first."""
    counts = np.bincount(sentences.bits[sentences.judged], minlength=1)
    bits_at = sentences.bits[sentences.within(positions)]
    sizes = (counts, *(np.bincount(bits_at[part], minlength=len(counts)) for part in (bug, ~bug)))
    regions = [
        Region(tuple(member for member in range(MOST) if bits >> member & 1), *(int(size[bits]) for size in sizes))
        for bits in np.flatnonzero(counts).tolist()
        if bits
    ]
    return sorted(regions, key=lambda region: (-region.count, region.members))


def _wrong_translations(
    reading: VerdictReading, runs: Sequence[RunRecord], columns: Mapping[int, Columns]
) -> list[Region]:
    """The translations that labels call wrong, by exactly who reports them, the largest region first."""
    labels = Labels(reading.store)
    by_case = labels.of_runs([run.id for run in runs])
    members: dict[int, set[int]] = {}
    for detector, run in enumerate(runs):
        for row in labels.rows([run.id]):
            for role in verdict(by_case.get(row["case"], ()), outputs_of(row)).wrong:
                reporting = members.setdefault(finding_number(row, translations(row)[role]), set())
                reporting.update([detector] if row["flagged"] else [])
    numbers = np.array(list(members), dtype=np.uint64)
    for detector, run in enumerate(runs):
        for name in ("blamed", "rival") if members else ():
            for number in numbers[np.isin(numbers, columns[run.id][name])].tolist():
                members[number].add(detector)
    counts = Counter(tuple(sorted(reporting)) for reporting in members.values())
    regions = [Region(reporting, count, count, 0) for reporting, count in counts.items()]
    return sorted(regions, key=lambda region: (-region.count, region.members))


def _truth(reading: VerdictReading, runs: Sequence[RunRecord]) -> dict[int, bool]:
    """Whether each labelled sentence, by position, has a case that is an error."""
    truth: dict[int, bool] = {}
    for run in runs:
        for (position, *_), agreed in reading.verdicts_of(run.id).items():
            truth[position] = truth.get(position, False) or agreed.bug
    return truth
