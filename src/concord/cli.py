"""The command line: parse, call one function of `concord.api`, print."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from concord import __version__
from concord.errors import ConcordError, Interrupted, UserError
from concord.printing import (
    FAILED,
    WORKSPACE,
    conclude,
    options_of,
    print_estimates,
    print_json,
    print_json_rows,
    print_run,
    print_table,
    progress,
    say,
    visible,
)

app = typer.Typer(
    help="Test any machine-translation system without reference translations.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

OK, USAGE, INTERRUPTED = 0, 2, 130


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, **more)


AsJson = Annotated[bool, _option("--json", help="Print one JSON object instead of tables.")]
WorkspaceFile = Annotated[
    Path,
    _option("--workspace", "-w", envvar="CONCORD_WORKSPACE", help="The file that keeps runs and translations."),
]
Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN", help="Run numbers (3, or 3,4), or `last`; by default the latest of each kind."),
]


def main() -> None:
    """Run the command line; every expected error is one line on stderr and an exit code."""
    try:
        try:
            app(standalone_mode=True)
        finally:
            sys.stdout.flush()
    except Interrupted as error:
        _fail(f"{error}. Run the same command again to continue", INTERRUPTED)
    except KeyboardInterrupt:
        _fail("stopped at once. Run the same command again to continue", INTERRUPTED)
    except UserError as error:
        _fail(f"error: {error}", USAGE)
    except ConcordError as error:
        _fail(f"error: {error}", FAILED)
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        # A reader that has gone (`concord show | head`) is nothing wrong; a full disk is.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno == errno.ENOSPC:
            say("error: standard output cannot be written: no space left")
        sys.exit(OK if error.errno == errno.EPIPE else FAILED)


def _fail(words: str, code: int) -> NoReturn:
    say(words)
    if "--json" in sys.argv:
        print_json({"error": words.removeprefix("error: ")})
    sys.exit(code)


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, _option("--version", help="Print the version and exit.")] = False) -> None:
    if show:
        print(f"concord {__version__}")
        raise typer.Exit


@app.command()
def run(
    corpus: Annotated[
        str, typer.Argument(help="A file (lines, TSV, CSV, JSONL, TMX, XLIFF, PO; also .gz), `-`, or `demo`.")
    ] = "demo",
    relation: Annotated[
        list[str] | None,
        _option(
            "--relation",
            "-r",
            metavar="RELATION",
            help="What must hold: NAME[,option=value] of `concord relations`. [default: rtt]",
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        _option(
            "--system",
            "-s",
            metavar="SYSTEM",
            help="What to test: NAME[:ARGUMENT][,option=value] of `concord translators`, or a .toml file; the first"
            " one named is the baseline for the others. [default: apertium]",
        ),
    ] = None,
    to: Annotated[
        list[str] | None,
        _option("--to", "-t", metavar="LANG", help="A language to translate into; may be repeated. [default: es]"),
    ] = None,
    source: Annotated[str, _option("--from", metavar="LANG", help="The language of the corpus (BCP-47).")] = "en",
    workspace: WorkspaceFile = WORKSPACE,
    format: Annotated[
        str | None, _option(help="lines, tsv, csv, jsonl, tmx, xliff or po, if the file's ending does not tell.")
    ] = None,
    reference: Annotated[
        Path | None, _option(help="Reference translations, line by line; kept beside the rows.")
    ] = None,
    limit: Annotated[int | None, _option(min=1, help="Check only the first N segments.")] = None,
    seed: Annotated[int, _option(min=0, help="Fixes every random choice.")] = 12345,
    repetitions: Annotated[int, _option(min=1, help="Repeat each check with other random choices.")] = 1,
    workers: Annotated[int, _option(min=1, help="Processes that run the checks.")] = 1,
    timeout: Annotated[
        float | None, _option(help="Seconds that one request may take. [default: the system's own]")
    ] = None,
    max_chars: Annotated[
        int | None, _option(min=0, help="Send no more characters than this, with this command.")
    ] = None,
    max_cost: Annotated[float | None, _option(min=0, help="Spend no more than this; see --price.")] = None,
    price: Annotated[
        float | None, _option(min=0, help="What a million characters cost. [default: the system's list price]")
    ] = None,
    dry_run: Annotated[bool, _option("--dry-run", help="Say what would be sent and cost, and send nothing.")] = False,
    fresh: Annotated[bool, _option("--fresh", help="Ask again, even what the workspace already knows.")] = False,
    top: Annotated[int, _option(min=0, help="How many of the most suspicious cases to print.")] = 10,
    report: Annotated[Path | None, _option(help="Also write a report to this HTML file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check relations on systems; the same command again continues, or answers from the workspace."""
    from concord import api
    from concord.corpus import read
    from concord.text.languages import normalise

    opened = read(corpus, normalise(source), format=format, reference=reference, limit=limit)
    for warning in opened.warnings:
        say(f"warning: {warning}")
    how = api.Settings(
        seed=seed,
        repetitions=repetitions,
        workers=workers,
        fresh=fresh,
        seconds=timeout,
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
    }
    if dry_run:
        print_estimates(api.dry_run(opened, **what), as_json)
        return
    with progress() as watch:
        summaries = api.run(opened, **what, watch=watch)
    conclude(summaries, workspace, report, top, as_json)


