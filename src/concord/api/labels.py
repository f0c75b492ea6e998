"""Labels: out to people and back, and what they say of scores and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.api._common import WORKSPACE
from concord.api._index import listed
from concord.errors import UserError
from concord.labels.labels import Labels
from concord.labels.sheets import BLIND, COLUMNS, labels_from, lines_of, states
from concord.labels.spreadsheets import write_sheet
from concord.model import Direction
from concord.runs.config import CONFIGURATION
from concord.runs.select import Chosen, select, spare
from concord.store import Workspace
from concord.store.finding_filter import Wanted

if TYPE_CHECKING:  # they bring scipy along, which only an evaluation should wait for
    from concord.analyses.detection.comparator_training import Fitting
    from concord.analyses.detection.evaluation import Evaluation, Terms
    from concord.analyses.detection.labelled_rows import Labelled
    from concord.analyses.detection.threshold_choice import Tuned


def evaluate(
    source: Chosen | str | Path, terms: Terms | None = None, *, workspace: str | Path = WORKSPACE
) -> Evaluation:
    """How well scores tell bugs from correct rows: of a labelled CSV, TSV or JSONL file, or of labelled runs."""
    from concord.analyses.detection.evaluation import Terms, evaluated

    how = terms or Terms()
    return evaluated(_labelled(source, workspace, how.label, how.scores), how)


def write_evaluation(found: Evaluation, folder: str | Path) -> list[Path]:
    """Write an evaluation as a page, pictures and a CSV of every point into a folder; gives the files."""
    from concord.views.detection.page import write_evaluation

    return write_evaluation(found, Path(folder))


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
    """Choose a relation's threshold by labels and write it where `run` finds it.

    `want` is `f`, the best F, or such as `precision=0.9`: the lowest threshold that surely has it (the lower end of
    Wilson's 95 % interval). For a file, `relation` says whose scores they are.
    """
    from concord.analyses.detection.threshold_choice import tuned

    return tuned(_labelled(source, workspace, label, [score] if score else []), relation, want, Path(config))


def fit_comparator(
    runs: Chosen = (),
    *,
    relation: str = "",
    glossary: str = "",
    synonyms: str = "",
    workspace: str | Path = WORKSPACE,
) -> Fitting:
    """Teach Concord's comparison by the labels of runs of one relation and direction, for later runs if it is better.

    `relation` chooses among the runs. `glossary` and `synonyms` are the files that these runs were given.
    """
    from concord.analyses.detection.comparator_training import fitted

    with Workspace(workspace, create=False) as store:
        store.claim()
        return fitted(store, select(store, runs), relation, glossary, synonyms)


def forget_comparator(relation: str, *, workspace: str | Path = WORKSPACE) -> list[Direction]:
    """Remove what labels taught about a relation, so that later runs are judged by the rule; gives the directions."""
    from concord.analyses.detection.comparator_training import forgotten

    with Workspace(workspace, create=False) as store:
        store.claim()
        return forgotten(store, relation)


def _labelled(source: Chosen | str | Path, workspace: str | Path, label: str, scores: Sequence[str]) -> Labelled:
    from concord.analyses.detection.labelled_rows import is_table, labelled_runs, read_labelled

    given = [source] if isinstance(source, (str, Path)) else list(source)
    tables = [each for each in given if not isinstance(each, int) and is_table(each)]
    if tables and len(given) > 1:
        raise UserError(f"an evaluation is of one file or of runs, not of: {', '.join(map(str, given))}")
    if tables:
        return read_labelled(Path(tables[0]), label, scores)
    with Workspace(workspace, create=False) as store:
        return labelled_runs(store, select(store, [each for each in given if not isinstance(each, Path)]), scores)


def export_labels(
    workspace: str | Path,
    runs: Chosen,
    path: str | Path,
    *,
    annotator: str = "",
    limit: int | None = None,
    unflagged: bool = False,
    queue: str = "",
    force: bool = False,
) -> int:
    """Write violated cases (or, with `unflagged`, all) to be labelled, the worst first; gives the number of lines.

    With a `queue`, its cases are written in its order, without what was thought suspicious about them and without what
    anybody but the annotator says of them. A file that is there already may hold somebody's work, and is replaced only
    by `force`.
    """
    if Path(path).exists() and not force:
        raise UserError(f"{path} is there already, and may hold verdicts. Choose another name, or --force")
    with Workspace(workspace, create=False) as store:
        spare(workspace, path)
        if queue:
            if list(runs) or unflagged:
                raise UserError("a queue has its own runs and cases; leave out the runs and --all")
            chosen, rows = _queued(store, queue, limit)
        else:
            chosen = select(store, runs)
            wanted = Wanted(runs=tuple(chosen), violated=None if unflagged else True)
            rows = list(islice(listed(workspace, wanted).rows(store), limit))
        known = {} if queue and not annotator.strip() else Labels(store).of(chosen)
        lines = lines_of(rows, known, annotator.strip())
        return write_sheet(Path(path), BLIND if queue else COLUMNS, lines)


def _queued(store: Workspace, name: str, limit: int | None) -> tuple[list[int], list[dict[str, Any]]]:
    """The runs of a queue, and the rows of its first cases."""
    from concord.labels.queues import Samples

    samples = Samples(store)
    found = samples.named(name)
    rows = (samples.row(place) for place in samples.places(found)[:limit])
    return found.runs, [row for row in rows if row]


def import_labels(workspace: str | Path, path: str | Path, *, annotator: str = "") -> int:
    """Read labels back, all or none; gives their number. `annotator` is whose they are, where the file does not say.

    A line that names somebody else is then an error, unless this person's word is kept already.
    """
    with Workspace(workspace, create=False) as store:
        found = labels_from(Path(path), Labels(store), annotator.strip())
        Labels(store).save(found)
        return len(found)


def labels(workspace: str | Path, runs: Chosen = ()) -> list[dict[str, Any]]:
    """The labels of these runs' cases; `stale` are those of other outputs than the case now has."""
    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)
        return list(states(Labels(store).rows(chosen), Labels(store).of(chosen)))
