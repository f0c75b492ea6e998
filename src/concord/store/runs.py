"""The runs of a workspace: beginning them, adding outcomes, finishing them, and reading their records."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any

from concord.database import LONGEST_VALUE
from concord.errors import UserError
from concord.model import Outcome, RelationFacts
from concord.store import case_json
from concord.store.case_keys import case_key
from concord.store.costs import Spent, spend
from concord.store.damage import DamagedRow, sound
from concord.store.file import DatabaseFile
from concord.store.records import RECORD, RunRecord, mended, record_of

# The index beside the workspace tells by these columns that a run has changed.
_CHANGED = "UPDATE runs SET changes = changes + 1, changed = ? WHERE id = ?"


class StoredRuns(DatabaseFile):
    """The runs in a workspace. A process that writes them must have claimed the workspace."""

    def unfinished(self, signature: str) -> RunRecord | None:
        where = "WHERE signature = ? AND finished IS NULL ORDER BY id DESC LIMIT 1"
        rows = self.many(f"SELECT {self._columns} FROM runs {where}", (signature,))
        # A damaged record, or one without the relation's facts, does not say how its cases are to be judged and keyed;
        # another run is begun.
        runs = sound(rows, RECORD, record_of, lambda row: f"run {row[0]}")
        return next((run for run in runs if run.facts.known), None)

    def begin(self, facts: Mapping[str, Any]) -> RunRecord:
        columns = ", ".join([*facts, "started"])
        placeholders = ", ".join("?" * (len(facts) + 1))
        plain = [asdict(v) if isinstance(v, RelationFacts) else v for v in facts.values()]
        values = [json.dumps(v, ensure_ascii=False) if isinstance(v, (Mapping, list)) else v for v in plain]
        with self.writing() as db:
            insert = f"INSERT INTO runs ({columns}) VALUES ({placeholders})"
            number = db.execute(insert, (*values, self.clock())).lastrowid
        assert number is not None
        return self.run(number)

    def is_checked(self, run: int, position: int, repetition: int) -> bool:
        """Whether a sentence was checked without an error."""
        find = "SELECT 1 FROM checks WHERE run = ? AND position = ? AND repetition = ? AND error IS NULL"
        return self.first(find, (run, position, repetition)) is not None

    def add(
        self,
        run: RunRecord,
        outcomes: Iterable[Outcome],
        *,
        spent: Spent | None = None,
    ) -> None:
        """Store outcomes and their costs. An outcome replaces an earlier one of the same check, such as an error."""
        checks, cases, locations = [], [], []
        for outcome in outcomes:
            segment = outcome.segment
            location = (run.id, segment.position, outcome.repetition)
            facts = (segment.id, segment.domain, segment.text.words, segment.reference)
            locations.append(location)
            bodies = [case_json.pack(case) for case in outcome.cases]
            long = any(len(body) > LONGEST_VALUE // 4 and len(body.encode()) > LONGEST_VALUE for body in bodies)
            refusal = f"a case has texts of more than {LONGEST_VALUE:,} bytes, and is not stored"
            error = refusal if long else outcome.error
            stored = [] if long else list(zip(outcome.cases, bodies, strict=True))
            checks.append((*location, *facts, len(stored), error, outcome.untested))
            for number, (case, body) in enumerate(stored):
                cases.append((*location, number, case_key(run, case), case.suspicion, case.threshold, body))
        with self.writing() as db:
            db.executemany("DELETE FROM cases WHERE run = ? AND position = ? AND repetition = ?", locations)
            db.executemany("INSERT OR REPLACE INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", checks)
            db.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", cases)
            if locations:
                db.execute(_CHANGED, (self.clock(), run.id))
            spend(db, spent)

    def discard(self, run: RunRecord) -> None:
        """Delete a run that has no outcome."""
        with self.writing() as db:
            db.execute("DELETE FROM runs WHERE id = ?", (run.id,))

    def finish(self, run: RunRecord) -> None:
        with self.writing() as db:
            db.execute("UPDATE runs SET finished = ? WHERE id = ?", (self.clock(), run.id))

    def run(self, number: int) -> RunRecord:
        record = next(self._runs("WHERE id = ?", (number,)), None)
        if record is None:
            numbers = ", ".join(str(run.id) for run in self.runs()) or "none"
            raise UserError(f"there is no run {number} in {self.path}. Runs: {numbers}")
        return record

    def runs(self) -> list[RunRecord]:
        return list(self._runs("ORDER BY id", ()))

    @cached_property
    def _columns(self) -> str:
        if self.has("runs", "facts"):
            return RECORD.columns
        # The file is read-only and of an older format.
        from concord.store.migration_facts import FACTS, prepare

        prepare(self._db)
        return RECORD.columns.replace("facts", FACTS)

    def _runs(self, where: str, values: Sequence[Any]) -> Iterator[RunRecord]:
        for row in self.many(f"SELECT {self._columns} FROM runs {where}", values):
            try:
                yield RECORD.make(record_of, row)
            except DamagedRow as error:
                yield mended(row, error)
