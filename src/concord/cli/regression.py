"""Commands that compare runs, and that let a build pass or fail."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from concord.cli.app import app, ending
from concord.cli.exit_codes import GATE_FAILED, OK
from concord.cli.options import CONFIGURATION, AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_table, print_tables, say, visible
from concord.errors import UserError
from concord.plural import plural


@app.command()
def compare(
    before: Annotated[str, typer.Argument(metavar="RUN", help="The earlier runs (3, or 3,4), or a system's name.")],
    after: Annotated[str, typer.Argument(metavar="RUN", help="The later runs, or another system's name.")],
    kind: Annotated[
        str,
        option(
            "--list",
            metavar="KIND",
            help="The cases to list: newly failing, newly fixed, still failing, flaky, only before or only after.",
        ),
    ] = "newly failing",
    limit: Annotated[int, option(min=0, max=1000, help="How many cases to list of each pair of runs.")] = 10,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Compare runs as a regression: what fails newly, what no longer, and whether chance explains it."""
    from concord import api
    from concord.views.regression.tables import comparison_tables

    found = api.compare_runs(workspace, before, after, kind=kind, limit=limit)
    assert found is not None  # patience is the default
    if as_json:
        print_json(found.plain())
        return
    print_tables(comparison_tables(found))
    for each in found.regressions:
        _print_listed(each, kind)
    for note in [*(note for regression in found.regressions for note in _notes(regression)), *found.notes]:
        say(f"note: {note}")


def _notes(found: Any) -> list[str]:
    return [f"{found.pair.before.id} → {found.pair.after.id}: {note}" for note in found.notes]


def _print_listed(found: Any, kind: str) -> None:
    from concord.views import terminal
    from concord.views.regression.tables import suspicions

    if not found.listed:
        return
    print(f"\n{visible(found.name)}, {kind}, the most suspicious first:")
    console = terminal.console()
    for each in found.listed:
        answers = {True: ", the same answers", False: "", None: ""}[each.same]
        print(f"{visible(each.row['segment'])}: suspicion {suspicions(each)}{answers}")
        terminal.print_records(list(_texts(each, terminal)), console)
        print()


def _texts(changed: Any, terminal: Any) -> Any:
    """What was asked, and each answer before and after."""
    from concord.views.regression.case_change import answers

    return [(f"{answer.name} [{answer.lang}]", terminal.Text(visible(answer.words))) for answer in answers(changed)]


@app.command()
def gate(
    runs: Runs = None,
    most: Annotated[
        list[str] | None,
        option(
            "--max",
            metavar="[RELATION=]LIMIT",
            help="The most violated cases: a share (0.05, 5%) or a number (3), of a relation or of each.",
        ),
    ] = None,
    upper: Annotated[
        bool, option("--upper", help="Hold the upper end of the share's 95 % interval against the limit.")
    ] = False,
    no_worse_than: Annotated[
        str, option("--no-worse-than", metavar="RUN", help="Runs, or a system, than which none may be worse.")
    ] = "",
    alpha: Annotated[
        float | None, option(min=0, max=1, help="The p-value below which a run is worse. [default: 0.05]")
    ] = None,
    min_difference: Annotated[
        float | None,
        option(min=0, max=1, help="The share of sentences by which it must be worse at least. [default: 0]"),
    ] = None,
    no_new: Annotated[
        bool, option("--no-new", help="No finding that the earlier runs lack or, without any, that is not accepted.")
    ] = False,
    max_errors: Annotated[
        float | None, option(min=0, max=1, help="The share of checks that may end in an error.")
    ] = None,
    accepted: Annotated[str, option(metavar="FILE", help="Accepted findings, which count for nothing.")] = "",
    accept: Annotated[
        bool, option("--accept", help="Write the present findings to the file of accepted ones instead.")
    ] = False,
    reason: Annotated[str, option(help="With --accept: why they are accepted.")] = "",
    junit: Annotated[Path | None, option(metavar="FILE", help="Also write the result as JUnit XML.")] = None,
    limit: Annotated[
        int, option(min=0, max=10_000, help="The most sentences of each run to write to that file.")
    ] = 200,
    config: Annotated[Path, option("--config", help="The file with the table [gate].")] = CONFIGURATION,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Let a build pass or fail by rules on runs; exit code 3 if one is broken.

    Rules are those of the table [gate] of the configuration, and what is given here.
    """
    if config != CONFIGURATION and not config.is_file():
        raise UserError(f"there is no configuration {config}")
    if accept:
        _accept(workspace, runs or [], {"accepted": accepted, "reason": reason, "config": config}, as_json)
        return
    from concord import api

    typed = {"limits": most, "upper": upper, "no_worse_than": no_worse_than, "alpha": alpha, "no_new": no_new}
    typed |= {"min_difference": min_difference, "max_errors": max_errors, "accepted": accepted}
    found = api.gate(workspace, runs or [], config=config, junit=junit, most=limit, **typed)
    with ending(OK if found.passed else GATE_FAILED):
        if as_json:
            print_json(found.plain())
        else:
            _print_gate(found)
            if junit is not None:
                print(f"Written: {visible(junit)}")


def _accept(workspace: Path, runs: list[str], how: dict[str, Any], as_json: bool) -> None:
    from concord import api

    path, new, every = api.accept(workspace, runs, **how)
    if as_json:
        print_json({"file": str(path), "new": new, "accepted": every})
    else:
        print(f"{plural(new, 'finding')} accepted, {every:,} in all: {visible(path)}")


SHOWN = 3


def _print_gate(found: Any) -> None:
    from concord.views.regression.tables import gate_table, verdict
    from concord.views.wording import judged

    table = gate_table(found)
    print_table(table.columns, table.rows)
    breaking: dict[int, list[dict[str, Any]]] = {}
    for finding in found.findings:
        if finding.breaks:
            breaking.setdefault(finding.row["run"], []).append(finding.row)
    for run, rows in breaking.items():
        print(f"Run {run}, sentences that break a rule, the most suspicious first:")
        for row in rows[:SHOWN]:
            print(f"  {visible(row['segment'])}: {judged(row)}: {visible(row['text'])}")
        if len(rows) > SHOWN:
            print(f"  … {len(rows) - SHOWN:,} more: --json, or --junit FILE")
    for note in found.notes:
        say(f"note: {note}")
    print(verdict(found))
