"""Labels: what people say about cases, kept with the outputs that they judged, and with all that they said before.

The categories are those of He et al. (ICSE 2020, ICSE 2021); the kinds below two of them are SemMT's (Cao et al. 2021,
section 5.1). The severities are the four levels of MQM (Lommel et al. 2014), whose customary penalties are 0, 1, 5, 25.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord.errors import UserError
from concord.signature import digest
from concord.store import body
from concord.store.workspace import _COLUMNS as _ROW
from concord.store.workspace import Workspace, _row

VERDICTS = ("error", "correct", "bad test")
CATEGORIES = (
    "under-translation",
    "over-translation",
    "word/phrase mistranslation",
    "incorrect modification",
    "unclear logic",
)
KINDS = {
    "incorrect qualitative modification": "incorrect modification",
    "incorrect quantitative modification": "incorrect modification",
    "incorrect order": "unclear logic",
    "incorrect affiliation": "unclear logic",
    "incorrect semantics": "unclear logic",
}
SIDES = ("source output", "follow-up output", "both")
SEVERITIES = ("neutral", "minor", "major", "critical")
# A follow-up may be the system's own product; where it is an input, the case key holds it fast anyway.
_PRODUCED = ("source_output", "follow_up", "follow_up_output")
_DETAILS = ("categories", "kinds", "wrong", "severity", "correction", "comment")
_LISTS = ("categories", "kinds")
_COLUMNS = "case_key, annotator, outputs, verdict, details, created"


@dataclass(frozen=True, slots=True)
class Label:
    """One person's word on one case: a verdict on these outputs, and what exactly is wrong with them.

    `created` is when it was said; a label that is not kept yet has none.
    """

    case: str
    annotator: str
    verdict: str
    outputs: str
    categories: tuple[str, ...] = ()
    wrong: str = ""
    correction: str = ""
    comment: str = ""
    kinds: tuple[str, ...] = ()
    severity: str = ""
    created: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """A label that was taken back, and the same person's word before it, which holds again; None if there was none."""

    label: Label
    before: Label | None


def outputs_of(row: Mapping[str, Any]) -> str:
    """The outputs of a case as one text: labels of the same text judged the same."""
    return json.dumps({role: row[role]["words"] for role in _PRODUCED}, ensure_ascii=False)


def mark_of(outputs: str) -> str:
    """A short name for outputs that no spreadsheet takes for a number."""
    return "o" + digest(outputs, size=6).hex()