@app.command()
def plan(
    corpus: Annotated[str, typer.Argument(help="A file, `-` for stdin, or `demo`, as for `run`.")] = "demo",
    relation: Annotated[
        list[str] | None, _option("--relation", "-r", metavar="RELATION", help="As for `run`. [default: rtt]")
    ] = None,
    system: Annotated[
        str, _option("--system", "-s", metavar="files:FOLDER", help="Where to write.")
    ] = "files:exchange",
    to: Annotated[list[str] | None, _option("--to", "-t", metavar="LANG", help="As for `run`. [default: es]")] = None,
    source: Annotated[str, _option("--from", metavar="LANG", help="The language of the corpus.")] = "en",
    seed: Annotated[int, _option(min=0, help="As for `run`: the same seed asks for the same texts.")] = 12345,
    as_json: AsJson = False,
) -> None:
    """Write the texts that a run would ask for, for a system that cannot be called; again until none is missing."""
    from concord import api

    written = api.plan(corpus, relations=relation or ["rtt"], system=system, to=to or ["es"], source=source, seed=seed)
    if as_json:
        rows = [{"file": str(a), "translations": str(b), "missing": count} for (a, b), count in written.items()]
        print_json({"rows": rows})
        return
    for (asked, answered), count in written.items():
        print(f"{count} texts to translate: {visible(asked)}")
        print(f"  their translations belong in: {visible(answered)}")
    if written:
        print("Then plan again, until nothing is missing.")
    else:
        print("Nothing is missing: run the same with `concord run`.")


@app.command()
def demo(
    workspace: WorkspaceFile = WORKSPACE,
    report: Annotated[Path, _option(help="The HTML file to write.")] = Path("report.html"),
    as_json: AsJson = False,
) -> None:
    """Test Apertium en→es and en→ca on the bundled corpus with rtt and pivot; without Apertium, the fake system."""
    from concord import api

    missing = api.apertium_lacks()
    if missing is None:
        systems, relations = ["apertium"], ["rtt", "pivot"]
    else:
        say(f"Apertium cannot be tested here, only the made-up offline system `fake`: {missing}")
        systems, relations = ["fake"], ["rtt", "pivot,pivots=gl,eo"]
    with progress() as watch:
        summaries = api.run(
            "demo", relations=relations, systems=systems, to=["es", "ca"], workspace=workspace, watch=watch
        )
    conclude(summaries, workspace, report, 10, as_json)


@app.command()
def show(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    limit: Annotated[int, _option(min=1, help="How many cases.")] = 10,
    violated: Annotated[bool, _option("--violated", help="Only cases above their threshold.")] = False,
    errors: Annotated[bool, _option("--errors", help="The rows with an error instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show runs and their most suspicious cases, by rank within each run."""
    from concord import api

    summaries, rows = api.show(workspace, runs or [], limit=limit, violated=violated, errors=errors)
    beside = api.compare(workspace, [each.run.id for each in summaries])
    if as_json:
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
    output: Annotated[Path, _option("--output", "-o", help="The HTML file to write.")] = Path("report.html"),
    limit: Annotated[int, _option(min=1, help="How many cases per run.")] = 200,
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
    output: Annotated[Path | None, _option("--output", "-o", help="The file to write; stdout by default.")] = None,
    format: Annotated[
        str | None, _option(help="jsonl, csv or parquet; by default what the file's ending says, else jsonl.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write every row (cases and errors) in corpus order."""
    from concord import api

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
    system: Annotated[str | None, _option(help="Only this system's.")] = None,
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


@app.command()
def judge(
    pairs: Annotated[
        Path, typer.Argument(help="CSV, TSV or JSONL: source, follow_up, source_translation, follow_up_translation.")
    ],
    relation: Annotated[str, _option("--relation", "-r", help="The relation; by default what the column says.")] = "",
    source: Annotated[str, _option("--from", help="The source language; by default what the column says.")] = "",
    to: Annotated[str, _option("--to", "-t", help="The target language; by default what the column says.")] = "",
    as_json: AsJson = False,
) -> None:
    """Apply a relation's comparison to pairs that were translated elsewhere; no translator is needed."""
    from concord import api

    rows = list(api.judge(pairs, relation=relation, source=source, target=to))
    if as_json:
        print_json({"rows": rows})
        return
    shown = [
        (str(r["line"]), r["relation"], r["error"])
        if "error" in r
        else (str(r["line"]), r["relation"], f"{r['suspicion']:.3f}{'  violated' if r['violated'] else ''}")
        for r in rows
    ]
    print_table(("line", "relation", "suspicion (higher is worse)"), shown)
    print(f"{sum(r.get('violated', False) for r in rows)} of {len(rows)} pairs violated")


def _listing(family: str) -> Callable[[bool], None]:
    def command(as_json: AsJson = False) -> None:
        from concord import api

        rows = api.describe(family)
        if as_json:
            print_json({"rows": rows})
            return
        print_table((family[:-1], "what it is", "options"), [(r["usage"], r["purpose"], options_of(r)) for r in rows])
        if any(r.get("keys") for r in rows):
            print("Keys are read from the environment only:")
            print_table(("translator", "variables"), [(r["name"], " ".join(r["keys"])) for r in rows if r.get("keys")])

    return command


for _family, _help in (
    ("relations", "List the relations with their options."),
    ("translators", "List the systems that can be tested, with their options."),
    ("metrics", "List the similarity metrics with their options."),
):
    app.command(_family, help=_help)(_listing(_family))


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what works here, and the one command that fixes what does not."""
    from concord import api

    rows = api.doctor()
    if as_json:
        print_json({"rows": rows})
    else:
        print_table(
            ("", "what", "found", "to fix"),
            [("ok" if r["ok"] else "--", r["what"], r["found"], r["fix"]) for r in rows],
        )


if __name__ == "__main__":
    main()
