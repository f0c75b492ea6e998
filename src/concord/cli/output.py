"""Output of the command line: tables or one JSON object, findings, progress, and suggested next commands."""

import contextlib
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from concord import errors
from concord.cli.exit_codes import FAILED
from concord.plural import plural

WORKSPACE = Path(errors.WORKSPACE)
WORTH_SAYING = 10.0
"""Seconds of throttling after which a run says so where no progress bar is shown."""


def say(words: str) -> None:
    """Print a line for the user on stderr."""
    print(visible(words), file=sys.stderr)


def say_notes(notes: Iterable[str]) -> None:
    for note in dict.fromkeys(notes):
        say(f"note: {note}")


def visible(words: object) -> str:
    """A text of unknown origin, with its control characters made visible."""
    from concord import views

    return views.visible(str(words))


def print_json(data: Any) -> None:
    """Print one JSON object, in characters that the encoding of stdout has."""
    print(_json(data, indent=2))


def print_json_rows(rows: Iterator[dict[str, Any]]) -> None:
    """Print `{"rows": […]}` row by row: there may be more rows than fit into memory."""
    separator = '{"rows": [\n'
    for row in rows:
        print(separator + _json(row), end="")
        separator = ",\n"
    print("\n]}" if separator == ",\n" else '{"rows": []}')


