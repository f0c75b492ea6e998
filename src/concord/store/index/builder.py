"""Building the index of one run from its rows.

The columns are in the order of rank: by descending suspicion, then as in the corpus. Of several occurrences of a case
they have the first and, where that one is not flagged, also the first flagged one.
"""

import json
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.errors import NOT_JUDGED
from concord.model import FLAGS, ROLES
from concord.store.case_keys import key_number, outputs_number, sentence_number
from concord.store.findings import contradiction_number, finding_number, problem_number, suspects
from concord.store.index.blobs import put_blob
from concord.store.index.columns import BAD, DTYPES, ERRORS, FACTS, FIRST, HIT, PARTED, SUSPECTS
from concord.store.index.words import Writer
from concord.store.label_rows import outputs_of
from concord.store.verdict_arrays import PART, sentence_verdicts
from concord.store.workspace import Workspace

Array = NDArray[Any]


def build(workspace: Workspace, db: sqlite3.Connection, run: int, stamp: str) -> None:
    """Write all of a run into the index, within the caller's transactions on the workspace and the index."""
    relation = workspace.run(run).facts
    errors = _Errors(db, run, stamp)
    rows, names, checks = _read(workspace, db, run, errors)
    rows["bad"] = FLAGS[relation.operator](rows["suspicion"], rows["threshold"])
    order, flags = _ranked(rows)
    columns = {name: rows[name][order] for name in ("position", "repetition", "number", "suspicion", "domain")}
    columns |= {
        "flags": flags[order],
        "outputs": rows["outputs"][order],
        "threshold": rows["threshold"][order],
        "row": order.astype(np.uint32),
    }
    listed = order[(flags[order] & HIT) > 0]
    columns |= {name: rows[name][listed] for name in SUSPECTS}
    columns["by_position"] = np.lexsort((columns["position"],)).astype(np.uint32)
    keys = rows["high"][order]
    by_key = np.lexsort((keys,))
    columns |= {"by_key": by_key.astype(np.uint32), "keys": keys[by_key]}
    columns |= _sentence_columns(rows)
    counts = _count_cases(rows, names["domains"], relation.distinct)
    for domain, count in checks.items():
        count["cases"], count["flagged"] = counts.get(domain, (0, 0))
    facts = {"rows": len(rows["row"]), "errors": errors.flush(), **names, "counts": checks}
    db.execute("INSERT INTO runs VALUES (?, ?)", (run, stamp))
    put_blob(db, run, FACTS, stamp, json.dumps(facts).encode())
    for name, column in columns.items():
        put_blob(db, run, name, stamp, column.tobytes())


_Checks = dict[str, Counter[str]]
"""By domain: the numbers of checks, of checks without case and error, and of checks with an error."""


class _Errors:
    """Writes the rows with an error, a batch at a time."""

    def __init__(self, db: sqlite3.Connection, run: int, stamp: str) -> None:
        self._db = db
        self._run, self._stamp = run, stamp
        self._rows: list[dict[str, Any]] = []
        self._written = 0

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) == ERRORS:
            self.flush()

    def flush(self) -> int:
        """Write the remaining rows and return how many there are in all."""
        if self._rows:
            name, packed = f"errors from {self._written}", json.dumps(self._rows).encode()
            put_blob(self._db, self._run, name, self._stamp, packed)
        self._written += len(self._rows)
        self._rows = []
        return self._written


def _read(
    workspace: Workspace, db: sqlite3.Connection, run: int, errors: _Errors
) -> tuple[dict[str, Array], dict[str, list[str]], _Checks]:
    """The cases of a run as columns in corpus order; its `domains` and `parts`; and its checks.

    On the way, words and rows with an error are written.
    """
    numbers: dict[str, array[int]] = {
        name: array("q") for name in ("position", "repetition", "number", "domain", "part", "sentence")
    }
    measures: dict[str, array[float]] = {name: array("d") for name in ("suspicion", "threshold")}
    hashes: dict[str, array[int]] = {name: array("Q") for name in ("high", "low", "outputs", *SUSPECTS)}
    domains: dict[str, int] = {}
    parts: dict[str, int] = {}
    writer = Writer(db, run)
    buffers: list[array[Any]] = [*numbers.values(), *measures.values(), *hashes.values()]
    checks: _Checks = defaultdict(Counter)
    for row in _counting(workspace.rows([run], bare=True), checks, errors):
        writer.add(_texts(row))
        key = bytes.fromhex(row["case"])
        domain = domains.setdefault(row["domain"], len(domains))
        part = parts.setdefault(row["factors"].get(PART, ""), len(parts))
        values = (
            *(row["position"], row["repetition"], row["number"], domain, part, sentence_number(row["text"]) % PARTED),
            *(row["suspicion"], row["threshold"]),
            *(key_number(key), int.from_bytes(key[8:16]), outputs_number(outputs_of(row))),
            *(_suspect_numbers(row) if row["flagged"] else (0,) * len(SUSPECTS)),
        )
        for buffer, value in zip(buffers, values, strict=True):
            buffer.append(value)
    writer.flush()
    columns = {name: np.frombuffer(buffer, buffer.typecode) for name, buffer in (numbers | measures | hashes).items()}
    for name in ("repetition", "number", "domain"):
        columns[name] = columns[name].astype(DTYPES[name])
    columns["row"] = np.arange(len(columns["position"]))
    return columns, {"domains": list(domains), "parts": list(parts)}, checks


