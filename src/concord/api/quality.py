"""Ranking systems by how often relations hold, and correlating that with references or people's scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from concord.analyses.quality.options import QualityTerms
from concord.language.sanity import SANE
from concord.runs.select import Chosen, refuse_overwriting, select
from concord.store import Workspace

if TYPE_CHECKING:  # they bring scipy along, which only an analysis should wait for
    from concord.analyses.quality.quality import Quality
    from concord.analyses.quality.results import Correlated


def quality(workspace: str | Path, runs: Chosen = (), terms: QualityTerms | None = None) -> Quality:
    """How often the relations of these runs hold, by system and domain, with confidence intervals and ties.

    Systems of which too many answers are not sane are not ranked, but listed as `unranked`.
    """
    from concord.analyses.quality.quality import ranking

    with Workspace(workspace, create=False) as store:
        return ranking(store, select(store, runs), terms or QualityTerms())


def correlate(
    workspace: str | Path,
    runs: Chosen = (),
    *,
    references: Sequence[str] = (),
    human: str | Path | None = None,
    metrics: Sequence[str] = (),
    terms: QualityTerms | None = None,
) -> list[Correlated]:
    """The correlation of scores without references with other scores, for each direction.

    `references` are files (`refs.txt`, or `es=refs.txt` where there are several targets); by default the references of
    the corpora are used. `human` is a table of people's scores. `metrics` are BLEU and others by default. A direction
    without any such score is left out, and the notes say so. Runs of `sane` count only if they are named: it holds
    wherever another relation was tested.
    """
    from concord.analyses.quality.correlation import correlated
    from concord.analyses.quality.external_scores import outside
    from concord.analyses.quality.run_reader import observed

    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)
        tested = chosen if runs else [run for run in chosen if store.run(run).relation != SANE]
        observations = observed(store, tested or chosen)
    external = outside(observations, references, human, metrics)
    return [correlated(scored.observed, scored.scores, terms or QualityTerms(), scored.notes) for scored in external]


def write_correlation(
    correlations: Sequence[Correlated], path: str | Path, *, workspace: str | Path, terms: QualityTerms | None = None
) -> Path:
    """Write correlations as a page with charts and return the file."""
    from concord.views.quality.page import write_page

    refuse_overwriting(workspace, path)
    write_page(correlations, terms or QualityTerms(), Path(path))
    return Path(path)
