"""Rows, which every format yields, and how they are made of named fields."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from concord.corpus.formats.fields import FieldIndices

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file. A row without text counts as a position too."""

    line: int
    text: str = ""
    id: str = ""
    domain: str = ""
    reference: str | None = None


def make_row(line: int, fields: FieldIndices, value: Callable[[int], str]) -> Row:
    def field_text(index: int | None) -> str:
        return "" if index is None else value(index)

    reference = field_text(fields.reference)
    return Row(
        line,
        field_text(fields.text),
        id=field_text(fields.id).strip(),
        domain=field_text(fields.domain).strip(),
        reference=reference if reference.strip() else None,
    )


def note_rivals(names: Sequence[str], fields: FieldIndices, note: Note) -> None:
    """Note which field the text is read from, if others could hold it too."""
    if fields.rivals and fields.text is not None:
        rivals = ", ".join(f"'{names[index]}'" for index in fields.rivals)
        note(f"the text is read from '{names[fields.text]}', not from {rivals}")
