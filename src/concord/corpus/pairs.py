"""Pairs that were translated elsewhere: a source, its follow-up, and both translations, in CSV, TSV or JSONL."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concord.errors import CorpusError, UserError
from concord.text.languages import normalise

NAMES = {
    "relation": ("relation", "transformation"),
    "source": ("source", "src"),
    "follow_up": ("follow_up", "followup", "follow-up"),
    "source_output": ("source_output", "source_translation", "translation", "mt"),
    "follow_up_output": ("follow_up_output", "follow_up_translation", "followup_translation", "back_translation"),
    "source_lang": ("source_lang", "source_language"),
    "target_lang": ("target_lang", "target_language"),
    "follow_up_lang": ("follow_up_lang", "pivot", "pivot_lang"),
}
NEEDED = ("source", "source_output", "follow_up_output")


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the file by role; `follow_up` is empty where the file has none."""

    line: int
    relation: str
    words: Mapping[str, str]
    langs: Mapping[str, str]
    row: Mapping[str, Any]


def read_pairs(path: str | Path, *, source: str = "", target: str = "", relation: str = "") -> Iterator[Pair]:
    """The pairs of a file, in its order. What a column does not say comes from the arguments."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: not UTF-8 at byte {error.start}; convert it, for example with iconv") from None
    rows = list(_rows(path, text))
    if not rows:
        raise CorpusError(f"{path}: there is no row in it")
    columns = _columns(path, rows[0][1])
    given = {"source_lang": source, "target_lang": target, "relation": relation}
    for line, row in rows:
        yield _pair(path, line, row, columns, given)


def _rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    if path.suffix in (".jsonl", ".json"):
        yield from _json_rows(path, text)
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if path.suffix == ".tsv" else ",")
    try:
        for row in reader:
            if None in row or None in row.values():
                raise CorpusError(f"{path}, line {reader.line_num}: another number of columns than the header")
            yield reader.line_num, row
    except csv.Error as error:
        raise CorpusError(f"{path}, line {reader.line_num}: {error}") from None


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise CorpusError(f"{path}, line {number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise CorpusError(f"{path}, line {number}: a JSON object is expected")
        yield number, row


def _columns(path: Path, row: Iterable[str]) -> dict[str, str]:
    present = {name.strip().lower(): name for name in row}
    found = {role: present[name] for role, names in NAMES.items() for name in reversed(names) if name in present}
    missing = [role for role in NEEDED if role not in found]
    if missing:
        wanted = "; ".join(f"{role} (or {', '.join(NAMES[role][1:])})" for role in missing)
        raise CorpusError(f"{path}: no column {wanted}. Columns found: {', '.join(present)}")
    return found


def _pair(path: Path, line: int, row: dict[str, Any], columns: dict[str, str], given: Mapping[str, str]) -> Pair:
    def cell(role: str) -> str:
        return str(row.get(columns.get(role, ""), "") or given.get(role, ""))

    for role, option in (("relation", "--relation"), ("source_lang", "--from"), ("target_lang", "--to")):
        if not cell(role):
            raise UserError(f"{path}, line {line}: no {role.replace('_', ' ')}; add a column {role}, or give {option}")
    roles = ("source", "follow_up", "source_output", "follow_up_output")
    langs = {role: normalise(cell(role)) for role in ("source_lang", "target_lang")}
    if cell("follow_up_lang"):
        langs["follow_up_lang"] = normalise(cell("follow_up_lang"))
    return Pair(line, cell("relation"), {role: cell(role) for role in roles}, langs, row)
