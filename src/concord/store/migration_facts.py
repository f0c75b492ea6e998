"""A migration: the record of a run gets the facts of its relation, and cases get the threshold that the user set.

SemMT also flags a suspicion equal to its threshold. To that end its cases stored the next smaller number in place of
the threshold. The rows are changed, so that readers need not know of it. No key depends on a threshold.
"""

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
"""The facts of a run from before this migration as an SQL expression; `prepare` defines the function."""
# The relations say what holds now; this is what held when the step was written.
_FLAGS_EQUAL = "semmt"
_DIGITS = 12
_REAL = "run = ? AND typeof(threshold) = 'real'"
_UNKNOWN = (
    "the relation was not installed when the workspace was brought to the present format, so that what it says of its"
    " cases and scores is not known"
)


def prepare(db: sqlite3.Connection) -> None:
    """Define the SQL function that asks the installed relations for their facts."""
    db.create_function("facts_by_then", 2, lambda relation, settings: json.dumps(asdict(_facts(relation, settings))))


def with_facts(db: sqlite3.Connection) -> None:
    """Fill the records from the installed relations; a record of another relation gets a note."""
    db.create_function("plain_threshold", 1, _plain)
    db.execute("ALTER TABLE runs ADD COLUMN facts TEXT NOT NULL DEFAULT '{}'")
    for run, relation, settings, notes in db.execute("SELECT id, relation, settings, notes FROM runs").fetchall():
        facts = _facts(relation, settings)
        unshifted = f"SELECT 1 FROM cases WHERE {_REAL} AND plain_threshold(threshold) = threshold"
        if relation == _FLAGS_EQUAL and db.execute(unshifted, (run,)).fetchone() is None:
            facts = replace(facts, operator=">=")
            db.execute(f"UPDATE cases SET threshold = plain_threshold(threshold) WHERE {_REAL}", (run,))
            # The index beside the workspace has the old thresholds.
            db.execute("UPDATE runs SET changes = changes + 1 WHERE id = ?", (run,))
        values = (json.dumps(asdict(facts)), notes if facts.known else _with_note(notes), run)
        db.execute("UPDATE runs SET facts = ?, notes = ? WHERE id = ?", values)


def _facts(relation: object, settings: object) -> RelationFacts:
    """The facts of a run whose cases are flagged above their thresholds, as all were."""
    facts = RelationFacts(better_when_higher=tuple(plugins.names("metrics")), known=False)
    with contextlib.suppress(UserError):
        told, known = _loaded(settings, {}), load_relation(str(relation))
        # Runs had an option for what is a form of the relation by now.
        by_paper = known.compares and told.get("comparison") == "paper"
        facts = (load_relation(f"{relation}:paper") if by_paper else known).facts(told)
    return replace(facts, operator=">")


def _with_note(notes: object) -> object:
    texts = _loaded(notes, [])
    return json.dumps([*texts, _UNKNOWN], ensure_ascii=False) if texts or notes == "[]" else notes


def _loaded(packed: object, default: Any) -> Any:
    """The value of a JSON column, or the default if it is damaged."""
    with contextlib.suppress(*MALFORMED):
        value = json.loads(str(packed))
        return value if isinstance(value, type(default)) else default
    return default


def _plain(threshold: float) -> float:
    """The threshold that the user set, if this is the next smaller number; any other number as it is."""
    following = math.nextafter(threshold, math.inf)
    shifted = following == round(following, _DIGITS) and threshold != round(threshold, _DIGITS)
    return following if shifted else threshold