def _json(data: Any, indent: int | None = None) -> str:
    from concord.api.export import written

    utf8 = (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(written(data), ensure_ascii=not utf8, indent=indent)


def print_estimates(estimates: list[Any], as_json: bool) -> None:
    rows = [estimate.plain() for estimate in estimates]
    if as_json:
        totals = {name: sum(row[name] for row in rows) for name in ("texts", "characters")}
        print_json({**totals, "costs": _costs(rows), "rows": rows})
        return
    table = [
        (row["system"], row["relation"], row["target_lang"], f"{row['texts']:,}", f"{row['characters']:,}", _cost(row))
        for row in rows
    ]
    print_table(("system", "relation", "to", "texts", "characters", "cost"), table)
    for row in {row["system"]: row for row in rows if row["price"]}.values():
        price = row["price"]
        source = ", ".join(filter(None, (price["where"], price["day"])))
        print(
            f"{row['system']}: {price['per_million_characters']:g} {price['currency']} a million characters ({source})"
        )
    costs = _costs(rows)
    if len(rows) > 1 and costs:
        print("In all: " + ", ".join(f"{cost:.2f} {currency}".strip() for currency, cost in costs.items()))
    say_notes(note for row in rows for note in row["notes"])
    print("Nothing was sent. Texts of later steps are estimated to be as long as those of the first step.")


def _costs(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The known costs, summed for each currency."""
    costs: dict[str, float] = {}
    for row in rows:
        if row["cost"] is not None:
            costs[row["currency"] or ""] = costs.get(row["currency"] or "", 0.0) + row["cost"]
    return costs


def _cost(row: dict[str, Any]) -> str:
    return "price unknown" if row["cost"] is None else f"{row['cost']:.2f} {row['currency'] or ''}".strip()


def conclude(
    summaries: list[Any], workspace: Path, report: Path | None, top: int, as_json: bool, verbose: bool = False
) -> None:
    """Print what every run ends with: the report, the counts, the findings, and the next commands."""
    from concord import api

    numbers = tuple(summary.run.id for summary in summaries)
    if report is not None:
        api.write_report(workspace, numbers, report)
    page = api.show(workspace, api.Filter(runs=numbers), limit=top, by="finding")
    if as_json:
        print_json({**api.together(summaries), "against_baseline": page.plain()["against_baseline"]})
    else:
        print_summaries(summaries, page.beside, verbose)
        if top and any(summary.cases for summary in summaries):
            print_listed(page)
            print_more(page, "finding", "--top")
        print_errors(workspace, summaries)
        print_notes(summaries, page.beside)
        _print_next(workspace, report, [summary.run for summary in summaries])
    fail_without_cases(summaries)


def fail_without_cases(summaries: list[Any]) -> None:
    """Fail the command if any run has errors and no case."""
    if any(summary.errors and not summary.cases for summary in summaries):
        raise typer.Exit(FAILED)


def print_errors(workspace: Path, summaries: list[Any]) -> None:
    """Print how many rows have an error, and the first error."""
    from concord import api

    numbers = tuple(summary.run.id for summary in summaries if summary.errors)
    if not numbers:
        return
    first = api.show(workspace, api.Filter(runs=numbers), limit=1, errors=True).rows[0]
    count = sum(summary.errors for summary in summaries)
    counted = plural(count, "row has", "rows have")
    print(f"{counted} an error. The first, in row {first['position'] + 1}: {visible(first['error'])}")


def print_summaries(summaries: Sequence[Any], beside: Sequence[Any] = (), verbose: bool = False) -> None:
    from concord.views import terminal

    console = terminal.console()
    terminal.print_summary(summaries, console, verbose)
    terminal.print_baseline(beside, console)


def print_notes(summaries: Sequence[Any], beside: Sequence[Any] = ()) -> None:
    """Print the notes of runs, one line of each kind."""
    from concord.views import terminal

    terminal.print_notes(summaries, beside, terminal.console())


def print_listed(page: Any) -> None:
    """Print the cases, findings or problems of what `api.show` returns."""
    from concord.views import terminal

    prints: dict[str, Callable[..., None]] = {
        "rows": terminal.print_cases,
        "findings": terminal.print_findings,
        "problems": terminal.print_problems,
    }
    prints[page.listed](getattr(page, page.listed), terminal.console())


def print_more(page: Any, noun: str, option: str) -> None:
    """Print how many of all findings were listed, unless all were."""
    listed = len(getattr(page, page.listed))
    if page.total > listed:
        print(f"{listed:,} of {plural(page.total, noun)}; more: {option}")


def _print_next(workspace: Path, report: Path | None, runs: list[Any]) -> None:
    """Print where everything is, and the next commands."""
    from concord.views.wording import run_numbers

    numbers = run_numbers([run.id for run in runs])
    print(f"Workspace: {visible(workspace)}")
    if report is not None:
        print(f"Report:    {visible(report)}")
    page = [(f"report {numbers}", "write an HTML page")] if report is None else []
    systems = f"your own sentences; systems: {program_name()} translators"
    steps = [
        ("serve", "browse findings, label, evaluate, compare and run in a browser"),
        (f"show {numbers} --limit 50", "more findings (rows with an error: --errors)"),
        *page,
        (f"export {numbers} -o rows.csv", "every row (also .jsonl, .parquet)"),
        (f"run your.txt --system … {_languages(runs[0])}", systems),
    ]
    widest = max(len(words) for words, _ in steps)
    print("Next:")
    for words, purpose in steps:
        print(f"  {typed(words, workspace)}{' ' * (widest - len(words))}   {purpose}")


def _languages(run: Any) -> str:
    """The language options of a run; --from is left out where it has its default."""
    return f"--to {run.target}" if run.source == "en" else f"--from {run.source} --to {run.target}"


def typed(words: str, workspace: Path) -> str:
    """The command line of a subcommand on a workspace, as the user can type it."""
    return visible(errors.command(words, workspace, program_name()))


def program_name() -> str:
    """`concord`, or the path by which it was called if it is not on the PATH."""
    return sys.argv[0] if "/" in sys.argv[0] and not shutil.which("concord") else "concord"


def workspace_option(workspace: Path) -> str:
    return visible(errors.workspace_option(workspace))


def options_of(plugin: dict[str, Any]) -> str:
    return "\n".join(
        f"{o['name']}={o['type'] if o['default'] in (None, '') else o['default']}" for o in plugin["options"]
    )


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from concord.views import terminal

    terminal.print_table(columns, rows, terminal.console())


def print_tables(tables: Sequence[Any]) -> None:
    """Print tables with their titles and notes."""
    for table in tables:
        print(f"\n{visible(table.title)}")
        print_table(table.columns, table.rows)
        if table.note:
            print(visible(table.note))


def table_of(relation: str) -> str:
    """The table of a relation in the project file.

    >>> table_of("rti"), table_of("rti:paper")
    ('[relations.rti]', '[relations."rti:paper"]')
    """
    return f"[relations.{relation}]" if relation.isidentifier() else f'[relations."{relation}"]'


def print_tuned(tuned: Any) -> None:
    """Print the chosen threshold, its figures on the labelled rows, and the file that it was written to."""
    choice, (low, high) = tuned.choice, tuned.choice.interval
    options = ", ".join(f"{name} = {value}" for name, value in tuned.options.items())
    print(f"{table_of(tuned.relation)} {visible(options)}")
    print(
        f"Of {plural(choice.rows, 'labelled row')} it flags {choice.flagged:,},"
        f" {plural(choice.found, 'of them a bug', 'of them bugs')}: precision"
        f" {choice.precision:.3f} ({low:.3f} … {high:.3f}), recall {choice.recall:.3f}, F {choice.f:.3f}"
    )
    say_notes(tuned.notes)
    print(
        f"Written to {visible(tuned.file)}. `{program_name()} run` reads concord.toml in the current folder, or"
        " --config FILE."
    )


@contextlib.contextmanager
def progress() -> Iterator[Callable[[Any], None]]:
    """Show a progress bar for each run on a terminal; elsewhere, only say when a provider throttles for long."""
    if not sys.stderr.isatty():
        yield _throttling_notice()
        return
    from concord.views.progress import Live

    with Live() as live:
        yield live.update


def _throttling_notice() -> Callable[[Any], None]:
    """A callback that says once for each run that its provider throttles."""
    waiting: set[int] = set()

    def watch(state: Any) -> None:
        if state.throttled >= WORTH_SAYING and state.run not in waiting:
            waiting.add(state.run)
            say(f"{state.label}: the provider has throttled every request for {state.throttled:.0f} s; waiting")

    return watch
