"""Commands for what people say about cases, and for what it comes to at every threshold."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from concord.cli.app import app
from concord.cli.options import AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_table, print_tables, program_name, visible, workspace_option
from concord.errors import UserError
from concord.plural import plural

label = typer.Typer(
    help="Judge cases by hand: draw them, say what is wrong, export and import sheets, see how far people agree.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(label, name="label")
MOST = 20
SHOWN = ("annotator", "verdict", "categories", "wrong", "severity", "comment")


def _printable(annotator: str) -> str:
    from concord.api.labels import refuse_unprintable

    refuse_unprintable(annotator.strip())
    return annotator


Who = Annotated[str, option(help="Who says so.", callback=_printable)]
Whose = Annotated[str, option(help="Who says so.")]
"""Of labels that there are already, which may have a name that is refused by now."""


@label.command("export")
def export_(
    *,
    runs: Runs = None,
    file: Annotated[Path, typer.Argument(help="The file to write: .csv, .tsv or .jsonl.")],
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[str, option(help="Whose labels: only this person's are filled in.", callback=_printable)] = "",
    limit: Annotated[int | None, option(min=1, help="How many cases, the worst first. [default: all violated]")] = None,
    unflagged: Annotated[bool, option("--all", help="Cases at or below their threshold too.")] = False,
    queue: Annotated[
        str, option(help="The cases of this queue, in its order, and nothing that tells which are flagged.")
    ] = "",
    force: Annotated[bool, option("--force", help="Replace the file if it is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write cases with columns for a verdict, the worst first; labels that there are already are filled in."""
    from concord import api

    how = {"annotator": annotator, "limit": limit, "unflagged": unflagged, "queue": queue, "force": force}
    written = api.export_labels(workspace, runs or [], file, **how)  # type: ignore[arg-type]
    if as_json:
        print_json({"file": str(file), "lines": written})
        return
    print(f"{plural(written, 'line')}: {visible(file)}")
    if written:
        print("Fill in verdict, and for errors categories, wrong (which output is) and severity; then:")
        who = visible(shlex.quote(annotator.strip())) if annotator.strip() else "YOU"
        print(f"  {program_name()} label import {visible(file)}{workspace_option(workspace)} --annotator {who}")


@label.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A filled-in file of `label export`.")],
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[
        str, option(help="Whose labels they are, where the column annotator is empty.", callback=_printable)
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Read labels back: all of them, or none if a line is wrong. Lines without a verdict are passed over."""
    from concord import api

    count = api.import_labels(workspace, file, annotator=annotator)
    if as_json:
        print_json({"file": str(file), "labels": count})
    else:
        print(f"{plural(count, 'label')} from {visible(file)}")


@label.command("list")
def list_(runs: Runs = None, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """List the labels of runs; stale are those of other outputs than the case has there."""
    from concord import api

    rows = api.labels(workspace, runs or [])
    if as_json:
        print_json({"rows": rows})
        return
    shown = [
        (str(row["run"]), row["segment"], row["case"][:12], *(_said(row[name]) for name in SHOWN), _state(row))
        for row in rows
    ]
    print_table(("run", "segment", "case", *SHOWN, "state"), shown)


@label.command()
def say(
    case: Annotated[str, typer.Argument(help="The case, as `label next`, `label list` or `export` name it.")],
    verdict: Annotated[str, typer.Argument(help="error, correct or bad test.")],
    annotator: Who,
    workspace: WorkspaceFile = WORKSPACE,
    judged: Annotated[str, option(help="Which outputs, for a case that has had several (see `label export`).")] = "",
    categories: Annotated[str, option(metavar="A,B,…", help="Of an error: He et al.'s categories.")] = "",
    kinds: Annotated[str, option(metavar="A,B,…", help="Of an error: SemMT's kinds of these.")] = "",
    wrong: Annotated[str, option(help="Of an error: source output, follow-up output or both.")] = "",
    severity: Annotated[str, option(help="Of an error: neutral, minor, major or critical.")] = "",
    correction: Annotated[str, option(help="A right translation.")] = "",
    comment: Annotated[str, option(help="Anything.")] = "",
    as_json: AsJson = False,
) -> None:
    """Label one case; what this person said of it before is replaced."""
    from concord import api

    said = {"case": case, "judged": judged, "verdict": verdict, "categories": categories, "kinds": kinds}
    said |= {"wrong": wrong, "severity": severity, "correction": correction, "comment": comment}
    made = api.say(workspace, said, annotator=annotator)
    if as_json:
        print_json(asdict(made))
    else:
        print(f"{visible(made.annotator)}: {made.verdict} ({made.case[:12]})")


@label.command()
def undo(annotator: Whose, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """Take back what a person saved last, a label or a whole sheet; what they said before holds again."""
    from concord import api

    found = api.undo_label(workspace, annotator)
    if as_json:
        print_json({"rows": [asdict(each) for each in found]})
        return
    for each in found[:MOST]:
        now = each.before.verdict if each.before else "nothing"
        print(f"{each.label.case[:12]}: {each.label.verdict} is taken back; {visible(annotator)} says {now}")
    if len(found) > MOST:
        print(f"and {len(found) - MOST} more")


@label.command()
def redo(annotator: Whose, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """Say again what a person took back last, unless they have said something else since."""
    from concord import api

    found = api.redo_label(workspace, annotator)
    if as_json:
        print_json({"rows": [asdict(each) for each in found]})
        return
    for each in found[:MOST]:
        print(f"{each.case[:12]}: {visible(annotator)} says {each.verdict} again")
    if len(found) > MOST:
        print(f"and {len(found) - MOST} more")


@app.command()
def thresholds(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    at: Annotated[
        str, option(metavar="T,T,…", help="The thresholds. [default: 0 to 5 for whole numbers, else the tenths]")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Count suspicious cases and translations, and the wrong ones among them, at each threshold."""
    from concord import api
    from concord.views.tables import tables

    found = api.thresholds(workspace, runs or [], points=_numbers(at))
    if as_json:
        print_json({"relations": [each.plain() for each in found]})
    else:
        print_tables(tables(found))


def _numbers(text: str) -> list[float]:
    try:
        return [float(each) for each in text.split(",") if each.strip()]
    except ValueError:
        raise UserError(f"'{text}' is no list of thresholds; write numbers with commas between: --at 0,0.5,1") from None


def _said(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _state(row: dict[str, object]) -> str:
    return "stale" if row["stale"] else "counts"
