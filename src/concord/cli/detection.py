"""Commands on how far a detector can be trusted, and at which threshold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from concord.cli.app import app
from concord.cli.options import CONFIGURATION, AsJson, Runs, Seed, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_tables, print_tuned, say, table_of, visible
from concord.errors import UserError
from concord.plural import plural

if TYPE_CHECKING:
    from concord.api.detection import Fitting, WrittenThreshold

Source = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LABELLED|RUN",
        help="A .csv, .tsv or .jsonl file with labels and scores; or run numbers with labels. [default: latest runs]",
    ),
]
LabelColumn = Annotated[
    str,
    option(
        "--label", metavar="COLUMN", help="The column that says bug or correct; of Concord's own sheets, `verdict`."
    ),
]


@app.command()
def evaluate(
    source: Source = None,
    label: LabelColumn = "label",
    score: Annotated[
        list[str] | None,
        option(
            "--score",
            metavar="NAME[:higher-is-worse]",
            help="A score; may be repeated. By default every column of numbers, and lower is worse (but higher in the "
            "column `suspicion` of a table that Concord wrote).",
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
    seed: Seed = 12345,
    out: Annotated[
        Path | None, option(metavar="FOLDER", help="Also write a page, pictures (SVG) and every point (CSV).")
    ] = None,
    detectors: Annotated[
        bool,
        option(
            "--detectors",
            help="Each relation of runs as a detector: weighted recall, base rate, trivial baselines, all thresholds.",
        ),
    ] = False,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Say how well scores tell bugs from correct translations, at every threshold, alone and combined."""
    if detectors:
        if score or normalise or mix or split is not None or folds is not None or out is not None:
            raise UserError("--detectors judges runs by their suspicion; leave out scores, mixtures, parts and --out")
        _print_detectors(_runs_alone(source or [], "--detectors learns from labelled"), workspace, as_json)
        return
    from concord import api
    from concord.views.detection.tables import tables

    terms = api.EvaluationTerms(label, score or (), normalise, mix, split, folds, combine_at, resamples, seed)
    found = api.evaluate(source or [], terms, workspace=workspace)
    written = api.write_evaluation(found, out) if out is not None else []
    if as_json:
        print_json({**found.plain(), "files": [str(each) for each in written]})
        return
    print_tables(tables(found))
    for note in found.notes:
        say(f"note: {note}")
    if out is not None:
        print(f"\nWritten: {visible(out)} ({plural(len(written), 'file')}; the page is index.html)")


def _runs_alone(source: list[str], who: str) -> list[str]:
    from concord.api.detection import is_table

    tables = [each for each in source if is_table(each)]
    if tables:
        raise UserError(f"{who} runs, not from a file such as {tables[0]}. Name runs, or leave it out")
    return source


def _print_detectors(runs: list[str], workspace: Path, as_json: bool) -> None:
    from concord import api
    from concord.views.detection.detector_tables import detector_tables

    found = api.detectors(workspace, runs)
    if as_json:
        points = [{"points": [point.plain() for point in detector.points()]} for detector in found.detectors]
        rows = [each.plain() | more for each, more in zip(found.detectors, points, strict=True)]
        print_json({**found.plain(), "detectors": rows})
        return
    print_tables(detector_tables(found.detectors))
    for each in found.detectors:
        for note in each.notes:
            say(f"note: {each.name}: {note}")
    if not found.labelled:
        say("note: nothing is labelled yet: `concord label draw` draws a queue of cases to label")


@app.command()
def overlap(runs: Runs = None, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """Say which sentences several relations flag, together and alone, and what combinations of them find."""
    from concord import api
    from concord.views.detection.detector_tables import overlap_tables

    found = api.overlap(workspace, runs or [])
    if as_json:
        print_json({"overlaps": [each.plain() for each in found]})
        return
    if not found:
        raise UserError(
            "there is nothing to hold against each other: run two relations on one corpus, with one system and"
            " direction. `concord runs` lists what there is"
        )
    for each in found:
        print_tables(overlap_tables(each))
        for note in each.notes:
            say(f"note: {note}")


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
    at: Annotated[
        float | None, option(help="Write this threshold for the relation of the runs, in place of choosing.")
    ] = None,
    label: LabelColumn = "label",
    score: Annotated[
        str, option(metavar="NAME[:higher-is-worse]", help="The score of a file, if it has several.")
    ] = "",
    config: Annotated[Path, option(metavar="FILE", help="The file to write the threshold to.")] = CONFIGURATION,
    fit: Annotated[
        bool, option("--fit", help="Teach the comparator by the labels of runs, in place of choosing a threshold.")
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
        if (fit and forget) or want != "f" or score or at is not None:
            raise UserError("--fit, --forget and a threshold (--want, --score, --at) are separate: give one of them")
        files = {"glossary": glossary, "synonyms": synonyms}
        _taught(source or [], relation, files, workspace, forget=forget, as_json=as_json)
        return
    if at is not None and (want != "f" or score or relation):
        raise UserError("--at is a threshold that is chosen already; leave out --want, --score and --relation")
    found: Any
    if at is not None:
        runs = _runs_alone(source or [], "--at takes its relation from")
        found = api.keep_threshold(workspace, runs, at, config=config)
    else:
        found = api.tune(
            source or [], want=want, relation=relation, label=label, score=score, config=config, workspace=workspace
        )
    if as_json:
        print_json(found.plain())
    elif at is not None:
        _print_kept(found)
    else:
        print_tuned(found)


def _print_kept(found: WrittenThreshold) -> None:
    options = ", ".join(f"{name} = {value}" for name, value in found.options.items())
    print(f"{table_of(found.relation)} {visible(options)}")
    for note in found.notes:
        say(f"note: {note}")
    print(f"Written to {visible(found.file)}, where `concord run` finds it.")


def _taught(
    source: list[str], relation: str, files: dict[str, str], workspace: Path, *, forget: bool, as_json: bool
) -> None:
    from concord import api

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
    found = api.fit_comparator(
        _runs_alone(source, "--fit learns from labelled"), relation=relation, **files, workspace=workspace
    )
    if as_json:
        print_json(found.plain())
    else:
        _print_fitting(found)


def _print_fitting(found: Fitting) -> None:
    labelled, wrong = plural(found.labels, "labelled case"), plural(found.wrong, "of them a bug", "of them bugs")
    print(f"{found.relation} {'→'.join(found.direction)}: {labelled}, {wrong}")
    print(
        f"AUC on sentences that it had not seen: {found.area:.3f}; of the rule: {found.area_of_rule:.3f}; by chance"
        f" alone it gains more than {found.margin:.3f} once in twenty times"
    )
    for note in found.notes:
        say(f"note: {note}")
    if found.used:
        print(
            f"Kept in the workspace as {found.name}; later runs of {found.relation} there are judged by it. A threshold"
            " that was chosen before is for the rule: run again, then tune."
        )
    else:
        print(
            "It does not beat the rule by more than that, so that later runs are judged by the rule as before. More"
            " labels may help."
        )
