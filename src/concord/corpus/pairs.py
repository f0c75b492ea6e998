"""Reads pairs that were translated elsewhere from CSV, TSV or JSONL: a source, its follow-up and both translations."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concord.corpus.files import File, open_file
from concord.corpus.formats import format_of
from concord.corpus.formats.json_lines import objects
from concord.corpus.formats.tables import table_with_header
from concord.errors import CorpusError, UserError
from concord.language.codes import normalise
from concord.model import ROLES

FORMATS = ("csv", "tsv", "jsonl")
NAMES = {
    "relation": ("relation", "transformation"),
    "source": ("source", "src"),
    "follow_up": ("follow_up", "followup", "follow-up"),
    "source_output": ("source_output", "source_translation", "translation", "mt"),
    "follow_up_output": ("follow_up_output", "follow_up_translation", "followup_translation", "back_translation"),
    "source_lang": ("source_lang", "source_language"),
    "target_lang": ("target_lang", "target_language"),
    "pivot_lang": ("pivot_lang", "pivot", "follow_up_lang"),
}
NEEDED = ("source", "source_output")
"""The columns that every relation needs; columns that only some need are checked when pairs are judged."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the file by role; roles without a column are missing from `words`.

    `columns` has the name of each role's column in the file.
    """

    line: int
    relation: str
    words: Mapping[str, str]
    langs: Mapping[str, str]
    row: Mapping[str, Any]
    columns: Mapping[str, str]

    def column(self, role: str) -> str:
        """The file's column of a role, or the column's usual name if the file has none."""
        return self.columns.get(role) or NAMES[role][0]


def read_pairs(file: str | Path | File, *, source: str = "", target: str = "", relation: str = "") -> Iterator[Pair]:
    """The pairs of a file, in its order. An argument overrides the file's column."""
    file = file if isinstance(file, File) else open_file(Path(file))
    path = Path(file.label)
    format = format_of(path)
    if format not in FORMATS:
        raise UserError(f"{path}: pairs are read from .csv, .tsv or .jsonl, with a header or field names")
    overrides = {"source_lang": source, "target_lang": target, "relation": relation}
    columns: dict[tuple[str, ...], dict[str, str]] = {}
    for line, row in _rows(file, format):
        names = tuple(row)
        if names not in columns:
            columns[names] = _columns(path, names)
        yield _pair(path, line, row, columns[names], overrides)
    if not columns:
        raise CorpusError(f"{path}: there is no row in it")


def _rows(file: File, format: str) -> Iterator[tuple[int, dict[str, Any]]]:
    if format == "jsonl":
        yield from objects(file)
        return
    table = table_with_header(file, format)
    _, names = next(table, (0, []))
    for line, cells in table:
        yield line, dict(zip(names, cells, strict=True))


def _columns(path: Path, row: Iterable[str]) -> dict[str, str]:
    present = {name.strip().lower(): name for name in row}
    columns = {role: present[name] for role, names in NAMES.items() for name in reversed(names) if name in present}
    missing = [role for role in NEEDED if role not in columns]
    if missing:
        raise CorpusError(f"{path}: {no_column(missing, row)}")
    return columns


def no_column(roles: Iterable[str], row: Iterable[str]) -> str:
    """The error message for roles that have no column in a file."""
    lacking = "; ".join(f"{role} (or {', '.join(NAMES[role][1:])})" for role in roles)
    return f"no column {lacking}. Columns found: {', '.join(name.strip() for name in row)}"


def _pair(path: Path, line: int, row: dict[str, Any], columns: dict[str, str], overrides: Mapping[str, str]) -> Pair:
    def cell(role: str) -> str:
        return str(overrides.get(role) or row.get(columns.get(role, "")) or "")

    for role, option in (("relation", "--relation"), ("source_lang", "--from"), ("target_lang", "--to")):
        if not cell(role):
            raise UserError(f"{path}, line {line}: no {role.replace('_', ' ')}; add a column {role}, or give {option}")
    try:
        langs = {role: normalise(cell(role)) for role in ("source_lang", "target_lang")}
        langs["pivot_lang"] = normalise(cell("pivot_lang") or "und")
    except UserError as error:
        raise CorpusError(f"{path}, line {line}: {error}") from None
    return Pair(line, cell("relation"), {role: cell(role) for role in ROLES if role in columns}, langs, row, columns)
