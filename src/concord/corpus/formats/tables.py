"""Tables: TSV without quoting, as is usual in machine translation, and CSV with quoting.

In tables that Concord writes for people, a text that a spreadsheet would take for a formula has an apostrophe in front.
Where Concord reads such a table, it takes the apostrophe off again. A raw table has no such apostrophes; it is marked
by an empty last column named `raw`.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from concord.corpus.files import LONGEST_LINE, File
from concord.corpus.formats.fields import FieldIndices, expected, find_fields, listed
from concord.corpus.formats.rows import Note, Row, make_row, note_rivals
from concord.plural import plural

Table = Iterator[tuple[int, list[str]]]

EXPORTED = frozenset({"case", "relation", "system", "source_lang", "target_lang"})
"""The columns of every table that Concord exports from a workspace."""
RAW = "raw"
# The wide forms are formulas too in some Asian settings; an apostrophe is here so that it can be taken off again.
_FORMULA = re.compile(r"\s*[=+\-@'＝＋－＠]|[\t\r\n]")


def guarded(cell: str) -> str:
    """The cell with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> guarded("=1+1"), guarded("- no"), guarded("12e9"), guarded("it's")
    ("'=1+1", "'- no", '12e9', "it's")
    """
    # Most texts begin with a letter, and this check is quicker than the pattern.
    return cell if cell[:1].isalnum() or not _FORMULA.match(cell) else f"'{cell}"


def unguarded(cell: str) -> str:
    """The cell before it was guarded; any other cell unchanged."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def read_tsv(file: File, lang: str, note: Note) -> Iterator[Row]:
    """Rows of a TSV file: tabs separate cells, and a quote is a character like any other."""
    return _read_table(file, tsv_table(file), lang, note)


def read_csv(file: File, lang: str, note: Note) -> Iterator[Row]:
    """Rows of a CSV file, which needs a header: columns cannot be guessed, since running text has commas too."""
    table = csv_table(file)
    for line, names in table:
        if _blank(names):
            yield Row(line)
        elif find_fields(tuple(names), lang).any_found:
            yield from _read_table(file, chain([(line, names)], table), lang, note)
        else:
            requirement = f"a CSV file needs a header that names the text ({expected(lang)})"
            raise file.error(line, f"{requirement}. Found: {listed(names)}")


def _read_table(file: File, table: Table, lang: str, note: Note) -> Iterator[Row]:
    fields, width = None, 0
    for number, cells in table:
        if _blank(cells):
            yield Row(number)
            continue
        if fields is None:
            width = len(cells)
            header = find_fields(tuple(cells), lang)
            fields = _with_text(file, number, cells, header)
            if header.any_found:
                note_rivals(cells, fields, note)
                continue
        if len(cells) != width:
            raise file.error(
                number, f"{plural(len(cells), 'column')}, but the first row has {width}. Check the separators"
            )
        yield make_row(number, fields, cells.__getitem__)


def _with_text(file: File, number: int, names: list[str], fields: FieldIndices) -> FieldIndices:
    if fields.text is not None:
        return fields
    used = {fields.id, fields.domain, fields.reference}
    free = [index for index in range(len(names)) if index not in used]
    if not free:
        raise file.error(number, f"no column is left for the text. Found: {listed(names)}. Add a column 'text'")
    return replace(fields, text=free[0])


def table_with_header(file: File, format: str) -> Table:
    """The names in the header of a CSV or TSV file, and the rows below it, each as wide; blank lines are left out."""
    header: list[str] = []
    for number, cells in csv_table(file) if format == "csv" else tsv_table(file):
        if _blank(cells):
            continue
        if not header:
            cells = header = [name.strip() for name in cells]
        if len(cells) != len(header):
            raise file.error(
                number, f"{plural(len(cells), 'column')}, but the header has {len(header)}. Check the separators"
            )
        yield number, cells


def tsv_table(file: File) -> Table:
    return _as_exported((number, line.split("\t")) for number, line in file)


def csv_table(file: File) -> Table:
    return _as_exported(_csv_table(file))


def _as_exported(table: Iterable[tuple[int, list[str]]]) -> Table:
    """The table, with its cells unguarded if Concord exported it."""
    ours: bool | None = None
    for number, cells in table:
        if ours is None and not _blank(cells):
            names = {name.strip().lower() for name in cells}
            ours = names >= EXPORTED and RAW not in names
        yield number, [unguarded(cell) for cell in cells] if ours else cells


def _csv_table(file: File) -> Table:
    lines = (line for _, line in file)
    first = next(lines, None)
    delimiter = ";" if first and ";" in first and "," not in first else ","
    yield from quoted_table(file, chain([] if first is None else [first], lines), delimiter, "CSV")


def quoted_table(file: File, lines: Iterable[str], delimiter: str, format_name: str) -> Table:
    """The cells of lines of a file, which may be quoted; an error says that the lines are not `format_name`."""
    # A field may hold all of a long line; the csv module's own limit is lower.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    start = 1
    try:
        for cells in reader:
            yield start, cells
            start = reader.line_num + 1
    except csv.Error as problem:
        cure = "Close each quote, and double a quote inside a quoted field"
        raise file.error(start, f"not {format_name} ({problem}). {cure}") from None


def _blank(cells: list[str]) -> bool:
    return not any(cell.strip() for cell in cells)
