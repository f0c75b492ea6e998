"""Label sheets: tables with a line for each case, which people fill in and which are imported all or nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from concord.errors import UserError
from concord.labels.labels import CATEGORIES, KINDS, SEVERITIES, SIDES, Label, Labels
from concord.labels.spreadsheets import as_text, read_sheet
from concord.model import ROLES
from concord.signature import digest
from concord.store.case_keys import outputs_id
from concord.store.label_rows import VERDICTS, outputs_of

FACTS = ("run", "relation", "system", "source_lang", "target_lang", "segment", "domain", "suspicion", "threshold")
FILLED = ("verdict", "categories", "kinds", "wrong", "severity", "correction", "comment")
COLUMNS = ("case", "judged", *FACTS, *ROLES, *FILLED, "annotator", "created", "stale")
BLIND = tuple(name for name in COLUMNS if name not in ("suspicion", "threshold"))
"""The columns of a sheet that does not reveal which cases are flagged."""
NEVER_EMPTY = frozenset(("case", "judged", *FACTS, *ROLES)) - {"domain"}
"""The columns that describe the case: a line without one of them is damaged, and not just shortened by empty cells."""
LONGEST_NAME = 100
LONGEST_TEXT = 50_000
_LISTED = 10
_SIDES = {"source": SIDES[0], "followup": SIDES[1]}


def lines_of(
    rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]], annotator: str
) -> Iterator[dict[str, Any]]:
    """A line for each label of each case, or a blank one; with an annotator, that person's labels alone.

    Labels of other outputs are not filled in, lest they be imported as labels of these.
    """
    written: set[bytes] = set()  # digests, for there may be a million and texts are long
    for row in rows:
        outputs = outputs_of(row)
        unit = digest(row["case"], outputs)
        if unit in written:
            continue
        written.add(unit)
        of_case = [label for label in labels.get(row["case"], ()) if annotator in ("", label.annotator)]
        present = [label for label in of_case if label.outputs == outputs]
        judges = {label.annotator for label in present}
        outdated = [label for label in of_case if label.outputs != outputs and label.annotator not in judges]
        stale = "; ".join(f"{label.annotator}: {label.verdict}" for label in outdated)
        for label in present or [Label(row["case"], annotator, "", outputs)]:
            yield _facts(row, label) | {"stale": stale}


def states(rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]]) -> Iterator[dict[str, Any]]:
    """Each label once for every run that has its case, and whether it is stale there."""
    for label, row, stale in _with_rows(rows, labels):
        filled = {name: getattr(label, name) for name in ("annotator", *FILLED, "created")}
        yield {"case": label.case, "run": row["run"], "segment": row["segment"], **filled, "stale": stale}


def with_facts(rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]]) -> Iterator[dict[str, Any]]:
    """Each label with the texts and facts of its case, once for every run that has it, and whether it is stale."""
    for label, row, stale in _with_rows(rows, labels):
        yield _facts(row, label) | {"case": row["case"], "stale": stale}


def _with_rows(
    rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]]
) -> Iterator[tuple[Label, Mapping[str, Any], bool]]:
    """Each label with a row of its case, once for every run, and whether it is stale: no row there has its outputs."""
    by_case: dict[tuple[int, str], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        by_case.setdefault((row["run"], row["case"]), {}).setdefault(outputs_of(row), row)
    for (_, case), by_outputs in by_case.items():
        first = next(iter(by_outputs.values()))
        for label in labels.get(case, ()):
            yield label, by_outputs.get(label.outputs, first), label.outputs not in by_outputs


def labels_from(path: Path, labels: Labels, annotator: str) -> list[Label]:
    """The labels of a filled-in table. UserError, which names the lines, if any line is wrong."""
    file, lines = read_sheet(path, ("case", "verdict"), NEVER_EMPTY)
    reader = SheetReader(labels, annotator)
    by_unit: dict[tuple[str, str, str], tuple[int, Label]] = {}
    wrong: list[tuple[int, str]] = []
    for number, line in lines:
        try:
            label = reader.label(line)
            if label is None:
                continue
            earlier = by_unit.setdefault((label.case, label.annotator, label.outputs), (number, label))
            if earlier[1] != label:
                raise UserError(f"'{label.annotator}' says something else of the same case in line {earlier[0]}")
        except UserError as error:
            wrong.append((number, str(error)))
    if wrong:
        raise file.error(wrong[0][0], f"{wrong[0][1]}.{_also_wrong(wrong[1:])} Nothing was imported")
    return [label for _, label in by_unit.values()]


def _also_wrong(wrong: Sequence[tuple[int, str]]) -> str:
    numbers = ", ".join(str(number) for number, _ in wrong[:_LISTED])
    more = f" and {len(wrong) - _LISTED} more" if len(wrong) > _LISTED else ""
    return f" Also wrong: line {numbers}{more}." if wrong else ""


def _facts(row: Mapping[str, Any], label: Label) -> dict[str, Any]:
    line: dict[str, Any] = {"case": as_text(row["case"]), "judged": outputs_id(label.outputs)}
    line |= {name: row[name] for name in FACTS}
    line |= {role: row[role]["words"] for role in ROLES}
    return line | {name: getattr(label, name) for name in (*FILLED, "annotator", "created")}


class SheetReader:
    """Reads a label from the cells of a line, be it a line of a sheet, a form or the options of a command."""

    def __init__(self, labels: Labels, annotator: str) -> None:
        self._labels = labels
        self._annotator = annotator

    def label(self, line: Mapping[str, Any]) -> Label | None:
        """The label, or None for a line that nobody filled in."""
        cells = {name: _text(name, line.get(name)) for name in (*FILLED, "annotator", "case", "judged")}
        if not any(cells[name] for name in FILLED):
            return None
        case = cells["case"].lstrip("'").lower()
        kinds = _choices("kind", cells["kinds"], tuple(KINDS))
        categories = _choices("category", cells["categories"], CATEGORIES) | {KINDS[kind] for kind in kinds}
        label = Label(
            case=case,
            annotator=self._name(cells["annotator"]),
            verdict=_choice("verdict", cells["verdict"], VERDICTS),
            outputs=self._outputs(case, cells["judged"]),
            categories=tuple(category for category in CATEGORIES if category in categories),
            kinds=tuple(kind for kind in KINDS if kind in kinds),
            wrong=cells["wrong"] and _choice("wrong side", cells["wrong"], SIDES, _SIDES),
            severity=cells["severity"] and _choice("severity", cells["severity"], SEVERITIES, {"none": "neutral"}),
            correction=cells["correction"],
            comment=cells["comment"],
        )
        if label.verdict != "error" and (label.categories or label.wrong or label.severity):
            raise UserError(
                f"the verdict '{label.verdict}' goes with no category, no wrong side and no severity; only 'error' does"
            )
        if self._annotator not in ("", label.annotator) and not self._is_kept(label):
            raise UserError(
                f"the column 'annotator' names '{label.annotator}', and not '{self._annotator}'. Correct the column, or"
                " leave out --annotator to import it as it is"
            )
        return label

    def _is_kept(self, label: Label) -> bool:
        """Whether the label is stored already: a sheet may have been exported with other people's labels."""
        return any(replace(known, created="") == label for known in self._labels.of_case(label.case))

    def _name(self, written: str) -> str:
        name = written or self._annotator
        if not name:
            raise UserError("nobody is named as annotator. Fill in the column 'annotator', or give --annotator NAME")
        if len(name) > LONGEST_NAME:
            raise UserError(f"the annotator's name has {len(name)} characters; at most {LONGEST_NAME} are kept")
        refuse_unprintable(name)
        return name

    def _outputs(self, case: str, mark: str) -> str:
        choices = self._labels.outputs(case)
        if not choices:
            raise UserError(
                f"there is no case '{case[:80]}' in this workspace. Keep the column 'case' as it was exported"
            )
        if not mark and len(choices) == 1:
            return choices[0]
        for outputs in choices:
            if outputs_id(outputs) == mark:
                return outputs
        if not mark:
            raise UserError(
                f"the case has had {len(choices)} different outputs; the column 'judged' says which. Export again"
            )
        raise UserError(f"the case has no outputs '{mark[:80]}'. Keep the column 'judged' as it was exported")


