"""Relations as detectors of bugs: how well each one detects, at which threshold, and what several flag together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from concord import plugins
from concord.analyses.detection.options import EvaluationTerms, is_table
from concord.api._index import read_index
from concord.errors import CONFIGURATION, WORKSPACE, UserError
from concord.model import Direction
from concord.runs.select import Chosen, select
from concord.store import Workspace

if TYPE_CHECKING:  # they bring numpy and scipy along, which only an evaluation should wait for
    from concord.analyses.detection.comparator_training import Fitting
    from concord.analyses.detection.detector_cache import Evaluated
    from concord.analyses.detection.detectors import Detector, ThresholdEffect
    from concord.analyses.detection.evaluation import Evaluation
    from concord.analyses.detection.labelled_rows import LabelledRows
    from concord.analyses.detection.overlap import Overlap
    from concord.analyses.detection.threshold_choice import Tuned, WrittenThreshold

__all__ = [
    "Detector", "EvaluationTerms", "Fitting", "ThresholdEffect", "WrittenThreshold",
    "detectors", "evaluate", "fit_comparator", "forget_comparator", "is_table", "keep_threshold", "overlap",
    "tune", "write_evaluation",
]  # fmt: skip


def evaluate(
    source: Chosen | str | Path, terms: EvaluationTerms | None = None, *, workspace: str | Path = WORKSPACE
) -> Evaluation:
    """How well scores tell bugs from correct rows: of a labelled CSV, TSV or JSONL file, or of labelled runs."""
    from concord.analyses.detection.evaluation import evaluated

    how = terms or EvaluationTerms()
    return evaluated(_labelled(source, workspace, how), how)


def write_evaluation(evaluation: Evaluation, folder: str | Path) -> list[Path]:
    """Write an evaluation as a page, charts and a CSV of every point into a folder; return the files."""
    from concord.views.detection.page import write_evaluation

    return write_evaluation(evaluation, Path(folder))


def tune(
    source: Chosen | str | Path,
    *,
    want: str = "f",
    relation: str = "",
    label: str = "label",
    score: str = "",
    config: str | Path = CONFIGURATION,
    workspace: str | Path = WORKSPACE,
) -> Tuned:
    """Choose a relation's threshold by labels and write it into the configuration of `run`.

    `want` is `f`, for the best F, or such as `precision=0.9`: the lowest threshold at which the lower end of Wilson's
    95 % confidence interval reaches it. For a file, `relation` says whose scores they are.
    """
    from concord.analyses.detection.threshold_choice import tuned

    plugins.admit(relation)

    terms = EvaluationTerms(label, [score] if score else [])
    return tuned(_labelled(source, workspace, terms), relation, want, Path(config))


def fit_comparator(
    runs: Chosen = (),
    *,
    relation: str = "",
    glossary: str = "",
    synonyms: str = "",
    workspace: str | Path = WORKSPACE,
) -> Fitting:
    """Fit the comparator to the labels of runs of one relation and direction; later runs use it if it is better.

    `relation` selects among the runs. `glossary` and `synonyms` are the files that these runs were given.
    """
    from concord.analyses.detection.comparator_training import fitted

    with Workspace(workspace, create=False) as store:
        store.claim()
        return fitted(store, select(store, runs), relation, glossary, synonyms)


def forget_comparator(relation: str, *, workspace: str | Path = WORKSPACE) -> list[Direction]:
    """Delete the fitted comparators of a relation, so that the rule judges later runs; return their directions."""
    from concord.analyses.detection.comparator_training import forgotten

    with Workspace(workspace, create=False) as store:
        store.claim()
        return forgotten(store, relation)


def _labelled(source: Chosen | str | Path, workspace: str | Path, how: EvaluationTerms) -> LabelledRows:
    from concord.analyses.detection.labelled_rows import labelled_runs, read_labelled

    sources = [source] if isinstance(source, (str, Path)) else list(source)
    tables = [path for path in sources if not isinstance(path, int) and is_table(path)]
    if tables and len(sources) > 1:
        raise UserError(f"an evaluation is of one file or of runs, not of: {', '.join(map(str, sources))}")
    if tables:
        return read_labelled(Path(tables[0]), how.label, how.scores, how.kinds, how.forward)
    if how.kinds or how.forward not in ("", "wrong"):
        raise UserError(
            "of runs, the labels say the kinds and which output is wrong: leave out --kinds, or --forward wrong"
        )
    with Workspace(workspace, create=False) as store:
        runs = [run for run in sources if not isinstance(run, Path)]
        return labelled_runs(store, select(store, runs, measured=True), how.scores, forward=bool(how.forward))


def detectors(workspace: str | Path, runs: Chosen = (), *, patient: bool = True) -> Evaluated:
    """Precision, recall, base rate, F and AUC of each relation by the present labels, beside trivial baselines.

    Labels of cases that a queue drew are weighted, and then represent all cases; see `ground_truth`.
    Without patience, large runs that have changed are shown as they were last indexed, or left out.
    """
    from concord.analyses.detection.detector_cache import evaluated

    return read_index(workspace, tuple(runs), patient, evaluated)


def overlap(workspace: str | Path, runs: Chosen = ()) -> Sequence[Overlap]:
    """The sentences that several relations flag, together and alone, and what combinations of relations flag."""
    return detectors(workspace, runs).overlaps


def keep_threshold(
    workspace: str | Path, runs: Chosen, threshold: float, *, config: str | Path = CONFIGURATION
) -> WrittenThreshold:
    """Write a threshold for the relation of these runs into the configuration of `run`, as `tune` does."""
    from concord.analyses.detection.threshold_choice import write_threshold

    if not math.isfinite(threshold):
        raise UserError(f"a threshold is a number, such as 0.4; {threshold} is none")
    with Workspace(workspace, create=False) as store:
        records = [store.run(number) for number in dict.fromkeys(select(store, runs, measured=True))]
        return write_threshold(records, threshold, Path(config))
