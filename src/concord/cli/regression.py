"""The commands `compare`, which compares runs as a regression, and `gate`, which fails a build on regressions."""

from pathlib import Path
from typing import Annotated, Any

import typer

from concord import api
from concord.cli.app import app, ending
from concord.cli.exit_codes import GATE_FAILED, OK
from concord.cli.options import CONFIGURATION, AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_table, print_tables, say_notes, visible
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
    """Compare runs as a regression: which cases are newly or no longer flagged, and whether that is significant."""
    from concord.views.regression.tables import comparison_tables

    comparison = api.compare_runs(workspace, before, after, kind=kind, limit=limit)
    assert comparison is not None  # patience is the default
    if as_json:
        print_json(comparison.plain())
        return
    print_tables(comparison_tables(comparison))
    for regression in comparison.regressions:
        _print_listed(regression, kind)
    notes = [
        f"{regression.pair.before.id} → {regression.pair.after.id}: {note}"
        for regression in comparison.regressions
        for note in regression.notes
    ]
    say_notes([*notes, *comparison.notes])


def _print_listed(regression: Any, kind: str) -> None:
    from rich.text import Text

    from concord.views import terminal
    from concord.views.regression.case_change import answers
    from concord.views.regression.tables import suspicions

    if not regression.listed:
        return
    print(f"\n{visible(regression.name)}, {kind}, the most suspicious first:")
    console = terminal.console()
    for changed in regression.listed:
        same = ", the same answers" if changed.same else ""
        print(f"{visible(changed.row['segment'])}: suspicion {suspicions(changed)}{same}")
        texts = [(f"{answer.name} [{answer.lang}]", Text(visible(answer.words))) for answer in answers(changed)]
        terminal.print_records(texts, console)
        print()


@app.command()
def gate(
    runs: Runs = None,
    most: Annotated[
        list[str] | None,
        option(
            "--max",
            metavar="[RELATION=]LIMIT",
            help="The most flagged cases: a share (0.05, 5%) or a number (3), for one relation or for each.",
        ),
    ] = None,
    upper: Annotated[
        bool, option("--upper", help="Compare the upper end of the share's 95 % confidence interval with the limit.")
    ] = False,
    no_worse_than: Annotated[
        str,
        option(
            "--no-worse-than",
            metavar="RUN",
            help="Fail if the runs are worse than these, or than this system, by one test over all relations.",
        ),
    ] = "",
    alpha: Annotated[
        float | None, option(min=0, max=1, help="The p-value below which runs count as worse. [default: 0.05]")
    ] = None,
    min_difference: Annotated[
        float | None,
        option(
            min=0,
            max=1,
            help="The least share of sentences, worse minus better, that counts as worse. [default: 0]",
        ),
    ] = None,
    no_new: Annotated[
        bool,
        option(
            "--no-new",
            help="Fail on findings that the earlier runs lack or, without earlier runs, that are not accepted.",
        ),
    ] = False,
    max_errors: Annotated[
        float | None, option(min=0, max=1, help="The highest share of checks that may end in an error.")
    ] = None,
    max_insane: Annotated[
        float | None,
        option(
            min=0,
            max=1,
            help="The highest share of a system's sentences whose answers may not be sane; checked beside all other"
            " rules, and alone if only it is given. [default: 0.05]",
        ),
    ] = None,
    accepted: Annotated[str, option(metavar="FILE", help="The file of accepted cases, which do not count.")] = "",
    accept: Annotated[
        bool,
        option("--accept", help="Add the flagged cases of the present findings to the file of accepted cases instead."),
    ] = False,
    reason: Annotated[str, option(help="With --accept: why they are accepted.")] = "",
    junit: Annotated[Path | None, option(metavar="FILE", help="Also write the result as JUnit XML.")] = None,
    limit: Annotated[
        int, option(min=0, max=10_000, help="With --junit: the most findings of each run to write.")
    ] = 200,
    config: Annotated[Path, option("--config", help="The file with the table [gate].")] = CONFIGURATION,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Check rules on runs, to let a build pass or fail; the exit code is 3 if a rule does not hold.

    The rules are those of the table [gate] in the configuration file and those of the options.
    """
    if config != CONFIGURATION and not config.is_file():
        raise UserError(f"there is no configuration {config}")
    if accept:
        _accept(workspace, runs or [], {"accepted": accepted, "reason": reason, "config": config}, as_json)
        return
    typed = {"limits": most, "upper": upper, "no_worse_than": no_worse_than, "alpha": alpha, "no_new": no_new}
    typed |= {"min_difference": min_difference, "max_errors": max_errors, "accepted": accepted}
    typed |= {"max_insane": max_insane}
    result = api.gate(workspace, runs or [], config=config, junit=junit, most=limit, **typed)
    with ending(OK if result.passed else GATE_FAILED):
        if as_json:
            print_json(result.plain())
        else:
            _print_gate(result)
            if junit is not None:
                print(f"Written: {visible(junit)}")


def _accept(workspace: Path, runs: list[str], options: dict[str, Any], as_json: bool) -> None:
    path, new, every = api.accept(workspace, runs, **options)
    if as_json:
        print_json({"file": str(path), "new": new, "accepted": every})
    else:
        print(f"{plural(new, 'case')} accepted, {every:,} in all: {visible(path)}")


PRINTED = 3


def _print_gate(result: Any) -> None:
    from concord.views.regression.tables import gate_table, relations_table, verdict
    from concord.views.wording import judged

    table = gate_table(result)
    print_table(table.columns, table.rows)
    if any(len(test.relations) > 1 for test in result.joint):
        where = relations_table(result.joint)
        print("\nWhere, by relation; this p names relations and decides nothing:")
        print_table(where.columns, where.rows)
        print()
    breaking: dict[int, list[dict[str, Any]]] = {}
    for finding in result.findings:
        if finding.breaks:
            breaking.setdefault(finding.row["run"], []).append(finding.row)
    for run, rows in breaking.items():
        print(f"Run {run}, findings that break a rule, the most suspicious first:")
        for row in rows[:PRINTED]:
            print(f"  {visible(row['segment'])}: {judged(row)}: {visible(row['reason'])}\n    {visible(row['text'])}")
        if len(rows) > PRINTED:
            print(f"  … {len(rows) - PRINTED:,} more: --json, or --junit FILE")
    say_notes(result.notes)
    print(verdict(result))
