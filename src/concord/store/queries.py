"""Reading the rows of runs: a case with its texts and evidence, or an error in its place."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from concord.errors import LONGEST_NAME, NOT_JUDGED
from concord.model import FLAGS, Direction
from concord.store import case_json
from concord.store.damage import DamagedRow, Shape, left_out, printable
from concord.store.records import RunRecord
from concord.store.runs import StoredRuns

ROW = (
    "c.position, c.repetition, c.segment, c.domain, c.text, c.reference, c.error, c.cases,"
    " k.number, k.key, k.suspicion, k.threshold, k.body"
)
"""The columns that `row_of` takes; the query calls checks `c` and cases `k`."""
CHECK_FIELDS = (
    "run", "relation", "system", "source_lang", "target_lang", "position", "repetition", "segment", "domain", "text",
    "reference", "error",
)  # fmt: skip
_CHECK: dict[str, Any] = {
    "position": int, "repetition": int, "segment": str, "domain": str, "text": str, "reference": str | None,
}  # fmt: skip
_CASE_COLUMNS = Shape(
    **_CHECK, error=str | None, cases=int, number=int, key=bytes, suspicion=float, threshold=float, body=str
)
_CHECK_COLUMNS = Shape(
    **_CHECK,
    error=str | None,
    cases=int,
    **dict.fromkeys(("number", "key", "suspicion", "threshold", "body"), type(None)),
)
FAILURE_SQL = "CASE WHEN json_valid(body) THEN json_extract(body, '$.factors.failure') END"
"""The SQL expression for how an answer fails, in a run of `sane`; NULL for a damaged row."""
MOST_REASONS = 20
_LIMIT = 2**31
"""Positions, repetitions and numbers of cases are below it."""
_KEY_BYTES = 16
_CURE = "Repeat the run for a sound row; what is stored is not asked for again"


class RunQueries(StoredRuns):
    """The rows and counts of the runs in a workspace."""

    def tally(self, run: int) -> dict[str, int]:
        """Counts of a run: checks, those without a case, with a case that is not judged, with an error; cases."""
        checks, errors, not_judged, bare = self.first(
            "SELECT count(*), count(error), coalesce(sum(error GLOB ?), 0),"
            " coalesce(sum(error IS NULL AND cases = 0), 0) FROM checks WHERE run = ?",
            (f"{NOT_JUDGED}*", run),
        )
        record = self.run(run)
        # A relation of distinct cases tells them apart by what they ask, any other by their places.
        identity = "key" if record.facts.distinct else "position, number"
        cases, flagged = self.first(
            f"SELECT count(*), coalesce(sum(bad), 0) FROM (SELECT max({flagged_sql([record])}) AS bad FROM cases"
            f" WHERE run = ? GROUP BY repetition, {identity})",
            (run,),
        )
        counts = {"checks": checks, "bare": bare, "cases": cases, "flagged": flagged}
        return counts | {"not_judged": not_judged, "errors": errors - not_judged}

    def untested(self, run: int) -> dict[str, int]:
        """How many checks of a run have nothing to test for each reason, the most frequent first.

        Details of the sentence, which follow a semicolon, are left out.
        """
        if not self.has("checks", "untested"):  # the file is read-only and of an older format
            return {}
        query = (
            "SELECT substr(untested, 1, instr(untested || ';', ';') - 1), count(*) FROM checks WHERE run = ? AND"
            " error IS NULL AND cases = 0 AND typeof(untested) = 'text' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?"
        )
        return dict(self.many(query, (run, MOST_REASONS)))

    def failures(self, run: RunRecord) -> dict[str, int]:
        """How many answers in a run of `sane` fail for each kind of reason, the most frequent first.

        Damaged rows are left out.
        """
        query = (
            f"SELECT {FAILURE_SQL}, count(*) FROM cases WHERE run = ? AND {flagged_sql([run])}"
            " GROUP BY 1 ORDER BY 2 DESC, min(position)"
        )
        return {str(kind)[:LONGEST_NAME]: count for kind, count in self.many(query, (run.id,)) if kind is not None}

    def repetitions(self, run: int) -> int:
        """How often each segment was checked in a run."""
        query = "SELECT coalesce(max(repetition), 0) FROM checks WHERE run = ? AND typeof(repetition) = 'integer'"
        (last,) = self.first(query, (run,))
        return int(last) + 1

    def positions_without_cases(self, run: int) -> int:
        """How many segments of a run have neither a case nor an error, in any repetition."""
        query = (
            "SELECT count(*) FROM (SELECT position FROM checks WHERE run = ? GROUP BY position"
            " HAVING count(error) = 0 AND sum(cases) = 0)"
        )
        (count,) = self.first(query, (run,))
        return int(count)

    def rows(self, runs: Sequence[int], *, bare: bool = False) -> Iterator[dict[str, Any]]:
        """Every case and error row, in corpus order; with `bare` also a row for each check that has neither.

        A damaged row becomes an error row that is marked as `damaged`.
        """
        condition = "" if bare else " AND (k.number IS NOT NULL OR c.error IS NOT NULL OR c.cases IS NOT 0)"
        query = (
            f"SELECT {ROW} FROM checks c LEFT JOIN cases k USING (run, position, repetition)"
            f" WHERE c.run = ?{condition} ORDER BY c.position, c.repetition, k.number"
        )
        for run in runs:
            record, cases = self.run(run), 0
            for columns in self.many(query, (run,)):
                cases += columns[8] is not None
                if columns[8] == 0 and _is_not_judged(columns[6]):
                    yield row_of(record, (*columns[:7], 0, *[None] * 5))
                yield row_of(record, columns)
            yield from self._orphans(record, cases)

    def _orphans(self, run: RunRecord, checked: int) -> Iterator[dict[str, Any]]:
        """The cases whose check is missing, as error rows; `checked` is how many have one."""
        count = "SELECT count(*) FROM cases INDEXED BY cases_by_suspicion WHERE run = ?"
        if self.first(count, (run.id,)) == (checked,):
            return
        query = (
            "SELECT position, repetition, '', '', '', NULL, NULL, NULL, number, NULL, NULL, NULL, NULL FROM cases k"
            " WHERE run = ? AND NOT EXISTS (SELECT 1 FROM checks c WHERE c.run = k.run AND c.position = k.position"
            " AND c.repetition = k.repetition) ORDER BY position, repetition, number"
        )
        for columns in self.many(query, (run.id,)):
            yield _damaged_row(run, columns, "its check is missing")

    def row_at(self, run: RunRecord | int, location: Sequence[int]) -> dict[str, Any] | None:
        """The row of the case with this position, repetition and number; None if the run has none there.

        It is also None, and logged, if the row is damaged.
        """
        query = (
            f"SELECT {ROW} FROM cases k JOIN checks c USING (run, position, repetition)"
            " WHERE k.run = ? AND k.position = ? AND k.repetition = ? AND k.number = ?"
        )
        record = self.run(run) if isinstance(run, int) else run
        columns = self.first(query, (record.id, *location))
        return sound_row(record, columns) if columns else None


def row_of(run: RunRecord, columns: Sequence[Any]) -> dict[str, Any]:
    """The row of a run from its columns (`ROW`); a damaged one becomes a row with an error."""
    try:
        return _row(run, columns[:7]) | _case(run, columns)
    except DamagedRow as damage:
        return _damaged_row(run, columns, str(damage))


def sound_row(run: RunRecord, columns: Sequence[Any]) -> dict[str, Any] | None:
    """The row of a case from its columns; None, and logged, if it is damaged."""
    row = row_of(run, columns)
    if "case" in row:
        return row
    left_out(row["error"])
    return None


def check_fields(run: int, relation: str, system: str, direction: Direction, facts: Sequence[Any]) -> dict[str, Any]:
    """The fields of a row that describe its check; `facts` are the last seven of `CHECK_FIELDS`."""
    return dict(zip(CHECK_FIELDS, (run, relation, system, *direction, *facts), strict=True))


def _row(run: RunRecord, facts: Sequence[Any]) -> dict[str, Any]:
    return check_fields(run.id, run.relation, run.system, (run.source, run.target), facts)


def _case(run: RunRecord, columns: Sequence[Any]) -> dict[str, Any]:
    """The fields of a row that describe its case; none if the check has no case."""
    position, repetition, *_, error, cases, number, key, suspicion, threshold, packed = columns
    if number is None:
        _CHECK_COLUMNS.check(columns)
        if error is None and cases:
            raise DamagedRow("its cases are missing")
        return {}
    _CASE_COLUMNS.check(columns)
    if error is not None and not _is_not_judged(error):
        raise DamagedRow("its check ended in an error")
    if not (0 <= position < _LIMIT and 0 <= repetition < _LIMIT and 0 <= number < cases):
        raise DamagedRow("its position, repetition or number is out of range")
    if len(key) != _KEY_BYTES:
        raise DamagedRow(f"its key has {len(key)} bytes in place of {_KEY_BYTES}")
    body = case_json.unpack(packed)
    return {
        "error": None,  # that of the check is about other cases of it
        "case": key.hex(),
        "number": number,
        "suspicion": suspicion,
        "threshold": threshold,
        "operator": run.facts.operator,
        "flagged": FLAGS[run.facts.operator](suspicion, threshold),
        **body,
        "directions": run.facts.directions(body["scores"]),
    }


def _is_not_judged(error: Any) -> bool:
    """Whether the error of a check says that some of its cases are not judged; others may be there."""
    return isinstance(error, str) and error.startswith(NOT_JUDGED)


def _damaged_row(run: RunRecord, columns: Sequence[Any], reason: str) -> dict[str, Any]:
    position, repetition, *texts = columns[:5]
    number = "" if columns[8] is None else f", case {printable(columns[8])}"
    error = f"the row at position {printable(position)}{number} of run {run.id} is damaged: {reason}. {_CURE}"
    numbers = (count if type(count) is int and 0 <= count < _LIMIT else 0 for count in (position, repetition))
    strings = (text if isinstance(text, str) else printable(text) for text in texts)
    return _row(run, (*numbers, *strings, None, error)) | {"damaged": True}


def flagged_sql(runs: Iterable[RunRecord]) -> str:
    """The SQL condition by which cases of these runs are flagged."""
    inclusive = ", ".join(str(run.id) for run in runs if run.facts.operator == ">=")
    return f"(suspicion > threshold OR suspicion = threshold AND run IN ({inclusive}))"