def _counting(rows: Iterable[dict[str, Any]], checks: _Checks, errors: _Errors) -> Iterator[dict[str, Any]]:
    """The rows that are cases; on the way, errors are written and checks counted. A damaged case is an error."""
    last, failed = (-1, -1), False
    for row in rows:
        count = checks[row["domain"]]
        if (location := (row["position"], row["repetition"])) != last:
            last, failed = location, False
            count["checks"] += 1
            count["bare"] += row["error"] is None and "case" not in row
        if row["error"] is not None:
            errors.add(row)
            count["not_judged" if row["error"].startswith(NOT_JUDGED) else "errors"] += not failed
            failed = True
        if "case" in row:
            yield row


def _texts(row: dict[str, Any]) -> set[str]:
    steps = (text["words"] for text in row["steps"].values())
    return {row["text"], *(row[role]["words"] for role in ROLES), *steps}


def _suspect_numbers(row: dict[str, Any]) -> list[int]:
    """The numbers of the columns `SUSPECTS`."""
    numbers: list[int] = []
    for suspect in suspects(row):
        finding, problem = finding_number(row, suspect.translation), problem_number(row, suspect.wrong)
        numbers += finding, problem, contradiction_number(row, suspect)
    return numbers + [0] * (len(SUSPECTS) - len(numbers))


def _ranked(rows: dict[str, Array]) -> tuple[Array, Array]:
    """The rows that the index has, in the order of rank, and the flags of all rows."""
    bad = rows["bad"]
    first, hit = _firsts(rows, np.ones_like(bad)), _firsts(rows, bad)
    flags = (first * FIRST + bad * BAD + hit * HIT).astype(np.uint8)
    order = np.lexsort((rows["repetition"], rows["number"], rows["position"], -rows["suspicion"]))
    return order[(first | hit)[order]], flags


def _firsts(rows: dict[str, Array], among: Array) -> Array:
    """Which of the rows `among` are the first with their key."""
    candidates = np.flatnonzero(among)
    high, low = rows["high"][candidates], rows["low"][candidates]
    order = np.lexsort((low, high))
    is_first = np.zeros(len(among), dtype=bool)
    is_first[candidates[order[_starts(high[order], low[order])]]] = True
    return is_first


def _starts(*columns: Array) -> Array:
    """Where a new group begins in columns that are sorted together."""
    new = np.ones(len(columns[0]), dtype=bool)
    if len(new):
        new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return np.flatnonzero(new)


def _sentence_columns(rows: dict[str, Array]) -> dict[str, Array]:
    """The verdicts on sentences, one for each part of their cases."""
    judged, sentence_of = np.unique(rows["part"] * PARTED + rows["sentence"], return_inverse=True)
    _, flagged = sentence_verdicts(sentence_of, rows["repetition"], rows["bad"], len(judged))
    return {"judged": judged, "judged_flagged": flagged.astype(np.uint8)}


def _count_cases(rows: dict[str, Array], domains: Sequence[str], distinct: bool) -> dict[str, tuple[int, int]]:
    """The numbers of cases and of flagged ones by domain, counted as `Workspace.tally` does."""
    bad, domain = rows["bad"], rows["domain"]
    if distinct and len(bad):
        order = np.lexsort((rows["low"], rows["high"], rows["repetition"]))
        starts = _starts(*(rows[name][order] for name in ("repetition", "high", "low")))
        bad, domain = np.logical_or.reduceat(bad[order], starts), domain[order[starts]]
    cases, flagged = (np.bincount(domain, weight, len(domains)) for weight in (None, bad))
    return {name: (int(cases[number]), int(flagged[number])) for number, name in enumerate(domains)}
