"""What the command line prints: tables or one JSON object, findings, and what to type next."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from concord import errors
from concord.cli.exit_codes import FAILED
from concord.plural import plural

WORKSPACE = Path(errors.WORKSPACE)
WORTH_A_WORD = 10.0
"""Seconds that a provider may keep a run waiting before it is told where there is no live line."""


def say(words: str) -> None:
    """A line for the user, beside the output proper."""
    print(visible(words), file=sys.stderr)


def visible(words: object) -> str:
    """Words that came from elsewhere, with nothing in them that a terminal would obey."""
    from concord import views

    return views.visible(str(words))


def print_json(made: Any) -> None:
    """One JSON object, in characters that the output can carry."""
    print(_json(made, indent=2))


def print_json_rows(rows: Iterator[dict[str, Any]]) -> None:
    """`{"rows": […]}`, printed row by row: there may be more of them than fit into memory."""
    separator = '{"rows": [\n'
    for row in rows:
        print(separator + _json(row), end="")
        separator = ",\n"
    print("\n]}" if separator == ",\n" else '{"rows": []}')


def _json(made: Any, indent: int | None = None) -> str:
    from concord.api.export import written

    utf8 = (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(written(made), ensure_ascii=not utf8, indent=indent)


def print_estimates(estimates: list[Any], as_json: bool) -> None:
    rows = [estimate.plain() for estimate in estimates]
    if as_json:
        totals = {name: sum(row[name] for row in rows) for name in ("texts", "characters")}
        print_json({**totals, "costs": _costs(rows), "rows": rows})
        return
    shown = [
        (row["system"], row["relation"], row["target_lang"], f"{row['texts']:,}", f"{row['characters']:,}", _cost(row))
        for row in rows
    ]
    print_table(("system", "relation", "to", "texts", "characters", "cost"), shown)
    for row in {row["system"]: row for row in rows if row["price"]}.values():
        price = row["price"]
        source = ", ".join(filter(None, (price["where"], price["day"])))
        print(
            f"{row['system']}: {price['per_million_characters']:g} {price['currency']} a million characters ({source})"
        )
    costs = _costs(rows)
    if len(rows) > 1 and costs:
        print("In all: " + ", ".join(f"{cost:.2f} {currency}".strip() for currency, cost in costs.items()))
    print("Nothing was sent. Later steps of a relation are guessed to be as long as the first.")


def _costs(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The costs that are known, by currency: they are not added across."""
    found: dict[str, float] = {}
    for row in rows:
        if row["cost"] is not None:
            found[row["currency"] or ""] = found.get(row["currency"] or "", 0.0) + row["cost"]
    return found


def _cost(row: dict[str, Any]) -> str:
    return "price not known" if row["cost"] is None else f"{row['cost']:.2f} {row['currency'] or ''}".strip()


def conclude(summaries: list[Any], workspace: Path, report: Path | None, top: int, as_json: bool) -> None:
    """What every run ends with: the report, the counts, the findings, and what to type next."""
    from concord import api

    numbers = tuple(summary.run.id for summary in summaries)
    if report is not None:
        api.write_report(workspace, numbers, report)
    shown = api.show(workspace, api.Filter(runs=numbers, violated=None), limit=top)
    if as_json:
        print_json({**api.together(summaries), "against_baseline": [each.plain() for each in shown.beside]})
    else:
        print_summaries(summaries, shown.beside)
        if shown.rows:
            print_findings(shown.rows)
        print_errors(workspace, summaries)
        _print_next(workspace, report, [summary.run for summary in summaries])
    fail_without_cases(summaries)


def fail_if_all_failed(failed: int, done: int) -> None:
    """Rows with an error are rows like others; nothing but errors is a failure of the command."""
    if failed and not done:
        raise typer.Exit(FAILED)


def fail_without_cases(summaries: list[Any]) -> None:
    """A run of which nothing but errors came is a failure, whatever the others did."""
    if any(summary.errors and not summary.cases for summary in summaries):
        raise typer.Exit(FAILED)


