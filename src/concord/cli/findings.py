"""Commands that look at what a workspace holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from concord.cli.app import app
from concord.cli.options import AsJson, Runs, WorkspaceFile, gathered, option
from concord.cli.output import (
    WORKSPACE,
    print_findings,
    print_groups,
    print_json,
    print_json_rows,
    print_summaries,
    print_table,
    visible,
)
from concord.errors import UnknownName, UserError
from concord.plural import plural

if TYPE_CHECKING:
    from concord.api import Filter

Filters = dict[str, Any]
KINDS = {
    "relations": "run of the relation",
    "systems": "run of the system",
    "targets": "run into the language",
    "domains": "run with the domain",
}
"""What there is not, where a filter names something that none of the runs has."""


def chosen_filters(
    relation: Annotated[list[str] | None, option(help="Only cases of this relation; may be repeated.")] = None,
    system: Annotated[list[str] | None, option(help="Only cases of this system; may be repeated.")] = None,
    to: Annotated[list[str] | None, option(help="Only cases into this language; may be repeated.")] = None,
    domain: Annotated[list[str] | None, option(help="Only cases of this domain; may be repeated.")] = None,
    text: Annotated[
        str,
        option(help="Only cases with all these words; the last may be just begun. Signs and wildcards are no words."),
    ] = "",
    label: Annotated[
        str,
        option(
            metavar="any|none|error|correct|bad test|stale|disputed",
            help="Only cases with any label, with none, with this verdict, with labels of other outputs alone, or with "
            "labels that disagree.",
        ),
    ] = "",
    suspicion: Annotated[
        str, option(metavar="LOW:HIGH", help="Only cases as suspicious as that: 0.4:0.9 or 0.4:")
    ] = "",
) -> Filters:
    """What findings must pass, by the names that `Filter` has; nothing where no filter is given."""
    from concord.api import normalise

    several = {"relations": relation, "systems": system, "targets": list(map(normalise, to or ())), "domains": domain}
    given: Filters = {name: tuple(each) for name, each in several.items() if each}
    given |= {name: each for name, each in (("text", text), ("label", label)) if each}
    return given | _bounds(suspicion) if suspicion else given


def _bounds(suspicion: str) -> Filters:
    least, _, most = suspicion.partition(":") if ":" in suspicion else (suspicion, "", suspicion)
    try:
        return {name: float(each) if each.strip() else None for name, each in (("least", least), ("most", most))}
    except ValueError:
        raise UserError(f"--suspicion is such as 0.4:0.9, 0.4: or :0.9, not '{suspicion}'") from None


@app.command()
@gathered(filters=chosen_filters)
def show(
    *,
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    limit: Annotated[int, option(min=1, help="How many cases, or groups.")] = 10,
    group: Annotated[
        str,
        option(metavar="sentence|translation", help="Violated cases by sentence, or by the translation behind them."),
    ] = "",
    violated: Annotated[bool, option("--violated", help="Only cases above their threshold.")] = False,
    errors: Annotated[bool, option("--errors", help="The rows with an error instead.")] = False,
    filters: Filters,
    as_json: AsJson = False,
) -> None:
    """Show runs and their most suspicious cases, by rank within each run.

    The object of --json has the keys runs, total, rows (or groups, each with its rows) and against_baseline. The total
    is of cases, of rows with an error or, of groups, of sentences. A case has its labels.
    """
    from concord import api

    if group and errors:
        raise UserError("--group is for violated cases and --errors for rows without any; choose one of them")
    if filters and errors:
        raise UserError("--errors goes with no filter: it is cases that filters are for")
    wanted = api.Filter(**filters, runs=tuple(runs or ()), violated=True if violated or group else None)
    _check_names(workspace, wanted)
    shown = api.show(workspace, wanted, limit=limit, group=group, errors=errors)
    if as_json:
        print_json(shown.plain())
        return
    if not filters:
        print_summaries(shown.runs, shown.beside)
    if shown.groups is not None:
        print_groups(shown.groups)
    elif shown.rows or filters:
        print_findings(shown.rows)
    if filters and not group and shown.total > len(shown.rows):
        print(f"{len(shown.rows):,} of {plural(shown.total, 'case')}; more: --limit")


def _check_names(workspace: Path, wanted: Filter) -> None:
    """A filter that names what none of the runs has is a slip, and not the same as finding nothing."""
    from concord import api

    names = {name: getattr(wanted, name) for name in KINDS if getattr(wanted, name)}
    if not names:
        return
    known = api.facets(workspace, api.Filter(runs=wanted.runs, violated=None), patient=True).choices
    if "domains" in names:
        plural = api.counts(workspace, [int(run) for run in known["runs"]], patient=True)
        known["domains"] = {domain: 0 for domains in plural.values() for domain in domains}
    for name, given in names.items():
        for each in given:
            if each not in known[name]:
                raise UnknownName(KINDS[name], each, filter(None, known[name]))


@app.command()
def runs(workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """List every run of a workspace with its signature."""
    from concord import api
    from concord.views import terminal

    records = api.runs(workspace)
    if as_json:
        print_json(
            {
                "rows": [
                    {"run": str(record.id), "signature": record.signature, "started": record.started}
                    for record in records
                ]
            }
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
@gathered(filters=chosen_filters)
def export(
    *,
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    output: Annotated[
        Path | None, option("--output", "-o", help="The file to write; stdout by default, or `-`.")
    ] = None,
    what: Annotated[
        str,
        option(
            metavar="rows|findings|labels|corrections",
            help="Every row; violated cases by rank; labels; or corrected translations (also .tsv, .tmx).",
        ),
    ] = "rows",
    format: Annotated[
        str | None,
        option(
            help="jsonl, csv, sheet (a CSV for Excel) or parquet; by default what the file's ending says, else jsonl."
        ),
    ] = None,
    raw: Annotated[
        bool,
        option(
            "--raw",
            help="For other programs: texts in CSV and TSV as they are. Without it, a text that a spreadsheet would "
            "take for a formula has an apostrophe in front.",
        ),
    ] = False,
    filters: Filters,
    as_json: AsJson = False,
) -> None:
    """Write every row (cases and errors) in corpus order, or what else is asked for.

    Findings can be of some alone, by the same filters as `show` has.
    """
    from concord import api

    if as_json and filters:
        raise UserError("--json prints every row; for some of them, leave it out: --what findings --output -")

    output = None if str(output) == "-" else output
    if as_json and (output is not None or what != "rows" or raw):
        raise UserError("--json prints rows to standard output; for anything else, leave it out: --output rows.jsonl")
    if as_json:
        print_json_rows(api.rows(workspace, runs or []))
    else:
        wanted = api.Filter(**filters, runs=tuple(runs or ())) if filters else None
        if wanted is not None and what == "findings":
            _check_names(workspace, wanted)
        written = api.export(workspace, runs or [], output, format, kind=what, filters=wanted, raw=raw)
        if output is not None:
            print(f"{plural(written, what.removesuffix('s'))}: {visible(output)}")


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
