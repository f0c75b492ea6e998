"""Labels: out to people and back."""

from __future__ import annotations

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
from concord.store.finding_filter import Wanted

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
    """Write violated cases (or, with `unflagged`, all) to be labelled, the worst first; gives the number of lines.

    With a `queue`, its cases are written in its order, without what was thought suspicious about them and without what
    anybody but the annotator says of them. A file that is there already may hold somebody's work, and is replaced only
    by `force`.
    """
    if Path(path).exists() and not force:
        raise UserError(f"{path} is there already, and may hold verdicts. Choose another name, or --force")
    with Workspace(workspace, create=False) as store:
        refuse_overwriting(workspace, path)
        if queue:
            if list(runs) or unflagged:
                raise UserError("a queue has its own runs and cases; leave out the runs and --all")
            chosen, rows = _queued(store, queue, limit)
        else:
            chosen = select(store, runs)
            wanted = Wanted(runs=tuple(chosen), violated=None if unflagged else True)
            rows = list(islice(listed(workspace, wanted).rows(store), limit))
        known = {} if queue and not annotator.strip() else Labels(store).of_runs(chosen)
        lines = lines_of(rows, known, annotator.strip())
        return write_sheet(Path(path), BLIND if queue else COLUMNS, lines)


def _queued(store: Workspace, name: str, limit: int | None) -> tuple[list[int], list[dict[str, Any]]]:
    """The runs of a queue, and the rows of its first cases."""
    from concord.labels.queues import Samples

    samples = Samples(store)
    found = samples.get(name)
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
        return list(states(Labels(store).rows(chosen), Labels(store).of_runs(chosen)))
