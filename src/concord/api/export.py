"""Exporting rows, findings, labels and corrected translations of a workspace."""

import io
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from concord.api._index import listed
from concord.errors import UnknownName, UserError
from concord.labels.corrections import corrections, put_corrections
from concord.labels.labels import Labels
from concord.labels.sheets import COLUMNS, with_facts
from concord.runs.select import Chosen, refuse_overwriting, select
from concord.store import Workspace
from concord.store.export import STDOUT, Form, format_for, opened, put_lines, put_rows, write_parquet, written
from concord.store.finding_filter import Filter

__all__ = ["export", "exported", "exports", "written"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of export: a description, the formats it has, and the function that writes it into an open file.

    `filtered` says that filters apply to it.
    """

    description: str
    formats: tuple[str, ...]
    put: Callable[[Workspace, Filter, IO[str], Form], int]
    filtered: bool = False


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

    `filters` select and sort findings; their runs are replaced by `runs`. In CSV and TSV, a text that a spreadsheet
    would take for a formula gets an apostrophe in front, unless it is `raw`.
    """
    exporter = _exporter(kind, filters)
    file = None if output is None or Path(output) == STDOUT else Path(output)
    if file is not None:
        refuse_overwriting(workspace, file)
    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs)
        default = exporter.formats[0] if file is None else None
        form = Form(format_for(file, format or default, exporter.formats), raw)
        if form.format == "parquet":
            return write_parquet(store.rows(numbers), file)
        with opened(file) as out:
            return exporter.put(store, replace(filters or Filter(), runs=tuple(numbers)), out, form)


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
    """Whether filters leave out any findings; runs and their order do not."""
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
        filtered = " and ".join(name for name, exporter in KINDS.items() if exporter.filtered)
        raise UserError(f"{kind} are exported whole: filters are for {filtered}. Leave them out, but for the runs")
    return KINDS[kind]


def _rows(store: Workspace, filters: Filter, file: IO[str], form: Form) -> int:
    return put_rows(store.rows(_runs(filters)), file, form)


def _findings(store: Workspace, filters: Filter, file: IO[str], form: Form) -> int:
    return put_rows(listed(store.path, filters).rows(store), file, form)


def _labels(store: Workspace, filters: Filter, file: IO[str], form: Form) -> int:
    labels, runs = Labels(store), _runs(filters)
    return put_lines(with_facts(labels.rows(runs), labels.of_runs(runs)), COLUMNS, file, form)


def _corrections(store: Workspace, filters: Filter, file: IO[str], form: Form) -> int:
    return put_corrections(corrections(store, _runs(filters)), file, form)


def _runs(filters: Filter) -> list[int]:
    return [int(run) for run in filters.runs]


KINDS = {
    "rows": Kind(
        "every case and every row with an error, in corpus order", ("jsonl", "csv", "sheet", "parquet"), _rows
    ),
    "findings": Kind("the flagged cases, by rank", ("jsonl", "csv", "sheet"), _findings, filtered=True),
    "labels": Kind("the labels, with the texts that they judge", ("jsonl", "csv", "sheet"), _labels),
    "corrections": Kind("corrected translations, as training data", ("jsonl", "tsv", "tmx"), _corrections),
}
