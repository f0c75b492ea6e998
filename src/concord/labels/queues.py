"""Labelling queues: stratified samples of the cases of runs, whose labels allow estimates for all cases.

Each case has a random number that is derived from its key and the queue's seed. From each stratum the cases with the
lowest numbers are drawn: a simple random sample without replacement that is reproducible and can be enlarged later.
The order of a queue comes from other random numbers, so that it does not reveal which cases are flagged.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concord.errors import UserError
from concord.plural import plural
from concord.store.damage import DamagedRow, Shape, printable, sound
from concord.store.label_rows import outputs_of, packed_outputs
from concord.store.records import RunRecord
from concord.store.workspace import Workspace

if TYPE_CHECKING:  # it brings numpy along, which only a draw should wait for
    from concord.labels.strata import Frame

LARGEST = 20_000
LONGEST_NAME = 100
_PLACE = Shape(place=int, run=int, band=int, position=int, repetition=int, number=int, key=bytes, outputs=str)
_SAMPLE = Shape(id=int, name=str, seed=int, flagged=float, created=str)
_STRATUM = Shape(run=int, band=int, population=int, drawn=int)
_QUEUE = f"SELECT {_SAMPLE.columns} FROM samples"
_LABELLED = "EXISTS (SELECT 1 FROM labels WHERE case_key = key AND labels.outputs = sampled.outputs{})"


@dataclass(frozen=True, slots=True)
class Stratum:
    """Cases of a run that are drawn from together: how many there are, and how many of them are in the queue.

    `band` is 0 for the flagged cases, 1 for the most suspicious of the others and 3 for the least.
    """

    run: int
    band: int
    population: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Queue:
    """A named sample of cases to label. `flagged` is the proportion of flagged cases that was asked for."""

    id: int
    name: str
    seed: int
    flagged: float
    created: str
    strata: tuple[Stratum, ...]

    @property
    def size(self) -> int:
        return sum(stratum.drawn for stratum in self.strata)

    @property
    def population(self) -> int:
        return sum(stratum.population for stratum in self.strata)

    @property
    def runs(self) -> list[int]:
        return list(dict.fromkeys(stratum.run for stratum in self.strata))


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A case in a queue: its place there, counted from 1, its stratum, and its place in its run."""

    place: int
    run: int
    band: int
    position: int
    repetition: int
    number: int
    case: str
    outputs: str


