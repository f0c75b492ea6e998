"""A step of the migrations: the record of a run has the facts of its relation, and thresholds are what was asked for.

SemMT flags what is at its threshold, too. To say so, its cases had the next smaller number in place of the threshold.
Rows are changed, so that whoever reads them need not know of it. Nothing else goes by a threshold, least of all a key.
"""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
from dataclasses import asdict, replace
from typing import Any

from concord import plugins
from concord.errors import MALFORMED, UserError
from concord.model import RelationFacts
from concord.relations._protocol import load_relation

FACTS = "facts_by_then(relation, settings)"
"""The facts of a run of before this step as an SQL expression, after `prepare`."""
# What holds now is for the relations to say; this is what was the case when the step was written.
_AT_IT = "semmt"
_DIGITS = 12
_REAL = "run = ? AND typeof(threshold) = 'real'"
_UNKNOWN = (
    "the relation was not installed when the workspace was brought to the present format, so that what it says of its"
    " cases and scores is not known"
)


def prepare(db: sqlite3.Connection) -> None:
    """Let SQL ask the relations that are installed."""
    db.create_function("facts_by_then", 2, lambda relation, settings: json.dumps(asdict(_facts(relation, settings))))


def with_facts(db: sqlite3.Connection) -> None:
    """Fill the records from the relations that are installed; those of others say that theirs is not."""
    db.create_function("plain_threshold", 1, _plain)
    db.execute("ALTER TABLE runs ADD COLUMN facts TEXT NOT NULL DEFAULT '{}'")
    for run, relation, settings, notes in db.execute("SELECT id, relation, settings, notes FROM runs").fetchall():
        facts = _facts(relation, settings)
        other = f"SELECT 1 FROM cases WHERE {_REAL} AND plain_threshold(threshold) = threshold"
        if relation == _AT_IT and db.execute(other, (run,)).fetchone() is None:
            facts = replace(facts, operator=">=")
            db.execute(f"UPDATE cases SET threshold = plain_threshold(threshold) WHERE {_REAL}", (run,))
            # What is kept beside the workspace about the run has its thresholds.
            db.execute("UPDATE runs SET changes = changes + 1 WHERE id = ?", (run,))
        told = (json.dumps(asdict(facts)), notes if facts.known else _noted(notes), run)
        db.execute("UPDATE runs SET facts = ?, notes = ? WHERE id = ?", told)


def _facts(relation: object, settings: object) -> RelationFacts:
    """The facts of a run whose cases are flagged above their thresholds, as all were."""
    found = RelationFacts(better_when_higher=tuple(plugins.names("metrics")), known=False)
    with contextlib.suppress(UserError):
        told, known = _loaded(settings, {}), load_relation(str(relation))
        # Runs had an option for what is a form of the relation by now.
        by_paper = known.compares and told.get("comparison") == "paper"
        found = (load_relation(f"{relation}:paper") if by_paper else known).facts(told)
    return replace(found, operator=">")


def _noted(notes: object) -> object:
    found = _loaded(notes, [])
    return json.dumps([*found, _UNKNOWN], ensure_ascii=False) if found or notes == "[]" else notes


def _loaded(packed: object, otherwise: Any) -> Any:
    """The value of a JSON column, which may be damaged."""
    with contextlib.suppress(*MALFORMED):
        found = json.loads(str(packed))
        return found if isinstance(found, type(otherwise)) else otherwise
    return otherwise


def _plain(threshold: float) -> float:
    """The number that was asked for, in place of the next smaller one; any other as it is."""
    following = math.nextafter(threshold, math.inf)
    trick = following == round(following, _DIGITS) and threshold != round(threshold, _DIGITS)
    return following if trick else threshold
