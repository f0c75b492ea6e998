"""Commands on how far a detector can be trusted, and at which threshold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from concord.cli.app import USAGE, AsJson, WorkspaceFile, app, option
from concord.configuration import CONFIGURATION
from concord.errors import UserError
from concord.printing import WORKSPACE, print_json, print_tables, print_tuned, say, visible

if TYPE_CHECKING:
    from concord.evaluating.fitting import Fitting

Source = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LABELLED|RUN",
        help="A .csv, .tsv or .jsonl file with labels and scores; or run numbers with labels. [default: latest runs]",
    ),
]
LabelColumn = Annotated[str, option("--label", metavar="COLUMN", help="The column that says bug or correct.")]


@app.command()
def evaluate(
    source: Source = None,
    label: LabelColumn = "label",
    score: Annotated[
        list[str] | None,
        option(
            "--score",
            metavar="NAME[:higher-is-worse]",
            help="A score; may be repeated. By default every column of numbers, and lower is worse.",
        ),
    ] = None,
    normalise: Annotated[bool, option("--normalise", help="Stretch every score to 0…1 first.")] = False,
    mix: Annotated[str, option(metavar="A,B", help="Also K × A + (1 − K) × B, for K from 0 to 1.")] = "",
    split: Annotated[
        float | None, option(help="Choose thresholds on this share of the rows, and judge them on the others.")
    ] = None,
    folds: Annotated[int | None, option(help="The same for each of so many parts in turn.")] = None,
    combine_at: Annotated[
        str,
        option(
            metavar="product|f|accuracy",
            help="What the thresholds of combined scores are best at; product: true positives × true negatives.",
        ),
    ] = "product",
    resamples: Annotated[int, option(min=1, help="Draws for the intervals.")] = 1000,
    seed: Annotated[int, option(min=0, help="Fixes every random choice.")] = 12345,
    out: Annotated[
        Path | None, option(metavar="FOLDER", help="Also write a page, pictures (SVG) and every point (CSV).")
    ] = None,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Say how well scores tell bugs from correct translations, at every threshold, alone and combined."""
    from concord import api
    from concord.evaluating.evaluation import Terms
    from concord.evaluating.tables import tables

    terms = Terms(label, score or (), normalise, mix, split, folds, combine_at, resamples, seed)
    found = api.evaluate(source or [], terms, workspace=workspace)
    written = api.write_evaluation(found, out) if out is not None else []
    if as_json:
        print_json({**found.plain(), "files": [str(each) for each in written]})
        return
    print_tables(tables(found))
    for note in found.notes:
        say(f"note: {note}")
    if out is not None:
        print(f"\nWritten: {visible(out)} ({len(written)} files; the page is index.html)")


@app.command()
def tune(
    source: Source = None,
    want: Annotated[
        str, option(metavar="f|precision=SHARE", help="What the threshold is to be best at, or reach.")
    ] = "f",
    relation: Annotated[
        str,
        option(
            "--relation",
            "-r",
            metavar="RELATION",
            help="Whose scores a file has: NAME[,option=value]; with --fit or --forget, the relation that is meant.",
        ),
    ] = "",
    label: LabelColumn = "label",
    score: Annotated[
        str, option(metavar="NAME[:higher-is-worse]", help="The score of a file, if it has several.")
    ] = "",
    config: Annotated[Path, option(metavar="FILE", help="The file to write the threshold to.")] = Path(CONFIGURATION),
    fit: Annotated[
        bool, option("--fit", help="Teach comparison=concord by the labels of runs, in place of choosing a threshold.")
    ] = False,
    forget: Annotated[
        bool,
        option("--forget", help="Undo --fit for --relation: the rule judges later runs again. Labels and runs stay."),
    ] = False,
    glossary: Annotated[str, option(metavar="FILE", help="With --fit: the glossary that the runs were given.")] = "",
    synonyms: Annotated[str, option(metavar="FILE", help="With --fit: the synonyms that the runs were given.")] = "",
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Choose a relation's threshold by labels, and write it to concord.toml, where `run` finds it.

    With --fit, labels teach the comparison itself: it is kept in the workspace and judges later runs there, if it ranks
    cases that it has not seen better than the built-in rule does.
    """
    from concord import api

    if fit or forget:
        if (fit and forget) or want != "f" or score:
            raise UserError("--fit, --forget and a threshold (--want, --score) are separate: give one of them")
        files = {"glossary": glossary, "synonyms": synonyms}
        _taught(source or [], relation, files, workspace, forget=forget, as_json=as_json)
        return
    try:
        found = api.tune(
            source or [], want=want, relation=relation, label=label, score=score, config=config, workspace=workspace
        )
    except UserError as error:
        lines = "\n\n".join(getattr(error, "__notes__", ()))
        if not lines:
            raise
        if as_json:
            print_json({"error": str(error), "lines": lines})
        else:
            print(lines)
        say(f"error: {error}")
        raise typer.Exit(USAGE) from None
    if as_json:
        print_json(found.plain())
    else:
        print_tuned(found)


def _taught(
    source: list[str], relation: str, files: dict[str, str], workspace: Path, *, forget: bool, as_json: bool
) -> None:
    from concord import api
    from concord.evaluating.labelled import is_table

    if forget:
        gone = api.forget_comparator(relation, workspace=workspace)
        ways = ["-".join(way) for way in gone]
        if as_json:
            print_json({"relation": relation, "forgotten": ways})
        else:
            print(
                f"What --fit had taught about {visible(relation)} ({', '.join(ways)}) is gone from"
                f" {visible(workspace)}: the rule judges later runs. Labels and runs are as before."
            )
        return
    tables = [each for each in source if is_table(each)]
    if tables:
        raise UserError(
            f"--fit learns from labelled runs, not from a file such as {tables[0]}. Name runs, or leave it out"
        )
    found = api.fit_comparator(source, relation=relation, **files, workspace=workspace)
    if as_json:
        print_json(found.plain())
    else:
        _print_fitting(found)


def _print_fitting(found: Fitting) -> None:
    print(
        f"{found.relation} {'→'.join(found.direction)}: {found.labels:,} labelled cases, {found.wrong:,} of them bugs"
    )
    print(f"AUC on sentences that it had not seen: {found.area:.3f}; of the rule: {found.area_of_rule:.3f}")
    for note in found.notes:
        say(f"note: {note}")
    if found.used:
        print(
            f"Kept in the workspace as {found.name}; later runs of {found.relation} there are judged by it. A threshold"
            " that was chosen before is for the rule: run again, then tune."
        )
    else:
        print("It does not beat the rule, so that later runs are judged by the rule as before. More labels may help.")