def refuse_unprintable(annotator: str) -> None:
    """Refuse a name that does not fit on one line: it occurs in tables, in commands to copy and in a cookie."""
    if not annotator.isprintable():
        raise UserError(
            f"the annotator's name {annotator[:LONGEST_NAME]!r} has a line break, a control character or another that"
            " cannot be shown. Write it without"
        )


def _text(name: str, cell: Any) -> str:
    if name in ("categories", "kinds") and isinstance(cell, (list, tuple)):
        cell = "; ".join(map(str, cell))
    if cell is not None and not isinstance(cell, str):
        raise UserError(f"the field '{name}' must be a string")
    try:
        (cell or "").encode()
    except UnicodeEncodeError:
        raise UserError(f"the field '{name}' has half a character (a lone surrogate). Write it whole") from None
    if cell and len(cell) > LONGEST_TEXT:
        raise UserError(f"the field '{name}' has {len(cell):,} characters; at most {LONGEST_TEXT:,} are kept")
    return (cell or "").strip()


def letters(text: str) -> str:
    """The letters and digits of a word in lower case, by which choices are recognised.

    >>> letters("Bad-test") == letters("bad test")
    True
    """
    return re.sub(r"[\W_]", "", text).lower()


def _choice(field: str, written: str, choices: Sequence[str], synonyms: Mapping[str, str] | None = None) -> str:
    """One of the choices, whatever its capitals and punctuation; `synonyms` are other words for some of them."""
    spelled = {letters(choice): choice for choice in choices} | dict(synonyms or {})
    if letters(written) not in spelled:
        problem = (
            f"the {field} '{written[:80]}' is not known"
            if written
            else f"there is no {field}, but something else is filled in"
        )
        raise UserError(f"{problem}. Choices: {', '.join(choices)}")
    return spelled[letters(written)]


def _choices(field: str, written: str, choices: Sequence[str]) -> set[str]:
    return {_choice(field, choice.strip(), choices) for choice in re.split("[;,|\n]", written) if choice.strip()}
