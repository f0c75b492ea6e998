"""Tables of observations: a response, its factors and perhaps a cluster, read once and in pieces."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.corpus.files import File, open_file
from concord.corpus.formats import format_of
from concord.corpus.formats.json_lines import objects
from concord.corpus.formats.tables import table_with_header
from concord.errors import UnknownName, UserError

Source = str | Path | Iterable[Mapping[str, Any]]
"""A CSV, TSV or JSONL file (`.gz` as well), or rows in memory."""

_PIECE = 50_000
_ABSENT = {"", "na", "n/a", "null", "none"}
_NO_LEVEL = -1
_LARGEST = 1e100

Line = tuple[int, Sequence[Any]]
"""The number of a line, and its values in the columns of the analysis."""


class TablePiece(NamedTuple):
    """A piece of a table: values, the codes of their levels (a row per factor) and the codes of their clusters."""

    values: NDArray[np.float64]
    levels: NDArray[np.int64]
    clusters: NDArray[np.int64] | None


class Codes(dict[str, int]):
    """The number of each name, in order of appearance."""

    def __init__(self) -> None:
        super().__init__({"": _NO_LEVEL})

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self) - 1
        return code

    @property
    def names(self) -> list[str]:
        return list(self)[1:]


@dataclass(slots=True)
class ObservationTable:
    """A source and the columns of an analysis. Iterating reads it; `dropped` counts rows that lack a value in one."""

    source: Source
    response: str
    factors: Sequence[str]
    cluster: str | None = None
    codes: dict[str, Codes] = field(default_factory=dict)
    dropped: int = 0

    def __iter__(self) -> Iterator[TablePiece]:
        groups = [*self.factors, *([self.cluster] if self.cluster else [])]
        self.codes, self.dropped = {name: Codes() for name in groups}, 0
        lines = read_lines(self.source, [self.response, *groups])
        while batch := list(islice(lines, _PIECE)):
            yield self._piece(batch, groups)

    def _piece(self, batch: list[Line], groups: list[str]) -> TablePiece:
        values = self._numbers(batch)
        levels = np.empty((len(groups), len(batch)), dtype=np.int64)
        for row, name in enumerate(groups, 1):
            levels[row - 1] = [self.codes[name][_name(cells[row])] for _, cells in batch]
        whole = np.isfinite(values) & (levels != _NO_LEVEL).all(axis=0)
        self.dropped += len(batch) - int(whole.sum())
        levels = levels[:, whole]
        factors = len(self.factors)
        return TablePiece(values[whole], levels[:factors], levels[factors] if self.cluster else None)

    def _numbers(self, batch: list[Line]) -> NDArray[np.float64]:
        try:
            values = np.array([float(cells[0]) for _, cells in batch])
        except (TypeError, ValueError):
            values = np.array([self._number(number, cells[0]) for number, cells in batch])
        if (np.abs(values[np.isfinite(values)]) > _LARGEST).any():
            raise UserError(f"a number in column '{self.response}' is beyond {_LARGEST:g}: its square is no number")
        return values

    def _number(self, line: int, value: Any) -> float:
        try:
            return float("nan") if value is None or str(value).strip().lower() in _ABSENT else float(value)
        except (TypeError, ValueError):
            where = f"{self.source}, line {line}" if isinstance(self.source, str | Path) else f"row {line}"
            cure = "Write numbers like 0.5, and leave the cell empty where there is none"
            raise UserError(f"{where}: '{value}' in column '{self.response}' is not a number. {cure}") from None


class Numbered(ObservationTable):
    """Observations in arrays: millions of them become cells without being texts in between.

    Each has a value, its level in every factor, and its cluster; the names of levels and clusters are their numbers.
    Clusters are numbered in order of appearance, as in any table: the draws of a ranking depend on it.
    """

    def __init__(
        self, values: NDArray[np.float64], factors: Mapping[str, NDArray[np.int64]], clusters: NDArray[np.int64]
    ) -> None:
        super().__init__((), "value", list(factors), "cluster")
        self._values, self._levels = values, np.stack(list(factors.values()))
        self._clusters = in_order_of_appearance(clusters)[0]

    def __iter__(self) -> Iterator[TablePiece]:
        self.codes = {name: _codes(levels) for name, levels in zip(self.factors, self._levels, strict=True)}
        for first in range(0, len(self._values), _PIECE):
            part = slice(first, first + _PIECE)
            yield TablePiece(self._values[part], self._levels[:, part], self._clusters[part])


def in_order_of_appearance(names: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Names renumbered 0, 1, 2 … in order of appearance; and the index at which each of these first appears."""
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return np.argsort(order)[inverse], first[order]


def _codes(levels: NDArray[np.int64]) -> Codes:
    codes = Codes()
    for number in range(int(levels.max(initial=-1)) + 1):
        _ = codes[str(number)]
    return codes


def _name(value: Any) -> str:
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def texts_of(path: str | Path, columns: list[str], optional: Sequence[str]) -> Iterator[dict[str, str]]:
    """The columns of a file as texts, row by row; an optional one that the table lacks is empty."""
    try:
        for _, cells in read_lines(path, columns, optional):
            yield dict(zip([*columns, *optional], map(_name, cells), strict=True))
    except UnknownName as error:
        raise UserError(f"{path}: {error}") from None


def scores_of(path: str | Path, columns: list[str], optional: Sequence[str]) -> Iterator[tuple[dict[str, str], float]]:
    """The columns of a file as texts, row by row, with the number in the column `score`."""
    for number, row in enumerate(texts_of(path, [*columns, "score"], optional), 1):
        try:
            score = float(row["score"])
        except ValueError:
            score = float("nan")
        if not np.isfinite(score):
            raise UserError(f"{path}, row {number}: the score '{row['score']}' is not a number. Write it as 3 or 0.5")
        yield row, score


def read_lines(source: Source, columns: list[str], optional: Sequence[str] = ()) -> Iterator[Line]:
    """The columns of each line, and then the optional ones, None where the table lacks them."""
    if not isinstance(source, str | Path):
        return _from_rows(enumerate(source, 1), columns, optional)
    file, kind = open_file(Path(source)), format_of(Path(source))
    if kind == "jsonl":
        return _from_rows(objects(file), columns, optional)
    return _from_cells(file, table_with_header(file, "tsv" if kind == "tsv" else "csv"), columns, optional)


def _from_rows(
    rows: Iterable[tuple[int, Mapping[str, Any]]], columns: list[str], optional: Sequence[str]
) -> Iterator[Line]:
    seen_columns, all_columns = dict[str, None](), [*columns, *optional]
    for number, row in rows:
        seen_columns.update(dict.fromkeys(row))
        yield number, [row.get(column) for column in all_columns]
    # A row may leave a field out, so a column is known to be missing only after the last row.
    _require(columns, seen_columns)


def _from_cells(
    file: File, table: Iterator[tuple[int, list[str]]], columns: list[str], optional: Sequence[str]
) -> Iterator[Line]:
    for number, header in islice(table, 1):
        _require(columns, header)
        for column in [*columns, *optional]:
            if header.count(column) > 1:
                raise file.error(
                    number, f"the header has {header.count(column)} columns '{column}'. Rename all but one"
                )
        indices = [header.index(column) if column in header else None for column in [*columns, *optional]]
        for line, cells in table:
            yield line, [None if index is None else cells[index] for index in indices]


def _require(columns: Iterable[str], available: Iterable[str]) -> None:
    for column in columns:
        if column not in available:
            raise UnknownName("column", column, available)
