"""Rows of runs as everybody reads them: a case with its texts and evidence, or an error in its place."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from concord.store import body
from concord.store.case_keys import is_distinct
from concord.store.records import RunRecord
from concord.store.runs import Runs

ROW = (
    "c.position, c.repetition, c.segment, c.domain, c.text, c.reference, c.error,"
    " k.number, k.key, k.suspicion, k.threshold, k.body"
)
"""The columns that `row_of` makes a row of, where a query calls checks `c` and cases `k`."""


class Reading(Runs):
    """What the runs in a workspace have found."""

    def tally(self, run: int) -> dict[str, int]:
        """Checks, those of them without a case, cases, violations and error rows of a run."""
        checks, errors, bare = self.one(
            "SELECT count(*), count(error), coalesce(sum(error IS NULL AND cases = 0), 0) FROM checks WHERE run = ?",
            (run,),
        )
        cases, violated = self.one(
            "SELECT count(*), coalesce(sum(bad), 0) FROM (SELECT max(suspicion > threshold) AS bad FROM cases"
            f" WHERE run = ? GROUP BY repetition, {self._one_case(run)})",
            (run,),
        )
        return {"checks": checks, "bare": bare, "cases": cases, "violated": violated, "errors": errors}

    def repetitions(self, run: int) -> int:
        """How often each segment was checked in a run."""
        (last,) = self.one("SELECT coalesce(max(repetition), 0) FROM checks WHERE run = ?", (run,))
        return int(last) + 1

    def positions_without_cases(self, run: int) -> int:
        """How many segments of a run have neither a case nor an error, in any repetition."""
        query = (
            "SELECT count(*) FROM (SELECT position FROM checks WHERE run = ? GROUP BY position"
            " HAVING count(error) = 0 AND sum(cases) = 0)"
        )
        (found,) = self.one(query, (run,))
        return int(found)

    def _one_case(self, run: int) -> str:
        """What tells the cases of a run apart: where they stand or, for a relation of distinct cases, what they ask."""
        (relation,) = self.one("SELECT relation FROM runs WHERE id = ?", (run,))
        return "key" if is_distinct(relation) else "position, number"

    def rows(self, runs: Sequence[int], *, only_errors: bool = False) -> Iterator[dict[str, Any]]:
        """Every case and error row, in corpus order."""
        wanted = "c.error IS NOT NULL" if only_errors else "(k.number IS NOT NULL OR c.error IS NOT NULL)"
        query = (
            f"SELECT {ROW} FROM checks c LEFT JOIN cases k USING (run, position, repetition)"
            f" WHERE c.run = ? AND {wanted} ORDER BY c.position, c.repetition, k.number"
        )
        for run in runs:
            record = self.run(run)
            for row in self.many(query, (run,)):
                yield row_of(record, row)

    def row_at(self, run: RunRecord | int, where: Sequence[int]) -> dict[str, Any] | None:
        """The row of the case with this position, repetition and number; None if the run has none there."""
        query = (
            f"SELECT {ROW} FROM cases k JOIN checks c USING (run, position, repetition)"
            " WHERE k.run = ? AND k.position = ? AND k.repetition = ? AND k.number = ?"
        )
        record = self.run(run) if isinstance(run, int) else run
        found = self.one(query, (record.id, *where))
        return row_of(record, found) if found else None

    def errors(self, runs: Sequence[int], limit: int) -> list[dict[str, Any]]:
        """The first rows with an error."""
        return list(itertools.islice(self.rows(runs, only_errors=True), limit))

    def worst(self, runs: Sequence[int], limit: int, *, violated: bool = False) -> list[dict[str, Any]]:
        """The most suspicious cases; scales differ, so lists across runs go by rank within the run."""
        query = (
            f"SELECT {ROW}, k.run, k.place FROM ({_ranked(runs, violated)}) k"
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
            f" SELECT {ROW}, k.run, k.place FROM ranked k JOIN chosen USING (run, position)"
            " JOIN checks c USING (run, position, repetition) ORDER BY chosen.first, k.run, k.place"
        )
        return self._with_rank(query, runs, (*runs, limit))

    def _with_rank(self, query: str, runs: Sequence[int], values: Sequence[Any]) -> list[dict[str, Any]]:
        records = {run: self.run(run) for run in runs}
        return [{**row_of(records[row[12]], row[:12]), "rank": row[13]} for row in self.many(query, values)]


def row_of(run: RunRecord, found: Sequence[Any]) -> dict[str, Any]:
    """The row of a run that stands in these columns (`ROW`)."""
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
