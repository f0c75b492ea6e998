"""Reading and writing the workspace file. One process writes runs at a time; anyone may read."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO, Any

from concord import plugins
from concord.errors import StoreError, UserError
from concord.model import Case, Noted, Outcome
from concord.signature import digest
from concord.store import body
from concord.store.connection import connect, open_lock, told
from concord.store.thresholds import besides

_COLUMNS = (
    "c.position, c.repetition, c.segment, c.domain, c.text, c.reference, c.error,"
    " k.number, k.key, k.suspicion, k.threshold, k.body"
)
# What is kept beside the workspace about a run tells by these that the run has changed since.
_CHANGED = "UPDATE runs SET changes = changes + 1, changed = ? WHERE id = ?"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run: one relation, one system (`given` is how the user wrote it), one direction, one corpus.

    `rejected` says how many substitutes were turned away while it went on, by reason, and `stages` what took how
    many seconds; stages overlap.
    """

    id: int
    signature: str
    relation: str
    settings: Mapping[str, Any]
    system: str
    source: str
    target: str
    corpus: str
    seed: int
    notes: Sequence[str]
    fresh: bool
    started: str
    finished: str | None
    asked: int
    sent: int
    cached: int
    seconds: float
    given: str = ""
    rejected: Mapping[str, int] = field(default_factory=dict)
    stages: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has taken since it was last noted."""

    run: int
    asked: int
    sent: int
    cached: int
    seconds: float
    rejected: Mapping[str, int] = field(default_factory=dict)
    stages: Mapping[str, float] = field(default_factory=dict)


class Workspace:
    """The store of a project. Use it as a context manager."""

    def __init__(self, path: str | Path, *, create: bool = True, clock: Callable[[], str] = now) -> None:
        self.path = Path(path)
        self._clock = clock
        self._lock: IO[str] | None = None
        if not create and not self.path.exists():
            raise UserError(f"there is no workspace {self.path}. `concord run` makes one")
        self._db = connect(self.path, create)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def claim(self) -> None:
        """Become the one writer of runs; the claim ends with the process, however it ends."""
        path = self.path.with_name(self.path.name + "-lock")
        try:
            self._lock = open_lock(path)
            _take(self._lock)
        except BlockingIOError:
            raise StoreError(f"another run is writing to {self.path}: wait, or choose another --workspace") from None
        except OSError as error:
            raise StoreError(f"{path} cannot be locked: {error.strerror}. Choose another --workspace") from None

    def claimed(self) -> bool:
        """Whether a process is writing runs now."""
        try:
            with self.path.with_name(self.path.name + "-lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    # -- translations ---------------------------------------------------------------------------

    def recall(self, system: str, version: str, direction: tuple[str, str], texts: Sequence[str]) -> list[str | None]:
        find = "SELECT answer FROM translations WHERE key = ?"
        rows = [self._one(find, (_key(system, version, direction, text),)) for text in texts]
        return [row[0] if row else None for row in rows]

    def remember(
        self,
        system: str,
        version: str,
        direction: tuple[str, str],
        texts: Sequence[str],
        answers: Sequence[str],
        *,
        spent: Spent | None = None,
    ) -> None:
        """Keep answers, and note in the same breath what the run has spent."""
        created = self._clock()
        rows = [
            (
                _key(system, version, direction, text),
                digest(*direction, text),
                system,
                version,
                *direction,
                text,
                answer,
                json.dumps(answer.note, ensure_ascii=False) if isinstance(answer, Noted) else None,
                created,
            )
            for text, answer in zip(texts, answers, strict=True)
        ]
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO translations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            _spend(db, spent)

    def notes(self, system: str | None = None) -> Iterator[dict[str, Any]]:
        """Translations that carry a remark, such as an injected fault."""
        query = "SELECT system, source, target, text, answer, note FROM translations WHERE note IS NOT NULL"
        found = self._many(query + (" AND system = ?" if system else ""), (system,) if system else ())
        for name, source, target, text, answer, note in found:
            yield {
                "system": name,
                "source_lang": source,
                "target_lang": target,
                "text": text,
                "answer": answer,
                **json.loads(note),
            }

    def epoch(self, system: str, *, renew: bool = False) -> int:
        """The age of the answers in use; renewing it makes every text be asked again."""
        if renew:
            with self._writing() as db:
                db.execute(
                    "INSERT INTO epochs VALUES (?, 1) ON CONFLICT (system) DO UPDATE SET epoch = epoch + 1", (system,)
                )
        row = self._one("SELECT epoch FROM epochs WHERE system = ?", (system,))
        return int(row[0]) if row else 0

    def spent_this_month(self, account: str) -> int:
        """The characters that a provider was sent since the calendar month (UTC) began, under any options."""
        row = self._one("SELECT characters FROM months WHERE account = ? AND month = ?", (account, self._clock()[:7]))
        return int(row[0]) if row else 0

    def note_sent(self, account: str, characters: int) -> None:
        """Count what a provider is sent this month, before it is sent; less, if it was given back."""
        with self._writing() as db:
            db.execute(
                "INSERT INTO months VALUES (?, ?, ?)"
                " ON CONFLICT (account, month) DO UPDATE SET characters = max(0, characters + excluded.characters)",
                (account, self._clock()[:7], characters),
            )

    # -- runs -----------------------------------------------------------------------------------

    def unfinished(self, signature: str) -> RunRecord | None:
        where = "WHERE signature = ? AND finished IS NULL ORDER BY id DESC LIMIT 1"
        return next(self._runs(where, (signature,)), None)

    def begin(self, facts: Mapping[str, Any]) -> RunRecord:
        columns = ", ".join([*facts, "started"])
        marks = ", ".join("?" * (len(facts) + 1))
        values = [json.dumps(v, ensure_ascii=False) if isinstance(v, (Mapping, list)) else v for v in facts.values()]
        with self._writing() as db:
            made = db.execute(f"INSERT INTO runs ({columns}) VALUES ({marks})", (*values, self._clock())).lastrowid
        assert made is not None
        return self.run(made)

    def done(self, run: int, position: int, repetition: int) -> bool:
        find = "SELECT 1 FROM checks WHERE run = ? AND position = ? AND repetition = ? AND error IS NULL"
        return self._one(find, (run, position, repetition)) is not None

    def add(
        self,
        run: RunRecord,
        outcomes: Iterable[Outcome],
        *,
        spent: Spent | None = None,
    ) -> None:
        """Store outcomes and what they took. Storing one again replaces it: an error row gives way to a result."""
        checks, cases, places = [], [], []
        for outcome in outcomes:
            segment = outcome.segment
            place = (run.id, segment.position, outcome.repetition)
            facts = (segment.id, segment.domain, segment.text.words, segment.reference)
            places.append(place)
            checks.append((*place, *facts, len(outcome.cases), outcome.error))
            for number, case in enumerate(outcome.cases):
                key = case_key(run, case)
                cases.append((*place, number, key, case.suspicion, case.threshold, body.pack(case)))
        with self._writing() as db:
            db.executemany("DELETE FROM cases WHERE run = ? AND position = ? AND repetition = ?", places)
            db.executemany("INSERT OR REPLACE INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", checks)
            db.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", cases)
            if places:
                db.execute(_CHANGED, (self._clock(), run.id))
            _spend(db, spent)

    def discard(self, run: RunRecord) -> None:
        """Forget a run that came to nothing."""
        with self._writing() as db:
            db.execute("DELETE FROM runs WHERE id = ?", (run.id,))

    def finish(self, run: RunRecord) -> None:
        with self._writing() as db:
            db.execute("UPDATE runs SET finished = ? WHERE id = ?", (self._clock(), run.id))

    def run(self, number: int) -> RunRecord:
        found = next(self._runs("WHERE id = ?", (number,)), None)
        if found is None:
            known = ", ".join(str(run.id) for run in self.runs()) or "none"
            raise UserError(f"there is no run {number} in {self.path}. Runs: {known}")
        return found

    def runs(self) -> list[RunRecord]:
        return list(self._runs("ORDER BY id", ()))

    def _runs(self, where: str, values: Sequence[Any]) -> Iterator[RunRecord]:
        columns = ", ".join(RunRecord.__slots__)
        for row in self._many(f"SELECT {columns} FROM runs {where}", values):
            facts = dict(zip(RunRecord.__slots__, row, strict=True))
            facts["settings"] = json.loads(facts["settings"])
            facts["notes"] = json.loads(facts["notes"])
            facts["rejected"] = json.loads(facts["rejected"])
            facts["stages"] = json.loads(facts["stages"])
            facts["fresh"] = bool(facts["fresh"])
            yield RunRecord(**facts)

    # -- rows -----------------------------------------------------------------------------------

    def tally(self, run: int) -> dict[str, int]:
        """Checks, those of them without a case, cases, violations and error rows of a run."""
        checks, errors, bare = self._one(
            "SELECT count(*), count(error), coalesce(sum(error IS NULL AND cases = 0), 0) FROM checks WHERE run = ?",
            (run,),
        )
        cases, violated = self._one(
            "SELECT count(*), coalesce(sum(bad), 0) FROM (SELECT max(suspicion > threshold) AS bad FROM cases"
            f" WHERE run = ? GROUP BY repetition, {self._one_case(run)})",
            (run,),
        )
        return {"checks": checks, "bare": bare, "cases": cases, "violated": violated, "errors": errors}

    def repetitions(self, run: int) -> int:
        """How often each segment was checked in a run."""
        (last,) = self._one("SELECT coalesce(max(repetition), 0) FROM checks WHERE run = ?", (run,))
        return int(last) + 1

    def positions_without_cases(self, run: int) -> int:
        """How many segments of a run have neither a case nor an error, in any repetition."""
        query = (
            "SELECT count(*) FROM (SELECT position FROM checks WHERE run = ? GROUP BY position"
            " HAVING count(error) = 0 AND sum(cases) = 0)"
        )
        (found,) = self._one(query, (run,))
        return int(found)

    def _one_case(self, run: int) -> str:
        """What tells the cases of a run apart: where they stand or, for a relation of distinct cases, what they ask."""
        (relation,) = self._one("SELECT relation FROM runs WHERE id = ?", (run,))
        return "key" if is_distinct(relation) else "position, number"

    def rows(self, runs: Sequence[int], *, only_errors: bool = False) -> Iterator[dict[str, Any]]:
        """Every case and error row, in corpus order."""
        wanted = "c.error IS NOT NULL" if only_errors else "(k.number IS NOT NULL OR c.error IS NOT NULL)"
        query = (
            f"SELECT {_COLUMNS} FROM checks c LEFT JOIN cases k USING (run, position, repetition)"
            f" WHERE c.run = ? AND {wanted} ORDER BY c.position, c.repetition, k.number"
        )
        for run in runs:
            record = self.run(run)
            for row in self._many(query, (run,)):
                yield _row(record, row)

    def row_at(self, run: RunRecord | int, where: Sequence[int]) -> dict[str, Any] | None:
        """The row of the case with this position, repetition and number; None if the run has none there."""
        query = (
            f"SELECT {_COLUMNS} FROM cases k JOIN checks c USING (run, position, repetition)"
            " WHERE k.run = ? AND k.position = ? AND k.repetition = ? AND k.number = ?"
        )
        record = self.run(run) if isinstance(run, int) else run
        found = self._one(query, (record.id, *where))
        return _row(record, found) if found else None

    def errors(self, runs: Sequence[int], limit: int) -> list[dict[str, Any]]:
        """The first rows with an error."""
        return list(itertools.islice(self.rows(runs, only_errors=True), limit))

    def worst(self, runs: Sequence[int], limit: int, *, violated: bool = False) -> list[dict[str, Any]]:
        """The most suspicious cases; scales differ, so lists across runs go by rank within the run."""
        query = (
            f"SELECT {_COLUMNS}, k.run, k.place FROM ({_ranked(runs, violated)}) k"
            " JOIN checks c USING (run, position, repetition)"
            " WHERE k.place <= ? ORDER BY k.place, k.run LIMIT ?"
        )
        return self._with_rank(query, runs, (*runs, limit, limit))

    def worst_segments(self, runs: Sequence[int], limit: int) -> list[dict[str, Any]]:
        """Every violated case of so many segments, those with the worst cases first."""
        query = (
            f"WITH ranked AS ({_ranked(runs, True)}),"
            " chosen AS (SELECT run, position, min(place) AS first FROM ranked GROUP BY run, position"
            "  ORDER BY first, run LIMIT ?)"
            f" SELECT {_COLUMNS}, k.run, k.place FROM ranked k JOIN chosen USING (run, position)"
            " JOIN checks c USING (run, position, repetition) ORDER BY chosen.first, k.run, k.place"
        )
        return self._with_rank(query, runs, (*runs, limit))

    def _with_rank(self, query: str, runs: Sequence[int], values: Sequence[Any]) -> list[dict[str, Any]]:
        records = {run: self.run(run) for run in runs}
        return [{**_row(records[row[12]], row[:12]), "rank": row[13]} for row in self._many(query, values)]

    # -- inside ---------------------------------------------------------------------------------

    def _many(self, query: str, values: Sequence[Any]) -> Iterator[Any]:
        with told(self.path):
            # `yield from` would close the cursor of whoever stops reading, who may have closed the workspace before.
            for row in self._db.execute(query, values):  # noqa: UP028
                yield row

    def _one(self, query: str, values: Sequence[Any]) -> Any:
        with told(self.path):
            return self._db.execute(query, values).fetchone()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with told(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:  # on a full disk SQLite has rolled back by itself
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")


def _take(lock: IO[str]) -> None:
    """Lock a file for oneself, also where somebody is just looking whether it is locked."""
    for patience in (0.01, 0.02, 0.04):
        with contextlib.suppress(BlockingIOError):
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        time.sleep(patience)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


@cache
def is_distinct(relation: str) -> bool:
    """Whether the texts of a case say all that it asks, whatever the options and wherever it stands in a corpus."""
    with contextlib.suppress(UserError):
        return bool(getattr(plugins.load("relations", relation), "DISTINCT", False))
    return False


@cache
def _answered(relation: str) -> frozenset[str]:
    with contextlib.suppress(UserError):
        return frozenset(getattr(plugins.load("relations", relation), "ANSWERED", ()))
    return frozenset()


def asked_factors(relation: str, factors: Mapping[str, str]) -> str:
    """The factors of a case that are part of its question, as one text: all but those of the relation's `ANSWERED`."""
    answered = _answered(relation)
    return json.dumps({name: each for name, each in factors.items() if name not in answered}, sort_keys=True)


