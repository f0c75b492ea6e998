"""Writing rows of a workspace as JSONL, CSV or Parquet.

In a CSV, a text that a spreadsheet would take for a formula gets an apostrophe in front; `raw` texts, for other
programs, do not. A `sheet` is a CSV for Excel, with a byte order mark that tells it the encoding.
"""

import contextlib
import csv
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

from concord.atomic import atomic_write
from concord.corpus.formats.tables import RAW, guarded
from concord.errors import Missing, UnknownName, UserError, pip_install
from concord.model import ROLES
from concord.store.queries import CHECK_FIELDS

GUARDED = ("csv", "tsv")
"""The formats that may be `raw`: in others no text needs a guard."""
STDOUT = Path("-")
PLAIN = (*CHECK_FIELDS, "case", "number", "suspicion", "threshold", "flagged")
NESTED = ("steps", "scores", "factors", "evidence")
COLUMNS = (*PLAIN, *ROLES, *NESTED)
_WHOLE = ("run", "position", "repetition", "number", "rank", "cases", "sentences", "findings")
_COMPARED = frozenset(("suspicion", "threshold"))
_TRUTH = ("flagged", "either")
_encoded = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Form:
    """How rows are written: the format, and whether texts are `raw` in it."""

    format: str
    raw: bool = False

    def __post_init__(self) -> None:
        if self.raw and self.format not in GUARDED:
            formats = " and ".join(GUARDED)
            raise UserError(f"raw is for {formats}, not for {self.format}. Leave it out, or choose another format")


@dataclass(frozen=True, slots=True)
class ExportTable:
    """How rows become the lines of a table, whose cells are plain values or tuples of words."""

    columns: Sequence[str]
    line: Callable[[Any], Mapping[str, Any]]


def put_lines(lines: Iterable[Mapping[str, Any]], columns: Sequence[str], file: IO[str], form: Form) -> int:
    """Write the lines of a table as `csv`, `sheet` or `tsv`, and return their number."""
    if form.format == "sheet":
        file.write("\ufeff")
    end = "\n" if form.format == "csv" else "\r\n"
    # With another end of its lines the writer would leave a carriage return inside a text without quotes.
    writer = csv.writer(SimpleNamespace(write=lambda line: file.write(line.removesuffix("\r\n") + end)))
    names = (*columns, RAW) if form.raw else columns
    writer.writerow(names)
    count = 0
    for count, line in enumerate(lines, start=1):  # noqa: B007
        writer.writerow([cell_of(line.get(name), form) for name in names])
    return count


def cell_of(cell: Any, form: Form) -> Any:
    """A value as it is written in a table."""
    if isinstance(cell, str):
        return cell if form.raw else guarded(cell)
    if isinstance(cell, list | tuple):
        return cell_of("; ".join(cell), form)
    return _rounded(cell) if isinstance(cell, float) and form.format == "sheet" else cell


def format_for(output: Path | None, format: str | None, formats: Sequence[str]) -> str:
    """The requested format, or the one of the file's extension, or JSONL."""
    name = format or (output.suffix.lstrip(".").lower() if output and output.suffix else "jsonl")
    if name not in formats:
        raise UnknownName("export format", name, formats)
    return name


def written(value: Any) -> Any:
    """A value with its numbers rounded to 15 digits, except those that a verdict compares.

    Rounded, a suspicion just above 0.4 would be flagged and yet not be above 0.4.

    >>> written({"suspicion": 0.4000000000000001, "scores": [1 / 3]})
    {'suspicion': 0.4000000000000001, 'scores': [0.333333333333333]}
    """
    if isinstance(value, float):
        return _rounded(value)
    if isinstance(value, dict):
        return {name: member if name in _COMPARED else written(member) for name, member in value.items()}
    return [written(member) for member in value] if isinstance(value, (list, tuple)) else value


def _rounded(number: float) -> float:
    return float(f"{number:.15g}")


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row as one line of a table: texts as words, nested fields as JSON."""
    line = {name: row.get(name) for name in PLAIN}
    line |= {role: row[role]["words"] if role in row else None for role in ROLES}
    return line | {name: nested(row[name]) if row.get(name) else None for name in NESTED}


def nested(value: Any) -> str:
    """A list or an object as a cell: JSON with rounded numbers."""
    return _encoded(written(value))


ROWS = ExportTable(COLUMNS, flat)


def put_rows(rows: Iterable[dict[str, Any]], file: IO[str], form: Form, table: ExportTable = ROWS) -> int:
    """Write rows into an open file, as `jsonl` or else as a table, and return their number."""
    if form.format == "jsonl":
        return put_pieces((f"{_encoded(written(row))}\n" for row in rows), file)
    return put_lines(map(table.line, rows), table.columns, file, form)


def put_pieces(pieces: Iterable[str], file: IO[str]) -> int:
    """Write texts one after another and return their number."""
    count = 0
    for count, piece in enumerate(pieces, start=1):  # noqa: B007
        file.write(piece)
    return count


def write_parquet(rows: Iterable[dict[str, Any]], output: Path | None, table: ExportTable = ROWS) -> int:
    """Write rows to a Parquet file and return their number."""
    if output is None:
        raise UserError("Parquet cannot go to stdout; name a file with --output")
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise Missing("pyarrow, which writes Parquet,", pip_install("parquet")) from None
    kinds = dict.fromkeys(_WHOLE, pa.int64()) | dict.fromkeys(_COMPARED, pa.float64())
    kinds |= dict.fromkeys(_TRUTH, pa.bool_())
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in table.columns])
    count = 0
    remaining = iter(rows)
    with atomic_write(output) as path, pq.ParquetWriter(path, schema) as writer:
        while batch := [table.line(row) for row in itertools.islice(remaining, 10_000)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


@contextlib.contextmanager
def opened(output: Path | None) -> Iterator[IO[str]]:
    """A file that is written whole or not at all; without one, standard output."""
    if output is None:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        yield sys.stdout
        return
    with atomic_write(output) as path, path.open("w", encoding="utf-8", newline="") as file:
        yield file
