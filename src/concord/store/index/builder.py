"""What the index keeps of one run, made from its rows.

The columns stand in the order of rank: by falling suspicion, then as in the corpus. They have the first of several
occurrences of a case and, where that one is not violated, also the first violated one.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.model import FLAGS, ROLES
from concord.store.hashes import half
from concord.store.hashes import mark as mark  # also asked for here
from concord.store.index.blobs import put_blob
from concord.store.index.columns import BAD, DTYPES, ERRORS, FACTS, FIRST, HIT, PARTED
from concord.store.index.words import Writer
from concord.store.label_rows import outputs_of
from concord.store.verdict_arrays import PART, sentence_verdicts
from concord.store.workspace import Workspace

Array = NDArray[Any]


def build(workspace: Workspace, db: sqlite3.Connection, run: int, stamp: str) -> None:
    """Write all of a run into the index, within the transactions of the caller on both sides."""
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
    columns["by_position"] = np.lexsort((columns["position"],)).astype(np.uint32)
    keys = rows["high"][order]
    by_key = np.lexsort((keys,))
    columns |= {"by_key": by_key.astype(np.uint32), "keys": keys[by_key]}
    columns |= _judged(rows)
    counts = _counted(rows, names["domains"], relation.distinct)
    for name, each in checks.items():
        each["cases"], each["violated"] = counts.get(name, (0, 0))
    facts = {"rows": len(rows["row"]), "errors": errors.flush(), **names, "counts": checks}
    db.execute("INSERT INTO runs VALUES (?, ?)", (run, stamp))
    put_blob(db, run, FACTS, stamp, json.dumps(facts).encode())
    for name, column in columns.items():
        put_blob(db, run, name, stamp, column.tobytes())


_Checks = dict[str, Counter[str]]
"""By domain: how many checks there are, how many of them bare and how many with an error."""


class _Errors:
    """Takes the rows with an error and writes their list, a piece at a time."""

    def __init__(self, db: sqlite3.Connection, run: int, stamp: str) -> None:
        self._db = db
        self._of = (run, stamp)
        self._rows: list[dict[str, Any]] = []
        self._written = 0

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) == ERRORS:
            self.flush()

    def flush(self) -> int:
        """Write what is left; gives how many there are."""
        run, stamp = self._of
        if self._rows:
            put_blob(self._db, run, f"errors from {self._written}", stamp, json.dumps(self._rows).encode())
        self._written += len(self._rows)
        self._rows = []
        return self._written


def _read(
    workspace: Workspace, db: sqlite3.Connection, run: int, errors: _Errors
) -> tuple[dict[str, Array], dict[str, list[str]], _Checks]:
    """The cases of a run as columns in corpus order; its `domains` and `parts`; and its checks.

    Words and rows with an error are written on the way.
    """
    numbers: dict[str, array[int]] = {
        name: array("q") for name in ("position", "repetition", "number", "domain", "part")
    }
    measures: dict[str, array[float]] = {name: array("d") for name in ("suspicion", "threshold")}
    hashes: dict[str, array[int]] = {name: array("Q") for name in ("high", "low", "outputs")}
    domains: dict[str, int] = {}
    parts: dict[str, int] = {}
    writer = Writer(db, run)
    every: list[array[Any]] = [*numbers.values(), *measures.values(), *hashes.values()]
    checks: _Checks = defaultdict(Counter)
    for row in _counting(workspace.rows([run], bare=True), checks, errors):
        writer.add(_texts(row))
        key = bytes.fromhex(row["case"])
        domain = domains.setdefault(row["domain"], len(domains))
        part = parts.setdefault(row["factors"].get(PART, ""), len(parts))
        values = (
            *(row["position"], row["repetition"], row["number"], domain, part, row["suspicion"], row["threshold"]),
            *(half(key), int.from_bytes(key[8:16]), mark(outputs_of(row))),
        )
        for column, value in zip(every, values, strict=True):
            column.append(value)
    writer.flush()
    found = {name: np.frombuffer(each, dtype="i8") for name, each in numbers.items()}
    found |= {name: np.frombuffer(each, dtype="f8") for name, each in measures.items()}
    found |= {name: np.frombuffer(each, dtype="u8") for name, each in hashes.items()}
    for name in ("repetition", "number", "domain"):
        found[name] = found[name].astype(DTYPES[name])
    found["row"] = np.arange(len(found["position"]))
    return found, {"domains": list(domains), "parts": list(parts)}, checks


def _counting(rows: Iterable[dict[str, Any]], checks: _Checks, errors: _Errors) -> Iterator[dict[str, Any]]:
    """The rows that are cases; on the way, errors are written and checks counted, with a damaged case as errors."""
    last, failed = (-1, -1), False
    for row in rows:
        count = checks[row["domain"]]
        if (place := (row["position"], row["repetition"])) != last:
            last, failed = place, False
            count["checks"] += 1
            count["bare"] += row["error"] is None and "case" not in row
        if row["error"] is not None:
            errors.add(row)
            count["errors"] += not failed
            failed = True
        if "case" in row:
            yield row


def _texts(row: dict[str, Any]) -> set[str]:
    steps = (each["words"] for each in row["steps"].values())
    return {row["text"], *(row[role]["words"] for role in ROLES), *steps}


def _ranked(rows: dict[str, Array]) -> tuple[Array, Array]:
    """The rows that are kept, in the order of rank, and the flags of all."""
    bad = rows["bad"]
    first, hit = _firsts(rows, np.ones_like(bad)), _firsts(rows, bad)
    flags = (first * FIRST + bad * BAD + hit * HIT).astype(np.uint8)
    order = np.lexsort((rows["repetition"], rows["number"], rows["position"], -rows["suspicion"]))
    return order[(first | hit)[order]], flags


def _firsts(rows: dict[str, Array], among: Array) -> Array:
    """Which rows are the first of their key."""
    places = np.flatnonzero(among)
    high, low = rows["high"][places], rows["low"][places]
    order = np.lexsort((low, high))
    found = np.zeros(len(among), dtype=bool)
    found[places[order[_starts(high[order], low[order])]]] = True
    return found


def _starts(*sorted_: Array) -> Array:
    """Where a new group begins in columns that are sorted together."""
    new = np.ones(len(sorted_[0]), dtype=bool)
    if len(new):
        new[1:] = np.logical_or.reduce([each[1:] != each[:-1] for each in sorted_])
    return np.flatnonzero(new)


def _judged(rows: dict[str, Array]) -> dict[str, Array]:
    """The verdicts on sentences, one for each part of their cases."""
    judged, which = np.unique(rows["part"] * PARTED + rows["position"], return_inverse=True)
    _, bad = sentence_verdicts(which, rows["repetition"], rows["bad"], len(judged))
    return {"judged": judged, "judged_violated": bad.astype(np.uint8)}


def _counted(rows: dict[str, Array], domains: Sequence[str], distinct: bool) -> dict[str, tuple[int, int]]:
    """Cases and violations by domain, counted as `Workspace.tally` does."""
    bad, domain = rows["bad"], rows["domain"]
    if distinct and len(bad):
        order = np.lexsort((rows["low"], rows["high"], rows["repetition"]))
        starts = _starts(*(rows[name][order] for name in ("repetition", "high", "low")))
        bad, domain = np.logical_or.reduceat(bad[order], starts), domain[order[starts]]
    cases, violated = (np.bincount(domain, weight, len(domains)) for weight in (None, bad))
    return {name: (int(cases[at]), int(violated[at])) for at, name in enumerate(domains)}