def case_key(run: RunRecord, case: Case) -> bytes:
    """What makes two cases the same test, whatever the threshold and the answers."""
    told = {} if is_distinct(run.relation) else run.settings
    settings = besides(run.relation, told)
    # What the system itself produced on the way is an answer, not an input.
    produced = (case.source_output, *case.steps.values())
    inputs = (case.source,) if case.follow_up in produced else (case.source, case.follow_up)
    return digest(
        run.relation,
        json.dumps(settings, sort_keys=True, default=list),
        run.system,
        run.source,
        run.target,
        asked_factors(run.relation, case.factors),
        *(part for text in inputs for part in (text.lang, text.words)),
    )


def _ranked(runs: Sequence[int], violated: bool) -> str:
    """The cases of runs with their rank within the run; the same case occurring twice is taken once."""
    return (
        "SELECT *, row_number() OVER"
        " (PARTITION BY run ORDER BY suspicion DESC, position, number, repetition) AS place FROM ("
        " SELECT *, row_number() OVER (PARTITION BY run, key ORDER BY position, repetition, number) AS twin"
        f" FROM cases WHERE run IN ({', '.join('?' * len(runs))})"
        + (" AND suspicion > threshold" if violated else "")
        + ") WHERE twin = 1"
    )


def _spend(db: sqlite3.Connection, spent: Spent | None) -> None:
    if spent is not None:
        db.execute(
            "UPDATE runs SET asked = asked + ?, sent = sent + ?, cached = cached + ?, seconds = seconds + ?"
            " WHERE id = ?",
            (spent.asked, spent.sent, spent.cached, spent.seconds, spent.run),
        )
        for column, more in (("rejected", spent.rejected), ("stages", spent.stages)):
            if more:
                _add(db, column, spent.run, more)


