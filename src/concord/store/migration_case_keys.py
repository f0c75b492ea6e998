"""A migration: keys of cases no longer depend on the answers.

Two relations had factors in their keys that depend on the answers. Each of their cases gets the key that it would get
now, and labels and queues follow. A case whose old key does not follow the rule of that time is left as it is.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from concord.errors import MALFORMED
from concord.signature import digest

# The relations say what holds now; this is what held when the step was written.
_ANSWERED = {"literals": "literals", "semmt": "read as"}
_THRESHOLDS = ("threshold", "d")
_KEYED = (("cases", "key"), ("labels", "case_key"), ("label_history", "case_key"), ("sampled", "key"))


def without_answers(db: sqlite3.Connection) -> None:
    """Give the cases of these relations their new keys, also in the tables that refer to them."""
    db.execute("CREATE TEMP TABLE renamed (old BLOB PRIMARY KEY, new BLOB NOT NULL) WITHOUT ROWID")
    for relation in _ANSWERED:
        query = "SELECT id, settings, system, source, target FROM runs WHERE relation = ?"
        for run, settings, *where in db.execute(query, (relation,)).fetchall():
            try:
                question = {name: value for name, value in json.loads(settings).items() if name not in _THRESHOLDS}
                prefix = [relation, json.dumps(question, sort_keys=True), *where]
            except MALFORMED:  # a damaged row keeps its key
                continue
            db.executemany("INSERT OR IGNORE INTO renamed VALUES (?, ?)", _renamed(db, run, prefix))
            # The index beside the workspace has the old keys.
            db.execute("UPDATE runs SET changes = changes + 1 WHERE id = ?", (run,))
    for table, column in _KEYED:
        new = f"(SELECT new FROM renamed WHERE old = {column})"
        db.execute(f"UPDATE {table} SET {column} = {new} WHERE {column} IN (SELECT old FROM renamed)")
    _drop_older_labels(db)
    db.execute("DROP TABLE renamed")


def _renamed(db: sqlite3.Connection, run: int, prefix: list[str]) -> Iterator[tuple[bytes, bytes]]:
    """The old and the new key of each case of a run; `prefix` is the part of the key that all its cases share."""
    answered = _ANSWERED[prefix[0]]
    for key, body in db.execute("SELECT key, body FROM cases WHERE run = ?", (run,)):
        try:
            case = json.loads(body)
            factors = case.get("factors", {})
            if answered in factors and key == _key(prefix, factors, case):
                yield key, _key(prefix, {name: value for name, value in factors.items() if name != answered}, case)
        except MALFORMED:
            continue


def _key(prefix: list[str], factors: Mapping[str, str], case: Mapping[str, Any]) -> bytes:
    produced = (case["source_output"], *case.get("steps", {}).values())
    inputs = (case["source"],) if case["follow_up"] in produced else (case["source"], case["follow_up"])
    texts = (part for text in inputs for part in (text["lang"], text["words"]))
    return digest(*prefix, json.dumps(factors, sort_keys=True), *texts)


def _drop_older_labels(db: sqlite3.Connection) -> None:
    """Of two labels by one person on the same outputs under two old keys, the later stays; the history has both."""
    db.execute(
        "DELETE FROM labels WHERE case_key IN (SELECT new FROM renamed) AND EXISTS (SELECT 1 FROM labels later"
        " WHERE later.case_key = labels.case_key AND later.annotator = labels.annotator"
        " AND later.outputs = labels.outputs AND later.id > labels.id)"
    )
