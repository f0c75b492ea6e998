"""What a run has cost: texts asked for, texts sent and seconds, added up in its row."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has cost since its row was last updated."""

    run: int
    asked: int
    sent: int
    cached: int
    seconds: float
    rejected: Mapping[str, int] = field(default_factory=dict)
    stages: Mapping[str, float] = field(default_factory=dict)


def spend(db: sqlite3.Connection, spent: Spent | None) -> None:
    """Add costs to the row of the run, within the transaction of the caller."""
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
        sums = json.loads(row[0])
        sums |= {name: sums.get(name, 0) + value for name, value in more.items()}
        packed = json.dumps(dict(sorted(sums.items())), ensure_ascii=False)
        db.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (packed, run))
