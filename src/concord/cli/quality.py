"""Commands that rank systems without references, and say how far to trust that."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from concord.cli.app import app
from concord.cli.options import AsJson, Runs, Seed, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_tables, say, visible

Resamples = Annotated[int, option(min=1, max=100_000, help="Draws of sentences for the intervals.")]


@app.command()
def quality(
    runs: Runs = None,
    resamples: Resamples = 1000,
    seed: Seed = 12345,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Rank systems by how often relations hold, by domain and granularity, with intervals and ties."""
    from concord import api
    from concord.views.quality.tables import quality_tables

    found = api.quality(workspace, runs or [], api.QualityTerms(resamples, seed))
    if as_json:
        print_json(found.plain())
        return
    print_tables(quality_tables(found))
    for note in found.notes:
        say(f"note: {note}")


@app.command()
def correlate(
    runs: Runs = None,
    references: Annotated[
        list[str] | None,
        option(
            "--references",
            metavar="[LANG=]FILE",
            help="Reference translations: a line for each line of the corpus, or a table with the columns sentence and"
            " reference. [default: those that the corpus came with]",
        ),
    ] = None,
    human: Annotated[
        Path | None, option(metavar="FILE", help="People's scores: a table with the columns system, sentence, score.")
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
        option(metavar="satisfied|suspicion|both", help="Which metamorphic scores; suspicion counts as 1 − suspicion."),
    ] = "satisfied",
    resamples: Resamples = 1000,
    seed: Seed = 12345,
    html: Annotated[Path | None, option(metavar="FILE", help="Also write a page with pictures.")] = None,
    workspace: WorkspaceFile = WORKSPACE,
    as_json: AsJson = False,
) -> None:
    """Say how far scores without references agree with reference scores or with people."""
    from concord import api
    from concord.views.quality.tables import correlation_tables

    terms = api.QualityTerms(resamples, seed, by)
    found = api.correlate(
        workspace, runs or [], references=references or [], human=human, metrics=score or [], terms=terms
    )
    written = None if html is None else api.write_correlation(found, html, workspace=workspace, terms=terms)
    if as_json:
        print_json({"rows": [each.plain() for each in found], "page": None if written is None else str(written)})
        return
    print_tables(correlation_tables(found))
    for note in dict.fromkeys(note for each in found for note in each.notes):
        say(f"note: {note}")
    if written is not None:
        print(f"\nWritten: {visible(written)}")
