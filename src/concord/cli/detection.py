"""Commands that evaluate detectors against labels: evaluate, overlap, tune."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from concord import api
from concord.cli.app import app
from concord.cli.options import CONFIGURATION, AsJson, Runs, Seed, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_tables, print_tuned, say, say_notes, table_of, visible
from concord.errors import UserError
from concord.plural import plural

if TYPE_CHECKING:
    from concord.api.detection import Fitting, WrittenThreshold

Source = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LABELLED|RUN",
        help="A .csv, .tsv or .jsonl file with labels and scores, or numbers of labelled runs. [default: latest runs]",
    ),
]
LabelColumn = Annotated[
    str,
    option(
        "--label",
        metavar="COLUMN",
        help="The column that holds the label, bug or correct; in Concord's own sheets it is `verdict`.",
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
            help="A column of scores; may be repeated. [default: every column of numbers] Lower is worse, except in "
            "the column `suspicion` of a table that Concord wrote.",
        ),
    ] = None,
    normalise: Annotated[bool, option("--normalise", help="First scale every score to 0…1.")] = False,
    mix: Annotated[str, option(metavar="A,B", help="Also evaluate K × A + (1 − K) × B, for K from 0 to 1.")] = "",
    split: Annotated[
        float | None, option(help="Choose thresholds on this share of the rows, and evaluate them on the rest.")
    ] = None,
    folds: Annotated[int | None, option(help="Like --split, by cross-validation with this many folds.")] = None,
    combine_at: Annotated[
        str,
        option(
            metavar="product|f|accuracy",
            help="What the thresholds of combined scores maximise; product: true positives × true negatives.",
        ),
    ] = "product",
    resamples: Annotated[int, option(min=1, help="Bootstrap resamples for the confidence intervals.")] = 1000,
    kinds: Annotated[
        str,
        option(
            metavar="COLUMN",
            help="The column with the kinds of error, to count what each score finds of each. Labels of runs, and "
            "Concord's own sheets, have them.",
        ),
    ] = "",
    forward: Annotated[
        str,
        option(
            metavar="COLUMN",
            help="Judge the way there alone, by the column that says which output is wrong (of runs and sheets: "
            "`wrong`). Rows whose way back alone is wrong are left out.",
        ),
    ] = "",
    seed: Seed = 12345,
    out: Annotated[
        Path | None,
        option(metavar="FOLDER", help="Also write an HTML page, charts (SVG) and all points of the curves (CSV)."),
    ] = None,
    detectors: Annotated[
        bool,
        option(
            "--detectors",
            help="Evaluate each relation of the runs as a detector: weighted recall, base rate, trivial baselines.",
        ),
    ] = False,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Measure how well scores tell bugs from correct translations, at every threshold, alone and combined."""
    if detectors:
        if score or normalise or mix or split is not None or folds is not None or out is not None or kinds or forward:
            raise UserError(
                "--detectors takes only runs; leave out --score, --normalise, --mix, --split, --folds, --kinds,"
                " --forward and --out"
            )
        _print_detectors(_runs_alone(source or [], "--detectors evaluates labelled"), workspace, as_json)
        return
    from concord.views.detection.tables import tables

    terms = api.EvaluationTerms(
        label, score or (), normalise, mix, split, folds, combine_at, resamples, seed, kinds, forward
    )
    evaluation = api.evaluate(source or [], terms, workspace=workspace)
    written = api.write_evaluation(evaluation, out) if out is not None else []
    if as_json:
        print_json({**evaluation.plain(), "files": [str(path) for path in written]})
        return
    print_tables(tables(evaluation))
    say_notes(evaluation.notes)
    if out is not None:
        print(f"\nWritten: {visible(out)} ({plural(len(written), 'file')}; the page is index.html)")


def _runs_alone(source: list[str], who: str) -> list[str]:
    from concord.api.detection import is_table

    files = [name for name in source if is_table(name)]
    if files:
        raise UserError(f"{who} runs, not from a file such as {files[0]}. Name runs, or leave it out")
    return source


def _print_detectors(runs: list[str], workspace: Path, as_json: bool) -> None:
    from concord.views.detection.detector_tables import detector_tables

    evaluated = api.detectors(workspace, runs)
    if as_json:
        points = [{"points": [point.plain() for point in detector.points()]} for detector in evaluated.detectors]
        rows = [detector.plain() | curve for detector, curve in zip(evaluated.detectors, points, strict=True)]
        print_json({**evaluated.plain(), "detectors": rows})
        return
    print_tables(detector_tables(evaluated.detectors))
    for detector in evaluated.detectors:
        for note in detector.notes:
            say(f"note: {detector.name}: {note}")
    if not evaluated.labelled:
        say("note: nothing is labelled yet: `concord label draw` draws a queue of cases to label")


