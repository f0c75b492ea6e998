"""The commands of the pivot experiment, and `analyse` for any table of scores."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from concord import api
from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.labels import label
from concord.cli.options import (
    AsJson,
    DryRun,
    Fresh,
    MaxChars,
    MaxCost,
    PricePerMillion,
    Seed,
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
    say_notes,
    visible,
    workspace_option,
)
from concord.plural import plural

experiment = typer.Typer(
    help="Compare systems by translation through pivot languages: the Monte Carlo experiment and its statistics.",
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
    timeout: Annotated[float | None, option(help="Timeout of one request, in seconds.")] = None,
    workers: Workers = 1,
    max_chars: MaxChars = None,
    max_cost: MaxCost = None,
    price: PricePerMillion = None,
    dry_run: DryRun = False,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Collect the observations; the same command continues an unfinished experiment, and shows a finished one."""
    settings = api.Settings(
        seconds=timeout, workers=workers, max_characters=max_chars, max_cost=max_cost, price=price, fresh=fresh
    )
    if dry_run:
        print_estimates(api.dry_run_experiment(file, workspace=workspace, settings=settings), as_json)
        return
    with progress() as watch:
        summaries, ended = api.run_experiment(file, workspace=workspace, settings=settings, watch=watch)
    if as_json:
        print_json({**api.together(summaries), "ended": [str(error) for error in ended]})
    else:
        print_summaries(summaries, [])
        print_errors(workspace, summaries)
        rest = f"{shlex.quote(visible(file))}{workspace_option(workspace)}"
        print(f"Next:\n  {program_name()} experiment analyse {rest}\n  {program_name()} experiment report {rest}")
    for error in ended:
        say(f"error: {error}")
    if ended:
        observations = sum(summary.cases for summary in summaries)
        counted = plural(observations, "observation is", "observations are")
        say(f"{counted} stored and can be analysed. Run the same command again to continue")
        raise typer.Exit(FAILED)
    fail_without_cases(summaries)


Level = Annotated[float, option(help="The confidence level of intervals and tests.")]
HumanScores = Annotated[
    str | None,
    option(
        "--human",
        help="Human scores: a sheet of `label rate`, or a table of system, sentence, score, perhaps target, seconds.",
    ),
]


@experiment.command()
def analyse(
    file: File,
    workspace: WorkspaceFile = WORKSPACE,
    level: Level = 0.95,
    human: HumanScores = None,
    width: Annotated[float | None, option(help="Also print the replications needed for this interval width.")] = None,
    draws: Annotated[
        int, option(min=0, max=MOST_DRAWS, help="Bootstrap resamples of sentences for the ranking without a model.")
    ] = 1000,
    as_json: AsJson = False,
) -> None:
    """Print the statistics of the stored observations: systems, variance, simple effects, human scores."""
    from concord.views.experiment.tables import tables

    analysis_options = api.Asked(level=level, resamples=draws, human=human, width=width)
    results = api.analyse_experiment(file, workspace=workspace, terms=analysis_options)
    if as_json:
        print_json(results.json())
        return
    say_notes(results.notes)
    print_tables(tables(results))
    if results.replications:
        replications = ", ".join(f"{name} {count:,}" for name, count in results.replications.items())
        print(f"Replications for intervals of width {width:g}: {replications}")


@experiment.command()
def report(
    file: File,
    workspace: WorkspaceFile = WORKSPACE,
    output: Annotated[Path, option("--output", "-o", help="The HTML file to write.")] = Path("experiment.html"),
    charts: Annotated[Path | None, option(help="Also write every chart as SVG into this folder.")] = None,
    level: Level = 0.95,
    human: HumanScores = None,
    as_json: AsJson = False,
) -> None:
    """Write a self-contained HTML page with tables and charts."""
    results = api.analyse_experiment(file, workspace=workspace, terms=api.Asked(level=level, human=human))
    written = api.report_experiment(results, output, charts=charts)
    if as_json:
        print_json({"files": [str(path) for path in written]})
    else:
        print("\n".join(f"Report: {path}" if path == output else str(path) for path in written))


@label.command("rate")
def rate(
    file: File,
    sheet: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write: .csv, .tsv or .jsonl.")],
    workspace: WorkspaceFile = WORKSPACE,
    size: Annotated[int, option(min=1, help="The most translations, those of all systems together.")] = 140,
    target: Annotated[str, option(help="Only translations into this language. [default: all targets]")] = "",
    seed: Seed = 12345,
    force: Annotated[bool, option("--force", help="Overwrite an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write direct translations of an experiment for people to score from 0 to 3, without their systems."""
    written = api.rating_sheet(file, sheet, workspace=workspace, size=size, target=target, seed=seed, force=force)
    if as_json:
        print_json({"file": str(sheet), "lines": written})
        return
    print(f"{plural(written, 'translation')}: {visible(sheet)}")
    print("Fill in score (0 completely wrong, 1 poor, 2 minor errors, 3 perfect) and, if timed, seconds; then:")
    rest = f"{shlex.quote(visible(file))} --human {shlex.quote(visible(sheet))}{workspace_option(workspace)}"
    print(f"  {program_name()} experiment analyse {rest}")


@app.command("analyse")
def analyse_table(
    table: Annotated[Path, typer.Argument(help="A table with a header: CSV, TSV or JSONL, also as .gz.")],
    response: Annotated[str, option("--response", help="The column with the response, which is a number.")],
    factor: Annotated[list[str], option("--factor", help="A column with a factor; may be repeated.")],
    nested: Annotated[
        list[str] | None,
        option(metavar="FACTOR=COLUMN", help="A factor that is nested in another column, such as path=target."),
    ] = None,
    cluster: Annotated[
        str | None,
        option(help="A column that groups dependent rows, such as the sentence, for clustered standard errors."),
    ] = None,
    level: Level = 0.95,
    additive: Annotated[bool, option("--additive", help="Leave the interactions out.")] = False,
    draws: Annotated[
        int,
        option(
            min=0, max=MOST_DRAWS, help="With --cluster: bootstrap resamples of clusters for a ranking without a model."
        ),
    ] = 0,
    seed: Seed = 12345,
    as_json: AsJson = False,
) -> None:
    """Analyse any table of scores: variance, means with intervals and compact letters, pairs, simple effects."""
    from concord.views.experiment.tables import tables_of

    parents = dict(pair.partition("=")[::2] for pair in nested or [])
    analysis = api.analyse(
        table,
        response,
        factor,
        nested=parents,
        level=level,
        cluster=cluster,
        interaction=not additive,
        resamples=draws,
        seed=seed,
    )
    if as_json:
        print_json(analysis.json())
        return
    say_notes(analysis.notes)
    print_tables(tables_of(analysis))
