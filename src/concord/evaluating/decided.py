"""What people decided about the cases of some runs, and for how many cases each of them speaks.

Cases that a queue drew stand for their stratum. Others were chosen by whoever labelled them, and speak for themselves
alone. The two are never mixed: where a queue is far enough it is used by itself, and the others are counted beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.evaluating.labelled import VERDICTS
from concord.report.verdicts import verdict
from concord.store import Workspace
from concord.store.labels import Labels, outputs_of
from concord.store.samples import Queue, Samples

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]
Row = Mapping[str, Any]
Place = tuple[int, str, str]
"""A run, a case in it and its outputs."""

QUEUE, CENSUS, CHOSEN = "queue", "census", "chosen"
"""Where labels come from: drawn by a queue, of all cases there are, or chosen by people."""
ENDLESS = 1_000.0
"""Cases that were chosen are taken for a sample of so many times their number."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Cases with a verdict: their rows, whether each is a bug, and how many cases of its stratum it stands for.

    `basis` is `queue`, `census` or `chosen`; `runs` are those that the cases speak for. `both` says whether cases on
    either side of the threshold were labelled, without which nothing can be said of recall.
    """

    basis: str
    runs: Sequence[int]
    rows: Sequence[Row]
    bug: Booleans
    weight: Floats
    stratum: Integers
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def suspicion(self) -> Floats:
        return np.array([row["suspicion"] for row in self.rows], dtype=np.float64)

    @property
    def flagged(self) -> Booleans:
        """What the runs themselves flagged."""
        return np.array([row["violated"] for row in self.rows], dtype=bool)

    @property
    def both(self) -> bool:
        return self.basis != CHOSEN or not self.flagged.all()

    @property
    def kinds(self) -> int:
        """Two, if there are bugs and others; nothing can be ranked with fewer."""
        return len(np.unique(self.bug))


class Reading:
    """Every verdict on the cases of some runs, read once: labels are few, and each looks for its case."""

    def __init__(self, store: Workspace, runs: Sequence[int]) -> None:
        labels = Labels(store)
        said = labels.of(runs) if runs else {}
        self.rows: dict[Place, tuple[Row, bool]] = {}
        self.left: dict[int, Counter[str]] = {run: Counter() for run in runs}
        self._of: dict[int, list[Place]] = {run: [] for run in runs}
        seen = set()
        for row in labels.rows(runs):
            place = (row["run"], row["case"], outputs_of(row))
            if place in seen:
                continue
            seen.add(place)
            found = verdict(said.get(row["case"], ()), place[2])
            if found.said in VERDICTS:
                self.rows[place] = row, VERDICTS[found.said]
                self._of[row["run"]].append(place)
            else:
                self.left[row["run"]]["undecided" if found.said else "stale"] += 1
        self.queues = [_Drawn(queue, Samples(store), self) for queue in Samples(store).all()]

    def of(self, run: int) -> list[Place]:
        """The decided cases of a run, in corpus order."""
        return self._of[run]


class _Drawn:
    """A queue, and which of its cases have a verdict."""

    def __init__(self, queue: Queue, samples: Samples, reading: Reading) -> None:
        self.queue = queue
        self.strata: dict[tuple[int, int], list[Place]] = {(each.run, each.band): [] for each in queue.strata}
        if set(queue.runs) & reading.left.keys():
            for each in samples.places(queue):
                place = (each.run, each.case, each.outputs)
                if place in reading.rows:
                    self.strata[each.run, each.band].append(place)

    def of(self, run: int) -> list[tuple[int, list[Place]]]:
        """The strata of a run, with how many cases there are and the decided ones."""
        return [(each.population, self.strata[each.run, each.band]) for each in self.queue.strata if each.run == run]

    def reaches(self, run: int) -> bool:
        """Whether every stratum was looked at: of what nobody saw, nothing is known."""
        return bool(self.of(run)) and all(places for _, places in self.of(run))

    def count(self, run: int) -> int:
        return sum(len(places) for _, places in self.of(run))


def decided(reading: Reading, runs: Sequence[int], cases: Mapping[int, int]) -> Decided:
    """What is decided about runs of one detector, which have so many `cases` each."""
    notes = list(_left_out(reading, runs))
    if _is_census(reading, runs, cases):
        places = [place for run in runs for place in _first(reading, run)]
        return _made(CENSUS, runs, reading, [(float(len(places)), places)], [*notes, "every case is labelled"])
    drawn = {run: _best(reading, run) for run in runs}
    used = {run: queue for run, queue in drawn.items() if queue is not None}
    short = [each.queue.name for each in reading.queues if any(each.count(run) for run in runs if run not in used)]
    for name in dict.fromkeys(short):
        notes.append(f"the queue '{name}' is not far enough yet: some of its strata have no decided case")
    if not used:
        return _made(CHOSEN, runs, reading, [(0.0, _once(reading, runs))], [*_advice(reading, runs), *notes])
    strata = [(float(size), places) for run, queue in used.items() for size, places in queue.of(run)]
    return _made(QUEUE, list(used), reading, strata, [*_weighted(reading, runs, used), *notes])


def _made(
    basis: str, runs: Sequence[int], reading: Reading, strata: Sequence[tuple[float, list[Place]]], notes: Sequence[str]
) -> Decided:
    places = [(place, size / len(some), at) for at, (size, some) in enumerate(strata) for place in some]
    found = [reading.rows[place] for place, *_ in places]
    weight = np.array([each for _, each, _ in places], dtype=np.float64)
    return Decided(
        basis,
        runs,
        [row for row, _ in found],
        np.array([bug for _, bug in found], dtype=bool),
        np.full(len(places), ENDLESS) if basis == CHOSEN else weight,
        np.array([at for *_, at in places], dtype=np.int64),
        notes,
    )


def _first(reading: Reading, run: int) -> list[Place]:
    """Of each case the outputs that came first."""
    return list({place[1]: place for place in reversed(reading.of(run))}.values())[::-1]


def _once(reading: Reading, runs: Sequence[int]) -> list[Place]:
    """Each case and its outputs once, also where several runs have it."""
    places = [place for run in runs for place in reading.of(run)]
    return list({place[1:]: place for place in reversed(places)}.values())[::-1]


def _is_census(reading: Reading, runs: Sequence[int], cases: Mapping[int, int]) -> bool:
    return bool(runs) and all(cases[run] and len(_first(reading, run)) == cases[run] for run in runs)


def _best(reading: Reading, run: int) -> _Drawn | None:
    """Of the queues that reach all strata of a run, the one with the most decided cases, the newest of equals."""
    reaching = [each for each in reading.queues if each.reaches(run)]
    return max(reaching, key=lambda each: each.count(run), default=None)


def _weighted(reading: Reading, runs: Sequence[int], used: Mapping[int, _Drawn]) -> Iterator[str]:
    names = dict.fromkeys(queue.queue.name for queue in used.values())
    inside = {place for run, queue in used.items() for _, places in queue.of(run) for place in places}
    numbers = ", ".join(map(str, used))
    said = "', '".join(names)
    yield f"weighted: {len(inside):,} labels that '{said}' drew, which speak for all cases of run {numbers}"
    others = sum(place not in inside for run in runs for place in reading.of(run))
    if others:
        yield f"{others:,} other labels are not used, as nobody drew their cases at random"
    lacking = [str(run) for run in runs if run not in used]
    if lacking:
        yield f"no queue reaches run {', '.join(lacking)}: precision, recall and base rate are without it"


def _advice(reading: Reading, runs: Sequence[int]) -> Iterator[str]:
    rows = [reading.rows[place][0] for place in _once(reading, runs)]
    if not rows:
        return
    yield f"not weighted: {len(rows):,} labels of cases that somebody chose, which speak for themselves alone"
    if all(row["violated"] for row in rows):
        yield "only flagged cases are labelled, so recall cannot be estimated: draw a queue, which has others as well"


def _left_out(reading: Reading, runs: Sequence[int]) -> Iterator[str]:
    left = sum((reading.left[run] for run in runs), Counter[str]())
    words = {"undecided": "people do not agree on them", "stale": "their labels are of other outputs"}
    for why, count in sorted(left.items()):
        yield f"{count:,} labelled cases are left out: {words[why]}"
