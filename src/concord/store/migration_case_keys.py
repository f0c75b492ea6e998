"""A step of the migrations: keys of cases no longer depend on what the system answered.

Two relations had factors in their keys that say what came out. Every case of theirs gets the key that it would get now,
and whatever was said or drawn under the old one goes along. A case whose old key is not the one that it had by the rule
of that time is left as it is.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from concord.errors import MALFORMED
from concord.signature import digest

# What holds now is for the relations to say; this is what was the case when the step was written.
_CAME_OUT = {"literals": "literals", "semmt": "read as"}
_THRESHOLDS = ("threshold", "d")
_KEYED = (("cases", "key"), ("labels", "case_key"), ("label_history", "case_key"), ("sampled", "key"))


def without_answers(db: sqlite3.Connection) -> None:
    """Give the cases of these relations, and all that goes by their keys, the keys of today."""
    db.execute("CREATE TEMP TABLE renamed (old BLOB PRIMARY KEY, new BLOB NOT NULL) WITHOUT ROWID")
    for relation in _CAME_OUT:
        query = "SELECT id, settings, system, source, target FROM runs WHERE relation = ?"
        for run, settings, *where in db.execute(query, (relation,)).fetchall():
            try:
                told = {name: value for name, value in json.loads(settings).items() if name not in _THRESHOLDS}
                asked = [relation, json.dumps(told, sort_keys=True), *where]
            except MALFORMED:  # a damaged row keeps its key
                continue
            db.executemany("INSERT OR IGNORE INTO renamed VALUES (?, ?)", _renamed(db, run, asked))
            # What is kept beside the workspace about the run has its keys.
            db.execute("UPDATE runs SET changes = changes + 1 WHERE id = ?", (run,))
    for table, column in _KEYED:
        new = f"(SELECT new FROM renamed WHERE old = {column})"
        db.execute(f"UPDATE {table} SET {column} = {new} WHERE {column} IN (SELECT old FROM renamed)")
    _only_the_last_word(db)
    db.execute("DROP TABLE renamed")


def _renamed(db: sqlite3.Connection, run: int, asked: list[str]) -> Iterator[tuple[bytes, bytes]]:
    came_out = _CAME_OUT[asked[0]]
    for key, body in db.execute("SELECT key, body FROM cases WHERE run = ?", (run,)):
        try:
            case = json.loads(body)
            factors = case.get("factors", {})
            if came_out in factors and key == _key(asked, factors, case):
                yield key, _key(asked, {name: each for name, each in factors.items() if name != came_out}, case)
        except MALFORMED:
            continue


def _key(asked: list[str], factors: Mapping[str, str], case: Mapping[str, Any]) -> bytes:
    produced = (case["source_output"], *case.get("steps", {}).values())
    inputs = (case["source"],) if case["follow_up"] in produced else (case["source"], case["follow_up"])
    texts = (part for text in inputs for part in (text["lang"], text["words"]))
    return digest(*asked, json.dumps(factors, sort_keys=True), *texts)


def _only_the_last_word(db: sqlite3.Connection) -> None:
    """Of what one person said of the same outputs under two old keys, the later holds; the history has both."""
    db.execute(
        "DELETE FROM labels WHERE case_key IN (SELECT new FROM renamed) AND EXISTS (SELECT 1 FROM labels later"
        " WHERE later.case_key = labels.case_key AND later.annotator = labels.annotator"
        " AND later.outputs = labels.outputs AND later.id > labels.id)"
    )
