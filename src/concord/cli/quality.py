"""The commands `quality`, which ranks systems without references, and `correlate`, which validates such scores."""

from pathlib import Path
from typing import Annotated

from concord import api
from concord.cli.app import app
from concord.cli.options import AsJson, Runs, Seed, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_tables, say_notes, visible

Resamples = Annotated[int, option(min=1, max=100_000, help="Bootstrap resamples for the confidence intervals.")]


@app.command()
def quality(
    runs: Runs = None,
    resamples: Resamples = 1000,
    seed: Seed = 12345,
    max_insane: Annotated[
        float,
        option(min=0, max=1, help="The highest share of a ranked system's sentences whose answers may not be sane."),
    ] = 0.05,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Rank systems by how often relations hold, by domain and granularity, with confidence intervals and ties."""
    from concord.views.quality.tables import quality_tables

    ranking = api.quality(workspace, runs or [], api.QualityTerms(resamples, seed, max_insane=max_insane))
    if as_json:
        print_json(ranking.plain())
        return
    print_tables(quality_tables(ranking))
    say_notes(ranking.notes)


@app.command()
def correlate(
    runs: Runs = None,
    references: Annotated[
        list[str] | None,
        option(
            "--references",
            metavar="[LANG=]FILE",
            help="Reference translations: a line for each line of the corpus, or a table with the columns sentence and"
            " reference. [default: those of the corpus]",
        ),
    ] = None,
    human: Annotated[
        Path | None, option(metavar="FILE", help="Human scores: a table with the columns system, sentence, score.")
    ] = None,
    score: Annotated[
        list[str] | None,
        option(
            "--score",
            metavar="METRIC",
            help="A metric of `concord metrics`; may be repeated. [default: bleu, chrf, ter, meteor, wer]",
        ),
    ] = None,
    by: Annotated[
        str,
        option(
            metavar="satisfied|suspicion|both",
            help="The metamorphic score: how often relations hold, or 1 − suspicion, or both.",
        ),
    ] = "satisfied",
    resamples: Resamples = 1000,
    seed: Seed = 12345,
    html: Annotated[Path | None, option(metavar="FILE", help="Also write an HTML page with charts.")] = None,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Measure how well reference-free scores correlate with reference-based or human scores."""
    from concord.views.quality.tables import correlation_tables

    terms = api.QualityTerms(resamples, seed, by)
    correlations = api.correlate(
        workspace, runs or [], references=references or [], human=human, metrics=score or [], terms=terms
    )
    written = None if html is None else api.write_correlation(correlations, html, workspace=workspace, terms=terms)
    if as_json:
        print_json(
            {
                "rows": [correlation.plain() for correlation in correlations],
                "page": None if written is None else str(written),
            }
        )
        return
    print_tables(correlation_tables(correlations))
    say_notes(dict.fromkeys(note for correlation in correlations for note in correlation.notes))
    if written is not None:
        print(f"\nWritten: {visible(written)}")
