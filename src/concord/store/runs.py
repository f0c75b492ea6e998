"""The runs of a workspace: begun, filled with outcomes, finished, and found again."""

from __future__ import annotations

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

# What is kept beside the workspace about a run tells by these that the run has changed since.
_CHANGED = "UPDATE runs SET changes = changes + 1, changed = ? WHERE id = ?"


class StoredRuns(DatabaseFile):
    """The runs in a workspace. Whoever writes them has claimed it."""

    def unfinished(self, signature: str) -> RunRecord | None:
        where = "WHERE signature = ? AND finished IS NULL ORDER BY id DESC LIMIT 1"
        found = self.many(f"SELECT {self._columns} FROM runs {where}", (signature,))
        # One that is damaged, or lacks the relation's facts, does not say how its cases are to be judged and keyed;
        # another one is begun.
        runs = sound(found, RECORD, record_of, lambda row: f"run {row[0]}")
        return next((run for run in runs if run.facts.known), None)

    def begin(self, facts: Mapping[str, Any]) -> RunRecord:
        columns = ", ".join([*facts, "started"])
        marks = ", ".join("?" * (len(facts) + 1))
        plain = [asdict(v) if isinstance(v, RelationFacts) else v for v in facts.values()]
        values = [json.dumps(v, ensure_ascii=False) if isinstance(v, (Mapping, list)) else v for v in plain]
        with self.writing() as db:
            made = db.execute(f"INSERT INTO runs ({columns}) VALUES ({marks})", (*values, self.clock())).lastrowid
        assert made is not None
        return self.run(made)

    def done(self, run: int, position: int, repetition: int) -> bool:
        find = "SELECT 1 FROM checks WHERE run = ? AND position = ? AND repetition = ? AND error IS NULL"
        return self.one(find, (run, position, repetition)) is not None

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
            packed = [case_json.pack(case) for case in outcome.cases]
            long = any(len(each) > LONGEST_VALUE // 4 and len(each.encode()) > LONGEST_VALUE for each in packed)
            refusal = f"a case has texts of more than {LONGEST_VALUE:,} bytes, and is not stored"
            error = refusal if long else outcome.error
            found = [] if long else list(zip(outcome.cases, packed, strict=True))
            checks.append((*place, *facts, len(found), error))
            for number, (case, each) in enumerate(found):
                cases.append((*place, number, case_key(run, case), case.suspicion, case.threshold, each))
        with self.writing() as db:
            db.executemany("DELETE FROM cases WHERE run = ? AND position = ? AND repetition = ?", places)
            db.executemany("INSERT OR REPLACE INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", checks)
            db.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", cases)
            if places:
                db.execute(_CHANGED, (self.clock(), run.id))
            spend(db, spent)

    def discard(self, run: RunRecord) -> None:
        """Forget a run that came to nothing."""
        with self.writing() as db:
            db.execute("DELETE FROM runs WHERE id = ?", (run.id,))

    def finish(self, run: RunRecord) -> None:
        with self.writing() as db:
            db.execute("UPDATE runs SET finished = ? WHERE id = ?", (self.clock(), run.id))

    def run(self, number: int) -> RunRecord:
        found = next(self._runs("WHERE id = ?", (number,)), None)
        if found is None:
            known = ", ".join(str(run.id) for run in self.runs()) or "none"
            raise UserError(f"there is no run {number} in {self.path}. Runs: {known}")
        return found

    def runs(self) -> list[RunRecord]:
        return list(self._runs("ORDER BY id", ()))

    @cached_property
    def _columns(self) -> str:
        if self.has("runs", "facts"):
            return RECORD.columns
        # It cannot be written, and is of an older format.
        from concord.store.migration_facts import FACTS, prepare

        prepare(self._db)
        return RECORD.columns.replace("facts", FACTS)

    def _runs(self, where: str, values: Sequence[Any]) -> Iterator[RunRecord]:
        for row in self.many(f"SELECT {self._columns} FROM runs {where}", values):
            try:
                yield RECORD.make(record_of, row)
            except DamagedRow as error:
                yield mended(row, error)
