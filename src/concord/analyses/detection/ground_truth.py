"""The majority verdicts on the cases of some runs, and the weight of each.

Cases that a queue drew represent their stratum. Other cases were chosen by the people who labelled them, and represent
only themselves. The two are never mixed: if enough of a queue is labelled, it alone is used.
"""

from collections import Counter, defaultdict
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
from concord.store.case_keys import outputs_number
from concord.store.index.columns import BAD, FIRST, Columns
from concord.store.index.labels import LabelStates

Where = tuple[int, int, int]
"""Position, repetition and number of a case in its run."""

QUEUE, CENSUS, CHOSEN = "queue", "census", "chosen"
"""Where labels come from: a queue drew their cases, all cases are labelled, or people chose the cases."""
FACTS = ("position", "repetition", "number", "suspicion", "flags", "outputs")
ENDLESS = 1_000.0
"""The weight of chosen cases: they count as a sample from this many times their number."""


@dataclass(frozen=True, slots=True)
class AgreedVerdict:
    """A case that people agree on: its position, its suspicion, whether it is flagged, and whether it is a bug.

    `outputs` is a hash of its outputs: the same case with other outputs needs another label.
    """

    run: RunRecord
    where: Where
    suspicion: float
    flagged: bool
    outputs: int
    bug: bool

    @property
    def sentence(self) -> str:
        """An identifier of the sentence that the case is of."""
        return f"{self.run.corpus}:{self.where[0]}"

    @property
    def identity(self) -> tuple[object, ...]:
        """What identifies the same case with the same outputs in several runs."""
        run = self.run
        return (run.system, run.source, run.target, self.sentence, self.where[2], self.outputs)


