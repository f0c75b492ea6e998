"""Labels as a table: written with a line for each case, filled in by people, read back all or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from concord.errors import UserError
from concord.model import ROLES
from concord.store.labels import CATEGORIES, SIDES, VERDICTS, Label, Labels, mark_of, outputs_of
from concord.store.sheets import as_text, read_sheet

FACTS = ("run", "relation", "system", "source_lang", "target_lang", "segment", "domain", "suspicion", "threshold")
FILLED = ("verdict", "categories", "wrong", "correction", "comment")
COLUMNS = ("case", "judged", *FACTS, *ROLES, *FILLED, "annotator", "stale")
LONGEST_NAME = 100
_SHOWN = 10
_SIDES = {
    "sourceoutput": SIDES[0],
    "source": SIDES[0],
    "followupoutput": SIDES[1],
    "followup": SIDES[1],
    "both": SIDES[2],
}


def lines_of(
    rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]], annotator: str
) -> Iterator[dict[str, Any]]:
    """A line for each label of each case, or a blank one; with an annotator, that person's alone.

    What was said of other outputs is not filled in, lest it be read back as said of these.
    """
    seen = set()
    for row in rows:
        outputs = outputs_of(row)
        if (row["case"], outputs) in seen:
            continue
        seen.add((row["case"], outputs))
        known = [each for each in labels.get(row["case"], ()) if annotator in ("", each.annotator)]
        present = [each for each in known if each.outputs == outputs]
        said = {each.annotator for each in present}
        stale = "; ".join(f"{each.annotator}: {each.verdict}" for each in known if _unsaid(each, outputs, said))
        for label in present or [Label(row["case"], annotator, "", outputs)]:
            yield _facts(row, label) | {"stale": stale}


def states(rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]]) -> Iterator[dict[str, Any]]:
    """Each label once for every run that has its case, and whether it is stale there."""
    seen = set()
    for row in rows:
        place = (row["run"], row.get("case", ""))
        if place in seen:
            continue
        seen.add(place)
        for label in labels.get(place[1], ()):
            stale = label.outputs != outputs_of(row)
            shown = {name: getattr(label, name) for name in ("annotator", *FILLED)}
            yield {"case": label.case, "run": row["run"], "segment": row["segment"], **shown, "stale": stale}


def labels_from(path: Path, labels: Labels, annotator: str) -> list[Label]:
    """The labels of a filled-in table. Any line that is wrong is an error, and then none is given."""
    file, lines = read_sheet(path, ("case", "verdict"))
    reader = _Reader(labels, annotator)
    found: dict[tuple[str, str, str], tuple[int, Label]] = {}
    wrong: list[tuple[int, str]] = []
    for number, line in lines:
        try:
            label = reader.label(line)
            if label is None:
                continue
            earlier = found.setdefault((label.case, label.annotator, label.outputs), (number, label))
            if earlier[1] != label:
                raise UserError(f"'{label.annotator}' says something else of the same case in line {earlier[0]}")
        except UserError as error:
            wrong.append((number, str(error)))
    if wrong:
        raise file.error(wrong[0][0], f"{wrong[0][1]}.{_others(wrong[1:])} Nothing was imported")
    return [label for _, label in found.values()]


def _others(wrong: Sequence[tuple[int, str]]) -> str:
    numbers = ", ".join(str(number) for number, _ in wrong[:_SHOWN])
    more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
    return f" Also wrong: line {numbers}{more}." if wrong else ""


def _unsaid(label: Label, outputs: str, said: set[str]) -> bool:
    return label.outputs != outputs and label.annotator not in said


def _facts(row: Mapping[str, Any], label: Label) -> dict[str, Any]:
    line: dict[str, Any] = {"case": as_text(row["case"]), "judged": mark_of(label.outputs)}
    line |= {name: row[name] for name in FACTS}
    line |= {role: row[role]["words"] for role in ROLES}
    return line | {name: getattr(label, name) for name in (*FILLED, "annotator")}


class _Reader:
    """What the cells of a line mean."""

    def __init__(self, labels: Labels, annotator: str) -> None:
        self._labels = labels
        self._annotator = annotator

    def label(self, line: Mapping[str, Any]) -> Label | None:
        """The label, or None for a line that nobody filled in."""
        cells = {name: _text(name, line.get(name)) for name in (*FILLED, "annotator", "case", "judged")}
        if not any(cells[name] for name in FILLED):
            return None
        case = cells["case"].lstrip("'").lower()
        made = Label(
            case=case,
            annotator=self._name(cells["annotator"]),
            verdict=_chosen("verdict", cells["verdict"], VERDICTS),
            outputs=self._outputs(case, cells["judged"]),
            categories=tuple(each for each in CATEGORIES if each in _categories(line.get("categories"))),
            wrong=_side(cells["wrong"]),
            correction=cells["correction"],
            comment=cells["comment"],
        )
        if made.verdict != "error" and (made.categories or made.wrong):
            raise UserError(f"the verdict '{made.verdict}' goes with no category and no wrong side; only 'error' does")
        return made

    def _name(self, written: str) -> str:
        name = written or self._annotator
        if not name:
            raise UserError("nobody is named as annotator. Fill in the column 'annotator', or give --annotator NAME")
        if len(name) > LONGEST_NAME:
            raise UserError(f"the annotator's name has {len(name)} characters; at most {LONGEST_NAME} are kept")
        return name

    def _outputs(self, case: str, mark: str) -> str:
        known = self._labels.outputs(case)
        if not known:
            raise UserError(
                f"there is no case '{case[:80]}' in this workspace. Keep the column 'case' as it was exported"
            )
        if not mark and len(known) == 1:
            return known[0]
        for outputs in known:
            if mark_of(outputs) == mark:
                return outputs
        if not mark:
            raise UserError(
                f"the case has had {len(known)} different outputs; the column 'judged' says which. Export again"
            )
        raise UserError(f"the case has no outputs '{mark[:80]}'. Keep the column 'judged' as it was exported")


def _text(name: str, cell: Any) -> str:
    if name == "categories" and isinstance(cell, list):
        cell = "; ".join(map(str, cell))
    if cell is not None and not isinstance(cell, str):
        raise UserError(f"the field '{name}' must be a string")
    try:
        (cell or "").encode()
    except UnicodeEncodeError:
        raise UserError(f"the field '{name}' has half a character (a lone surrogate). Write it whole") from None
    return (cell or "").strip()


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def _chosen(what: str, written: str, choices: Sequence[str]) -> str:
    return _known(what, written, {_letters(each): each for each in choices}, choices)


def _known(what: str, written: str, spelled: Mapping[str, str], choices: Sequence[str]) -> str:
    if _letters(written) not in spelled:
        said = (
            f"the {what} '{written[:80]}' is not known"
            if written
            else f"there is no {what}, but something else is filled in"
        )
        raise UserError(f"{said}. Choices: {', '.join(choices)}")
    return spelled[_letters(written)]


def _categories(cell: Any) -> set[str]:
    parts: Callable[[str], list[str]] = re.compile("[;,|\n]").split
    return {_chosen("category", each.strip(), CATEGORIES) for each in parts(_text("categories", cell)) if each.strip()}


def _side(written: str) -> str:
    return _known("wrong side", written, _SIDES, SIDES) if written else ""
