"""Exporting rows, cases, findings, problems, labels and corrected translations of a workspace.

They are read and written one after the other: of a million cases only some numbers each are in memory.
"""

import io
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from concord.api._index import Row, grouped, listed
from concord.api.findings import plain_group, with_labels
from concord.errors import UnknownName, UserError
from concord.labels.corrections import Correction, corrections, put_corrections
from concord.labels.labels import Labels
from concord.labels.sheets import COLUMNS, with_facts
from concord.runs.select import Chosen, refuse_overwriting, select
from concord.store import Workspace
from concord.store.export import (
    ROWS,
    STDOUT,
    ExportTable,
    Form,
    format_for,
    nested,
    opened,
    put_rows,
    write_parquet,
    written,
)
from concord.store.finding_filter import Filter
from concord.store.findings import Translation, translations
from concord.store.index.finding_reader import findings, problems
from concord.store.queries import CHECK_FIELDS

__all__ = ["export", "exported", "exports", "written"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of export: a description, the formats it has, its rows, and how they become lines of a table.

    `filtered` says that filters apply to it.
    """

    description: str
    formats: tuple[str, ...]
    rows: Callable[[Workspace, Filter], Iterable[Any]]
    table: ExportTable | None = ROWS
    filtered: bool = False

    def put(self, store: Workspace, filters: Filter, file: IO[str], form: Form) -> int:
        """Write all rows into an open file and return their number."""
        rows = self.rows(store, filters)
        return put_rows(rows, file, form, self.table) if self.table else put_corrections(rows, file, form)


def exports() -> dict[str, Kind]:
    """The kinds of exports by name."""
    return dict(KINDS)


def export(
    workspace: str | Path,
    runs: Chosen = (),
    output: str | Path | None = None,
    format: str | None = None,
    *,
    kind: str = "rows",
    filters: Filter | None = None,
    raw: bool = False,
) -> int:
    """Write rows, or another kind of export, to a file (or stdout); return the number of lines or units.

    `filters` select and sort cases, findings or problems; their runs are replaced by `runs`. In CSV and TSV, a text
    that a spreadsheet would take for a formula gets an apostrophe in front, unless it is `raw`.
    """
    exporter = _exporter(kind, filters)
    file = None if output is None or Path(output) == STDOUT else Path(output)
    if file is not None:
        refuse_overwriting(workspace, file)
    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs)
        default = exporter.formats[0] if file is None else None
        form = Form(format_for(file, format or default, exporter.formats), raw)
        wanted = replace(filters or Filter(), runs=tuple(numbers))
        if form.format == "parquet" and exporter.table:
            return write_parquet(exporter.rows(store, wanted), file, exporter.table)
        with opened(file) as out:
            return exporter.put(store, wanted, out, form)


def exported(
    workspace: str | Path,
    runs: Chosen = (),
    *,
    kind: str,
    format: str,
    filters: Filter | None = None,
    raw: bool = False,
) -> Iterator[bytes]:
    """The same as chunks of a file, for a page to stream."""
    exporter = _exporter(kind, filters)
    form = Form(format, raw)
    formats = [name for name in exporter.formats if name != "parquet"]
    if format not in formats:
        raise UnknownName(f"format of {kind}", format, formats)
    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs)  # before the first chunk, so that an error can still be shown
    return _chunks(workspace, replace(filters or Filter(), runs=tuple(numbers)), exporter, form)


def _narrows(filters: Filter) -> bool:
    """Whether filters leave out any cases; runs and their order do not."""
    return bool(filters.labelled) or replace(filters, runs=(), sort="rank", reverse=False) != Filter()


def _chunks(workspace: str | Path, filters: Filter, exporter: Kind, form: Form) -> Iterator[bytes]:
    """The chunks of an export. It is written to a temporary file first, so that a slow reader locks no database."""
    with tempfile.TemporaryFile("w+b") as spool:
        text = io.TextIOWrapper(spool, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
        with Workspace(workspace, create=False) as store:
            exporter.put(store, filters, text, form)
        text.flush()
        spool.seek(0)
        while chunk := spool.read(1 << 16):
            yield chunk
        text.detach()


def _exporter(kind: str, filters: Filter | None) -> Kind:
    if kind not in KINDS:
        raise UnknownName("export", kind, KINDS)
    if filters is not None and _narrows(filters) and not KINDS[kind].filtered:
        *others, last = (name for name, exporter in KINDS.items() if exporter.filtered)
        filtered = f"{', '.join(others)} and {last}"
        raise UserError(f"{kind} are exported whole: filters are for {filtered}. Leave them out, but for the runs")
    return KINDS[kind]


def _rows(store: Workspace, filters: Filter) -> Iterator[Row]:
    return store.rows(_runs(filters))


def _cases(store: Workspace, filters: Filter) -> Iterator[Row]:
    return listed(store.path, filters).rows(store)


def _findings(store: Workspace, filters: Filter) -> Iterator[Row]:
    cases = grouped(store.path, filters)
    for finding in findings(store, cases, cases.findings()):
        yield from map(plain_group, with_labels(store, [finding]))


def _problems(store: Workspace, filters: Filter) -> Iterator[Row]:
    cases = grouped(store.path, filters)
    for problem in problems(store, cases, cases.problems()[1]):
        yield from map(plain_group, with_labels(store, [problem]))


def _labels(store: Workspace, filters: Filter) -> Iterator[Row]:
    labels, runs = Labels(store), _runs(filters)
    return with_facts(labels.rows(runs), labels.of_runs(runs))


def _corrections(store: Workspace, filters: Filter) -> Iterator[Correction]:
    return corrections(store, _runs(filters))


def _runs(filters: Filter) -> list[int]:
    return [int(run) for run in filters.runs]


_EXAMPLE = tuple(name for name in CHECK_FIELDS if name not in ("reference", "error"))
_WRONG = ("reason", "source_word", "wrong_word", "kind")
FINDING_COLUMNS = (
    *_EXAMPLE, "blamed_text", "blamed_translation", "other_text", "other_translation", "either", *_WRONG, "cases",
    "sentences", "relations", "case", "rank", "suspicion", "threshold",
)  # fmt: skip
PROBLEM_COLUMNS = (*_WRONG, "sentences", "findings", "cases", *_EXAMPLE, "case", "suspicion", "threshold")


def _finding_line(finding: Row) -> Row:
    """A finding in a line: its example with the blamed translation and the other one; `either` of them may be wrong."""
    example = finding["rows"][0]
    blamed, *others = (Translation(**translation) for translation in finding["translations"])
    others = others or [each for each in translations(example).values() if each != blamed]
    line = _with_example(finding) | {
        "relations": nested(finding["relations"]),
        "either": len(finding["translations"]) > 1,
    }
    for name, translation in zip(("blamed", "other"), (blamed, *others), strict=False):
        line |= {f"{name}_text": translation.words, f"{name}_translation": translation.output}
    return line


def _with_example(group: Mapping[str, Any]) -> Row:
    """The facts of a finding or a problem beside those of its first row."""
    return {**group["rows"][0], **group}


TABLE = ("jsonl", "csv", "sheet", "parquet")
"""The formats of what has a line for each row."""
_FINDINGS = ExportTable(FINDING_COLUMNS, _finding_line)
_PROBLEMS = ExportTable(PROBLEM_COLUMNS, _with_example)
KINDS = {
    "rows": Kind("every case and every row with an error, in corpus order", TABLE, _rows),
    "cases": Kind("the flagged cases, by rank", TABLE, _cases, filtered=True),
    "findings": Kind("the findings, each with its example, by rank", TABLE, _findings, _FINDINGS, filtered=True),
    "problems": Kind("the problems, by how many sentences they touch", TABLE, _problems, _PROBLEMS, filtered=True),
    "labels": Kind("the labels, with the texts that they judge", TABLE[:3], _labels, ExportTable(COLUMNS, dict)),
    "corrections": Kind("corrected translations, as training data", ("jsonl", "tsv", "tmx"), _corrections, None),
}
