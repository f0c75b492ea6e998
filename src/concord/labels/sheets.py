"""Labels as a table: written with a line for each case, filled in by people, read back all or nothing."""

from __future__ import annotations

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
from concord.store.hashes import outputs_id
from concord.store.label_rows import VERDICTS, outputs_of

FACTS = ("run", "relation", "system", "source_lang", "target_lang", "segment", "domain", "suspicion", "threshold")
FILLED = ("verdict", "categories", "kinds", "wrong", "severity", "correction", "comment")
COLUMNS = ("case", "judged", *FACTS, *ROLES, *FILLED, "annotator", "created", "stale")
BLIND = tuple(name for name in COLUMNS if name not in ("suspicion", "threshold"))
"""The columns of a sheet that does not tell which cases were flagged."""
NEVER_EMPTY = frozenset(("case", "judged", *FACTS, *ROLES)) - {"domain"}
"""The case's own columns: a line that lacks one of them has not been cut off behind its last word, but broken off."""
LONGEST_NAME = 100
LONGEST_TEXT = 50_000
_SHOWN = 10
_SIDES = {"source": SIDES[0], "followup": SIDES[1]}


def lines_of(
    rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]], annotator: str
) -> Iterator[dict[str, Any]]:
    """A line for each label of each case, or a blank one; with an annotator, that person's alone.

    What was said of other outputs is not filled in, lest it be read back as said of these.
    """
    seen: set[bytes] = set()  # digests, for there may be a million and texts are long
    for row in rows:
        outputs = outputs_of(row)
        met = digest(row["case"], outputs)
        if met in seen:
            continue
        seen.add(met)
        known = [each for each in labels.get(row["case"], ()) if annotator in ("", each.annotator)]
        present = [each for each in known if each.outputs == outputs]
        said = {each.annotator for each in present}
        others = [each for each in known if each.outputs != outputs and each.annotator not in said]
        stale = "; ".join(f"{each.annotator}: {each.verdict}" for each in others)
        for label in present or [Label(row["case"], annotator, "", outputs)]:
            yield _facts(row, label) | {"stale": stale}


def states(rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]]) -> Iterator[dict[str, Any]]:
    """Each label once for every run that has its case, and whether it is stale there."""
    for label, row, stale in _met(rows, labels):
        shown = {name: getattr(label, name) for name in ("annotator", *FILLED, "created")}
        yield {"case": label.case, "run": row["run"], "segment": row["segment"], **shown, "stale": stale}


def told(rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]]) -> Iterator[dict[str, Any]]:
    """Each label with the texts and facts of its case, once for every run that has it; `stale` if it is so there."""
    for label, row, stale in _met(rows, labels):
        yield _facts(row, label) | {"case": row["case"], "stale": stale}


def _met(
    rows: Iterable[Mapping[str, Any]], labels: Mapping[str, Sequence[Label]]
) -> Iterator[tuple[Label, Mapping[str, Any], bool]]:
    """Each label with a row of its case, once for every run, and whether it is stale: no row there has its outputs."""
    found: dict[tuple[int, str], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["run"], row["case"]), {}).setdefault(outputs_of(row), row)
    for (_, case), several in found.items():
        first = next(iter(several.values()))
        for label in labels.get(case, ()):
            yield label, several.get(label.outputs, first), label.outputs not in several


def labels_from(path: Path, labels: Labels, annotator: str) -> list[Label]:
    """The labels of a filled-in table. Any line that is wrong is an error, and then none is given."""
    file, lines = read_sheet(path, ("case", "verdict"), NEVER_EMPTY)
    reader = SheetReader(labels, annotator)
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


def _facts(row: Mapping[str, Any], label: Label) -> dict[str, Any]:
    line: dict[str, Any] = {"case": as_text(row["case"]), "judged": outputs_id(label.outputs)}
    line |= {name: row[name] for name in FACTS}
    line |= {role: row[role]["words"] for role in ROLES}
    return line | {name: getattr(label, name) for name in (*FILLED, "annotator", "created")}


