"""Commands for labels (export, import, list, say, undo, redo), and `thresholds`, which counts cases by threshold."""

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from concord import api
from concord.cli.app import app
from concord.cli.options import AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_table, print_tables, program_name, visible, workspace_option
from concord.errors import UserError
from concord.plural import plural

label = typer.Typer(
    help="Label cases: draw queues, say what is wrong, export and import sheets, measure agreement.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(label, name="label")
PRINTED = 20
COLUMNS = ("annotator", "verdict", "categories", "wrong", "severity", "comment")


def _printable(annotator: str) -> str:
    from concord.api.labels import refuse_unprintable

    refuse_unprintable(annotator.strip())
    return annotator


Annotator = Annotated[str, option(help="The name of the annotator.", callback=_printable)]
KnownAnnotator = Annotated[str, option(help="The name of the annotator.")]
"""An annotator of stored labels, whose name may be one that is refused by now."""


@label.command("export")
def export_(
    *,
    runs: Runs = None,
    file: Annotated[Path, typer.Argument(help="The file to write: .csv, .tsv or .jsonl.")],
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[str, option(help="Fill in only the labels of this annotator.", callback=_printable)] = "",
    limit: Annotated[int | None, option(min=1, help="How many cases, by rank. [default: all flagged cases]")] = None,
    unflagged: Annotated[bool, option("--all", help="Also cases that are not flagged.")] = False,
    queue: Annotated[
        str, option(help="Only the cases of this queue, in its order, without columns that tell which are flagged.")
    ] = "",
    force: Annotated[bool, option("--force", help="Overwrite an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write cases with columns for a verdict, the most suspicious first; existing labels are filled in."""
    options = {"annotator": annotator, "limit": limit, "unflagged": unflagged, "queue": queue, "force": force}
    written = api.export_labels(workspace, runs or [], file, **options)  # type: ignore[arg-type]
    if as_json:
        print_json({"file": str(file), "lines": written})
        return
    print(f"{plural(written, 'line')}: {visible(file)}")
    if written:
        print("Fill in the column verdict and, for errors, categories, wrong (which translation) and severity; then:")
        name = visible(shlex.quote(annotator.strip())) if annotator.strip() else "YOU"
        print(f"  {program_name()} label import {visible(file)}{workspace_option(workspace)} --annotator {name}")


@label.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A filled-in file of `label export`.")],
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[
        str, option(help="The annotator of lines whose column annotator is empty.", callback=_printable)
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Import labels from a sheet: all of them, or none if a line is wrong. Lines without a verdict are skipped."""
    count = api.import_labels(workspace, file, annotator=annotator)
    if as_json:
        print_json({"file": str(file), "labels": count})
    else:
        print(f"{plural(count, 'label')} from {visible(file)}{'' if count else ': no verdict is filled in'}")


@label.command("list")
def list_(runs: Runs = None, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """List the labels of runs; a label is stale if the case has other translations in that run."""
    rows = api.labels(workspace, runs or [])
    if as_json:
        print_json({"rows": rows})
        return
    table = [
        (str(row["run"]), row["segment"], row["case"][:12], *cells, "stale" if row["stale"] else "counts")
        for row in rows
        for cells in [[", ".join([row[name]] if isinstance(row[name], str) else row[name]) for name in COLUMNS]]
    ]
    print_table(("run", "segment", "case", *COLUMNS, "state"), table)


@label.command()
def say(
    case: Annotated[str, typer.Argument(help="The key of the case, as `label next` or `label list` print it.")],
    verdict: Annotated[str, typer.Argument(help="error, correct or bad test.")],
    annotator: Annotator,
    workspace: WorkspaceFile = WORKSPACE,
    judged: Annotated[str, option(help="Which translations, if there were several: `judged` of `label export`.")] = "",
    categories: Annotated[str, option(metavar="A,B,…", help="For an error: categories of He et al.")] = "",
    kinds: Annotated[str, option(metavar="A,B,…", help="For an error: SemMT's kinds of these categories.")] = "",
    wrong: Annotated[
        str, option(help="For an error: source output (of the text), follow-up output (of the variant) or both.")
    ] = "",
    severity: Annotated[str, option(help="For an error: neutral, minor, major or critical.")] = "",
    correction: Annotated[str, option(help="A correct translation.")] = "",
    comment: Annotated[str, option(help="Free-text comment.")] = "",
    as_json: AsJson = False,
) -> None:
    """Label one case; an earlier label of this annotator is replaced."""
    fields = {"case": case, "judged": judged, "verdict": verdict, "categories": categories, "kinds": kinds}
    fields |= {"wrong": wrong, "severity": severity, "correction": correction, "comment": comment}
    saved = api.say(workspace, fields, annotator=annotator)
    if as_json:
        print_json(asdict(saved))
    else:
        print(f"{visible(saved.annotator)}: {saved.verdict} ({saved.case[:12]})")


@label.command()
def undo(annotator: KnownAnnotator, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """Undo what an annotator saved last, a label or a whole sheet; earlier labels hold again."""
    undone = api.undo_label(workspace, annotator)
    if as_json:
        print_json({"rows": [asdict(change) for change in undone]})
        return
    for change in undone[:PRINTED]:
        verdict = change.before.verdict if change.before else "nothing"
        print(f"{change.label.case[:12]}: {change.label.verdict} is undone; {visible(annotator)} says {verdict}")
    if len(undone) > PRINTED:
        print(f"and {len(undone) - PRINTED} more")


@label.command()
def redo(annotator: KnownAnnotator, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """Redo what an annotator undid last, unless they have labelled something since."""
    redone = api.redo_label(workspace, annotator)
    if as_json:
        print_json({"rows": [asdict(restored) for restored in redone]})
        return
    for restored in redone[:PRINTED]:
        print(f"{restored.case[:12]}: {visible(annotator)} says {restored.verdict} again")
    if len(redone) > PRINTED:
        print(f"and {len(redone) - PRINTED} more")


@app.command()
def thresholds(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    at: Annotated[
        str,
        option(
            metavar="T,T,…",
            help="The thresholds. [default: 0 to 5 where suspicion is a whole number, else its deciles]",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Count flagged cases and their translations, and the wrong ones among them, at each threshold."""
    from concord.views.tables import tables

    sweeps = api.thresholds(workspace, runs or [], points=_numbers(at))
    if as_json:
        print_json({"relations": [sweep.plain() for sweep in sweeps]})
    else:
        print_tables(tables(sweeps))


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise UserError(f"'{text}' is no list of thresholds; write numbers separated by commas: --at 0,0.5,1") from None
