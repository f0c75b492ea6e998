"""Commands that look at what a workspace holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from concord.cli.app import AsJson, Runs, WorkspaceFile, app, option
from concord.errors import UserError
from concord.printing import WORKSPACE, print_groups, print_json, print_json_rows, print_run, print_table


@app.command()
def show(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    limit: Annotated[int, option(min=1, help="How many cases, or groups.")] = 10,
    group: Annotated[
        str,
        option(metavar="sentence|translation", help="Violated cases by sentence, or by the translation behind them."),
    ] = "",
    violated: Annotated[bool, option("--violated", help="Only cases above their threshold.")] = False,
    errors: Annotated[bool, option("--errors", help="The rows with an error instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show runs and their most suspicious cases, by rank within each run."""
    from concord import api

    if group and errors:
        raise UserError("--group is for violated cases and --errors for rows without any; choose one of them")
    groups = api.groups(workspace, runs or [], by=group, limit=limit) if group else None
    summaries, rows = api.show(workspace, runs or [], limit=limit, violated=violated, errors=errors)
    beside = api.compare(workspace, [each.run.id for each in summaries])
    if groups is not None:
        print_groups(summaries, groups, beside, as_json)
    elif as_json:
        shown = {"runs": [each.plain() for each in summaries], "rows": rows}
        print_json({**shown, "against_baseline": [each.plain() for each in beside]})
    else:
        print_run(summaries, rows, beside)


@app.command()
def runs(workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """List every run of a workspace with its signature."""
    from concord import api
    from concord.report import terminal

    records = api.runs(workspace)
    if as_json:
        print_json(
            {"rows": [{"run": str(each.id), "signature": each.signature, "started": each.started} for each in records]}
        )
    else:
        terminal.print_runs(records, terminal.console())


@app.command()
def report(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    output: Annotated[Path, option("--output", "-o", help="The HTML file to write.")] = Path("report.html"),
    limit: Annotated[int, option(min=1, help="How many cases per run.")] = 200,
    as_json: AsJson = False,
) -> None:
    """Write a self-contained HTML page of runs and findings."""
    from concord import api

    chosen = api.write_report(workspace, runs or [], output, limit=limit)
    if as_json:
        print_json({"report": str(output), "runs": chosen})
    else:
        print(f"Report: {output}")


@app.command()
def export(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    output: Annotated[
        Path | None, option("--output", "-o", help="The file to write; stdout by default, or `-`.")
    ] = None,
    format: Annotated[
        str | None,
        option(
            help="jsonl, csv, sheet (a CSV for spreadsheets: no text in it is a formula) or parquet; by default what "
            "the file's ending says, else jsonl."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write every row (cases and errors) in corpus order."""
    from concord import api

    output = None if str(output) == "-" else output
    if as_json and output is not None:
        raise UserError("--json prints to standard output; for a file, leave it out: --output rows.jsonl")
    if as_json:
        print_json_rows(api.rows(workspace, runs or []))
    else:
        written = api.export(workspace, runs or [], output, format)
        if output is not None:
            print(f"{written} rows: {output}")


@app.command()
def faults(
    workspace: WorkspaceFile = WORKSPACE,
    system: Annotated[str | None, option(help="Only this system's.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the faults that a `faulty` system injected into its translations."""
    from concord import api

    rows = api.faults(workspace, system)
    if as_json:
        print_json({"rows": rows})
        return
    shown = [(r["fault"], f"{r['source_lang']}→{r['target_lang']}", r["clean"], r["answer"]) for r in rows]
    print_table(("fault", "direction", "clean", "faulty"), shown)
