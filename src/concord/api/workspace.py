"""Looking at what a workspace has: its runs and rows, and what they say together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.analyses.case_groups import Group, by_segment, by_translation
from concord.analyses.regression.baseline import Against, against
from concord.analyses.threshold_sweep import Sweep, sweeps
from concord.analyses.trip_blame import METRICS, TripBlame
from concord.analyses.trip_blame import blame as blamed
from concord.api._index import Row
from concord.api.findings import finding
from concord.errors import UnknownName
from concord.labels.labels import labelled
from concord.language.parse._choice import shared_parsers
from concord.runs.select import Chosen, refuse_overwriting, select
from concord.runs.summary import Summary, summaries
from concord.store import RunRecord, Workspace
from concord.store.finding_filter import Wanted

if TYPE_CHECKING:  # parsers, alignments and the index bring numpy along
    from concord.analyses.case_structure import Structure, Structures
    from concord.store.index.reader import Reader

T = TypeVar("T")
GROUPS = {"sentence": by_segment, "translation": by_translation}


@dataclass(frozen=True, slots=True)
class Shown:
    """Runs beside their baseline, and the first of their cases, of groups of these, or of their rows with an error.

    `total` counts what there is of them: cases, rows with an error or, of either kind of groups, sentences.
    """

    runs: Sequence[Summary]
    beside: Sequence[Against]
    total: int
    rows: Sequence[Row] = ()
    groups: Sequence[Group] | None = None

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        if self.groups is None:
            listed = {"rows": [_plain(row) for row in self.rows]}
        else:
            listed = {"groups": [{**group.plain(), "rows": list(map(_plain, group.rows))} for group in self.groups]}
        beside = [each.plain() for each in self.beside]
        return {"runs": [run.plain() for run in self.runs], "total": self.total, **listed, "against_baseline": beside}


def _plain(row: Mapping[str, Any]) -> Row:
    """A row with its labels as objects of JSON; one with an error has none."""
    return {**row, **{name: list(map(asdict, row[name])) for name in ("labels", "other_labels") if name in row}}


def show(
    workspace: str | Path, wanted: Wanted | None = None, *, limit: int = 10, group: str = "", errors: bool = False
) -> Shown:
    """Runs and their most suspicious cases, these by `sentence` or `translation`, or their rows with an error.

    By default all cases are wanted. `limit` bounds the rows or groups.
    """
    asked = wanted or Wanted(violated=None)
    if group and group not in GROUPS:
        raise UnknownName("group", group, GROUPS)

    def ask(reader: Reader) -> Shown:
        from concord.store.index.reader import can_have

        runs = [summary for summary in summaries(reader) if can_have(summary.run, asked)]
        beside = against(reader, runs)
        if errors:
            return Shown(runs, beside, *reader.errors(limit))
        if group:
            page, rows = reader.sentences(asked, limit)
            return Shown(runs, beside, page.total, groups=GROUPS[group](labelled(reader.store, rows))[:limit])
        page, rows = reader.rows(asked, limit)
        return Shown(runs, beside, page.total, labelled(reader.store, rows))

    return _read(workspace, asked.runs, ask)


def _read(workspace: str | Path, runs: Chosen, ask: Callable[[Reader], T]) -> T:
    """Ask the index about runs in the order in which they are named; there must be one."""
    from concord.store.index.reader import read

    with Workspace(workspace, create=False) as store:
        return read(store, [store.run(run) for run in dict.fromkeys(select(store, runs))], ask)


def thresholds(workspace: str | Path, runs: Chosen = (), *, at: Sequence[float] = ()) -> list[Sweep]:
    """What cases and labels come to at each threshold, for the runs of each relation; nothing is translated."""
    with Workspace(workspace, create=False) as store:
        return sweeps(store, select(store, runs), at)


def blame(workspace: str | Path, runs: Chosen = (), *, metrics: Sequence[str] = ()) -> TripBlame:
    """Which trip of the suspicious round trips of these runs is to blame, by how the other systems translate."""
    with Workspace(workspace, create=False) as store, shared_parsers():
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
            return makers.make(store, row)
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


def worst(workspace: str | Path, runs: Chosen, limit: int) -> list[Row]:
    """The most suspicious cases by rank within their run."""
    return _read(workspace, runs, lambda reader: list(reader.rows(Wanted(violated=None), limit)[1]))


def rows(workspace: str | Path, runs: Chosen = ()) -> Iterator[dict[str, Any]]:
    """Every case and error row, in corpus order."""
    with Workspace(workspace, create=False) as store:
        yield from store.rows(select(store, runs))


def write_report(workspace: str | Path, runs: Chosen, path: str | Path, *, limit: int = 200) -> list[int]:
    """Write a self-contained HTML page; gives the numbers of the runs in it."""
    from concord.views.html import report  # brings jinja along

    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)
        refuse_overwriting(workspace, path)
        report.write(store, chosen, Path(path), limit=limit)
        return chosen


def faults(workspace: str | Path, system: str | None = None) -> list[dict[str, Any]]:
    """The faults that `faulty` systems injected into translations of this workspace."""
    with Workspace(workspace, create=False) as store:
        return [note for note in store.notes(system) if "fault" in note]
