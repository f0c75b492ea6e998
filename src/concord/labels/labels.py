"""Labels that people give to cases, stored with the outputs that they judged, and with a history that allows undo.

The categories are those of He et al. (ICSE 2020, ICSE 2021); the kinds below two of them are SemMT's (Cao et al. 2021,
section 5.1). The severities are the four levels of MQM (Lommel et al. 2014), whose customary penalties are 0, 1, 5, 25.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from concord.errors import UserError
from concord.plural import plural
from concord.store.damage import DamagedRow, Shape, loads, printable, sound
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
"""The save that was undone last, if it is later than every save in force: a new label ends what can be redone."""


@dataclass(frozen=True, slots=True)
class Label:
    """One annotator's verdict on certain outputs of a case, and what exactly is wrong with them.

    `created` is when the label was saved; it is empty before that.
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
    """A label that was taken back, and the same annotator's earlier one, which is in force again, if there was one."""

    label: Label
    before: Label | None


class Labels:
    """The labels of a workspace. An annotator's later label of the same outputs of a case replaces the earlier one.

    A replaced label stays in the history, and is in force again when the later one is taken back.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def of_runs(self, runs: Sequence[int]) -> dict[str, list[Label]]:
        """Every label of the cases of these runs, by case; a label is stale if its outputs are not those of the row."""
        # Labels are few and cases many, so each label looks for its case.
        where = f"EXISTS (SELECT 1 FROM cases WHERE key = case_key AND run IN ({', '.join('?' * len(runs))}))"
        by_case: dict[str, list[Label]] = {}
        for label in self._select(where, runs):
            by_case.setdefault(label.case, []).append(label)
        return by_case

    def of_case(self, case: str) -> list[Label]:
        """Everybody's labels of a case, whichever outputs they judged."""
        key = _key(case)
        return list(self._select("case_key = ?", (key,))) if key else []

    def rows(self, runs: Sequence[int]) -> Iterator[dict[str, Any]]:
        """The rows of labelled cases alone, in corpus order; looked up by label, since labels are few."""
        query = (
            f"SELECT {ROW} FROM (SELECT DISTINCT case_key FROM labels) CROSS JOIN cases k INDEXED BY cases_by_key"
            " ON k.key = case_key AND k.run = ? CROSS JOIN checks c USING (run, position, repetition)"
            " ORDER BY c.position, c.repetition, k.number"
        )
        for run in runs:
            record = self._workspace.run(run)
            rows = (sound_row(record, row) for row in self._workspace.many(query, (run,)))
            yield from (row for row in rows if row)

    def annotators(self) -> list[str]:
        """Everybody who has a label in force."""
        names = self._workspace.many("SELECT DISTINCT annotator FROM labels ORDER BY 1", ())
        return [name for (name,) in names if isinstance(name, str)]

    def outputs(self, case: str) -> list[str]:
        """The different outputs that a case has had, the latest first; none if there is no such case."""
        query = "SELECT body FROM cases WHERE key = ? ORDER BY run DESC"
        key = _key(case)
        bodies = self._workspace.many(query, (key,)) if key else ()
        return list(dict.fromkeys(sound(bodies, _BODY, packed_outputs, lambda _: f"case {case}")))

    def save(self, labels: Iterable[Label]) -> None:
        """Store all of these labels or none; a label that is in force already changes nothing."""
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
        """Take back an annotator's last save, one label or a whole sheet; their earlier labels are in force again.

        With `single`, a sheet is refused.
        """
        with self._workspace.writing() as db:
            find = (
                f"SELECT id, {_COLUMNS} FROM label_history WHERE annotator = ? AND undone IS NULL AND saved ="
                " (SELECT max(saved) FROM label_history WHERE annotator = ? AND undone IS NULL) ORDER BY id"
            )
            last = db.execute(find, (annotator, annotator)).fetchall()
            if not last:
                raise UserError(f"'{annotator}' has said nothing that could be taken back{self._who_has(annotator)}")
            if single and len(last) > 1:
                raise _sheet(annotator, len(last), "saved last was", "takes it back", "undo")
            when = self._workspace.clock()
            db.executemany("UPDATE label_history SET undone = ? WHERE id = ?", [(when, row[0]) for row in last])
            return [Undone(_readable(row[1:]), _restore(db, row[1:4])) for row in last]

    def redo(self, annotator: str, *, single: bool = False) -> list[Label]:
        """Restore the save that an annotator took back last, unless they have saved another label since.

        With `single`, a sheet is refused.
        """
        with self._workspace.writing() as db:
            last = db.execute(_TAKEN_BACK.format(f"id, {_COLUMNS}"), (annotator,) * 3).fetchall()
            if not last:
                raise UserError(f"'{annotator}' has taken nothing back that could be said again")
            if single and len(last) > 1:
                raise _sheet(annotator, len(last), "took back last was", "brings it back", "redo")
            # A new id tells caches of labels that the labels have changed.
            again = "UPDATE label_history SET undone = NULL, id = (SELECT max(id) + 1 FROM label_history) WHERE id = ?"
            for row in last:
                db.execute(again, row[:1])
                _restore(db, row[1:4])
            return [_readable(row[1:]) for row in last]

    def taken_back(self, annotator: str) -> int:
        """How many labels `redo` would bring back."""
        return int(self._workspace.first(_TAKEN_BACK.format("count(*)"), (annotator,) * 3)[0])

    def verdicts(self) -> dict[tuple[str, str], dict[str, str]]:
        """Verdicts by annotator, for each case and its outputs; faster than reading whole labels."""
        query = f"SELECT {LABEL_COLUMNS.columns} FROM labels ORDER BY id"
        verdicts: dict[tuple[str, str], dict[str, str]] = {}
        rows = sound(self._workspace.many(query, ()), LABEL_COLUMNS, checked_label, label_name)
        for key, annotator, outputs, verdict in rows:
            verdicts.setdefault((key.hex(), outputs), {})[annotator] = verdict
        return verdicts

    def places(self, run: int) -> dict[str, dict[str, tuple[int, ...]]]:
        """The first place of each labelled case of a run (position, repetition, number), by case and outputs."""
        query = (
            "SELECT k.key, k.body, k.position, k.repetition, k.number FROM (SELECT DISTINCT case_key FROM labels)"
            " CROSS JOIN cases k INDEXED BY cases_by_key ON k.key = case_key AND k.run = ?"
        )
        places: dict[str, dict[str, tuple[int, ...]]] = {}
        rows = self._workspace.many(query, (run,))
        for case, outputs, where in sound(rows, _PLACED, _place, lambda row: f"case {printable(row[0])} of run {run}"):
            several = places.setdefault(case, {})
            several[outputs] = min(several.get(outputs, where), where)
        return places

    def _who_has(self, annotator: str) -> str:
        names = ", ".join(name for name in self.annotators()[:20] if name != annotator)
        return f". Who has: {names}" if names else ""

    def _select(self, where: str, values: Sequence[Any]) -> Iterator[Label]:
        query = f"SELECT {_COLUMNS} FROM labels WHERE {where} ORDER BY annotator, id"
        return sound(self._workspace.many(query, values), _LABEL, _label, label_name)


