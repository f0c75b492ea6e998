"""Commands that make runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from concord.cli.app import app
from concord.cli.options import (
    CONFIGURATION,
    AsJson,
    Config,
    CorpusName,
    DryRun,
    Format,
    Fresh,
    From,
    Limit,
    MaxChars,
    MaxCost,
    PricePerMillion,
    Seed,
    Services,
    Workers,
    WorkspaceFile,
    chosen_services,
    gathered,
    option,
)
from concord.cli.output import WORKSPACE, conclude, print_estimates, print_json, program_name, progress, say, visible
from concord.plural import plural

if TYPE_CHECKING:
    from concord.api.configuration import Configuration


@app.command()
@gathered(services=chosen_services)
def run(
    *,
    corpus: Annotated[
        str, typer.Argument(help="A file (lines, TSV, CSV, JSONL, TMX, XLIFF, PO; also .gz), `-`, or `demo`.")
    ] = "demo",
    relation: Annotated[
        list[str] | None,
        option(
            "--relation",
            "-r",
            metavar="RELATION",
            help="What must hold: NAME[,option=value] of `concord relations`. [default: rtt]",
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        option(
            "--system",
            "-s",
            metavar="SYSTEM",
            help="What to test: NAME[:ARGUMENT][,option=value] of `concord translators`, or a .toml file; the first"
            " one named is the baseline for the others. [default: apertium]",
        ),
    ] = None,
    to: Annotated[
        list[str] | None,
        option("--to", "-t", metavar="LANG", help="A language to translate into; may be repeated. [default: es]"),
    ] = None,
    source: From = "en",
    workspace: WorkspaceFile = WORKSPACE,
    format: Format = None,
    reference: Annotated[
        Path | None, option(help="Reference translations, line by line; kept beside the rows.")
    ] = None,
    limit: Annotated[int | None, option(min=1, help="Check only the first N segments.")] = None,
    seed: Seed = 12345,
    repetitions: Annotated[
        int | None,
        option(min=1, help="Make each check so often, with other random choices. Default: 1; mgmt:paper: 5."),
    ] = None,
    workers: Workers = 1,
    timeout: Annotated[
        float | None, option(help="Seconds that one request may take. [default: the system's own]")
    ] = None,
    throttled_for: Annotated[
        float | None,
        option(
            help="Seconds after which a system is given up that has only throttled and does not say when to come back."
            " [default: the system's own, 120]"
        ),
    ] = None,
    max_chars: MaxChars = None,
    max_cost: MaxCost = None,
    price: PricePerMillion = None,
    services: Services,
    config: Config = CONFIGURATION,
    dry_run: DryRun = False,
    fresh: Fresh = False,
    top: Annotated[int, option(min=0, help="How many of the most suspicious cases to print.")] = 10,
    report: Annotated[Path | None, option(help="Also write a report to this HTML file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check relations on systems; the same command again continues, or answers from the workspace.

    The exit code is 1 if nothing but errors came of a run.
    """
    from concord import api

    opened = api.read(corpus, source, format=format, reference=reference, limit=limit)
    for warning in opened.warnings:
        say(f"warning: {warning}")
    how = api.Settings(
        services=services,
        seed=seed,
        repetitions=repetitions,
        workers=workers,
        fresh=fresh,
        seconds=timeout,
        throttled_for=throttled_for,
        max_characters=max_chars,
        max_cost=max_cost,
        price=price,
    )
    what: dict[str, Any] = {
        "relations": relation or ["rtt"],
        "systems": system or ["apertium"],
        "to": to or ["es"],
        "workspace": workspace,
        "settings": how,
        "config": _configuration(config, relation or ["rtt"]),
    }
    with what["config"].named_in_errors(what["relations"]):
        if dry_run:
            print_estimates(api.dry_run(opened, **what), as_json)
            return
        with progress() as watch:
            summaries = api.run(opened, **what, watch=watch)
    conclude(summaries, workspace, report, top, as_json)


def _configuration(file: Path, relations: list[str]) -> Configuration:
    """The configuration; what it says in vain for these relations is told."""
    from concord.api.configuration import Configuration

    found = Configuration.read(file)
    for note in found.unused_thresholds(relations):
        say(f"note: {note}")
    return found


@app.command()
@gathered(services=chosen_services)
def plan(
    *,
    corpus: CorpusName = "demo",
    relation: Annotated[
        list[str] | None, option("--relation", "-r", metavar="RELATION", help="As for `run`. [default: rtt]")
    ] = None,
    system: Annotated[str, option("--system", "-s", metavar="files:FOLDER", help="Where to write.")] = "files:exchange",
    to: Annotated[list[str] | None, option("--to", "-t", metavar="LANG", help="As for `run`. [default: es]")] = None,
    source: From = "en",
    format: Format = None,
    limit: Limit = None,
    config: Config = CONFIGURATION,
    seed: Annotated[int, option(min=0, help="As for `run`: the same seed asks for the same texts.")] = 12345,
    repetitions: Annotated[int | None, option(min=1, help="As for `run`.")] = None,
    services: Services,
    as_json: AsJson = False,
) -> None:
    """Write the texts that a run would ask for, for a system that cannot be called; again until none is missing."""
    from concord import api

    opened = api.read(corpus, source, format=format, limit=limit)
    configuration = _configuration(config, relation or ["rtt"])
    how: dict[str, Any] = {"seed": seed, "repetitions": repetitions, "config": configuration, "services": services}
    with configuration.named_in_errors(relation or ["rtt"]):
        written = api.plan(opened, relations=relation or ["rtt"], system=system, to=to or ["es"], **how)
    if as_json:
        rows = [{"file": str(a), "translations": str(b), "missing": count} for (a, b), count in written.items()]
        print_json({"rows": rows})
        return
    for (asked, answered), count in written.items():
        print(f"{plural(count, 'text')} to translate: {visible(asked)}")
        print(f"  their translations belong in: {visible(answered)}")
    if written:
        print("Then plan again, until nothing is missing.")
    else:
        print(f"Nothing is missing: run the same with `{program_name()} run`.")


@app.command()
def demo(
    workspace: WorkspaceFile = WORKSPACE,
    report: Annotated[Path, option(help="The HTML file to write.")] = Path("report.html"),
    as_json: AsJson = False,
) -> None:
    """Test Apertium en→es and en→ca on the bundled corpus with rtt, pivot and rti; without it, the fake system."""
    from concord import api

    missing = api.apertium_lacks()
    if missing is None:
        systems, relations = ["apertium"], ["rtt", "pivot", "rti"]
    else:
        say(f"Apertium cannot be tested here, only the made-up offline system `fake`: {missing}")
        systems, relations = ["fake"], ["rtt", "pivot,pivots=gl,eo", "rti"]
    with progress() as watch:
        summaries = api.run(
            "demo", relations=relations, systems=systems, to=["es", "ca"], workspace=workspace, watch=watch
        )
    conclude(summaries, workspace, report, 10, as_json)
