"""The runs and rows of a workspace, and analyses of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.analyses.regression.baseline import against
from concord.analyses.regression.sentence_tests import JointTest
from concord.analyses.threshold_sweep import Sweep, sweeps
from concord.analyses.trip_blame import METRICS, TripBlame
from concord.analyses.trip_blame import blame as blamed
from concord.api._index import Row
from concord.api.findings import ROWS, plain_group, plain_row, with_labels
from concord.api.findings import case as found_case
from concord.errors import CONFIGURATION, UnknownName
from concord.labels.labels import labelled
from concord.language.parse._choice import shared_parsers
from concord.language.plugin_choice import chosen
from concord.plain_data import plain
from concord.runs.config import chosen_plugins
from concord.runs.select import Chosen, refuse_overwriting, select
from concord.runs.summary import Summary, summaries
from concord.store import RunRecord, Workspace
from concord.store.finding_filter import Filter
from concord.store.findings import Problem, TranslationFinding
from concord.store.index.finding_reader import read_findings, read_problems
from concord.store.index.reader import Reader, can_have, read

if TYPE_CHECKING:  # parsers and alignments take long to import
    from concord.analyses.case_structure import Structure, Structures

T = TypeVar("T")
ALL_CASES = Filter(flagged=None)
BY = ("case", "finding", "problem")


@dataclass(frozen=True, slots=True)
class Shown:
    """Runs, their comparison with the baseline, and the first of their cases, error rows, findings or problems.

    `listed` says which of the fields `rows`, `findings` and `problems` has them, and `total` counts all of these.
    """

    runs: Sequence[Summary]
    beside: Sequence[JointTest]
    total: int
    rows: Sequence[Row] = ()
    findings: Sequence[TranslationFinding] = ()
    problems: Sequence[Problem] = ()
    listed: str = "rows"

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        groups: list[TranslationFinding | Problem] = [*self.findings, *self.problems]
        return {
            "runs": [run.plain() for run in self.runs],
            "total": self.total,
            self.listed: [*map(plain_row, self.rows), *map(plain_group, groups)],
            "against_baseline": plain(self.beside),
        }


def show(
    workspace: str | Path, filters: Filter = ALL_CASES, *, limit: int = 10, by: str = "case", errors: bool = False
) -> Shown:
    """Runs with their most suspicious cases, findings or problems, or with their error rows; at most `limit`.

    By default all cases pass the filters; findings and problems have flagged cases only.
    """
    if by not in BY:
        raise UnknownName("way to list cases", by, BY)

    def ask(reader: Reader) -> Shown:
        runs = [summary for summary in summaries(reader) if can_have(summary.run, filters)]
        beside = against(reader, runs)
        if errors:
            return Shown(runs, beside, *reader.errors(limit))
        if by == "finding":
            page, found = read_findings(reader, filters, limit, most=ROWS)
            return Shown(runs, beside, page.total, findings=with_labels(reader.store, found), listed="findings")
        if by == "problem":
            total, problems = read_problems(reader, filters, limit)
            return Shown(runs, beside, total, problems=with_labels(reader.store, problems), listed="problems")
        page, rows = reader.rows(filters, limit)
        return Shown(runs, beside, page.total, labelled(reader.store, rows))

    return _read(workspace, filters.runs, ask)


def _read(workspace: str | Path, runs: Chosen, ask: Callable[[Reader], T]) -> T:
    """Call `ask` with a reader of runs in the given order; there must be a run."""
    with Workspace(workspace, create=False) as store:
        return read(store, [store.run(run) for run in dict.fromkeys(select(store, runs))], ask)


def thresholds(workspace: str | Path, runs: Chosen = (), *, points: Sequence[float] = ()) -> list[Sweep]:
    """The counts of cases and labels at each threshold, for the runs of each relation; nothing is translated."""
    with Workspace(workspace, create=False) as store:
        return sweeps(store, select(store, runs, measured=True), points)


def blame(
    workspace: str | Path,
    runs: Chosen = (),
    *,
    metrics: Sequence[str] = (),
    services: Mapping[str, str] | None = None,
    config: str | Path = CONFIGURATION,
) -> TripBlame:
    """Which half of each flagged round trip of these runs is to blame, judged by how other systems translate.

    `services` are the parsers and encoders of metrics that name none, before those of the file `config`.
    """
    plugged = chosen_plugins(services or {}, config)
    with Workspace(workspace, create=False) as store, shared_parsers(), chosen(plugged):
        return blamed(store, select(store, runs, measured=True), metrics or METRICS)


def structure(
    workspace: str | Path,
    case: str,
    *,
    run: int | None = None,
    repetition: int | None = None,
    structures: Structures | None = None,
) -> Structure:
    """The trees of a case's texts, and the alignment of their words with those of their translations.

    A caller that asks often passes `structures`, which are quicker from the second call on.
    """
    row = found_case(workspace, case, run=run, repetition=repetition).row
    makers = structures or open_structures()
    try:
        with Workspace(workspace, create=False) as store:
            return makers.make(store, row)
    finally:
        if structures is None:
            makers.close()


def open_structures() -> Structures:
    """Parsers and aligners for several calls of `structure`; the caller closes them."""
    from concord.analyses.case_structure import Structures

    return Structures()


def check_workspace(workspace: str | Path, *, create: bool = False) -> None:
    """Raise an error if a workspace cannot be opened; with `create`, create a missing one."""
    Workspace(workspace, create=create).close()


def runs(workspace: str | Path) -> list[RunRecord]:
    """Every run of a workspace, the oldest first."""
    with Workspace(workspace, create=False) as store:
        return store.runs()


def worst(workspace: str | Path, runs: Chosen, limit: int) -> list[Row]:
    """The most suspicious cases, by rank within their run."""
    return _read(workspace, runs, lambda reader: list(reader.rows(ALL_CASES, limit)[1]))


def rows(workspace: str | Path, runs: Chosen = ()) -> Iterator[dict[str, Any]]:
    """Every case and error row of runs, in corpus order."""
    with Workspace(workspace, create=False) as store:
        yield from store.rows(select(store, runs))


def write_report(workspace: str | Path, runs: Chosen, path: str | Path, *, limit: int = 200) -> list[int]:
    """Write a self-contained HTML page and return the numbers of the runs in it."""
    from concord.views.html import report  # brings jinja along

    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs)
        refuse_overwriting(workspace, path)
        report.write(store, numbers, Path(path), limit=limit)
        return numbers


def faults(workspace: str | Path, system: str | None = None) -> list[dict[str, Any]]:
    """The faults that `faulty` systems injected into translations of a workspace."""
    with Workspace(workspace, create=False) as store:
        return [note for note in store.notes(system) if "fault" in note]
