"""What leaves a workspace: rows, findings, labels and corrected translations."""

from __future__ import annotations

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
from concord.store.export import STDOUT, Form, chosen_format, opened, put_lines, put_rows, write_parquet, written
from concord.store.finding_filter import Wanted

__all__ = ["export", "exported", "exports", "written"]


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that can be exported: what it is, the formats it has, and how it is written into an open file.

    What is `filtered` is of those findings alone that are wanted.
    """

    what: str
    formats: tuple[str, ...]
    put: Callable[[Workspace, Wanted, IO[str], Form], int]
    filtered: bool = False


def exports() -> dict[str, Kind]:
    """What can be exported, by name."""
    return dict(KINDS)


def export(
    workspace: str | Path,
    runs: Chosen = (),
    output: str | Path | None = None,
    format: str | None = None,
    *,
    what: str = "rows",
    wanted: Wanted | None = None,
    raw: bool = False,
) -> int:
    """Write rows, or what else is asked for, to a file (or stdout); gives the number of lines or units.

    Findings can be of those alone that are `wanted`, in that order; the runs are those named beside it.
    In CSV and TSV, a text that a spreadsheet would take for a formula has an apostrophe in front, unless it is `raw`.
    """
    kind = _kind(what, wanted)
    file = None if output is None or Path(output) == STDOUT else Path(output)
    if file is not None:
        refuse_overwriting(workspace, file)
    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)
        form = Form(chosen_format(file, format or (kind.formats[0] if file is None else None), kind.formats), raw)
        if form.format == "parquet":
            return write_parquet(store.rows(chosen), file)
        with opened(file) as out:
            return kind.put(store, _of_runs(wanted, chosen), out, form)


def exported(
    workspace: str | Path,
    runs: Chosen = (),
    *,
    what: str,
    format: str,
    wanted: Wanted | None = None,
    raw: bool = False,
) -> Iterator[bytes]:
    """The same as pieces of a file, for a page to hand on as they are made."""
    kind = _kind(what, wanted)
    form = Form(format, raw)
    if format not in kind.formats or format == "parquet":
        raise UnknownName(f"format of {what}", format, [each for each in kind.formats if each != "parquet"])
    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)  # before the first piece, so that an error can still be told
    return _pieces(workspace, _of_runs(wanted, chosen), kind, form)


def narrows(wanted: Wanted) -> bool:
    """Whether it asks for some findings alone; runs and their order do not."""
    return bool(wanted.labelled) or replace(wanted, runs=(), sort="rank", reverse=False) != Wanted()


def _of_runs(wanted: Wanted | None, runs: list[int]) -> Wanted:
    return replace(wanted or Wanted(), runs=tuple(runs))


def _pieces(workspace: str | Path, wanted: Wanted, kind: Kind, form: Form) -> Iterator[bytes]:
    """Written to a file without a name first: a database is not kept busy by a slow reader."""
    with tempfile.TemporaryFile("w+b") as spool:
        text = io.TextIOWrapper(spool, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
        with Workspace(workspace, create=False) as store:
            kind.put(store, wanted, text, form)
        text.flush()
        spool.seek(0)
        while piece := spool.read(1 << 16):
            yield piece
        text.detach()


def _kind(what: str, wanted: Wanted | None) -> Kind:
    if what not in KINDS:
        raise UnknownName("export", what, KINDS)
    if wanted is not None and narrows(wanted) and not KINDS[what].filtered:
        able = " and ".join(name for name, kind in KINDS.items() if kind.filtered)
        raise UserError(f"{what} are exported whole: filters are for {able}. Leave them out, but for the runs")
    return KINDS[what]


def _rows(store: Workspace, wanted: Wanted, file: IO[str], form: Form) -> int:
    return put_rows(store.rows(_runs(wanted)), file, form)


def _findings(store: Workspace, wanted: Wanted, file: IO[str], form: Form) -> int:
    return put_rows(listed(store.path, wanted).rows(store), file, form)


def _labels(store: Workspace, wanted: Wanted, file: IO[str], form: Form) -> int:
    labels, runs = Labels(store), _runs(wanted)
    return put_lines(with_facts(labels.rows(runs), labels.of_runs(runs)), COLUMNS, file, form)


def _corrections(store: Workspace, wanted: Wanted, file: IO[str], form: Form) -> int:
    return put_corrections(corrections(store, _runs(wanted)), file, form)


def _runs(wanted: Wanted) -> list[int]:
    return [int(run) for run in wanted.runs]


KINDS = {
    "rows": Kind(
        "every case and every row with an error, in corpus order", ("jsonl", "csv", "sheet", "parquet"), _rows
    ),
    "findings": Kind("the violated cases, by rank", ("jsonl", "csv", "sheet"), _findings, filtered=True),
    "labels": Kind("what people said, with the texts it was said of", ("jsonl", "csv", "sheet"), _labels),
    "corrections": Kind("corrected translations, to learn from", ("jsonl", "tsv", "tmx"), _corrections),
}
