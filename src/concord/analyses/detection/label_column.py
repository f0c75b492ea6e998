"""Which rows of a table are bugs by its column of labels, also in a sheet of Concord's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord.corpus.files import File
from concord.errors import UserError
from concord.labels.sheets import letters
from concord.plural import plural

LABELS = {
    **dict.fromkeys(("bug", "error", "1", "1.0", "true", "yes"), True),
    **dict.fromkeys(("correct", "0", "0.0", "false", "no"), False),
}
USUAL = "label"
VERDICT = "verdict"
BAD_TEST = "bad test"
SHEET = frozenset({"case", "judged", VERDICT})
"""The columns by which a sheet of labels that Concord wrote is known, also one that does not tell suspicions."""
_LEFT = {
    "unsaid": ("has no verdict", "have no verdict"),
    "stale": ("has a stale verdict", "have stale verdicts"),
}
"""Why a row of such a sheet is left out, for one and for several."""
Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """The places of the rows that have a label, whether each is a bug, and what there is to say of it."""

    places: Sequence[int]
    bug: Sequence[bool]
    notes: Sequence[str] = ()


def label_of(column: str, columns: Columns) -> str:
    """The column that has the labels: the one that is named, but `verdict` where a sheet has no other."""
    return VERDICT if column == USUAL and USUAL not in columns and columns.keys() >= SHEET else column


def read_labels(file: File, lines: Sequence[int], column: str, columns: Columns) -> LabelColumn:
    """What the column of labels says of each row. In a sheet, rows without a verdict are left out and counted.

    What is flagged of a bad test is no error of the system, so that it counts against the flagging, as with runs.

    Anything else that is neither a bug nor correct is an error with its line.
    """
    label = label_of(column, columns)
    sheet = label == VERDICT and columns.keys() >= SHEET
    stale = columns.get("stale") or [None] * len(lines)
    texts = [_cell_text(cell) for cell in columns[label]]
    why = [_left(*cells) if sheet else "" for cells in zip(texts, map(_cell_text, stale), strict=True)]
    places = [row for row, reason in enumerate(why) if not reason]
    bad = [sheet and letters(text) == letters(BAD_TEST) for text in texts]
    bug = [not bad[row] and _label(file, lines[row], texts[row]) for row in places]
    notes = [f"the label is the column '{label}', since Concord wrote this table"] if label != column else []
    notes += _left_out_notes(file, label, Counter(why))
    if count := sum(bad[row] for row in places):
        notes.append(f"{plural(count, 'bad test counts', 'bad tests count')} as no bug")
    return LabelColumn(places, bug, notes)


def _left_out_notes(file: File, label: str, why: Counter[str]) -> list[str]:
    """What is left out, and why; an error if it is everything."""
    left = ", ".join(plural(why[reason], *words) for reason, words in _LEFT.items() if why[reason])
    if not left:
        return []
    if not why[""]:
        raise UserError(f"{file.label}: no row is left: {left}. Fill in the column '{label}': error or correct")
    count = why.total() - why[""]
    return [f"{count:,} of {plural(why.total(), 'row')} {'is' if count == 1 else 'are'} left out: {left}"]


def _left(text: str, stale: str) -> str:
    """Why a row of a sheet is left out, if it is; a sheet to fill in tells there of stale labels besides this one."""
    if not text:
        return "unsaid"
    return "stale" if stale == "true" else ""


def _cell_text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip().lower()


def _label(file: File, line: int, text: str) -> bool:
    if text not in LABELS:
        choices = "bug or correct; also error/correct, 1/0, true/false, yes/no"
        raise file.error(line, f"the label {text!r} is not known. Choices: {choices}")
    return LABELS[text]