class Samples:
    """The labelling queues of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._runs: dict[int, RunRecord] = {}

    # -- queues ---------------------------------------------------------------------------------

    def all(self) -> list[Queue]:
        """Every queue, the newest first."""
        rows = self._workspace.many(f"{_QUEUE} ORDER BY id DESC", ())
        return list(sound(rows, _SAMPLE, self._queue, lambda row: f"the queue '{printable(row[1])}'"))

    def get(self, name: str) -> Queue:
        row = self._workspace.first(f"{_QUEUE} WHERE name = ?", (name,))
        if row is None:
            names = ", ".join(queue.name for queue in self.all()[:20]) or "none"
            raise UserError(
                f"there is no queue '{name[:LONGEST_NAME]}'. Queues: {names}; `concord label draw` draws one"
            )
        try:
            return _SAMPLE.make(self._queue, row)
        except DamagedRow as error:
            raise UserError(f"the queue '{name[:LONGEST_NAME]}' is damaged: {error}. Draw another one") from None

    def draw(self, name: str, runs: Sequence[int], *, size: int, seed: int, flagged: float = 0.5) -> Queue:
        """Draw a queue from the cases of runs; `flagged` is the proportion of flagged cases, if there are enough."""
        from concord.labels.strata import frames, sizes

        _check(name, size, flagged)
        if self._workspace.first("SELECT 1 FROM samples WHERE name = ?", (name,)):
            raise UserError(f"there is a queue '{name}' already. Choose another name, or enlarge it")
        before = self._stamps(runs)
        strata = [frame for run in dict.fromkeys(runs) for frame in frames(self._workspace, run, seed)]
        if not strata:
            raise UserError(f"run {', '.join(map(str, runs))} has no case to label. Choose another")
        counts = sizes([(stratum.band, stratum.population) for stratum in strata], size, flagged)
        rows = self._rows([(stratum, 0, count) for stratum, count in zip(strata, counts, strict=True)], 1)
        with self._workspace.writing() as db:
            self._still(before)
            add = "INSERT INTO samples (name, seed, flagged, created) VALUES (?, ?, ?, ?)"
            sample = db.execute(add, (name, seed, flagged, self._workspace.clock())).lastrowid
            facts = [(sample, stratum.run, stratum.band, stratum.population) for stratum in strata]
            db.executemany("INSERT INTO strata VALUES (?, ?, ?, ?)", facts)
            _put(db, sample, rows)
        return self.get(name)

    def enlarge(self, name: str, size: int) -> Queue:
        """Draw more cases for a queue, up to this size; those that are in it stay where they are."""
        from concord.labels.strata import frames, sizes

        queue = self.get(name)
        _check(name, size, queue.flagged)
        if size <= queue.size:
            raise UserError(f"the queue '{name}' has {plural(queue.size, 'case')} already. Ask for more")
        before = self._stamps(queue.runs)
        strata = [frame for run in queue.runs for frame in frames(self._workspace, run, queue.seed)]
        drawn = {(stratum.run, stratum.band): stratum.drawn for stratum in queue.strata}
        self._unchanged(queue, strata)
        counts = sizes([(stratum.band, stratum.population) for stratum in strata], size, queue.flagged)
        ranges = [(frame, drawn[frame.run, frame.band], count) for frame, count in zip(strata, counts, strict=True)]
        rows = self._rows(ranges, queue.size + 1)
        with self._workspace.writing() as db:
            self._still(before)
            _put(db, queue.id, rows)
        return self.get(name)

    def forget(self, name: str) -> None:
        """Remove a queue; the labels of its cases stay."""
        queue = self.get(name)
        with self._workspace.writing() as db:
            for table in ("sampled", "strata"):
                db.execute(f"DELETE FROM {table} WHERE sample = ?", (queue.id,))
            db.execute("DELETE FROM samples WHERE id = ?", (queue.id,))

    # -- cases ----------------------------------------------------------------------------------

    def places(self, queue: Queue) -> list[QueuePlace]:
        """All cases of a queue in its order."""
        return list(self._places(queue, "ORDER BY place"))

    def entry_at(self, queue: Queue, place: int) -> QueuePlace | None:
        return next(self._places(queue, "AND place = ?", place), None)

    def find(self, queue: Queue, case: str, outputs: str) -> QueuePlace | None:
        """The place of a case with these outputs in a queue."""
        return next(self._places(queue, "AND key = ? AND outputs = ?", bytes.fromhex(case), outputs), None)

    def next(self, queue: Queue, annotator: str, after: int = 0) -> QueuePlace | None:
        """The first case after a place that this annotator has not labelled."""
        where = f"AND place > ? AND NOT {_LABELLED.format(' AND annotator = ?')} ORDER BY place LIMIT 1"
        return next(self._places(queue, where, after, annotator), None)

    def labelled(self, queue: Queue, annotator: str = "") -> int:
        """How many cases of a queue this annotator, or anybody, has labelled."""
        who, values = (" AND annotator = ?", (annotator,)) if annotator else ("", ())
        query = f"SELECT count(*) FROM sampled WHERE sample = ? AND {_LABELLED.format(who)}"
        return int(self._workspace.first(query, (queue.id, *values))[0])

    def row(self, place: QueuePlace) -> dict[str, Any] | None:
        """The row of the case; None if it is gone, or has changed since it was drawn."""
        if place.run not in self._runs:
            self._runs[place.run] = self._workspace.run(place.run)
        row = self._workspace.row_at(self._runs[place.run], (place.position, place.repetition, place.number))
        return row if row and row["case"] == place.case and outputs_of(row) == place.outputs else None

    # -- inside ---------------------------------------------------------------------------------

    def _queue(self, number: int, *facts: Any) -> Queue:
        query = (
            "SELECT run, band, population, (SELECT count(*) FROM sampled WHERE sampled.sample = strata.sample"
            " AND sampled.run = strata.run AND sampled.band = strata.band) FROM strata WHERE sample = ?"
        )
        strata = tuple(_STRATUM.make(_stratum, row) for row in self._workspace.many(query, (number,)))
        return Queue(*(number, *facts, strata))

    def _places(self, queue: Queue, rest: str, *values: Any) -> Iterator[QueuePlace]:
        strata = {(stratum.run, stratum.band) for stratum in queue.strata}

        def place(*row: Any) -> QueuePlace:
            if row[1:3] not in strata:
                raise DamagedRow("its stratum is missing")
            return QueuePlace(*(*row[:6], row[6].hex(), row[7]))

        query = f"SELECT {_PLACE.columns} FROM sampled WHERE sample = ? {rest}"
        rows = self._workspace.many(query, (queue.id, *values))
        return sound(rows, _PLACE, place, lambda row: f"place {printable(row[0])} of the queue")

    def _unchanged(self, queue: Queue, strata: "Sequence[Frame]") -> None:
        """Check that the strata are still those that the queue was drawn from, so that it can be enlarged."""
        drawn = defaultdict[tuple[int, int], set[tuple[int, ...]]](set)
        for entry in self.places(queue):
            drawn[entry.run, entry.band].add((entry.position, entry.repetition, entry.number))
        populations = {(stratum.run, stratum.band): stratum.population for stratum in queue.strata}
        present = {(frame.run, frame.band): frame for frame in strata}
        first = {key: set(map(tuple, frame.places[: len(drawn[key])].tolist())) for key, frame in present.items()}
        if {key: frame.population for key, frame in present.items()} != populations or first != drawn:
            raise UserError(f"the runs of the queue '{queue.name}' have changed since it was drawn. Draw another one")

    def _stamps(self, runs: Sequence[int]) -> dict[int, Any]:
        """For each run, the counters that differ once the run has changed."""
        return {run: self._workspace.first("SELECT changes, changed FROM runs WHERE id = ?", (run,)) for run in runs}

    def _still(self, before: dict[int, Any]) -> None:
        """Check that the runs have not changed since the draw."""
        now = self._stamps(list(before))
        if now != before:
            raise _changed([run for run in before if now[run] != before[run]])

    def _rows(self, ranges: "Sequence[tuple[Frame, int, int]]", start: int) -> list[tuple[Any, ...]]:
        """The rows of a queue from place `start` on: of each stratum a range of its random order, all of them mixed."""
        picked = [
            (int(frame.mixed[rank]), frame.run, frame.band, *frame.places[rank].tolist())
            for frame, first, end in ranges
            for rank in range(first, end)
        ]
        find = "SELECT key, body FROM cases WHERE run = ? AND position = ? AND repetition = ? AND number = ?"
        rows = []
        for place, (_, run, band, *where) in enumerate(sorted(picked), start):
            case = self._workspace.first(find, (run, *where))
            if case is None:
                raise _changed([run])
            rows.append((place, run, band, *where, case[0], _outputs(run, where, case[1])))
        return rows


def _stratum(*row: int) -> Stratum:
    stratum = Stratum(*row)
    if stratum.drawn > stratum.population:
        raise DamagedRow(
            f"{plural(stratum.drawn, 'case is', 'cases are')} in it of {stratum.population} that there are"
        )
    return stratum


def _outputs(run: int, where: Sequence[int], packed: Any) -> str:
    try:
        return packed_outputs(packed)
    except DamagedRow as error:
        raise UserError(
            f"the case at position {where[0]} of run {run} is damaged: {error}. Repeat the run, and draw from that"
        ) from None


def _changed(runs: Sequence[int]) -> UserError:
    return UserError(
        f"run {', '.join(map(str, runs))} has changed while the queue was being drawn. Wait for the run, and try again"
    )


def _put(db: Any, sample: int | None, rows: Sequence[Sequence[Any]]) -> None:
    db.executemany("INSERT INTO sampled VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [(sample, *row) for row in rows])


def _check(name: str, size: int, flagged: float) -> None:
    if not name or len(name) > LONGEST_NAME or name != name.strip() or not name.isprintable():
        raise UserError(f"a queue needs a name of at most {LONGEST_NAME} characters, without blanks at its ends")
    if not 1 <= size <= LARGEST:
        raise UserError(f"a queue has 1 to {LARGEST:,} cases, not {size:,}")
    if not 0 <= flagged <= 1:
        raise UserError(f"the part of flagged cases is between 0 and 1, not {flagged:g}")
