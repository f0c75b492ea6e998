"""Tables and cases on a terminal, or as plain lines when the output is piped.

Texts come from corpora and translators, so nothing in them is interpreted as markup or as a control sequence. On a
terminal, words that differ are bold, red and underlined; without colours they are in «guillemets». Piped tables have
one line per row, never cut.
"""

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

from concord.analyses.regression.sentence_tests import JointTest
from concord.language.codes import direction
from concord.language.invisible import blanks, visible
from concord.plural import plural
from concord.runs.summary import Summary
from concord.store import RunRecord
from concord.store.findings import Problem, TranslationFinding
from concord.views.highlight import Excerpt, beginning, compared_roles, diff, excerpt, marked, ranges
from concord.views.notes import failed_answers, notes
from concord.views.reason import reason_text
from concord.views.regression.baseline import baseline_tables, not_compared
from concord.views.spans import without_overlap
from concord.views.wording import (
    READING_ORDER,
    cases_text,
    facts,
    judged,
    moment,
    roles,
    scales,
    share,
    value_text,
)

RANKS = "#: rank by suspicion within the run."
FINDINGS = f"A finding is a translation that may be wrong, shown by the most suspicious case that blames it. {RANKS}"
LIMIT = 600
LABEL = 80
FOLD = 16
DIFFERS = "bold red underline"
UNMARKED = ("of", "instead", "aside")
"""Kinds that are not marked here, because all marks look the same on a terminal."""
_NUMBER = re.compile(r"–|[\d.,]+( +\([\d.]+%\))?")

SUMMARY_COLUMNS = (
    "run", "system", "from→to", "relation", "cases", "flagged", "not judged", "errors", "seconds",
)  # fmt: skip
COUNTS_OF_TEXTS = ("asked", "sent", "cached")

PROBLEM_COLUMNS = (
    "sentences", "findings", "cases", "source word", "wrong word", "kind", "system", "from→to", "example",
)  # fmt: skip


def console() -> Console:
    """Standard output; characters that its encoding lacks are escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.encoding.lower().startswith("utf"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return Console(highlight=False, markup=False, emoji=False)


def print_summary(summaries: Sequence[Summary], console: Console, verbose: bool = False) -> None:
    """Print one row per run with its counts (`verbose`: those of texts, too), and which answers are no translations."""
    more = COUNTS_OF_TEXTS if verbose else ()
    rows = [(*_summary_row(summary), *(f"{getattr(summary.run, name):,}" for name in more)) for summary in summaries]
    print_table((*SUMMARY_COLUMNS, *more), rows, console)
    for line in failed_answers(summaries):
        print_line(Text(visible(line), style="bold"), console)
    console.print()


def print_baseline(beside: Sequence[JointTest], console: Console) -> None:
    """Print the comparison of systems with the baseline."""
    for table in baseline_tables(beside):
        print_table(table.columns, table.rows, console)
        print_line(Text(visible(table.note)), console)
        console.print()


def print_notes(summaries: Sequence[Summary], beside: Sequence[JointTest], console: Console) -> None:
    """Print the notes of runs, and what cannot be compared with the baseline, one line of each kind."""
    if lines := notes(summaries, not_compared(beside)):
        print_line(Text("Notes:"), console)
        print_records([("-", Text(visible(line))) for line in lines], console, indent=2)


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
    if not console.is_terminal:
        shapes = _shapes(columns, cells)
        for row in [list(columns), *cells]:
            line = "  ".join(shape.padded(cell) for shape, cell in zip(shapes, row, strict=True))
            print_line(Text(line.rstrip()), console)
        return
    for gap, between_words in ((2, " "), (1, " "), (1, "\n")):
        headings = [name.replace(" ", between_words) for name in columns]
        shapes = _shapes(headings, cells)
        if sum(shape.least for shape in shapes) + gap * (len(shapes) - 1) <= console.width:
            console.print(_table(headings, cells, shapes, gap))
            return
    for row in cells:
        print_records(list(zip(columns, map(Text, row), strict=True)), console)
        console.print()


def print_cases(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print cases with their texts and the differences between compared texts; rows with an error as one line."""
    if not rows:
        print_line(Text("There is no case to show."), console)
    if any("suspicion" in row for row in rows):
        print_line(Text(f"Suspicion: higher is worse. {RANKS}"), console)
    for row in rows:
        if row.get("error") is not None:
            print_line(_error(row), console)
        else:
            print_case(row, console)


def print_findings(findings: Sequence[TranslationFinding], console: Console) -> None:
    """Print each finding by its worst case."""
    if not findings:
        print_line(Text("No case is flagged. With --by case, `show` lists the most suspicious ones."), console)
        return
    print_line(Text(FINDINGS), console)
    for finding in findings:
        print_finding(finding, console)


# -- inside ----------------------------------------------------------------------------------------