@app.command()
def overlap(runs: Runs = None, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """Show which sentences several relations flag, which only one flags, and what combinations of relations find."""
    from concord.views.detection.detector_tables import overlap_tables

    overlaps = api.overlap(workspace, runs or [])
    if as_json:
        print_json({"overlaps": [overlap.plain() for overlap in overlaps]})
        return
    if not overlaps:
        raise UserError(
            "there is nothing to compare: run two relations on one corpus, with one system and"
            " direction. `concord runs` lists what there is"
        )
    for overlap in overlaps:
        print_tables(overlap_tables(overlap))
        say_notes(overlap.notes)


@app.command()
def tune(
    source: Source = None,
    want: Annotated[
        str,
        option(
            metavar="f|precision=SHARE", help="What the threshold maximises (f), or the precision that it must reach."
        ),
    ] = "f",
    relation: Annotated[
        str,
        option(
            "--relation",
            "-r",
            metavar="RELATION",
            help="NAME[,option=value]: whose scores the file has or, with --fit or --forget, the one that is meant.",
        ),
    ] = "",
    at: Annotated[
        float | None, option(help="Write this threshold for the relation of the runs instead of choosing one.")
    ] = None,
    label: LabelColumn = "label",
    score: Annotated[
        str, option(metavar="NAME[:higher-is-worse]", help="The column of scores, if the file has several.")
    ] = "",
    config: Annotated[Path, option(metavar="FILE", help="The file to write the threshold to.")] = CONFIGURATION,
    fit: Annotated[
        bool, option("--fit", help="Train the comparator on the labels of runs instead of choosing a threshold.")
    ] = False,
    forget: Annotated[
        bool,
        option(
            "--forget",
            help="Undo --fit for --relation: later runs use the built-in rule again. Labels and runs are kept.",
        ),
    ] = False,
    glossary: Annotated[str, option(metavar="FILE", help="With --fit: the glossary that the runs used.")] = "",
    synonyms: Annotated[str, option(metavar="FILE", help="With --fit: the synonyms that the runs used.")] = "",
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Choose a relation's threshold by labels, and write it to concord.toml, which `run` reads.

    With --fit, labels train the comparator itself. If it ranks held-out cases better than the built-in rule, it is
    stored in the workspace and judges later runs there.
    """
    from concord.api.plugins import admit

    if fit or forget:
        if (fit and forget) or want != "f" or score or at is not None:
            raise UserError("--fit, --forget and a threshold (--want, --score, --at) are separate: give one of them")
        files = {"glossary": glossary, "synonyms": synonyms}
        _fit_or_forget(source or [], relation, files, workspace, forget=forget, as_json=as_json)
        return
    # A relation of the user's own file must be named, or it is not loaded.
    if at is not None and (want != "f" or score or (relation and not relation.endswith(".py"))):
        raise UserError("--at gives the threshold, so that nothing is chosen; leave out --want, --score and --relation")
    tuned: Any
    if at is not None:
        admit(relation)
        runs = _runs_alone(source or [], "--at takes its relation from")
        tuned = api.keep_threshold(workspace, runs, at, config=config)
    else:
        tuned = api.tune(
            source or [], want=want, relation=relation, label=label, score=score, config=config, workspace=workspace
        )
    if as_json:
        print_json(tuned.plain())
    elif at is not None:
        _print_kept(tuned)
    else:
        print_tuned(tuned)


def _print_kept(kept: "WrittenThreshold") -> None:
    options = ", ".join(f"{name} = {value}" for name, value in kept.options.items())
    print(f"{table_of(kept.relation)} {visible(options)}")
    say_notes(kept.notes)
    print(f"Written to {visible(kept.file)}, which `concord run` reads.")


def _fit_or_forget(
    source: list[str], relation: str, files: dict[str, str], workspace: Path, *, forget: bool, as_json: bool
) -> None:
    if forget:
        forgotten = api.forget_comparator(relation, workspace=workspace)
        directions = ["-".join(direction) for direction in forgotten]
        if as_json:
            print_json({"relation": relation, "forgotten": directions})
        else:
            print(
                f"The trained comparator of {visible(relation)} ({', '.join(directions)}) is removed from"
                f" {visible(workspace)}: later runs use the built-in rule. Labels and runs are kept."
            )
        return
    fitting = api.fit_comparator(
        _runs_alone(source, "--fit learns from labelled"), relation=relation, **files, workspace=workspace
    )
    if as_json:
        print_json(fitting.plain())
    else:
        _print_fitting(fitting)


def _print_fitting(fitting: "Fitting") -> None:
    labelled, wrong = plural(fitting.labels, "labelled case"), plural(fitting.wrong, "of them a bug", "of them bugs")
    print(f"{fitting.relation} {'→'.join(fitting.direction)}: {labelled}, {wrong}")
    print(
        f"AUC on held-out sentences: {fitting.area:.3f}; of the built-in rule: {fitting.area_of_rule:.3f}; by chance"
        f" alone it gains more than {fitting.margin:.3f} once in twenty times"
    )
    say_notes(fitting.notes)
    if fitting.used:
        print(
            f"Stored in the workspace as {fitting.name}; it judges later runs of {fitting.relation} there. A threshold"
            " that was chosen before is for the built-in rule: run again, then tune."
        )
    else:
        print(
            "It does not beat the built-in rule by more than that, so later runs use that rule. More labels may help."
        )
