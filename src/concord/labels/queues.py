"""Labelling queues: cases of runs drawn by strata, so that what people say of them speaks for all cases.

Each case has a random number of its own, made of its key and the queue's seed, and of each stratum those with the
lowest numbers are drawn: a simple random sample without replacement, the same every time, that is enlarged by going on.
A queue is in the order of other random numbers, so that nothing in it tells flagged from unflagged cases.
"""

from __future__ import annotations

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
_SAID = "EXISTS (SELECT 1 FROM labels WHERE case_key = key AND labels.outputs = sampled.outputs{})"


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
    """A named sample of cases to label. `flagged` is the part of it that was to be flagged cases."""

    id: int
    name: str
    seed: int
    flagged: float
    created: str
    strata: tuple[Stratum, ...]

    @property
    def size(self) -> int:
        return sum(each.drawn for each in self.strata)

    @property
    def population(self) -> int:
        return sum(each.population for each in self.strata)

    @property
    def runs(self) -> list[int]:
        return list(dict.fromkeys(each.run for each in self.strata))


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A case in a queue: where it stands there, counted from 1, its stratum, and where it stands in its run."""

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

    def named(self, name: str) -> Queue:
        row = self._workspace.first(f"{_QUEUE} WHERE name = ?", (name,))
        if row is None:
            known = ", ".join(each.name for each in self.all()[:20]) or "none"
            raise UserError(
                f"there is no queue '{name[:LONGEST_NAME]}'. Queues: {known}; `concord label draw` draws one"
            )
        try:
            return _SAMPLE.make(self._queue, row)
        except DamagedRow as error:
            raise UserError(f"the queue '{name[:LONGEST_NAME]}' is damaged: {error}. Draw another one") from None

    def draw(self, name: str, runs: Sequence[int], *, size: int, seed: int, flagged: float = 0.5) -> Queue:
        """Draw a queue from the cases of runs; `flagged` is the part of it that is flagged cases, where there are."""
        from concord.labels.strata import frames, sizes

        _check(name, size, flagged)
        if self._workspace.first("SELECT 1 FROM samples WHERE name = ?", (name,)):
            raise UserError(f"there is a queue '{name}' already. Choose another name, or enlarge it")
        before = self._stamps(runs)
        strata = [frame for run in dict.fromkeys(runs) for frame in frames(self._workspace, run, seed)]
        if not strata:
            raise UserError(f"run {', '.join(map(str, runs))} has no case to label. Choose another")
        counts = sizes([(each.band, each.population) for each in strata], size, flagged)
        rows = self._rows([(each, 0, count) for each, count in zip(strata, counts, strict=True)], 1)
        with self._workspace.writing() as db:
            self._still(before)
            add = "INSERT INTO samples (name, seed, flagged, created) VALUES (?, ?, ?, ?)"
            made = db.execute(add, (name, seed, flagged, self._workspace.clock())).lastrowid
            facts = [(made, each.run, each.band, each.population) for each in strata]
            db.executemany("INSERT INTO strata VALUES (?, ?, ?, ?)", facts)
            _put(db, made, rows)
        return self.named(name)

    def enlarge(self, name: str, size: int) -> Queue:
        """Draw more cases for a queue, up to this size; those that are in it stay where they are."""
        from concord.labels.strata import frames, sizes

        queue = self.named(name)
        _check(name, size, queue.flagged)
        if size <= queue.size:
            raise UserError(f"the queue '{name}' has {plural(queue.size, 'case')} already. Ask for more")
        before = self._stamps(queue.runs)
        strata = [frame for run in queue.runs for frame in frames(self._workspace, run, queue.seed)]
        known = {(each.run, each.band): each for each in queue.strata}
        self._unchanged(queue, strata)
        counts = sizes([(each.band, each.population) for each in strata], size, queue.flagged)
        more = [(each, known[each.run, each.band].drawn, count) for each, count in zip(strata, counts, strict=True)]
        rows = self._rows(more, queue.size + 1)
        with self._workspace.writing() as db:
            self._still(before)
            _put(db, queue.id, rows)
        return self.named(name)

    def forget(self, name: str) -> None:
        """Remove a queue; what was said of its cases stays."""
        queue = self.named(name)
        with self._workspace.writing() as db:
            for table in ("sampled", "strata"):
                db.execute(f"DELETE FROM {table} WHERE sample = ?", (queue.id,))
            db.execute("DELETE FROM samples WHERE id = ?", (queue.id,))

    # -- cases ----------------------------------------------------------------------------------

    def places(self, queue: Queue) -> list[QueuePlace]:
        """All cases of a queue in its order."""
        return list(self._places(queue, "ORDER BY place"))

    def at(self, queue: Queue, place: int) -> QueuePlace | None:
        return next(self._places(queue, "AND place = ?", place), None)

    def of(self, queue: Queue, case: str, outputs: str) -> QueuePlace | None:
        """Where a case with these outputs stands in a queue."""
        return next(self._places(queue, "AND key = ? AND outputs = ?", bytes.fromhex(case), outputs), None)

    def next(self, queue: Queue, annotator: str, after: int = 0) -> QueuePlace | None:
        """The first case after a place of which this person has not said anything."""
        where = f"AND place > ? AND NOT {_SAID.format(' AND annotator = ?')} ORDER BY place LIMIT 1"
        return next(self._places(queue, where, after, annotator), None)

    def said(self, queue: Queue, annotator: str = "") -> int:
        """Of how many cases of a queue this person, or anybody, has said something."""
        who, values = (" AND annotator = ?", (annotator,)) if annotator else ("", ())
        query = f"SELECT count(*) FROM sampled WHERE sample = ? AND {_SAID.format(who)}"
        return int(self._workspace.first(query, (queue.id, *values))[0])

    def row(self, place: QueuePlace) -> dict[str, Any] | None:
        """The case itself as a row; None if it is gone, or other than it was."""
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
        strata = {(each.run, each.band) for each in queue.strata}

        def place(*row: Any) -> QueuePlace:
            if row[1:3] not in strata:
                raise DamagedRow("its stratum is missing")
            return QueuePlace(*(*row[:6], row[6].hex(), row[7]))

        query = f"SELECT {_PLACE.columns} FROM sampled WHERE sample = ? {rest}"
        found = self._workspace.many(query, (queue.id, *values))
        return sound(found, _PLACE, place, lambda row: f"place {printable(row[0])} of the queue")

    def _unchanged(self, queue: Queue, strata: Sequence[Frame]) -> None:
        """See that going on with the same random numbers is going on with the same sample."""
        drawn: dict[tuple[int, int], set[tuple[int, ...]]] = {(each.run, each.band): set() for each in queue.strata}
        for each in self.places(queue):
            drawn[each.run, each.band].add((each.position, each.repetition, each.number))
        populations = {(each.run, each.band): each.population for each in queue.strata}
        first = {
            (each.run, each.band): set(map(tuple, each.places[: len(drawn.get((each.run, each.band), ()))].tolist()))
            for each in strata
        }
        if {(each.run, each.band): each.population for each in strata} != populations or first != drawn:
            raise UserError(f"the runs of the queue '{queue.name}' have changed since it was drawn. Draw another one")

    def _stamps(self, runs: Sequence[int]) -> dict[int, Any]:
        """What is different once a run has changed."""
        return {run: self._workspace.first("SELECT changes, changed FROM runs WHERE id = ?", (run,)) for run in runs}

    def _still(self, before: dict[int, Any]) -> None:
        """See that the runs are what was drawn from."""
        now = self._stamps(list(before))
        if now != before:
            raise _changed([run for run in before if now[run] != before[run]])

    def _rows(self, chosen: Sequence[tuple[Frame, int, int]], start: int) -> list[tuple[Any, ...]]:
        """The rows of a queue from a place on: of each stratum the cases from one random number to another, mixed."""
        picked = [
            (int(each.mixed[at]), each.run, each.band, *each.places[at].tolist())
            for each, first, end in chosen
            for at in range(first, end)
        ]
        find = "SELECT key, body FROM cases WHERE run = ? AND position = ? AND repetition = ? AND number = ?"
        rows = []
        for place, (_, run, band, *where) in enumerate(sorted(picked), start):
            found = self._workspace.first(find, (run, *where))
            if found is None:
                raise _changed([run])
            rows.append((place, run, band, *where, found[0], _outputs(run, where, found[1])))
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