def _sheet(annotator: str, size: int, event: str, effect: str, command: str) -> UserError:
    return UserError(
        f"what '{annotator}' {event} a sheet of {plural(size, 'label')}. `concord label {command}` {effect} as a whole"
    )


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
    fields = loads(details, dict, "details")
    for name, value in fields.items():
        values = value if type(value) is list else [value]
        choices = _CHOICES.get(name, values) if name in _DETAILS and (values is value) == (name in _LISTS) else ()
        if not all(type(element) is str and element in choices for element in values):
            raise DamagedRow(f"its {printable(name)} is '{printable(value)}'")
    fields |= {name: tuple(fields[name]) for name in _LISTS if name in fields}
    return Label(key.hex(), annotator, verdict, outputs, created=created, **fields)


def _readable(row: Sequence[Any]) -> Label:
    """The label of a row of the history. UserError if the row is damaged."""
    try:
        return _LABEL.make(_label, row)
    except DamagedRow as error:
        raise UserError(f"{label_name(row)} is damaged: {error}. Say it anew") from None


def _place(key: bytes, packed: str, *where: int) -> tuple[str, str, tuple[int, ...]]:
    return key.hex(), packed_outputs(packed), where


def _replace(db: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> None:
    db.executemany(f"DELETE FROM labels WHERE {_SAME}", [row[:3] for row in rows])
    db.executemany(f"INSERT INTO labels ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", rows)


def _restore(db: sqlite3.Connection, unit: Sequence[Any]) -> Label | None:
    """Restore the latest label that was not undone and return it; if there is none, delete the current label."""
    query = f"SELECT {_COLUMNS} FROM label_history WHERE {_SAME} AND undone IS NULL ORDER BY id DESC LIMIT 1"
    before = db.execute(query, unit).fetchone()
    if before is None:
        db.execute(f"DELETE FROM labels WHERE {_SAME}", unit)
        return None
    _replace(db, [before])
    return _readable(before)


def _details(label: Label) -> str:
    details = {name: getattr(label, name) for name in _DETAILS}
    return json.dumps({name: value for name, value in details.items() if value}, ensure_ascii=False)


def labelled(store: Workspace, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the labels of their outputs (`labels`) and of other outputs of the case (`other_labels`)."""
    with_labels = []
    for row in rows:
        labels, outputs = Labels(store).of_case(row["case"]), outputs_of(row)
        own = [label for label in labels if label.outputs == outputs]
        stale = [label for label in labels if label.outputs != outputs]
        with_labels.append({**row, "labels": own, "other_labels": stale})
    return with_labels
