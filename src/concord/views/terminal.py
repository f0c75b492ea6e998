"""Tables and cases on a terminal, or as plain lines when the output is piped.

Texts come from corpora and translators, so nothing in them is interpreted as markup or as a control sequence. On a
terminal, words that differ are bold, red and underlined; without colours they are in «guillemets». Piped tables have
one line per row, never cut.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from concord.analyses.regression import baseline
from concord.language.codes import direction
from concord.language.invisible import blanks, visible
from concord.plural import plural
from concord.runs.summary import Summary
from concord.store import RunRecord
from concord.views.highlight import Excerpt, beginning, diff, excerpt, marked, ranges
from concord.views.spans import without_overlap
from concord.views.wording import (
    READING_ORDER,
    facts,
    has_marks,
    judged,
    moment,
    remarks,
    roles,
    scales,
    share,
    value_text,
)

LIMIT = 600
LABEL = 60
FOLD = 16
DIFFERS = "bold red underline"
UNMARKED = ("of", "instead", "aside")
"""Kinds that are not marked here, because all marks look the same on a terminal."""
_NUMBER = re.compile(r"–|[\d.,]+( \([\d.]+%\))?")

SUMMARY_COLUMNS = (
    "run", "system", "from→to", "relation", "cases", "flagged", "errors", "asked", "sent", "cached", "seconds",
)  # fmt: skip


def console() -> Console:
    """Standard output; characters that its encoding lacks are escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.encoding.lower().startswith("utf"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return Console(highlight=False, markup=False, emoji=False)


def print_summary(summaries: Sequence[Summary], console: Console) -> None:
    """Print one row per run with its counts, then the notes of each run."""
    print_table(SUMMARY_COLUMNS, [_summary_row(summary) for summary in summaries], console)
    for line in remarks(summaries):
        print_line(Text(visible(line)), console)


def print_baseline(beside: Sequence[baseline.Against], console: Console) -> None:
    """Print the comparison of systems with the baseline, and what cannot be compared."""
    if rows := baseline.table_rows(beside):
        print_table(baseline.COLUMNS, rows, console)
    for line in [*([baseline.NOTE] if rows else []), *baseline.not_compared(beside)]:
        print_line(Text(visible(line)), console)


def print_runs(runs: Sequence[RunRecord], console: Console) -> None:
    """Print the runs of a workspace with their signatures."""
    rows = [(run.id, moment(run.started), "finished" if run.finished else "unfinished", run.signature) for run in runs]
    print_table(("run", "started (UTC)", "state", "signature"), rows, console)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], console: Console) -> None:
    """Print a table. Numbers are right-aligned; cells that do not fit are wrapped, or printed one per line, never cut.

    A line break in a cell is kept on a terminal and becomes a blank elsewhere, where a row is a line.
    """
    cells = [[visible(str(cell), keep="\n") for cell in row] for row in rows]
    if not console.is_terminal:
        cells = [[cell.replace("\n", " ") for cell in row] for row in cells]
    shapes = [_Shape.from_cells(name, [row[i] for row in cells]) for i, name in enumerate(columns)]
    if not console.is_terminal:
        for row in [list(columns), *cells]:
            line = "  ".join(shape.padded(cell) for shape, cell in zip(shapes, row, strict=True))
            print_line(Text(line.rstrip()), console)
        return
    for gap in (2, 1):
        if sum(shape.least for shape in shapes) + gap * (len(shapes) - 1) <= console.width:
            console.print(_table(columns, cells, shapes, gap))
            return
    for row in cells:
        print_records(list(zip(columns, map(Text, row), strict=True)), console)
        console.print()


