"""The columns of a table of labelled rows, and which of their cells are numbers."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from concord.analyses.detection.options import FORMATS
from concord.corpus.files import File
from concord.corpus.formats import format_of
from concord.corpus.formats.json_lines import objects
from concord.corpus.formats.tables import table_with_header
from concord.errors import UserError
from concord.stats.detection import Floats

_ABSENT = frozenset({"", "na", "n/a", "nan", "null", "none"})
# Python alone would take `1_0` for a number, too.
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_COMMA = re.compile(r"[+-]?\d*,\d+", re.ASCII)
_NUMBERING = re.compile(
    r"(.*[\W_])?(ids?|no|nr|num|numbers?|lines?|rows?|index|idx|positions?|pos)\.?|unnamed: \d+|", re.IGNORECASE
)


def read_columns(file: File, path: Path) -> tuple[list[int], dict[str, list[Any]]]:
    """The line numbers of the rows, and the cells of each column."""
    kind = format_of(path)
    if kind not in FORMATS:
        raise UserError(f"{path}: labelled rows are read from .csv, .tsv or .jsonl (also .gz); choose one of these")
    lines: list[tuple[int, Any]] = list(objects(file) if kind == "jsonl" else table_with_header(file, kind))
    header = [] if kind == "jsonl" else lines[:1]
    numbers, rows = [number for number, _ in lines[len(header) :]], [row for _, row in lines[len(header) :]]
    if not rows:
        raise UserError(f"{path} has no row below its header")
    if header:
        number, names = header[0]
        twice = [name for name, times in Counter(names).items() if times > 1]
        if twice:
            raise file.error(number, f"the column '{twice[0]}' is there twice. Rename one of them")
        return numbers, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    names = dict.fromkeys(name for row in rows for name in row)
    return numbers, {name: [row.get(name) for row in rows] for name in names}


def as_numbers(cells: Sequence[Any]) -> Floats | int:
    """The column as numbers, or the index of the first cell that is not a number."""
    values = np.empty(len(cells))
    for row, cell in enumerate(cells):
        value = _number(cell)
        if value is None:
            return row
        values[row] = value
    return values


def _number(cell: Any) -> float | None:
    """The number in a cell, NaN for an empty one, None for anything else."""
    if isinstance(cell, bool):
        return None
    text = "" if cell is None else str(cell).strip()
    if text.lower() in _ABSENT:
        return math.nan
    value = float(text) if _NUMBER.fullmatch(text) else math.inf
    return None if math.isinf(value) else value


def almost_numbers(name: str, line: int, cell: Any, cells: Sequence[Any]) -> list[str]:
    """A note on a column that is mostly numbers, since it may be meant as a score; else nothing."""
    filled = [value for value in cells if value is not None and str(value).strip().lower() not in _ABSENT]
    count = sum(_number(value) is not None or _has_comma(value) for value in filled)
    note = f"{name} is no score: line {line} has '{cell}', which is not a number. {cure(cell)}"
    return [note] if 2 * count > len(filled) else []


def _has_comma(cell: Any) -> bool:
    return bool(_COMMA.fullmatch(str(cell).strip()))


def cure(cell: Any) -> str:
    if _has_comma(cell):
        return f"Decimals are written with a point: {str(cell).strip().replace(',', '.')}"
    return "Leave unknown ones empty"


def numbers_rows(name: str, values: Floats) -> bool:
    """Whether a column only numbers the rows, by its name and by its distinct whole numbers."""
    filled = values[~np.isnan(values)]
    whole = bool((filled == np.rint(filled)).all())
    return whole and len(np.unique(filled)) == len(values) and _NUMBERING.fullmatch(name) is not None
