"""Commands that read a workspace: show, runs, report, export, faults."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from concord import api
from concord.cli.app import app
from concord.cli.options import AsJson, Runs, WorkspaceFile, gathered, option
from concord.cli.output import (
    WORKSPACE,
    print_json,
    print_json_rows,
    print_listed,
    print_more,
    print_notes,
    print_summaries,
    print_table,
    visible,
)
from concord.errors import UnknownName, UserError
from concord.plural import plural

Filters = dict[str, Any]
KINDS = {
    "relations": "run of the relation",
    "systems": "run of the system",
    "targets": "run into the language",
    "domains": "run with the domain",
}
"""What an error message calls a value of each filter that no run has."""


def chosen_filters(
    relation: Annotated[list[str] | None, option(help="Only cases of this relation; may be repeated.")] = None,
    system: Annotated[list[str] | None, option(help="Only cases of this system; may be repeated.")] = None,
    to: Annotated[list[str] | None, option(help="Only cases into this language; may be repeated.")] = None,
    domain: Annotated[list[str] | None, option(help="Only cases of this domain; may be repeated.")] = None,
    text: Annotated[
        str,
        option(
            help="Only cases with all these words; the last may be a prefix. Punctuation and wildcards are ignored."
        ),
    ] = "",
    label: Annotated[
        str,
        option(
            metavar="any|none|error|correct|bad test|stale|disputed",
            help="Only cases with any label, with none, with this verdict, with labels of earlier translations only "
            "(stale), or with labels that disagree (disputed).",
        ),
    ] = "",
    suspicion: Annotated[
        str, option(metavar="LOW:HIGH", help="Only cases whose suspicion is in this range: 0.4:0.9 or 0.4:")
    ] = "",
) -> Filters:
    """The filters as fields of `Filter`; empty where none is given."""
    lists = {"relations": relation, "systems": system, "targets": list(map(api.normalise, to or ())), "domains": domain}
    filters: Filters = {name: tuple(chosen_values) for name, chosen_values in lists.items() if chosen_values}
    filters |= {name: chosen_values for name, chosen_values in (("text", text), ("label", label)) if chosen_values}
    return filters | _bounds(suspicion) if suspicion else filters


def _bounds(suspicion: str) -> Filters:
    least, _, most = suspicion.partition(":") if ":" in suspicion else (suspicion, "", suspicion)
    try:
        return {name: float(bound) if bound.strip() else None for name, bound in (("least", least), ("most", most))}
    except ValueError:
        raise UserError(f"--suspicion is a range such as 0.4:0.9, 0.4: or :0.9, not '{suspicion}'") from None


@app.command()
@gathered(filters=chosen_filters)
def show(
    *,
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    limit: Annotated[int, option(min=1, help="How many findings, problems or cases to print.")] = 10,
    by: Annotated[
        str,
        option(
            metavar="case|finding|problem",
            help="List cases, findings (flagged cases that share one blamed translation) or problems (findings that "
            "share source word, wrong word and kind).",
        ),
    ] = "finding",
    flagged: Annotated[bool, option("--flagged", help="With --by case, only flagged cases.")] = False,
    errors: Annotated[bool, option("--errors", help="Print the rows with an error instead.")] = False,
    filters: Filters,
    as_json: AsJson = False,
) -> None:
    """Show runs and their findings, by rank within each run.

    The object of --json has the keys runs, total, against_baseline, and the list: findings or problems, each with its
    rows, or rows (of cases, or with --errors). The total counts what is listed. Each row has its reason and its labels.
    """
    if filters and errors:
        raise UserError("--errors takes no filter, because filters select cases")
    wanted = api.Filter(**filters, runs=tuple(runs or ()), flagged=True if flagged or by != "case" else None)
    _check_names(workspace, wanted)
    page = api.show(workspace, wanted, limit=limit, by=by, errors=errors)
    if as_json:
        print_json(page.plain())
        return
    if not filters:
        print_summaries(page.runs, page.beside)
    if page.total or filters or not errors:
        print_listed(page)
    print_more(page, "error" if errors else by, "--limit")
    if not filters:
        print_notes(page.runs, page.beside)


def _check_names(workspace: Path, wanted: api.Filter) -> None:
    """Refuse a filter value that no run has: it is a typing error, not an empty result."""
    names = {name: getattr(wanted, name) for name in KINDS if getattr(wanted, name)}
    if not names:
        return
    existing = api.facets(workspace, api.Filter(runs=wanted.runs, flagged=None), patient=True).choices
    if "domains" in names:
        counts = api.counts(workspace, [int(run) for run in existing["runs"]], patient=True)
        existing["domains"] = {domain: 0 for domains in counts.values() for domain in domains}
    for name, values in names.items():
        for value in values:
            if value not in existing[name]:
                raise UnknownName(KINDS[name], value, filter(None, existing[name]))


@app.command()
def runs(workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """List every run of a workspace with its signature."""
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
    limit: Annotated[int, option(min=1, help="How many findings, and how many cases, of each run.")] = 200,
    as_json: AsJson = False,
) -> None:
    """Write a self-contained HTML page of runs and findings."""
    reported = api.write_report(workspace, runs or [], output, limit=limit)
    if as_json:
        print_json({"report": str(output), "runs": reported})
    else:
        print(f"Report: {output}")


@app.command()
@gathered(filters=chosen_filters)
def export(
    *,
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    output: Annotated[
        Path | None, option("--output", "-o", help="The file to write; `-` is stdout. [default: stdout]")
    ] = None,
    what: Annotated[
        str,
        option(
            metavar="rows|cases|findings|problems|labels|corrections",
            help="Every row; flagged cases, findings or problems; labels; or corrected translations (also .tsv, .tmx).",
        ),
    ] = "rows",
    format: Annotated[
        str | None,
        option(help="jsonl, csv, sheet (a CSV for Excel) or parquet. [default: by the file's ending, else jsonl]"),
    ] = None,
    raw: Annotated[
        bool,
        option(
            "--raw",
            help="Write texts to CSV and TSV unchanged, for other programs. Without it, a text that looks like a "
            "formula gets an apostrophe in front.",
        ),
    ] = False,
    filters: Filters,
    as_json: AsJson = False,
) -> None:
    """Write every row (cases and errors) in corpus order, or cases, findings, problems, labels or corrections.

    Cases, findings and problems can be filtered, with the same options as for `show`. As JSONL, findings and problems
    are the objects that `show --json` prints, with their examples.
    """
    if as_json and filters:
        raise UserError("--json prints every row; to filter them, leave it out: --what findings --output -")

    output = None if str(output) == "-" else output
    if as_json and (output is not None or what != "rows" or raw):
        raise UserError("--json prints rows to standard output; for anything else, leave it out: --output rows.jsonl")
    if as_json:
        print_json_rows(api.rows(workspace, runs or []))
    else:
        wanted = api.Filter(**filters, runs=tuple(runs or ())) if filters else None
        if wanted is not None and what in api.exports() and api.exports()[what].filtered:
            _check_names(workspace, wanted)
        written = api.export(workspace, runs or [], output, format, kind=what, filters=wanted, raw=raw)
        if output is not None:
            print(f"{plural(written, what.removesuffix('s'))}: {visible(output)}")


@app.command()
def faults(
    workspace: WorkspaceFile = WORKSPACE,
    system: Annotated[str | None, option(help="Only faults of this system.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the faults that a `faulty` system injected into its translations."""
    rows = api.faults(workspace, system)
    if as_json:
        print_json({"rows": rows})
        return
    table = [(r["fault"], f"{r['source_lang']}→{r['target_lang']}", r["clean"], r["answer"]) for r in rows]
    print_table(("fault", "direction", "clean", "faulty"), table)