def _add(db: sqlite3.Connection, column: str, run: int, more: Mapping[str, float]) -> None:
    row = db.execute(f"SELECT {column} FROM runs WHERE id = ?", (run,)).fetchone()
    if row is not None:
        every = json.loads(row[0])
        every |= {name: every.get(name, 0) + value for name, value in more.items()}
        written = json.dumps(dict(sorted(every.items())), ensure_ascii=False)
        db.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (written, run))


def _key(system: str, version: str, direction: tuple[str, str], text: str) -> bytes:
    return digest(system, version, *direction, text)


def _row(run: RunRecord, found: Sequence[Any]) -> dict[str, Any]:
    position, repetition, segment, domain, text, reference, error, number, key, suspicion, threshold, packed = found
    row: dict[str, Any] = {
        "run": run.id,
        "relation": run.relation,
        "system": run.system,
        "source_lang": run.source,
        "target_lang": run.target,
        "position": position,
        "repetition": repetition,
        "segment": segment,
        "domain": domain,
        "text": text,
        "reference": reference,
        "error": error,
    }
    if number is None:
        return row
    return row | {
        "case": key.hex(),
        "number": number,
        "suspicion": suspicion,
        "threshold": threshold,
        "violated": suspicion > threshold,
        **body.unpack(packed),
    }
