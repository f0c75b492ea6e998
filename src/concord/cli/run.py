"""The commands that make runs: run, plan, demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from concord import api
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
    Relations,
    Seed,
    Services,
    Targets,
    Verbose,
    Workers,
    WorkspaceFile,
    chosen_services,
    gathered,
    option,
)
from concord.cli.output import (
    WORKSPACE,
    conclude,
    print_estimates,
    print_json,
    print_notes,
    print_summaries,
    program_name,
    progress,
    say,
    say_notes,
    visible,
)
from concord.errors import RunEnding
from concord.plural import plural


@app.command()
@gathered(services=chosen_services)
def run(
    *,
    corpus: CorpusName = "demo",
    relation: Relations = None,
    system: Annotated[
        list[str] | None,
        option(
            "--system",
            "-s",
            metavar="SYSTEM",
            help="A system to test: NAME[:ARGUMENT][,option=value] of `concord translators`, or a .toml file; may be"
            " repeated, and the first one is the baseline for the others. [default: apertium]",
        ),
    ] = None,
    to: Targets = None,
    source: From = "en",
    workspace: WorkspaceFile = WORKSPACE,
    format: Format = None,
    reference: Annotated[
        Path | None, option(help="A file of reference translations, line by line; they are stored with the rows.")
    ] = None,
    limit: Limit = None,
    seed: Seed = 12345,
    repetitions: Annotated[
        int | None,
        option(min=1, help="Repetitions of each check, each with other random draws. [default: 1; mgmt:paper: 5]"),
    ] = None,
    workers: Workers = 1,
    timeout: Annotated[
        float | None, option(help="Timeout of one request, in seconds. [default: the system's own]")
    ] = None,
    throttled_for: Annotated[
        float | None,
        option(
            help="Seconds after which a run ends if the system throttles every request and does not say when to retry."
            " [default: 120, unless the system sets another]"
        ),
    ] = None,
    max_chars: MaxChars = None,
    max_cost: MaxCost = None,
    price: PricePerMillion = None,
    services: Services,
    config: Config = CONFIGURATION,
    dry_run: DryRun = False,
    fresh: Fresh = False,
    top: Annotated[int, option(min=0, help="How many findings to print, the most suspicious first.")] = 10,
    report: Annotated[Path | None, option(help="Also write a report to this HTML file.")] = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Check relations on systems; the same command continues an unfinished run, and shows the results of another.

    The exit code is 1 if a run has errors and no case.
    """
    opened_corpus = api.read(corpus, source, format=format, reference=reference, limit=limit)
    for warning in opened_corpus.warnings:
        say(f"warning: {warning}")
    settings = api.Settings(
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
    request: dict[str, Any] = {
        "relations": api.with_sane(relation or [api.RECOMMENDED]),
        "systems": system or ["apertium"],
        "to": to or ["es"],
        "workspace": workspace,
        "settings": settings,
    }
    request["config"] = _configuration(config, request["relations"])
    with request["config"].named_in_errors(request["relations"]):
        if dry_run:
            print_estimates(api.dry_run(opened_corpus, **request), as_json)
            return
        try:
            with progress() as watch:
                summaries = api.run(opened_corpus, **request, watch=watch)
        except RunEnding as error:
            if error.finished and not as_json:
                print_summaries(error.finished, verbose=verbose)
                print_notes(error.finished)
            raise
    conclude(summaries, workspace, report, top, as_json, verbose)


def _configuration(file: Path, relations: list[str]) -> api.Configuration:
    """Read the configuration, and say which of its thresholds these relations do not use."""
    configuration = api.Configuration.read(file)
    say_notes(configuration.unused_thresholds(relations))
    return configuration


@app.command()
@gathered(services=chosen_services)
def plan(
    *,
    corpus: CorpusName = "demo",
    relation: Relations = None,
    system: Annotated[
        str, option("--system", "-s", metavar="files:FOLDER", help="The folder for texts and translations.")
    ] = "files:exchange",
    to: Targets = None,
    source: From = "en",
    format: Format = None,
    limit: Limit = None,
    config: Config = CONFIGURATION,
    seed: Annotated[int, option(min=0, help="Random seed; it must be that of the run.")] = 12345,
    repetitions: Annotated[int | None, option(min=1, help="Repetitions of each check; as for the run.")] = None,
    services: Services,
    as_json: AsJson = False,
) -> None:
    """Write texts that a run would send to files, for a system that cannot be called; repeat until none is missing."""
    opened_corpus = api.read(corpus, source, format=format, limit=limit)
    relations = api.with_sane(relation or [api.RECOMMENDED])
    configuration = _configuration(config, relations)
    options: dict[str, Any] = {"seed": seed, "repetitions": repetitions, "config": configuration, "services": services}
    notes: list[str] = []
    options["note"] = notes.append
    with configuration.named_in_errors(relations):
        written = api.plan(opened_corpus, relations=relations, system=system, to=to or ["es"], **options)
    if as_json:
        rows = [{"file": str(a), "translations": str(b), "missing": count} for (a, b), count in written.items()]
        print_json({"rows": rows, "notes": notes})
        return
    say_notes(notes)
    for (texts_file, answers_file), count in written.items():
        print(f"{plural(count, 'text')} to translate: {visible(texts_file)}")
        print(f"  their translations belong in: {visible(answers_file)}")
    if written:
        print("Then run the same command again, until nothing is missing.")
    else:
        print(f"Nothing is missing: run the same with `{program_name()} run`.")


@app.command()
def demo(
    workspace: WorkspaceFile = WORKSPACE,
    report: Annotated[Path, option(help="The HTML file to write.")] = Path("report.html"),
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Test Apertium en→es and en→ca on the bundled corpus by the recommended set; without Apertium, test `fake`."""
    missing = api.apertium_lacks()
    system = "fake" if missing else "apertium"
    if missing:
        say(f"Apertium cannot be tested here, only the made-up offline system `fake`: {missing}")
    with progress() as watch:
        summaries = api.run("demo", systems=[system], to=["es", "ca"], workspace=workspace, watch=watch)
    conclude(summaries, workspace, report, 10, as_json, verbose)