def _summary_row(summary: Summary) -> tuple[object, ...]:
    run = summary.run
    return (
        run.id, run.system, direction(run.source, run.target), run.relation, f"{summary.cases:,}", share(summary),
        f"{summary.not_judged:,}", f"{summary.errors:,}", f"{run.seconds:,.1f}",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Shape:
    """The width of a column, and whether it holds numbers, which are right-aligned and never wrapped."""

    width: int
    right: bool

    @classmethod
    def from_cells(cls, name: str, cells: Sequence[str]) -> "_Shape":
        width = max(map(cell_len, [*name.split("\n"), *cells]))
        return cls(width, bool(cells) and all(map(_NUMBER.fullmatch, cells)))

    @property
    def least(self) -> int:
        return self.width if self.right else min(self.width, FOLD)

    def padded(self, cell: str) -> str:
        blank = " " * (self.width - cell_len(cell))
        return blank + cell if self.right else cell + blank


def _shapes(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> list[_Shape]:
    return [_Shape.from_cells(name, [row[i] for row in cells]) for i, name in enumerate(headings)]


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
    """Print a case: its verdict, its reason, its texts with marks, its scores and its evidence."""
    rank = f"#{row['rank']}  " if "rank" in row else ""
    heading = Text(visible(f"{rank}{title_of(row)}  "), style="bold")
    heading.append(judged(row), style="red" if row["flagged"] else "green")
    heading.append(visible(f"  {location_of(row)}"), style="not bold default")
    print_line(heading, console)
    _print_reason(row, console)
    print_records([*_texts(row, console), *_details(row)], console, indent=2)
    console.print()


def print_finding(finding: TranslationFinding, console: Console) -> None:
    """Print a finding: the reason and the texts of its worst case, and which relations flag others."""
    row = finding.rows[0]
    heading = Text(visible(f"#{row['rank']}  {title_of(row)}  {location_of(row)}  "), style="bold")
    heading.append(visible(cases_text(finding)), style="red")
    print_line(heading, console)
    _print_reason(row, console)
    print_records(list(_texts(row, console)), console, indent=2)
    console.print()


def print_problems(problems: Sequence[Problem], console: Console) -> None:
    """Print problems as a table, with the reason of the worst case of each."""
    if not problems:
        print_line(
            Text("No wrong word is known: no case is flagged, or relations flag texts without naming a word."), console
        )
        return
    print_table(PROBLEM_COLUMNS, [_problem_row(problem) for problem in problems], console)


def _problem_row(problem: Problem) -> tuple[object, ...]:
    row = problem.rows[0]
    where = (row["system"], direction(row["source_lang"], row["target_lang"]))
    counts = (problem.sentences, problem.findings, problem.cases)
    wrong = (str(excerpt_text(beginning(" ".join(word.split()), LABEL), None)) or "–" for word in problem.wrong)
    return *counts, *wrong, *where, reason_text(row)


def _print_reason(row: Mapping[str, Any], console: Console) -> None:
    if sentence := reason_text(row):
        print_line(Text(f"  {visible(sentence)}"), console)


def _texts(row: Mapping[str, Any], console: Console) -> Iterator[tuple[str, Text]]:
    """Every text once, with its marks: the sentence, its translation, then the variant and what became of it."""
    role_ranges = ranges(row, without=UNMARKED)
    brackets = _brackets("".join(row[role]["words"] for role in READING_ORDER), console)
    sentence = {"words": row["text"], "lang": row["source_lang"]}
    listed: list[Mapping[str, str]] = []
    for text in [sentence, *(row[role] for role in READING_ORDER), *row["steps"].values()]:
        if text not in listed:
            listed.append(text)
            own = [span for role in READING_ORDER if row[role] == text for span in role_ranges[role]]
            pieces = marked(text["words"], without_overlap(own, text["words"]))
            name = _role_text(roles(row, text) or ["sentence"], text)
            yield _sign(row, text) + name, excerpt_text(excerpt(pieces, LIMIT), brackets)
    if not compared_roles(row):
        yield from _apart(row, brackets)


def _apart(row: Mapping[str, Any], brackets: tuple[str, str]) -> Iterator[tuple[str, Text]]:
    """The compared texts, where they are not two of the four roles."""
    first, second = row["compared"]
    pieces = diff(first["words"], second["words"], first["lang"])
    for name, text, part in zip(("first", "second"), (first, second), pieces, strict=True):
        yield _sign(row, text) + _role_text([name], text), excerpt_text(excerpt(part, LIMIT), brackets)


def _sign(row: Mapping[str, Any], text: Mapping[str, str]) -> str:
    """The sign before a text that is compared: whether it differs from the other one."""
    if text not in row["compared"]:
        return ""
    if row["compared"][0] == row["compared"][1]:
        return "= "
    return "≠ " if row["flagged"] else "≈ "


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
