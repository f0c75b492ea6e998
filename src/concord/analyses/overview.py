"""An overview of a workspace: all runs with their counts, compared with each other and over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord.runs.select import kind_of
from concord.stats.wilson import wilson
from concord.store import RunRecord, Workspace
from concord.store.index import Index, with_index


@dataclass(frozen=True, slots=True)
class CountedRun:
    """A run and its counts, which are None while the run waits to be indexed."""

    run: RunRecord
    counts: Mapping[str, int] | None

    @property
    def share(self) -> float | None:
        """The proportion of cases that are flagged."""
        return self.counts["flagged"] / self.counts["cases"] if self.counts and self.counts["cases"] else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the share."""
        return wilson(self.counts["flagged"], self.counts["cases"]) if self.counts else None

    def plain(self) -> dict[str, Any]:
        run = self.run
        facts = {"relation": run.relation, "system": run.system, "source_lang": run.source, "target_lang": run.target}
        times = {"started": run.started, "finished": run.finished}
        shares = {"share": self.share, "interval": self.interval}
        return {"run": run.id, "signature": run.signature, **facts, **times, **(self.counts or {}), **shares}


@dataclass(frozen=True, slots=True)
class Cell:
    """The latest runs of one relation, system, direction and corpus, taken together.

    Unfinished runs have a cell of their own: their counts so far cannot be compared with those of whole runs.
    """

    relation: str
    system: str
    source: str
    target: str
    corpus: str
    finished: bool
    runs: Sequence[int]
    cases: int
    flagged: int

    @property
    def share(self) -> float | None:
        return self.flagged / self.cases if self.cases else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson(self.flagged, self.cases)


@dataclass(frozen=True, slots=True)
class Overview:
    """The runs, the oldest first; a cell for each relation, system, direction and corpus; and all runs by kind.

    `unfinished` runs continue when their command is given again; `writing` says that a process is working on one now.
    """

    runs: Sequence[CountedRun]
    cells: Sequence[Cell]
    trends: Sequence[Sequence[CountedRun]]
    unfinished: Sequence[int]
    writing: bool
    labels: int
    as_of: Sequence[int] = ()


def overview(store: Workspace, *, patient: bool) -> Overview:
    """All runs of a workspace with their counts, compared and over time."""
    (labels,) = store.first("SELECT count(*) FROM labels", ())

    def ask(index: Index) -> Overview:
        as_of = index.update(patient=patient)
        with index.reading():
            indexed = [(run, index.columns(run.id)) for run in store.runs()]
            runs = [CountedRun(run, None if columns is None else columns.tally()) for run, columns in indexed]
        kinds: dict[tuple[str, ...], list[CountedRun]] = {}
        for counted in runs:
            kinds.setdefault(kind_of(counted.run), []).append(counted)
        unfinished = [run.run.id for run in runs if run.run.finished is None]
        trends = list(kinds.values())
        return Overview(runs, _cells(trends), trends, unfinished, store.claimed(), labels, as_of)

    return with_index(store, ask)


def _latest(kind: Sequence[CountedRun]) -> list[CountedRun]:
    """The last run of a kind; if it is not finished, the last finished one comes before it."""
    *earlier, last = kind
    whole = [counted for counted in earlier if counted.run.finished is not None]
    return [last] if last.run.finished is not None else [*whole[-1:], last]


def _cells(trends: Sequence[Sequence[CountedRun]]) -> list[Cell]:
    groups: dict[tuple[str, str, str, str, str, bool], list[CountedRun]] = {}
    for counted in (counted for kind in trends for counted in _latest(kind)):
        run = counted.run
        key = (run.relation, run.system, run.source, run.target, run.corpus, run.finished is not None)
        groups.setdefault(key, []).append(counted)
    return [
        Cell(
            *key,
            [counted.run.id for counted in runs],
            *(sum(counted.counts[name] for counted in runs if counted.counts) for name in ("cases", "flagged")),
        )
        for key, runs in groups.items()
    ]
