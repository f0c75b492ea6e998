"""Which rows of a table are bugs by its column of labels, and which of a sheet of Concord's own nobody can judge by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord.corpus.files import File
from concord.counted import counted
from concord.errors import UserError
from concord.store.label_sheet import letters

LABELS = {
    **dict.fromkeys(("bug", "error", "1", "1.0", "true", "yes"), True),
    **dict.fromkeys(("correct", "0", "0.0", "false", "no"), False),
}
USUAL = "label"
VERDICT = "verdict"
SHEET = frozenset({"case", "judged", VERDICT})
"""The columns by which a sheet of labels that Concord wrote is known, also one that does not tell suspicions."""
_LEFT = {
    "unsaid": ("has no verdict", "have no verdict"),
    "bad test": ("is a bad test", "are bad tests"),
    "stale": ("has a stale verdict", "have stale verdicts"),
}
"""Why a row of such a sheet is left out, for one and for several."""
Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Said:
    """The places of the rows that have a label, whether each is a bug, and what there is to say of it."""

    places: Sequence[int]
    bug: Sequence[bool]
    notes: Sequence[str] = ()


def label_of(named: str, columns: Columns) -> str:
    """The column that has the labels: the one that is named, but `verdict` where a sheet has no other."""
    return VERDICT if named == USUAL and USUAL not in columns and columns.keys() >= SHEET else named


def read_labels(file: File, lines: Sequence[int], named: str, columns: Columns) -> Said:
    """What the column of labels says of each row. In a sheet, rows without a usable verdict are left out and counted.

    Anything else that is neither a bug nor correct is an error with its line.
    """
    label = label_of(named, columns)
    of_sheet = label == VERDICT and columns.keys() >= SHEET
    places, bug, left = list[int](), list[bool](), Counter[str]()
    stale = columns.get("stale") or [None] * len(lines)
    for place, cell in enumerate(columns[label]):
        why = _left(_said(cell), _said(stale[place])) if of_sheet else ""
        if why:
            left[why] += 1
        else:
            places.append(place)
            bug.append(_label(file, lines[place], cell))
    told = [f"the label is the column '{label}', since Concord wrote this table"] if label != named else []
    if not left:
        return Said(places, bug, told)
    reasons = ", ".join(counted(left[why], *words) for why, words in _LEFT.items() if left[why])
    if not places:
        raise UserError(f"{file.label}: no row is left: {reasons}. Fill in the column '{label}': error or correct")
    rows, count = counted(len(columns[label]), "row"), left.total()
    return Said(places, bug, [*told, f"{count:,} of {rows} {'is' if count == 1 else 'are'} left out: {reasons}"])


def _left(said: str, stale: str) -> str:
    """Why a row of a sheet is left out, if it is; a sheet to fill in tells there of stale labels besides this one."""
    if not said:
        return "unsaid"
    if letters(said) == letters("bad test"):
        return "bad test"
    return "stale" if stale == "true" else ""


def _said(cell: Any) -> str:
    return "" if cell is None else str(cell).strip().lower()


def _label(file: File, line: int, cell: Any) -> bool:
    said = _said(cell)
    if said not in LABELS:
        choices = "bug or correct; also error/correct, 1/0, true/false, yes/no"
        raise file.error(line, f"the label {said!r} is not known. Choices: {choices}")
    return LABELS[said]