def print_errors(workspace: Path, summaries: list[Any]) -> None:
    """How many rows have an error, and the first of them."""
    from concord import api

    numbers = tuple(summary.run.id for summary in summaries if summary.errors)
    if not numbers:
        return
    first = api.show(workspace, api.Filter(runs=numbers), limit=1, errors=True).rows[0]
    count = sum(summary.errors for summary in summaries)
    some = plural(count, "row has", "rows have")
    print(f"{some} an error. The first, in row {first['position'] + 1}: {visible(first['error'])}")


def print_summaries(summaries: Sequence[Any], beside: Sequence[Any]) -> None:
    from concord.views import terminal

    console = terminal.console()
    terminal.print_summary(summaries, console)
    terminal.print_baseline(beside, console)


def print_findings(rows: Sequence[Any]) -> None:
    from concord.views import terminal

    terminal.print_findings(rows, terminal.console())


def print_cases(rows: list[dict[str, Any]]) -> None:
    from concord.views import terminal

    for row in rows:
        terminal.print_case(row, terminal.console())


def print_groups(groups: Sequence[Any]) -> None:
    from concord.views import groups as grouped
    from concord.views import terminal

    grouped.print_groups(groups, terminal.console())


def _print_next(workspace: Path, report: Path | None, runs: list[Any]) -> None:
    """Where everything is and what to type next."""
    chosen = ",".join(str(run.id) for run in runs)
    print(f"Workspace: {visible(workspace)}")
    if report is not None:
        print(f"Report:    {visible(report)}")
    page = [(f"report {chosen}", "a page to look at")] if report is None else []
    systems = f"your own sentences; systems: {program_name()} translators"
    steps = [
        ("serve", "look, label, evaluate, compare and run in a browser"),
        (f"show {chosen} --limit 50", "more findings (rows with an error: --errors)"),
        *page,
        (f"export {chosen} -o rows.csv", "every row (also .jsonl, .parquet)"),
        (f"run your.txt --system … {_languages(runs[0])}", systems),
    ]
    widest = max(len(words) for words, _ in steps)
    print("Next:")
    for words, what in steps:
        print(f"  {typed(words, workspace)}{' ' * (widest - len(words))}   {what}")


def _languages(run: Any) -> str:
    """The options for the languages of a run; a corpus is taken to be English if nothing is said."""
    return f"--to {run.target}" if run.source == "en" else f"--from {run.source} --to {run.target}"


def typed(words: str, workspace: Path) -> str:
    """A command of this program on a workspace, as it is to be typed here."""
    return visible(errors.command(words, workspace, program_name()))


def program_name() -> str:
    """The program as it was called, where its bare name would not be found."""
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
    """Tables with their titles and what to know about them."""
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


def print_tuned(found: Any) -> None:
    """The threshold that was chosen, what it does to the labelled rows, and where it stands now."""
    made, (low, high) = found.choice, found.choice.interval
    options = ", ".join(f"{name} = {value}" for name, value in found.options.items())
    print(f"{table_of(found.relation)} {visible(options)}")
    print(
        f"Of {plural(made.rows, 'labelled row')} it flags {made.flagged:,},"
        f" {plural(made.found, 'of them a bug', 'of them bugs')}: precision"
        f" {made.precision:.3f} ({low:.3f} … {high:.3f}), recall {made.recall:.3f}, F {made.f:.3f}"
    )
    for note in found.notes:
        say(f"note: {note}")
    print(
        f"Written to {visible(found.file)}. `{program_name()} run` reads concord.toml where it is called,"
        " or --config FILE."
    )


@contextlib.contextmanager
def progress() -> Iterator[Callable[[Any], None]]:
    """A live line per run on a terminal; when piped, a word about providers that keep a run waiting and no more."""
    if not sys.stderr.isatty():
        yield _throttled()
        return
    from concord.views.progress import Live

    with Live() as live:
        yield live.update


def _throttled() -> Callable[[Any], None]:
    """Says once in each run that its provider has been throttling for a while."""
    waiting: set[int] = set()

    def watch(state: Any) -> None:
        if state.throttled >= WORTH_A_WORD and state.run not in waiting:
            waiting.add(state.run)
            say(f"{state.label}: the provider has only throttled for {state.throttled:.0f} s; waiting")

    return watch
