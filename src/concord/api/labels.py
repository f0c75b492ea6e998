"""Exporting cases to be labelled, and importing labels."""

from itertools import islice
from pathlib import Path
from typing import Any

from concord.api._index import listed
from concord.errors import UserError
from concord.labels.labels import Labels
from concord.labels.sheets import BLIND, COLUMNS, labels_from, lines_of, refuse_unprintable, states
from concord.labels.spreadsheets import write_sheet
from concord.runs.select import Chosen, refuse_overwriting, select
from concord.store import Workspace
from concord.store.finding_filter import Filter

__all__ = ["export_labels", "import_labels", "labels", "refuse_unprintable"]


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
    """Write flagged cases (or, with `unflagged`, all) to be labelled, the worst first; return the number of lines.

    With a `queue`, its cases are written in its order, without their suspicion and without labels of anybody but the
    annotator. An existing file may hold somebody's work, and is replaced only by `force`.
    """
    if Path(path).exists() and not force:
        raise UserError(f"{path} is there already, and may hold verdicts. Choose another name, or --force")
    with Workspace(workspace, create=False) as store:
        refuse_overwriting(workspace, path)
        if queue:
            if list(runs) or unflagged:
                raise UserError("a queue has its own runs and cases; leave out the runs and --all")
            numbers, rows = _queued(store, queue, limit)
        else:
            numbers = select(store, runs)
            filters = Filter(runs=tuple(numbers), flagged=None if unflagged else True)
            rows = list(islice(listed(workspace, filters).rows(store), limit))
        present = {} if queue and not annotator.strip() else Labels(store).of_runs(numbers)
        lines = lines_of(rows, present, annotator.strip())
        return write_sheet(Path(path), BLIND if queue else COLUMNS, lines)


def _queued(store: Workspace, name: str, limit: int | None) -> tuple[list[int], list[dict[str, Any]]]:
    """The runs of a queue, and the rows of its first cases."""
    from concord.labels.queues import Samples

    samples = Samples(store)
    queue = samples.get(name)
    rows = (samples.row(place) for place in samples.places(queue)[:limit])
    return queue.runs, [row for row in rows if row]


def import_labels(workspace: str | Path, path: str | Path, *, annotator: str = "") -> int:
    """Import the labels of a file, all or none, and return their number.

    `annotator` is whose labels they are, if the file does not say. A line that names another person is then an error,
    unless the workspace already has that person's label.
    """
    with Workspace(workspace, create=False) as store:
        imported = labels_from(Path(path), Labels(store), annotator.strip())
        Labels(store).save(imported)
        return len(imported)


def labels(workspace: str | Path, runs: Chosen = ()) -> list[dict[str, Any]]:
    """The labels of these runs' cases; a label is `stale` if the case now has other outputs."""
    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs)
        return list(states(Labels(store).rows(numbers), Labels(store).of_runs(numbers)))
