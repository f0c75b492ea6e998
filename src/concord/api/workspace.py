"""Looking at what a workspace has: its runs and rows, and what they say together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.analyses.case_groups import Group, by_segment, by_translation
from concord.analyses.regression.baseline import Against, against
from concord.analyses.threshold_sweep import Sweep, sweeps
from concord.analyses.trip_blame import METRICS, TripBlame
from concord.analyses.trip_blame import blame as blamed
from concord.api.findings import finding
from concord.errors import UnknownName
from concord.runs.select import Chosen, select, spare
from concord.runs.summary import Summary, summary
from concord.store import RunRecord, Workspace
from concord.views.html import report

if TYPE_CHECKING:  # parsers and alignments bring numpy along
    from concord.analyses.case_structure import Structure, Structures

GROUPS = {"sentence": by_segment, "translation": by_translation}


def show(
    workspace: str | Path, runs: Chosen = (), *, limit: int = 10, violated: bool = False, errors: bool = False
) -> tuple[list[Summary], list[dict[str, Any]]]:
    """Runs, and either their most suspicious cases or their rows with an error."""
    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)
        summaries = [summary(store, each) for each in chosen]
        return summaries, store.errors(chosen, limit) if errors else store.worst(chosen, limit, violated=violated)


def groups(workspace: str | Path, runs: Chosen = (), *, by: str = "translation", limit: int = 10) -> list[Group]:
    """Violated cases by `sentence`, or by the `translation` behind several of them; the group of the worst first."""
    if by not in GROUPS:
        raise UnknownName("group", by, GROUPS)
    with Workspace(workspace, create=False) as store:
        return GROUPS[by](store.worst_segments(select(store, runs), limit))[:limit]


def thresholds(workspace: str | Path, runs: Chosen = (), *, at: Sequence[float] = ()) -> list[Sweep]:
    """What cases and labels come to at each threshold, for the runs of each relation; nothing is translated."""
    with Workspace(workspace, create=False) as store:
        return sweeps(store, select(store, runs), at)


def compare(workspace: str | Path, runs: Chosen = ()) -> list[Against]:
    """Each system beside the first one of these runs, the baseline: segments that fail newly, and no longer."""
    with Workspace(workspace, create=False) as store:
        return against(store, [summary(store, each) for each in select(store, runs)])


def blame(workspace: str | Path, runs: Chosen = (), *, metrics: Sequence[str] = ()) -> TripBlame:
    """Which trip of the suspicious round trips of these runs is to blame, by how the other systems translate."""
    with Workspace(workspace, create=False) as store:
        return blamed(store, select(store, runs), metrics or METRICS)


def structure(
    workspace: str | Path,
    case: str,
    *,
    run: int | None = None,
    repetition: int | None = None,
    structures: Structures | None = None,
) -> Structure:
    """The trees of a case's texts, and which words of them and of their translations are linked.

    Who asks often keeps `structures`, which are quicker from the second time on.
    """
    row = finding(workspace, case, run=run, repetition=repetition).row
    makers = structures or open_structures()
    try:
        with Workspace(workspace, create=False) as store:
            return makers.of(store, row)
    finally:
        if structures is None:
            makers.close()


def open_structures() -> Structures:
    """What makes the structures of cases, for who asks often; to be closed in the end."""
    from concord.analyses.case_structure import Structures

    return Structures()


def check_workspace(workspace: str | Path, *, create: bool = False) -> None:
    """Refuse a workspace that cannot be opened; with `create`, make it if there is none."""
    Workspace(workspace, create=create).close()


def runs(workspace: str | Path) -> list[RunRecord]:
    """Every run of a workspace, the oldest first."""
    with Workspace(workspace, create=False) as store:
        return store.runs()


def worst(workspace: str | Path, runs: Chosen, limit: int) -> list[dict[str, Any]]:
    """The most suspicious cases by rank within their run."""
    return show(workspace, runs, limit=limit)[1]


def rows(workspace: str | Path, runs: Chosen = ()) -> Iterator[dict[str, Any]]:
    """Every case and error row, in corpus order."""
    with Workspace(workspace, create=False) as store:
        yield from store.rows(select(store, runs))


def write_report(workspace: str | Path, runs: Chosen, path: str | Path, *, limit: int = 200) -> list[int]:
    """Write a self-contained HTML page; gives the numbers of the runs in it."""
    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)
        spare(workspace, path)
        report.write(store, chosen, Path(path), limit=limit)
        return chosen


def faults(workspace: str | Path, system: str | None = None) -> list[dict[str, Any]]:
    """The faults that `faulty` systems injected into translations of this workspace."""
    with Workspace(workspace, create=False) as store:
        return [note for note in store.notes(system) if "fault" in note]