class Labels:
    """The labels of a workspace. A person's later word on the same outputs of a case replaces the earlier.

    What was replaced stays in the history, so that it comes back when the later word is taken back.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def of(self, runs: Sequence[int]) -> dict[str, list[Label]]:
        """Every label of the cases of these runs, by case; whether it is stale is for `outputs_of` to say."""
        # Labels are few and cases many, so each label looks for its case.
        marks = ", ".join("?" * len(runs))
        found = self._found(f"EXISTS (SELECT 1 FROM cases WHERE key = case_key AND run IN ({marks}))", runs)
        return _by_case(found)

    def of_case(self, case: str) -> list[Label]:
        """What everybody says of a case, whichever outputs it was said of."""
        key = _key(case)
        return list(self._found("case_key = ?", (key,))) if key else []

    def rows(self, runs: Sequence[int]) -> Iterator[dict[str, Any]]:
        """The rows of labelled cases alone, in corpus order; found from the labels, which are few."""
        query = (
            f"SELECT {_ROW} FROM (SELECT DISTINCT case_key FROM labels) CROSS JOIN cases k INDEXED BY cases_by_key"
            " ON k.key = case_key AND k.run = ? CROSS JOIN checks c USING (run, position, repetition)"
            " ORDER BY c.position, c.repetition, k.number"
        )
        for run in runs:
            record = self._workspace.run(run)
            yield from (_row(record, row) for row in self._workspace._many(query, (run,)))

    def annotators(self) -> list[str]:
        """Everybody who has said anything that holds."""
        return [name for (name,) in self._workspace._many("SELECT DISTINCT annotator FROM labels ORDER BY 1", ())]

    def outputs(self, case: str) -> list[str]:
        """The different outputs that a case has had, the latest first; none if there is no such case."""
        query = "SELECT body FROM cases WHERE key = ? ORDER BY run DESC"
        key = _key(case)
        found = self._workspace._many(query, (key,)) if key else ()
        return list(dict.fromkeys(outputs_of(body.unpack(packed)) for (packed,) in found))

    def history(self, annotator: str, limit: int = 20) -> list[Label]:
        """What a person said last and has not taken back, the latest first; also what was replaced since."""
        where = "annotator = ? AND undone IS NULL ORDER BY saved DESC, id DESC LIMIT ?"
        query = f"SELECT {_COLUMNS} FROM label_history WHERE {where}"
        return [_label(row) for row in self._workspace._many(query, (annotator, limit))]

    def save(self, labels: Iterable[Label]) -> None:
        """Keep all of them or none; saying the same again changes nothing."""
        created = self._workspace._clock()
        rows = [
            (bytes.fromhex(each.case), each.annotator, each.outputs, each.verdict, _details(each)) for each in labels
        ]
        with self._workspace._writing() as db:
            (saved,) = db.execute("SELECT coalesce(max(saved), 0) + 1 FROM label_history").fetchone()
            new = [row for row in rows if row[3:] != _present(db, row[:3])]
            _replace(db, [(*row, created) for row in new])
            db.executemany(
                f"INSERT INTO label_history (saved, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(saved, *row, created) for row in new],
            )

    def undo(self, annotator: str) -> list[Undone]:
        """Take back what a person saved last, be it one label or a whole sheet; what they said before holds again."""
        with self._workspace._writing() as db:
            find = (
                f"SELECT id, {_COLUMNS} FROM label_history WHERE annotator = ? AND undone IS NULL AND saved ="
                " (SELECT max(saved) FROM label_history WHERE annotator = ? AND undone IS NULL) ORDER BY id"
            )
            last = db.execute(find, (annotator, annotator)).fetchall()
            if not last:
                raise UserError(f"'{annotator}' has said nothing that could be taken back{self._others(annotator)}")
            mark = "UPDATE label_history SET undone = ? WHERE id = ?"
            db.executemany(mark, [(self._workspace._clock(), row[0]) for row in last])
            return [Undone(_label(row[1:]), _restored(db, row[1:4])) for row in last]

    def _others(self, annotator: str) -> str:
        names = ", ".join(name for name in self.annotators()[:20] if name != annotator)
        return f". Who has: {names}" if names else ""

    def _found(self, where: str, values: Sequence[Any]) -> Iterator[Label]:
        query = f"SELECT {_COLUMNS} FROM labels WHERE {where} ORDER BY annotator, id"
        return map(_label, self._workspace._many(query, values))


def _by_case(labels: Iterable[Label]) -> dict[str, list[Label]]:
    found: dict[str, list[Label]] = {}
    for label in labels:
        found.setdefault(label.case, []).append(label)
    return found


def _key(case: str) -> bytes | None:
    try:
        return bytes.fromhex(case)
    except ValueError:
        return None


def _label(row: Sequence[Any]) -> Label:
    key, annotator, outputs, verdict, details, created = row
    more = json.loads(details)
    more |= {name: tuple(more.get(name, ())) for name in _LISTS}
    return Label(key.hex(), annotator, verdict, outputs, created=created, **more)


def _present(db: sqlite3.Connection, place: Sequence[Any]) -> Any:
    query = "SELECT verdict, details FROM labels WHERE case_key = ? AND annotator = ? AND outputs = ?"
    return db.execute(query, place).fetchone()


def _replace(db: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> None:
    forget = "DELETE FROM labels WHERE case_key = ? AND annotator = ? AND outputs = ?"
    db.executemany(forget, [row[:3] for row in rows])
    db.executemany(f"INSERT INTO labels ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", rows)


def _restored(db: sqlite3.Connection, place: Sequence[Any]) -> Label | None:
    """Make the latest word that is not taken back hold again, or none."""
    where = "case_key = ? AND annotator = ? AND outputs = ?"
    query = f"SELECT {_COLUMNS} FROM label_history WHERE {where} AND undone IS NULL ORDER BY id DESC LIMIT 1"
    before = db.execute(query, place).fetchone()
    if before is None:
        db.execute(f"DELETE FROM labels WHERE {where}", place)
        return None
    _replace(db, [before])
    return _label(before)


def _details(label: Label) -> str:
    more = {name: getattr(label, name) for name in _DETAILS}
    return json.dumps({name: value for name, value in more.items() if value}, ensure_ascii=False)
