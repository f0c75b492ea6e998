"""Some columns of a table as texts, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from concord.errors import UnknownName
from concord.stats.table import _lines, _name


def rows_of(path: str | Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Mapping[str, str]]:
    try:
        found = list(_lines(path, [*columns, *optional]))
    except UnknownName:
        found = list(_lines(path, list(columns)))
    for _, cells in found:
        texts = [_name(cell) for cell in cells]
        yield {**dict.fromkeys(optional, ""), **dict(zip([*columns, *optional], texts, strict=False))}
