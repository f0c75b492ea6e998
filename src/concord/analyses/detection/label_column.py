"""The column of labels of a table: which rows are bugs, also in a label sheet that Concord wrote."""

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
"""The columns by which a label sheet of Concord's is recognised, also one without suspicions."""
_LEFT = {
    "unsaid": ("has no verdict", "have no verdict"),
    "stale": ("has a stale verdict", "have stale verdicts"),
}
"""Why a row of such a sheet is left out, in singular and plural."""
Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """The indices of the rows that have a label, whether each is a bug, and notes."""

    rows: Sequence[int]
    bug: Sequence[bool]
    notes: Sequence[str] = ()


def label_of(column: str, columns: Columns) -> str:
    """The column that has the labels: the given one, but `verdict` in a sheet without a column `label`."""
    return VERDICT if column == USUAL and USUAL not in columns and columns.keys() >= SHEET else column


def read_labels(file: File, lines: Sequence[int], column: str, columns: Columns) -> LabelColumn:
    """The labels of the rows. In a sheet, rows without a verdict are left out and counted.

    A bad test is no error of the system, so it counts as correct, as with runs. UserError, with the line, if any other
    label is neither a bug nor correct.
    """
    label = label_of(column, columns)
    sheet = label == VERDICT and columns.keys() >= SHEET
    stale = columns.get("stale") or [None] * len(lines)
    texts = [_cell_text(cell) for cell in columns[label]]
    why = [_left(*cells) if sheet else "" for cells in zip(texts, map(_cell_text, stale), strict=True)]
    rows = [row for row, reason in enumerate(why) if not reason]
    bad = [sheet and letters(text) == letters(BAD_TEST) for text in texts]
    bug = [not bad[row] and _label(file, lines[row], texts[row]) for row in rows]
    notes = [f"the label is the column '{label}', since Concord wrote this table"] if label != column else []
    notes += _left_out_notes(file, label, Counter(why))
    if count := sum(bad[row] for row in rows):
        notes.append(f"{plural(count, 'bad test counts', 'bad tests count')} as no bug")
    return LabelColumn(rows, bug, notes)


def _left_out_notes(file: File, label: str, why: Counter[str]) -> list[str]:
    """Notes on the rows that are left out, and why. UserError if no row is left."""
    left = ", ".join(plural(why[reason], *words) for reason, words in _LEFT.items() if why[reason])
    if not left:
        return []
    if not why[""]:
        raise UserError(f"{file.label}: no row is left: {left}. Fill in the column '{label}': error or correct")
    count = why.total() - why[""]
    return [f"{count:,} of {plural(why.total(), 'row')} {'is' if count == 1 else 'are'} left out: {left}"]


def _left(text: str, stale: str) -> str:
    """Why a row of a sheet is left out, or an empty text. In a sheet to fill in, `stale` lists other labels instead."""
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
