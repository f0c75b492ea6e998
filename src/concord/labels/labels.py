"""Labels: what people say about cases, kept with the outputs that they judged, and with all that they said before.

The categories are those of He et al. (ICSE 2020, ICSE 2021); the kinds below two of them are SemMT's (Cao et al. 2021,
section 5.1). The severities are the four levels of MQM (Lommel et al. 2014), whose customary penalties are 0, 1, 5, 25.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from concord.errors import UserError
from concord.plural import plural
from concord.store.damage import DamagedRow, Shape, loads, printable, sound
from concord.store.hashes import outputs_id as outputs_id  # labels are named by it
from concord.store.label_rows import LABEL_COLUMNS, checked_label, label_name, outputs_of, packed_outputs
from concord.store.queries import ROW, sound_row
from concord.store.workspace import Workspace

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
_DETAILS = ("categories", "kinds", "wrong", "severity", "correction", "comment")
_LISTS = ("categories", "kinds")
_LABEL = Shape(case_key=bytes, annotator=str, outputs=str, verdict=str, details=str, created=str)
_COLUMNS = _LABEL.columns
_SAME = "case_key = ? AND annotator = ? AND outputs = ?"
_BODY = Shape(body=str)
_PLACED = Shape(key=bytes, body=str, position=int, repetition=int, number=int)
_CHOICES = {"categories": CATEGORIES, "kinds": tuple(KINDS), "wrong": ("", *SIDES), "severity": ("", *SEVERITIES)}
_TAKEN_BACK = (
    "SELECT {} FROM label_history WHERE annotator = ? AND undone IS NOT NULL AND saved ="
    " (SELECT saved FROM label_history WHERE annotator = ? AND undone IS NOT NULL AND saved >"
    " (SELECT coalesce(max(saved), 0) FROM label_history WHERE annotator = ? AND undone IS NULL)"
    " ORDER BY undone DESC, saved LIMIT 1) ORDER BY id"
)
"""What was taken back last and is later than all that holds: who says something new does not go back to it."""


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
            f"SELECT {ROW} FROM (SELECT DISTINCT case_key FROM labels) CROSS JOIN cases k INDEXED BY cases_by_key"
            " ON k.key = case_key AND k.run = ? CROSS JOIN checks c USING (run, position, repetition)"
            " ORDER BY c.position, c.repetition, k.number"
        )
        for run in runs:
            record = self._workspace.run(run)
            found = (sound_row(record, row) for row in self._workspace.many(query, (run,)))
            yield from (row for row in found if row)

    def annotators(self) -> list[str]:
        """Everybody who has said anything that holds."""
        found = self._workspace.many("SELECT DISTINCT annotator FROM labels ORDER BY 1", ())
        return [name for (name,) in found if isinstance(name, str)]

    def outputs(self, case: str) -> list[str]:
        """The different outputs that a case has had, the latest first; none if there is no such case."""
        query = "SELECT body FROM cases WHERE key = ? ORDER BY run DESC"
        key = _key(case)
        found = self._workspace.many(query, (key,)) if key else ()
        return list(dict.fromkeys(sound(found, _BODY, packed_outputs, lambda _: f"case {case}")))

    def save(self, labels: Iterable[Label]) -> None:
        """Keep all of them or none; saying the same again changes nothing."""
        created = self._workspace.clock()
        rows = [
            (bytes.fromhex(label.case), label.annotator, label.outputs, label.verdict, _details(label))
            for label in labels
        ]
        with self._workspace.writing() as db:
            (saved,) = db.execute("SELECT coalesce(max(saved), 0) + 1 FROM label_history").fetchone()
            present = f"SELECT verdict, details FROM labels WHERE {_SAME}"
            new = [row for row in rows if row[3:] != db.execute(present, row[:3]).fetchone()]
            _replace(db, [(*row, created) for row in new])
            db.executemany(
                f"INSERT INTO label_history (saved, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(saved, *row, created) for row in new],
            )

    def undo(self, annotator: str, *, single: bool = False) -> list[Undone]:
        """Take back what a person saved last, be it one label or a whole sheet; what they said before holds again.

        With `single`, a sheet is not taken back.
        """
        with self._workspace.writing() as db:
            find = (
                f"SELECT id, {_COLUMNS} FROM label_history WHERE annotator = ? AND undone IS NULL AND saved ="
                " (SELECT max(saved) FROM label_history WHERE annotator = ? AND undone IS NULL) ORDER BY id"
            )
            last = db.execute(find, (annotator, annotator)).fetchall()
            if not last:
                raise UserError(f"'{annotator}' has said nothing that could be taken back{self._others(annotator)}")
            if single and len(last) > 1:
                raise _sheet(annotator, len(last), "saved last was", "takes it back", "undo")
            when = self._workspace.clock()
            db.executemany("UPDATE label_history SET undone = ? WHERE id = ?", [(when, row[0]) for row in last])
            return [Undone(_kept(row[1:]), _restored(db, row[1:4])) for row in last]

    def redo(self, annotator: str, *, single: bool = False) -> list[Label]:
        """Say again what a person took back last, unless they have said something else since.

        With `single`, a sheet is not said again.
        """
        with self._workspace.writing() as db:
            last = db.execute(_TAKEN_BACK.format(f"id, {_COLUMNS}"), (annotator,) * 3).fetchall()
            if not last:
                raise UserError(f"'{annotator}' has taken nothing back that could be said again")
            if single and len(last) > 1:
                raise _sheet(annotator, len(last), "took back last was", "brings it back", "redo")
            # Under a new number, by which whoever remembers the labels sees that they have changed.
            again = "UPDATE label_history SET undone = NULL, id = (SELECT max(id) + 1 FROM label_history) WHERE id = ?"
            for row in last:
                db.execute(again, row[:1])
                _restored(db, row[1:4])
            return [_kept(row[1:]) for row in last]

    def taken_back(self, annotator: str) -> int:
        """How many labels `redo` would bring back."""
        return int(self._workspace.first(_TAKEN_BACK.format("count(*)"), (annotator,) * 3)[0])

    def verdicts(self) -> dict[tuple[str, str], dict[str, str]]:
        """Who says what: verdicts by annotator, for each case and its outputs; quicker than whole labels."""
        query = f"SELECT {LABEL_COLUMNS.columns} FROM labels ORDER BY id"
        found: dict[tuple[str, str], dict[str, str]] = {}
        rows = sound(self._workspace.many(query, ()), LABEL_COLUMNS, checked_label, label_name)
        for key, annotator, outputs, verdict in rows:
            found.setdefault((key.hex(), outputs), {})[annotator] = verdict
        return found

    def places(self, run: int) -> dict[str, dict[str, tuple[int, ...]]]:
        """Where the labelled cases of a run first stand (position, repetition, number), by case and outputs."""
        query = (
            "SELECT k.key, k.body, k.position, k.repetition, k.number FROM (SELECT DISTINCT case_key FROM labels)"
            " CROSS JOIN cases k INDEXED BY cases_by_key ON k.key = case_key AND k.run = ?"
        )
        found: dict[str, dict[str, tuple[int, ...]]] = {}
        rows = self._workspace.many(query, (run,))
        for case, outputs, where in sound(rows, _PLACED, _placed, lambda row: f"case {printable(row[0])} of run {run}"):
            several = found.setdefault(case, {})
            several[outputs] = min(several.get(outputs, where), where)
        return found

    def _others(self, annotator: str) -> str:
        names = ", ".join(name for name in self.annotators()[:20] if name != annotator)
        return f". Who has: {names}" if names else ""

    def _found(self, where: str, values: Sequence[Any]) -> Iterator[Label]:
        query = f"SELECT {_COLUMNS} FROM labels WHERE {where} ORDER BY annotator, id"
        return sound(self._workspace.many(query, values), _LABEL, _label, label_name)


def _sheet(annotator: str, size: int, what: str, does: str, command: str) -> UserError:
    return UserError(
        f"what '{annotator}' {what} a sheet of {plural(size, 'label')}. `concord label {command}` {does} as a whole"
    )


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


def _label(key: bytes, annotator: str, outputs: str, verdict: str, details: str, created: str) -> Label:
    """The label of a row (`_COLUMNS`). DamagedRow if it cannot be read."""
    checked_label(key, annotator, outputs, verdict)
    if not {str}.issuperset(map(type, loads(outputs, dict, "outputs").values())):
        raise DamagedRow("its outputs are not texts")
    more = loads(details, dict, "details")
    for name, value in more.items():
        values = value if type(value) is list else [value]
        choices = _CHOICES.get(name, values) if name in _DETAILS and (values is value) == (name in _LISTS) else ()
        if not all(type(each) is str and each in choices for each in values):
            raise DamagedRow(f"its {printable(name)} is '{printable(value)}'")
    more |= {name: tuple(more[name]) for name in _LISTS if name in more}
    return Label(key.hex(), annotator, verdict, outputs, created=created, **more)


def _kept(row: Sequence[Any]) -> Label:
    """A label that is to be said again or taken back."""
    try:
        return _LABEL.make(_label, row)
    except DamagedRow as error:
        raise UserError(f"{label_name(row)} is damaged: {error}. Say it anew") from None


def _placed(key: bytes, packed: str, *where: int) -> tuple[str, str, tuple[int, ...]]:
    return key.hex(), packed_outputs(packed), where


def _replace(db: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> None:
    db.executemany(f"DELETE FROM labels WHERE {_SAME}", [row[:3] for row in rows])
    db.executemany(f"INSERT INTO labels ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", rows)


def _restored(db: sqlite3.Connection, place: Sequence[Any]) -> Label | None:
    """Make the latest word that is not taken back hold again, or none."""
    query = f"SELECT {_COLUMNS} FROM label_history WHERE {_SAME} AND undone IS NULL ORDER BY id DESC LIMIT 1"
    before = db.execute(query, place).fetchone()
    if before is None:
        db.execute(f"DELETE FROM labels WHERE {_SAME}", place)
        return None
    _replace(db, [before])
    return _kept(before)


def _details(label: Label) -> str:
    more = {name: getattr(label, name) for name in _DETAILS}
    return json.dumps({name: value for name, value in more.items() if value}, ensure_ascii=False)


def labelled(store: Workspace, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with what was said of these outputs (`labels`) and of others of the case (`other_labels`)."""
    found = []
    for row in rows:
        said, outputs = Labels(store).of_case(row["case"]), outputs_of(row)
        own = [each for each in said if each.outputs == outputs]
        found.append({**row, "labels": own, "other_labels": [each for each in said if each.outputs != outputs]})
    return found