@dataclass(frozen=True)
class Decided:
    """Verdicts on the cases of a detector; `weight` is how many cases of its stratum each of them represents.

    `basis` is `queue`, `census` or `chosen`; `runs` are those that the verdicts represent.
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
        """Whether the run flagged each case."""
        return np.array([verdict.flagged for verdict in self.verdicts], dtype=bool)

    @cached_property
    def both_sides(self) -> bool:
        """Whether both flagged and unflagged cases are labelled, which an estimate of recall needs."""
        return self.basis != CHOSEN or not self.flagged.all()

    @cached_property
    def kinds(self) -> int:
        """2 if there are both bugs and correct cases, as a ranking needs; else fewer."""
        return len({verdict.bug for verdict in self.verdicts})


class VerdictReading:
    """Every verdict on the cases of some runs, looked up by label, since labels are few."""

    def __init__(
        self, store: Workspace, runs: Sequence[RunRecord], index: Mapping[int, Columns], labels: LabelStates
    ) -> None:
        self.store = store
        self._by_run: dict[int, dict[Where, AgreedVerdict]] = {}
        self.left: dict[int, Counter[str]] = {}
        for run in runs:
            self._by_run[run.id], self.left[run.id] = {}, Counter()
            if run.id in index:
                self._read(run, index[run.id], labels)
        # A workspace that cannot be written may be of an older format, without queues.
        queues = Samples(store).all() if store.has("samples") else []
        self.queues = [_QueueVerdicts(queue, Samples(store), self) for queue in queues]

    def _read(self, run: RunRecord, columns: Columns, labels: LabelStates) -> None:
        states = labels.states(columns)
        # The index may have a case twice, at its first occurrence and where it was first flagged; it counts once.
        rows = np.array(sorted(states), dtype=np.int64)
        rows = rows[(columns["flags"][rows] & FIRST) > 0]
        facts = (columns[name][rows].tolist() for name in FACTS)
        for row, *where, suspicion, flags, outputs in zip(rows.tolist(), *facts, strict=True):
            present = states[row].present.values()
            outcome = majority(present) if present else "stale"
            if outcome in VERDICTS:
                position, repetition, number = where
                judged = (suspicion, bool(flags & BAD), outputs, VERDICTS[outcome])
                verdict = AgreedVerdict(run, (position, repetition, number), *judged)
                self._by_run[run.id][verdict.where] = verdict
            else:
                self.left[run.id][outcome] += 1

    def verdicts_of(self, run: int) -> Mapping[Where, AgreedVerdict]:
        """The verdicts on a run, by the position of their cases."""
        return self._by_run[run]


class _QueueVerdicts:
    """A queue, and the verdicts on its cases."""

    def __init__(self, queue: Queue, samples: Samples, reading: VerdictReading) -> None:
        self.queue = queue
        self._strata = defaultdict[tuple[int, int], list[AgreedVerdict]](list)
        if any(reading.left.keys() & queue.runs):
            for entry in samples.places(queue):
                where = (entry.position, entry.repetition, entry.number)
                verdict = reading.verdicts_of(entry.run).get(where) if entry.run in reading.left else None
                if verdict is not None and verdict.outputs == outputs_number(entry.outputs):
                    self._strata[entry.run, entry.band].append(verdict)

    def strata_of(self, run: int) -> list[tuple[int, list[AgreedVerdict]]]:
        """The strata of a run: the number of their cases, and the verdicts."""
        strata = [stratum for stratum in self.queue.strata if stratum.run == run]
        return [(stratum.population, self._strata[run, stratum.band]) for stratum in strata]

    def reaches(self, run: int) -> bool:
        """Whether every stratum has a verdict; strata without one allow no estimate."""
        return bool(self.strata_of(run)) and all(verdicts for _, verdicts in self.strata_of(run))

    def count(self, run: int) -> int:
        return sum(len(verdicts) for _, verdicts in self.strata_of(run))


def decided(reading: VerdictReading, runs: Sequence[int], cases: Mapping[int, int]) -> Decided:
    """The verdicts on the runs of one detector; `cases` is the number of cases of each run."""
    notes = list(_left_out(reading, runs))
    if runs and all(len(reading.verdicts_of(run)) == cases[run] > 0 for run in runs):
        every = [verdict for run in runs for verdict in reading.verdicts_of(run).values()]
        return _build(CENSUS, runs, [(len(every), every)], ["every case is labelled", *notes])
    drawn = {run: _best(reading, run) for run in runs}
    used = {run: queue for run, queue in drawn.items() if queue is not None}
    short = [queue.queue.name for queue in reading.queues if any(queue.count(run) for run in runs if run not in used)]
    for name in dict.fromkeys(short):
        notes.append(f"the queue '{name}' is not far enough yet: some of its strata have no decided case")
    if not used:
        picked = _once(reading, runs)
        return _build(CHOSEN, runs, [(0, picked)], [*_advice(picked), *notes])
    strata = [stratum for run, queue in used.items() for stratum in queue.strata_of(run)]
    return _build(QUEUE, list(used), strata, [*_weighted(reading, runs, used), *notes])


def _build(
    basis: str, runs: Sequence[int], strata: Sequence[tuple[int, list[AgreedVerdict]]], notes: Sequence[str]
) -> Decided:
    weights = [size / len(group) if basis != CHOSEN else ENDLESS for size, group in strata for _ in group]
    numbers = [number for number, (_, group) in enumerate(strata) for _ in group]
    verdicts = [verdict for _, group in strata for verdict in group]
    return Decided(basis, runs, verdicts, np.array(weights, np.float64), np.array(numbers, np.int64), notes)


def _once(reading: VerdictReading, runs: Sequence[int]) -> list[AgreedVerdict]:
    """Each case with its outputs once, even if several runs have it."""
    distinct: dict[tuple[object, ...], AgreedVerdict] = {}
    for run in runs:
        for verdict in reading.verdicts_of(run).values():
            distinct.setdefault(verdict.identity, verdict)
    return list(distinct.values())


def _best(reading: VerdictReading, run: int) -> _QueueVerdicts | None:
    """Of the queues that reach all strata of a run, the one with the most verdicts, the newest of equals."""
    reaching = [queue for queue in reading.queues if queue.reaches(run)]
    return max(reaching, key=lambda queue: queue.count(run), default=None)


def _weighted(reading: VerdictReading, runs: Sequence[int], used: Mapping[int, _QueueVerdicts]) -> Iterator[str]:
    names = "', '".join(dict.fromkeys(queue.queue.name for queue in used.values()))
    inside = sum(queue.count(run) for run, queue in used.items())
    numbers = ", ".join(map(str, used))
    speak = "speaks" if inside == 1 else "speak"
    yield f"weighted: {plural(inside, 'label')} that '{names}' drew, which {speak} for all cases of run {numbers}"
    unused = sum(len(reading.verdicts_of(run)) for run in runs) - inside
    if unused:
        yield plural(
            unused,
            "other label is not used, as nobody drew its case at random",
            "other labels are not used, as nobody drew their cases at random",
        )
    missing = [str(run) for run in runs if run not in used]
    if missing:
        yield f"no queue reaches run {', '.join(missing)}: precision, recall and base rate are without it"


def _advice(verdicts: Sequence[AgreedVerdict]) -> Iterator[str]:
    if not verdicts:
        return
    yield "not weighted: " + plural(
        len(verdicts),
        "label of a case that somebody chose, which speaks for itself alone",
        "labels of cases that somebody chose, which speak for themselves alone",
    )
    if all(verdict.flagged for verdict in verdicts):
        yield "only flagged cases are labelled, so recall cannot be estimated: draw a queue, which has others as well"


def _left_out(reading: VerdictReading, runs: Sequence[int]) -> Iterator[str]:
    left = sum((reading.left[run] for run in runs), Counter[str]())
    words = {UNDECIDED: "people do not agree", "stale": "labelled with other outputs"}
    for why, count in sorted(left.items()):
        yield f"{plural(count, 'labelled case is', 'labelled cases are')} left out: {words[why]}"
