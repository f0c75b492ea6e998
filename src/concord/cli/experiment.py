"""The commands of an experiment: run it, analyse it, report it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.options import (
    AsJson,
    DryRun,
    Fresh,
    MaxChars,
    MaxCost,
    PricePerMillion,
    Workers,
    WorkspaceFile,
    option,
)
from concord.cli.output import (
    WORKSPACE,
    fail_without_cases,
    print_errors,
    print_estimates,
    print_json,
    print_summaries,
    print_tables,
    program_name,
    progress,
    say,
    visible,
    workspace_option,
)
from concord.plural import plural

experiment = typer.Typer(
    help="Compare systems over many detours: the Monte Carlo pivot experiment with its statistics.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(experiment, name="experiment")
MOST_DRAWS = 100_000
File = Annotated[Path, typer.Argument(metavar="EXPERIMENT", help="The experiment file (TOML).")]


@experiment.command()
def run(
    file: File,
    workspace: WorkspaceFile = WORKSPACE,
    timeout: Annotated[float | None, option(help="Seconds that one request may take.")] = None,
    workers: Workers = 1,
    max_chars: MaxChars = None,
    max_cost: MaxCost = None,
    price: PricePerMillion = None,
    dry_run: DryRun = False,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Make the observations; the same command again continues, or answers from the workspace."""
    from concord import api

    how = api.Settings(
        seconds=timeout, workers=workers, max_characters=max_chars, max_cost=max_cost, price=price, fresh=fresh
    )
    if dry_run:
        print_estimates(api.dry_run_experiment(file, workspace=workspace, settings=how), as_json)
        return
    with progress() as watch:
        summaries, ended = api.run_experiment(file, workspace=workspace, settings=how, watch=watch)
    if as_json:
        print_json({**api.together(summaries), "ended": [str(each) for each in ended]})
    else:
        print_summaries(summaries, [])
        print_errors(workspace, summaries)
        rest = f"{shlex.quote(visible(file))}{workspace_option(workspace)}"
        print(f"Next:\n  {program_name()} experiment analyse {rest}\n  {program_name()} experiment report {rest}")
    for each in ended:
        say(f"error: {each}")
    if ended:
        made = sum(summary.cases for summary in summaries)
        some = plural(made, "observation is", "observations are")
        say(f"{some} made and can be analysed. Run the same command again to continue")
        raise typer.Exit(FAILED)
    fail_without_cases(summaries)


Level = Annotated[float, option(help="The level of intervals and tests.")]
HumanScores = Annotated[
    str | None, option("--human", help="A table of human scores: system, sentence, score, perhaps target.")
]


@experiment.command()
def analyse(
    file: File,
    workspace: WorkspaceFile = WORKSPACE,
    level: Level = 0.95,
    human: HumanScores = None,
    width: Annotated[float | None, option(help="Say how many replications make intervals this wide.")] = None,
    draws: Annotated[
        int, option(min=0, max=MOST_DRAWS, help="Draws of sentences for the ranking without a model.")
    ] = 1000,
    as_json: AsJson = False,
) -> None:
    """Print the statistics of what there is: systems, variance, simple effects, human scores."""
    from concord import api
    from concord.views.experiment.tables import tables

    asked = api.Asked(level=level, resamples=draws, human=human, width=width)
    found = api.analyse_experiment(file, workspace=workspace, terms=asked)
    if as_json:
        print_json(found.json())
        return
    for note in found.notes:
        say(f"note: {note}")
    print_tables(tables(found))
    if found.replications:
        wanted = ", ".join(f"{name} {count:,}" for name, count in found.replications.items())
        print(f"Replications for intervals of width {width:g}: {wanted}")


@experiment.command()
def report(
    file: File,
    workspace: WorkspaceFile = WORKSPACE,
    output: Annotated[Path, option("--output", "-o", help="The HTML file to write.")] = Path("experiment.html"),
    charts: Annotated[Path | None, option(help="Also write every picture as SVG into this folder.")] = None,
    level: Level = 0.95,
    human: HumanScores = None,
    as_json: AsJson = False,
) -> None:
    """Write a self-contained HTML page with tables and pictures."""
    from concord import api

    found = api.analyse_experiment(file, workspace=workspace, terms=api.Asked(level=level, human=human))
    written = api.report_experiment(found, output, charts=charts)
    if as_json:
        print_json({"files": [str(each) for each in written]})
    else:
        print("\n".join(f"Report: {each}" if each == output else str(each) for each in written))


@app.command("analyse")
def analyse_table(
    table: Annotated[Path, typer.Argument(help="A table with a header: CSV, TSV or JSONL; also .gz.")],
    response: Annotated[str, option("--response", help="The column of numbers.")],
    factor: Annotated[list[str], option("--factor", help="A column to compare by; may be repeated.")],
    nested: Annotated[
        list[str] | None, option(metavar="FACTOR=COLUMN", help="A column that a factor lies in, as path=target.")
    ] = None,
    cluster: Annotated[
        str | None, option(help="A column whose rows belong together, such as the sentence: clustered errors.")
    ] = None,
    level: Level = 0.95,
    additive: Annotated[bool, option("--additive", help="Leave the interaction out.")] = False,
    draws: Annotated[
        int, option(min=0, max=MOST_DRAWS, help="With --cluster: draws for a ranking without a model.")
    ] = 0,
    seed: Annotated[int, option(min=0, help="Fixes the draws.")] = 12345,
    as_json: AsJson = False,
) -> None:
    """Analyse any table: variance, means with intervals and letters, pairs, simple effects."""
    from concord import api
    from concord.views.experiment.tables import tables_of

    lies_in = dict(each.partition("=")[::2] for each in nested or [])
    how: dict[str, Any] = {
        "level": level,
        "cluster": cluster,
        "interaction": not additive,
        "resamples": draws,
        "seed": seed,
    }
    found = api.analyse(table, response, factor, nested=lies_in, **how)
    if as_json:
        print_json(found.json())
        return
    for note in found.notes:
        say(f"note: {note}")
    print_tables(tables_of(found))
