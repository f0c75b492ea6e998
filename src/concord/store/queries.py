"""Rows of runs as everybody reads them: a case with its texts and evidence, or an error in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from concord.model import FLAGS
from concord.store import case_json
from concord.store.damage import DamagedRow, Shape, left_out, shown
from concord.store.records import RunRecord
from concord.store.runs import StoredRuns

ROW = (
    "c.position, c.repetition, c.segment, c.domain, c.text, c.reference, c.error, c.cases,"
    " k.number, k.key, k.suspicion, k.threshold, k.body"
)
"""The columns that `row_of` makes a row of, where a query calls checks `c` and cases `k`."""
_CHECK: dict[str, Any] = {
    "position": int, "repetition": int, "segment": str, "domain": str, "text": str, "reference": str | None,
}  # fmt: skip
_OF_CASE = Shape(
    **_CHECK, error=type(None), cases=int, number=int, key=bytes, suspicion=float, threshold=float, body=str
)
_OF_CHECK = Shape(
    **_CHECK,
    error=str | None,
    cases=int,
    **dict.fromkeys(("number", "key", "suspicion", "threshold", "body"), type(None)),
)
_FAR = 2**31
"""No position, repetition or number of a case is so large."""
_KEY_BYTES = 16
_CURE = "Repeat the run for a sound row; what is stored is not asked for again"


class RunQueries(StoredRuns):
    """What the runs in a workspace have found."""

    def tally(self, run: int) -> dict[str, int]:
        """Checks, those of them without a case, cases, violations and error rows of a run."""
        checks, errors, bare = self.one(
            "SELECT count(*), count(error), coalesce(sum(error IS NULL AND cases = 0), 0) FROM checks WHERE run = ?",
            (run,),
        )
        record = self.run(run)
        # A relation of distinct cases tells them apart by what they ask, any other by where they stand.
        one_case = "key" if record.facts.distinct else "position, number"
        cases, violated = self.one(
            f"SELECT count(*), coalesce(sum(bad), 0) FROM (SELECT max({flagged_sql([record])}) AS bad FROM cases"
            f" WHERE run = ? GROUP BY repetition, {one_case})",
            (run,),
        )
        return {"checks": checks, "bare": bare, "cases": cases, "violated": violated, "errors": errors}

    def repetitions(self, run: int) -> int:
        """How often each segment was checked in a run."""
        query = "SELECT coalesce(max(repetition), 0) FROM checks WHERE run = ? AND typeof(repetition) = 'integer'"
        (last,) = self.one(query, (run,))
        return int(last) + 1

    def positions_without_cases(self, run: int) -> int:
        """How many segments of a run have neither a case nor an error, in any repetition."""
        query = (
            "SELECT count(*) FROM (SELECT position FROM checks WHERE run = ? GROUP BY position"
            " HAVING count(error) = 0 AND sum(cases) = 0)"
        )
        (found,) = self.one(query, (run,))
        return int(found)

    def rows(self, runs: Sequence[int], *, bare: bool = False) -> Iterator[dict[str, Any]]:
        """Every case and error row, in corpus order; with `bare` also a row for each check that has neither.

        A row that is damaged in the file is an error row, and `damaged`.
        """
        wanted = "" if bare else " AND (k.number IS NOT NULL OR c.error IS NOT NULL OR c.cases IS NOT 0)"
        query = (
            f"SELECT {ROW} FROM checks c LEFT JOIN cases k USING (run, position, repetition)"
            f" WHERE c.run = ?{wanted} ORDER BY c.position, c.repetition, k.number"
        )
        for run in runs:
            record, cases = self.run(run), 0
            for found in self.many(query, (run,)):
                cases += found[8] is not None
                yield row_of(record, found)
            yield from self._orphans(record, cases)

    def _orphans(self, run: RunRecord, known: int) -> Iterator[dict[str, Any]]:
        """The cases whose check is missing, as error rows; `known` is how many have one."""
        count = "SELECT count(*) FROM cases INDEXED BY cases_by_suspicion WHERE run = ?"
        if self.one(count, (run.id,)) == (known,):
            return
        query = (
            "SELECT position, repetition, '', '', '', NULL, NULL, NULL, number, NULL, NULL, NULL, NULL FROM cases k"
            " WHERE run = ? AND NOT EXISTS (SELECT 1 FROM checks c WHERE c.run = k.run AND c.position = k.position"
            " AND c.repetition = k.repetition) ORDER BY position, repetition, number"
        )
        for found in self.many(query, (run.id,)):
            yield _damaged_row(run, found, "its check is missing")

    def row_at(self, run: RunRecord | int, where: Sequence[int]) -> dict[str, Any] | None:
        """The row of the case with this position, repetition and number; None if the run has none there.

        A damaged one is left out, too, and that is logged.
        """
        query = (
            f"SELECT {ROW} FROM cases k JOIN checks c USING (run, position, repetition)"
            " WHERE k.run = ? AND k.position = ? AND k.repetition = ? AND k.number = ?"
        )
        record = self.run(run) if isinstance(run, int) else run
        found = self.one(query, (record.id, *where))
        return sound_row(record, found) if found else None


def row_of(run: RunRecord, found: Sequence[Any]) -> dict[str, Any]:
    """The row of a run that stands in these columns (`ROW`); what is damaged is a row with an error."""
    try:
        row = _row(run, found[:7])
        row |= _case(run, found)
        return row
    except DamagedRow as damage:
        return _damaged_row(run, found, str(damage))


def sound_row(run: RunRecord, found: Sequence[Any]) -> dict[str, Any] | None:
    """The same of a case; None if it is damaged, which is logged."""
    row = row_of(run, found)
    if "case" in row:
        return row
    left_out(row["error"])
    return None


def _row(run: RunRecord, facts: Sequence[Any]) -> dict[str, Any]:
    position, repetition, segment, domain, text, reference, error = facts
    return {
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


def _case(run: RunRecord, found: Sequence[Any]) -> dict[str, Any]:
    """What a row has of its case; nothing if the check has none."""
    position, repetition, *_, error, cases, number, key, suspicion, threshold, packed = found
    if number is None:
        _OF_CHECK.check(found)
        if error is None and cases:
            raise DamagedRow("its cases are missing")
        return {}
    _OF_CASE.check(found)
    if not (0 <= position < _FAR and 0 <= repetition < _FAR and 0 <= number < cases):
        raise DamagedRow("no case can stand there")
    if len(key) != _KEY_BYTES:
        raise DamagedRow(f"its key has {len(key)} bytes in place of {_KEY_BYTES}")
    body = case_json.unpack(packed)
    return {
        "case": key.hex(),
        "number": number,
        "suspicion": suspicion,
        "threshold": threshold,
        "operator": run.facts.operator,
        "violated": FLAGS[run.facts.operator](suspicion, threshold),
        **body,
        "directions": run.facts.directions(body["scores"]),
    }


def _damaged_row(run: RunRecord, found: Sequence[Any], reason: str) -> dict[str, Any]:
    position, repetition, *texts = found[:5]
    number = "" if found[8] is None else f", case {shown(found[8])}"
    error = f"the row at position {shown(position)}{number} of run {run.id} is damaged: {reason}. {_CURE}"
    place = (each if type(each) is int and 0 <= each < _FAR else 0 for each in (position, repetition))
    return _row(run, (*place, *(text if isinstance(text, str) else shown(text) for text in texts), None, error)) | {
        "damaged": True
    }


def flagged_sql(runs: Iterable[RunRecord]) -> str:
    """The SQL condition by which cases of these runs are flagged."""
    at_it = ", ".join(str(run.id) for run in runs if run.facts.operator == ">=")
    return f"(suspicion > threshold OR suspicion = threshold AND run IN ({at_it}))"
