"""What people decided about the cases of some runs, and for how many cases each of them speaks.

Cases that a queue drew stand for their stratum. Others were chosen by whoever labelled them, and speak for themselves
alone. The two are never mixed: where a queue is far enough it is used by itself, and the others are counted beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from concord.analyses.detection.labelled_rows import VERDICTS
from concord.labels.majority import UNDECIDED, majority
from concord.labels.queues import Queue, Samples
from concord.plural import plural
from concord.stats.detection import Booleans, Floats, Integers
from concord.store import RunRecord, Workspace
from concord.store.hashes import outputs_number
from concord.store.index.columns import BAD, FIRST, Columns
from concord.store.index.labels import LabelStates

Where = tuple[int, int, int]
"""Position, repetition and number of a case in its run."""

QUEUE, CENSUS, CHOSEN = "queue", "census", "chosen"
"""Where labels come from: drawn by a queue, of all cases there are, or chosen by people."""
FACTS = ("position", "repetition", "number", "suspicion", "flags", "outputs")
ENDLESS = 1_000.0
"""Cases that were chosen are taken for a sample of so many times their number."""


@dataclass(frozen=True, slots=True)
class AgreedVerdict:
    """A case that people agree on: where it stands, what the run thought of it, and whether it is a bug.

    `outputs` is a mark of its outputs: the same case with other outputs is to be judged anew.
    """

    run: RunRecord
    where: Where
    suspicion: float
    flagged: bool
    outputs: int
    bug: bool

    @property
    def sentence(self) -> str:
        """What cases of one sentence have in common."""
        return f"{self.run.corpus}:{self.where[0]}"

    @property
    def asked(self) -> tuple[object, ...]:
        """What is the same for one case with one answer in several runs."""
        run = self.run
        return (run.system, run.source, run.target, self.sentence, self.where[2], self.outputs)


@dataclass(frozen=True)
class Decided:
    """Verdicts on the cases of a detector, and for how many cases of its stratum each of them stands.

    `basis` is `queue`, `census` or `chosen`; `runs` are those that the verdicts speak for.
    """

    basis: str
    runs: Sequence[int]
    verdicts: Sequence[AgreedVerdict]
    weight: Floats
    stratum: Integers
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.verdicts)

    @cached_property
    def bug(self) -> Booleans:
        return np.array([verdict.bug for verdict in self.verdicts], dtype=bool)

    @cached_property
    def suspicion(self) -> Floats:
        return np.array([verdict.suspicion for verdict in self.verdicts], dtype=np.float64)

    @cached_property
    def flagged(self) -> Booleans:
        """What the runs themselves flagged."""
        return np.array([verdict.flagged for verdict in self.verdicts], dtype=bool)

    @cached_property
    def both(self) -> bool:
        """Whether cases on either side of the threshold are labelled, without which recall cannot be estimated."""
        return self.basis != CHOSEN or not self.flagged.all()

    @cached_property
    def kinds(self) -> int:
        """Two, if there are bugs and others; with fewer nothing can be ranked."""
        return len({verdict.bug for verdict in self.verdicts})


class VerdictReading:
    """Every verdict on the cases of some runs, found from the labels, which are few."""

    def __init__(
        self, store: Workspace, runs: Sequence[RunRecord], columns: Mapping[int, Columns], said: LabelStates
    ) -> None:
        self.store = store
        self._of: dict[int, dict[Where, AgreedVerdict]] = {}
        self.left: dict[int, Counter[str]] = {}
        for run in runs:
            self._of[run.id], self.left[run.id] = {}, Counter()
            if run.id in columns:
                self._read(run, columns[run.id], said)
        # A workspace that cannot be written may be of an older format, without queues.
        there = store.has("samples")
        self.queues = [_Drawn(queue, Samples(store), self) for queue in Samples(store).all()] if there else []

    def _read(self, run: RunRecord, columns: Columns, said: LabelStates) -> None:
        states = said.states(columns)
        # A case may stand there twice, as it came out first and as it was first violated; it counts once.
        places = np.array(sorted(states), dtype=np.int64)
        places = places[(columns["flags"][places] & FIRST) > 0]
        facts = (columns[name][places].tolist() for name in FACTS)
        for place, *where, suspicion, flags, outputs in zip(places.tolist(), *facts, strict=True):
            present = states[place].present.values()
            found = majority(present) if present else "stale"
            if found in VERDICTS:
                position, repetition, number = where
                judged = (suspicion, bool(flags & BAD), outputs, VERDICTS[found])
                made = AgreedVerdict(run, (position, repetition, number), *judged)
                self._of[run.id][made.where] = made
            else:
                self.left[run.id][found] += 1

    def of(self, run: int) -> Mapping[Where, AgreedVerdict]:
        """The verdicts on a run, by where their cases stand."""
        return self._of[run]


class _Drawn:
    """A queue, and the verdicts on its cases."""

    def __init__(self, queue: Queue, samples: Samples, reading: VerdictReading) -> None:
        self.queue = queue
        self._strata: dict[tuple[int, int], list[AgreedVerdict]] = {(each.run, each.band): [] for each in queue.strata}
        if any(reading.left.keys() & queue.runs):
            for each in samples.places(queue):
                where = (each.position, each.repetition, each.number)
                found = reading.of(each.run).get(where) if each.run in reading.left else None
                if found is not None and found.outputs == outputs_number(each.outputs):
                    self._strata[each.run, each.band].append(found)

    def of(self, run: int) -> list[tuple[int, list[AgreedVerdict]]]:
        """The strata of a run: how many cases there are, and the verdicts."""
        return [(each.population, self._strata[each.run, each.band]) for each in self.queue.strata if each.run == run]

    def reaches(self, run: int) -> bool:
        """Whether every stratum was looked at: of what nobody saw, nothing is known."""
        return bool(self.of(run)) and all(verdicts for _, verdicts in self.of(run))

    def count(self, run: int) -> int:
        return sum(len(verdicts) for _, verdicts in self.of(run))


def decided(reading: VerdictReading, runs: Sequence[int], cases: Mapping[int, int]) -> Decided:
    """What is decided about runs of one detector, which have so many `cases` each."""
    notes = list(_left_out(reading, runs))
    if runs and all(len(reading.of(run)) == cases[run] > 0 for run in runs):
        every = [verdict for run in runs for verdict in reading.of(run).values()]
        return _made(CENSUS, runs, [(len(every), every)], ["every case is labelled", *notes])
    drawn = {run: _best(reading, run) for run in runs}
    used = {run: queue for run, queue in drawn.items() if queue is not None}
    short = [queue.queue.name for queue in reading.queues if any(queue.count(run) for run in runs if run not in used)]
    for name in dict.fromkeys(short):
        notes.append(f"the queue '{name}' is not far enough yet: some of its strata have no decided case")
    if not used:
        chosen = _once(reading, runs)
        return _made(CHOSEN, runs, [(0, chosen)], [*_advice(chosen), *notes])
    strata = [each for run, queue in used.items() for each in queue.of(run)]
    return _made(QUEUE, list(used), strata, [*_weighted(reading, runs, used), *notes])


def _made(
    basis: str, runs: Sequence[int], strata: Sequence[tuple[int, list[AgreedVerdict]]], notes: Sequence[str]
) -> Decided:
    weights = [size / len(some) if basis != CHOSEN else ENDLESS for size, some in strata for _ in some]
    numbers = [at for at, (_, some) in enumerate(strata) for _ in some]
    verdicts = [each for _, some in strata for each in some]
    return Decided(basis, runs, verdicts, np.array(weights, np.float64), np.array(numbers, np.int64), notes)


def _once(reading: VerdictReading, runs: Sequence[int]) -> list[AgreedVerdict]:
    """Each case with its outputs once, also where several runs have it."""
    found: dict[tuple[object, ...], AgreedVerdict] = {}
    for run in runs:
        for each in reading.of(run).values():
            found.setdefault(each.asked, each)
    return list(found.values())


def _best(reading: VerdictReading, run: int) -> _Drawn | None:
    """Of the queues that reach all strata of a run, the one with the most verdicts, the newest of equals."""
    reaching = [queue for queue in reading.queues if queue.reaches(run)]
    return max(reaching, key=lambda each: each.count(run), default=None)


def _weighted(reading: VerdictReading, runs: Sequence[int], used: Mapping[int, _Drawn]) -> Iterator[str]:
    names = "', '".join(dict.fromkeys(queue.queue.name for queue in used.values()))
    inside = sum(queue.count(run) for run, queue in used.items())
    numbers = ", ".join(map(str, used))
    speak = "speaks" if inside == 1 else "speak"
    yield f"weighted: {plural(inside, 'label')} that '{names}' drew, which {speak} for all cases of run {numbers}"
    others = sum(len(reading.of(run)) for run in runs) - inside
    if others:
        yield plural(
            others,
            "other label is not used, as nobody drew its case at random",
            "other labels are not used, as nobody drew their cases at random",
        )
    lacking = [str(run) for run in runs if run not in used]
    if lacking:
        yield f"no queue reaches run {', '.join(lacking)}: precision, recall and base rate are without it"


def _advice(chosen: Sequence[AgreedVerdict]) -> Iterator[str]:
    if not chosen:
        return
    yield "not weighted: " + plural(
        len(chosen),
        "label of a case that somebody chose, which speaks for itself alone",
        "labels of cases that somebody chose, which speak for themselves alone",
    )
    if all(each.flagged for each in chosen):
        yield "only flagged cases are labelled, so recall cannot be estimated: draw a queue, which has others as well"


def _left_out(reading: VerdictReading, runs: Sequence[int]) -> Iterator[str]:
    left = sum((reading.left[run] for run in runs), Counter[str]())
    words = {UNDECIDED: "people do not agree", "stale": "labelled with other outputs"}
    for why, count in sorted(left.items()):
        yield f"{plural(count, 'labelled case is', 'labelled cases are')} left out: {words[why]}"