def print_findings(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print cases with their texts and the differences between compared texts; rows with an error as one line."""
    if not rows:
        print_line(Text("There is no case to show."), console)
    if any("suspicion" in row for row in rows):
        print_line(Text("Suspicion: higher is worse. #: rank by suspicion within the run."), console)
    for row in rows:
        if row.get("error") is not None:
            print_line(_error(row), console)
        else:
            print_case(row, console)


# -- inside ----------------------------------------------------------------------------------------


def _summary_row(summary: Summary) -> tuple[object, ...]:
    run = summary.run
    return (
        run.id, run.system, direction(run.source, run.target), run.relation, summary.cases, share(summary),
        summary.errors, run.asked, run.sent, run.cached, f"{run.seconds:.1f}",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Shape:
    """The width of a column, and whether it holds numbers, which are right-aligned and never wrapped."""

    width: int
    right: bool

    @classmethod
    def from_cells(cls, name: str, cells: Sequence[str]) -> _Shape:
        width = max(map(cell_len, [name, *cells]))
        return cls(width, bool(cells) and all(map(_NUMBER.fullmatch, cells)))

    @property
    def least(self) -> int:
        return self.width if self.right else min(self.width, FOLD)

    def padded(self, cell: str) -> str:
        blank = " " * (self.width - cell_len(cell))
        return blank + cell if self.right else cell + blank


def _table(columns: Sequence[str], cells: list[list[str]], shapes: list[_Shape], gap: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, gap - 1, 0, 0))
    for name, shape in zip(columns, shapes, strict=True):
        justify: Literal["left", "right"] = "right" if shape.right else "left"
        table.add_column(Text(name), justify=justify, no_wrap=shape.right, overflow="fold", min_width=shape.least)
    for row in cells:
        table.add_row(*map(Text, row))
    return table


def print_line(text: Text, console: Console) -> None:
    """Print a text: wrapped on a terminal, as one line elsewhere."""
    console.print(text, soft_wrap=not console.is_terminal)


def print_records(entries: Sequence[tuple[str, Text]], console: Console, indent: int = 0) -> None:
    """Print named texts below each other, beside their names if the width allows it."""
    widest = max(cell_len(name) for name, _ in entries)
    if not console.is_terminal:
        for name, text in entries:
            print_line(Text(" " * indent + name + " " * (widest - cell_len(name) + 2)) + text, console)
        return
    if indent + widest + 2 + FOLD <= console.width:
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for name, text in entries:
            grid.add_row(Text(name), text)
        console.print(Padding(grid, (0, 0, 0, indent)))
        return
    for name, text in entries:
        console.print(Text(name, style="dim", overflow="fold"))
        console.print(Padding(text, (0, 0, 0, min(2, console.width - 1))))


def location_of(row: Mapping[str, Any]) -> str:
    domain = f" ({row['domain']})" if row["domain"] else ""
    repetition = f", repetition {row['repetition']}" if row["repetition"] else ""
    return f"{row['segment']}{domain}{repetition}"


def title_of(row: Mapping[str, Any]) -> str:
    return f"{row['relation']}  {row['system']}  {direction(row['source_lang'], row['target_lang'])}"


def _error(row: Mapping[str, Any]) -> Text:
    text = Text("error  ", style="bold yellow")
    text.append(visible(f"{title_of(row)}  {location_of(row)}: "), style="not bold default")
    return text + excerpt_text(beginning(row["error"], LIMIT), None)


def print_case(row: Mapping[str, Any], console: Console) -> None:
    rank = f"#{row['rank']}  " if "rank" in row else ""
    heading = Text(visible(f"{rank}{title_of(row)}  "), style="bold")
    heading.append(judged(row), style="red" if row["violated"] else "green")
    heading.append(visible(f"  {location_of(row)}"), style="not bold default")
    print_line(heading, console)
    texts = _marked_texts(row, console) if has_marks(row) else [*_context(row), *_compared(row, console)]
    print_records([*texts, *_details(row)], console, indent=2)
    console.print()


def _context(row: Mapping[str, Any]) -> Iterator[tuple[str, Text]]:
    """Every text that is not compared, once, with all its role names."""
    listed = list(row["compared"])
    segment = {"words": row["text"], "lang": row["source_lang"]}
    for text in [segment, row["source"], *row["steps"].values(), *(row[role] for role in READING_ORDER)]:
        if text not in listed:
            listed.append(text)
            yield (
                _role_text(roles(row, text) or ["sentence"], text),
                excerpt_text(beginning(text["words"], LIMIT), None),
            )


def _compared(row: Mapping[str, Any], console: Console) -> Iterator[tuple[str, Text]]:
    first, second = row["compared"]
    brackets = _brackets(first["words"] + second["words"], console)
    named_roles = [roles(row, first) or ["first"], roles(row, second) or ["second"]]
    if first == second:
        named_roles = [named_roles[0][:1], named_roles[0][-1:]] if len(named_roles[0]) > 1 else [["first"], ["second"]]
    for names, text, pieces in zip(
        named_roles, (first, second), diff(first["words"], second["words"], first["lang"]), strict=True
    ):
        yield (
            "≠ " * (first != second) + "= " * (first == second) + _role_text(names, text),
            excerpt_text(excerpt(pieces, LIMIT), brackets),
        )


def _marked_texts(row: Mapping[str, Any], console: Console) -> Iterator[tuple[str, Text]]:
    """Every text once, with the marks of the relation's evidence."""
    role_ranges = ranges(row, without=UNMARKED)
    brackets = _brackets("".join(row[role]["words"] for role in READING_ORDER), console)
    listed = []
    for role in READING_ORDER:
        text = row[role]
        if text not in listed:
            listed.append(text)
            spans = without_overlap(
                [span for name in READING_ORDER if row[name] == text for span in role_ranges[name]], text["words"]
            )
            sign = ("≠ " if row["violated"] else "≈ ") if text in row["compared"] else ""
            yield (
                sign + _role_text(roles(row, text), text),
                excerpt_text(excerpt(marked(text["words"], spans), LIMIT), brackets),
            )


def _details(row: Mapping[str, Any]) -> Iterator[tuple[str, Text]]:
    if row["scores"]:
        groups = scales(row["scores"], row["directions"]).items()
        listed = "; ".join(f"{', '.join(map(' '.join, group))} ({meaning})" for meaning, group in groups)
        yield "scores", excerpt_text(beginning(listed, LIMIT), None)
    for kind in ("factors", "evidence"):
        entries = facts(row, kind)
        if entries:
            listed = "; ".join(f"{name}: {value_text(value)}" for name, value in entries.items())
            yield kind, excerpt_text(beginning(listed, LIMIT), None)


def _role_text(names: Sequence[str], text: Mapping[str, str]) -> str:
    return str(excerpt_text(beginning(f"{', '.join(names)} [{text['lang']}]", LABEL), None))


def _brackets(words: str, console: Console) -> tuple[str, str]:
    """The brackets around words that differ: none where colour marks them, and never ones that the texts contain."""
    if console.is_terminal and console.color_system is not None and not console.no_color:
        return "", ""
    return ("⟦", "⟧") if "«" in words or "»" in words else ("«", "»")


def excerpt_text(part: Excerpt, brackets: tuple[str, str] | None) -> Text:
    before, after = brackets or ("", "")
    text = Text(f"(+{plural(part.before, 'character')}) …" if part.before else "")
    for piece in part.pieces:
        if piece.differs:
            words = blanks(piece.words) if piece.words.isspace() else piece.words
            text.append(before + visible(words) + after, style=DIFFERS)
        else:
            text.append(visible(piece.words))
    return text.append(f"… (+{plural(part.after, 'character')})" if part.after else "")
