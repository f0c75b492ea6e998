"""Rows: what every format yields, and how the fields of one become a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from concord.corpus.formats.fields import FieldIndices

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file. A row without text keeps its place."""

    line: int
    text: str = ""
    id: str = ""
    domain: str = ""
    reference: str | None = None


def make_row(line: int, fields: FieldIndices, value: Callable[[int], str]) -> Row:
    def at(index: int | None) -> str:
        return "" if index is None else value(index)

    reference = at(fields.reference)
    return Row(
        line,
        at(fields.text),
        id=at(fields.id).strip(),
        domain=at(fields.domain).strip(),
        reference=reference if reference.strip() else None,
    )


def note_rivals(names: Sequence[str], fields: FieldIndices, note: Note) -> None:
    """Say which field was taken where another could have been meant."""
    if fields.rivals and fields.text is not None:
        others = ", ".join(f"'{names[index]}'" for index in fields.rivals)
        note(f"the text is read from '{names[fields.text]}', not from {others}")
