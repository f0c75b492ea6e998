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


def label_of(named: str, columns: Columns) -> str:
    """The column that has the labels: the one that is named, but `verdict` where a sheet has no other."""
    return VERDICT if named == USUAL and USUAL not in columns and columns.keys() >= SHEET else named


def read_labels(file: File, lines: Sequence[int], named: str, columns: Columns) -> LabelColumn:
    """What the column of labels says of each row. In a sheet, rows without a verdict are left out and counted.

    What is flagged of a bad test is no error of the system, so that it counts against the flagging, as with runs.

    Anything else that is neither a bug nor correct is an error with its line.
    """
    label = label_of(named, columns)
    sheet = label == VERDICT and columns.keys() >= SHEET
    stale = columns.get("stale") or [None] * len(lines)
    said = [_said(cell) for cell in columns[label]]
    why = [_left(*both) if sheet else "" for both in zip(said, map(_said, stale), strict=True)]
    places = [place for place, reason in enumerate(why) if not reason]
    bad = [sheet and letters(each) == letters(BAD_TEST) for each in said]
    bug = [not bad[place] and _label(file, lines[place], said[place]) for place in places]
    told = [f"the label is the column '{label}', since Concord wrote this table"] if label != named else []
    told += _told_left(file, label, Counter(why))
    if count := sum(bad[place] for place in places):
        told.append(f"{plural(count, 'bad test counts', 'bad tests count')} as no bug")
    return LabelColumn(places, bug, told)


def _told_left(file: File, label: str, why: Counter[str]) -> list[str]:
    """What is left out, and why; an error if it is everything."""
    left = ", ".join(plural(why[reason], *words) for reason, words in _LEFT.items() if why[reason])
    if not left:
        return []
    if not why[""]:
        raise UserError(f"{file.label}: no row is left: {left}. Fill in the column '{label}': error or correct")
    count = why.total() - why[""]
    return [f"{count:,} of {plural(why.total(), 'row')} {'is' if count == 1 else 'are'} left out: {left}"]


def _left(said: str, stale: str) -> str:
    """Why a row of a sheet is left out, if it is; a sheet to fill in tells there of stale labels besides this one."""
    if not said:
        return "unsaid"
    return "stale" if stale == "true" else ""


def _said(cell: Any) -> str:
    return "" if cell is None else str(cell).strip().lower()


def _label(file: File, line: int, said: str) -> bool:
    if said not in LABELS:
        choices = "bug or correct; also error/correct, 1/0, true/false, yes/no"
        raise file.error(line, f"the label {said!r} is not known. Choices: {choices}")
    return LABELS[said]
