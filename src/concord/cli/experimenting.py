"""The commands of an experiment: run it, analyse it, report it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from concord.cli.app import AsJson, MaxChars, MaxCost, PricePerMillion, WorkspaceFile, app, option
from concord.printing import FAILED, WORKSPACE, print_estimates, print_json, print_run, progress, say

experiment = typer.Typer(
    help="Compare systems over many detours: the Monte Carlo pivot experiment with its statistics.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(experiment, name="experiment")
File = Annotated[Path, typer.Argument(metavar="EXPERIMENT", help="The experiment file (TOML).")]


@experiment.command()
def run(
    file: File,
    workspace: WorkspaceFile = WORKSPACE,
    timeout: Annotated[float | None, option(help="Seconds that one request may take.")] = None,
    workers: Annotated[int, option(min=1, help="Processes that run the checks.")] = 1,
    max_chars: MaxChars = None,
    max_cost: MaxCost = None,
    price: PricePerMillion = None,
    dry_run: Annotated[bool, option("--dry-run", help="Say what would be sent and cost, and send nothing.")] = False,
    fresh: Annotated[bool, option("--fresh", help="Ask again, even what the workspace already knows.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make the observations; the same command again continues, or answers from the workspace."""
    from concord import api
    from concord.report.summary import together

    how = api.Settings(
        seconds=timeout, workers=workers, max_characters=max_chars, max_cost=max_cost, price=price, fresh=fresh
    )
    if dry_run:
        print_estimates(api.dry_run_experiment(file, workspace=workspace, settings=how), as_json)
        return
    with progress() as watch:
        summaries, ended = api.run_experiment(file, workspace=workspace, settings=how, watch=watch)
    if as_json:
        print_json({**together(summaries), "ended": [str(each) for each in ended]})
    else:
        print_run(summaries, [], [])
        print(f"Next:\n  concord experiment analyse {file}\n  concord experiment report {file}")
    for each in ended:
        say(f"error: {each}")
    if ended:
        say("What there is can be analysed. Run the same command again to continue")
        raise typer.Exit(FAILED)
