"""Tables that people fill in with a spreadsheet: CSV, TSV or JSONL, written so that nothing in them is executed.

A cell that a spreadsheet would take for a formula gets an apostrophe in front, which is taken off again
when the table is read. The reader accepts what spreadsheets make of such a table: a byte-order mark, CRLF, semicolons,
missing empty cells at the end of a line, additional columns, other capitals in the header.
"""

import csv
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from concord.atomic import atomic_write
from concord.corpus.files import File, open_file
from concord.corpus.formats import format_of
from concord.corpus.formats.json_lines import parsed
from concord.corpus.formats.tables import quoted_table, unguarded
from concord.errors import UserError
from concord.plain_data import json_kind
from concord.plural import plural
from concord.store.export import Form, cell_of

FORMATS = {"csv": ",", "tsv": "\t", "jsonl": ""}
Line = tuple[int, dict[str, Any]]

_NUMBER = re.compile(r"\d+(e\d+)?")


def format_for(path: Path) -> str:
    """The format by the file's ending. UserError if it is none that people can fill in."""
    format = format_of(path)
    if format not in FORMATS or path.suffix.lower() == ".gz":
        raise UserError(
            f"{path}: labels are written to and read from .csv, .tsv or .jsonl; choose one of these endings"
        )
    return format


def write_sheet(path: Path, columns: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> int:
    """Write the table, whole or not at all; returns the number of its lines."""
    format, count = format_for(path), 0
    # Excel reads a CSV as UTF-8 only if a byte-order mark says so; programs that read JSON want none.
    encoding = "utf-8" if format == "jsonl" else "utf-8-sig"
    with atomic_write(path) as part, part.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, delimiter=FORMATS[format] or ",", lineterminator="\r\n")
        if format != "jsonl":
            writer.writerow(columns)
        for count, line in enumerate(lines, start=1):  # noqa: B007
            cells = {name: line[name] for name in columns}
            if format == "jsonl":
                file.write(json.dumps(cells, ensure_ascii=False) + "\n")
            else:
                writer.writerow([cell_of(cell, Form("csv")) for cell in cells.values()])
    return count


def read_sheet(path: Path, needed: Sequence[str], never_empty: Collection[str] = ()) -> tuple[File, list[Line]]:
    """The lines of a table, each with its number in the file and its cells by lower-case column name.

    Cells that are missing at the end of a line count as empty, but in a column of `never_empty` as damage.
    """
    format, file = format_for(path), open_file(path)
    lines = list(_objects(file) if format == "jsonl" else _rows(file, _cells(file, format), never_empty))
    names = set[str]().union(*(line for _, line in lines))
    missing = [name for name in needed if name not in names]
    if not lines:
        raise UserError(f"{path} has no line to read. `concord label export` writes such a file")
    if missing:
        raise UserError(f"{path} has no column '{missing[0]}'. Found: {', '.join(sorted(names))[:500]}")
    return file, lines


def as_text(key: str) -> str:
    """A hexadecimal key, guarded if it happens to read as a number."""
    return f"'{key}" if _NUMBER.fullmatch(key) else key


def _objects(file: File) -> Iterator[Line]:
    for number, text in file:
        if text.strip():
            value = parsed(file, number, text)
            if not isinstance(value, dict):
                raise file.error(number, f"a JSON object is expected, not {json_kind(type(value))}")
            yield number, {str(name).strip().lower(): cell for name, cell in value.items()}


def _rows(file: File, table: Iterable[tuple[int, list[str]]], never_empty: Collection[str]) -> Iterator[Line]:
    names: list[str] = []
    for number, cells in table:
        if not any(cell.strip() for cell in cells):
            continue
        if not names:
            names = [name.strip().lower() for name in cells]
            twice = [name for name in names if name and names.count(name) > 1]
            if twice:
                raise file.error(number, f"the column '{twice[0]}' is there twice. Rename one of them")
            continue
        if any(cell.strip() for cell in cells[len(names) :]):
            raise file.error(
                number, f"{plural(len(cells), 'column')}, but the header has {len(names)}. Check the separators"
            )
        missing = [name for name in names[len(cells) :] if name in never_empty]
        if missing:
            raise file.error(
                number,
                f"{plural(len(cells), 'column')}, but the header has {len(names)}, and '{missing[0]}' is lacking. The"
                " line has broken off: take it from the sheet as it was exported. Nothing was imported",
            )
        padded = cells + [""] * (len(names) - len(cells))
        yield number, {name: unguarded(cell) for name, cell in zip(names, padded, strict=False)}


def _cells(file: File, format: str) -> list[tuple[int, list[str]]]:
    first = next((line for _, line in file), "")
    lines = (line for _, line in file)
    if format == "csv":
        return list(quoted_table(file, lines, max(",;\t", key=first.count), "a table"))
    # Spreadsheets differ in whether they put quotes around the cells of a TSV file.
    try:
        return list(quoted_table(file, lines, "\t", "a table"))
    except UserError:
        return [(number, line.split("\t")) for number, line in file]