class SheetReader:
    """What the cells of a line mean, be it a line of a sheet, a form or the words of a command."""

    def __init__(self, labels: Labels, annotator: str) -> None:
        self._labels = labels
        self._annotator = annotator

    def label(self, line: Mapping[str, Any]) -> Label | None:
        """The label, or None for a line that nobody filled in."""
        cells = {name: _text(name, line.get(name)) for name in (*FILLED, "annotator", "case", "judged")}
        if not any(cells[name] for name in FILLED):
            return None
        case = cells["case"].lstrip("'").lower()
        kinds = _several("kind", cells["kinds"], tuple(KINDS))
        categories = _several("category", cells["categories"], CATEGORIES) | {KINDS[kind] for kind in kinds}
        made = Label(
            case=case,
            annotator=self._name(cells["annotator"]),
            verdict=_chosen("verdict", cells["verdict"], VERDICTS),
            outputs=self._outputs(case, cells["judged"]),
            categories=tuple(category for category in CATEGORIES if category in categories),
            kinds=tuple(kind for kind in KINDS if kind in kinds),
            wrong=cells["wrong"] and _chosen("wrong side", cells["wrong"], SIDES, _SIDES),
            severity=cells["severity"] and _chosen("severity", cells["severity"], SEVERITIES, {"none": "neutral"}),
            correction=cells["correction"],
            comment=cells["comment"],
        )
        if made.verdict != "error" and (made.categories or made.wrong or made.severity):
            raise UserError(
                f"the verdict '{made.verdict}' goes with no category, no wrong side and no severity; only 'error' does"
            )
        if self._annotator not in ("", made.annotator) and not self._is_kept(made):
            raise UserError(
                f"the column 'annotator' names '{made.annotator}', and not '{self._annotator}'. Correct the column, or"
                " leave out --annotator to import it as it is"
            )
        return made

    def _is_kept(self, label: Label) -> bool:
        """Whether it says nothing new: a sheet may have come with what others said."""
        return any(replace(each, created="") == label for each in self._labels.of_case(label.case))

    def _name(self, written: str) -> str:
        name = written or self._annotator
        if not name:
            raise UserError("nobody is named as annotator. Fill in the column 'annotator', or give --annotator NAME")
        if len(name) > LONGEST_NAME:
            raise UserError(f"the annotator's name has {len(name)} characters; at most {LONGEST_NAME} are kept")
        refuse_unprintable(name)
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
            if outputs_id(outputs) == mark:
                return outputs
        if not mark:
            raise UserError(
                f"the case has had {len(known)} different outputs; the column 'judged' says which. Export again"
            )
        raise UserError(f"the case has no outputs '{mark[:80]}'. Keep the column 'judged' as it was exported")


def refuse_unprintable(annotator: str) -> None:
    """A name stands in tables, in commands to copy and in a cookie, all of them one line."""
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
    """A word as it is known however it is spelled.

    >>> letters("Bad-test") == letters("bad test")
    True
    """
    return re.sub(r"[\W_]", "", text).lower()


def _chosen(what: str, written: str, choices: Sequence[str], more: Mapping[str, str] | None = None) -> str:
    """One of the choices, however it is spelled; `more` are other words for some."""
    spelled = {letters(choice): choice for choice in choices} | dict(more or {})
    if letters(written) not in spelled:
        said = (
            f"the {what} '{written[:80]}' is not known"
            if written
            else f"there is no {what}, but something else is filled in"
        )
        raise UserError(f"{said}. Choices: {', '.join(choices)}")
    return spelled[letters(written)]


def _several(what: str, written: str, choices: Sequence[str]) -> set[str]:
    return {_chosen(what, each.strip(), choices) for each in re.split("[;,|\n]", written) if each.strip()}
