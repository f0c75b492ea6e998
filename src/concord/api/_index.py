"""Reading the index, for the functions that list findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.runs.select import select
from concord.store import Workspace
from concord.store.finding_filter import Filter

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index.groups import GroupedCases
    from concord.store.index.reader import CaseList, Reader

Row = dict[str, Any]
T = TypeVar("T")


def read_index(workspace: str | Path, runs: tuple[int | str, ...], patient: bool, ask: Callable[[Reader], T]) -> T:
    """Call `ask` with a reader of one consistent state of the index; if `patient`, only after all runs are indexed."""
    from concord.store.index.reader import read

    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs) if store.runs() else []
        records = [record for record in store.runs() if record.id in numbers]  # one may be discarded meanwhile
        return read(store, records, ask, patient=patient)


def grouped(workspace: str | Path, filters: Filter) -> GroupedCases:
    """All flagged cases that pass the filters, with their findings and problems."""
    from concord.store.index.finding_reader import grouped_cases

    return read_index(workspace, filters.runs, True, lambda reader: grouped_cases(reader, filters))


def listed(workspace: str | Path, filters: Filter) -> CaseList:
    """All cases that pass the filters, in the order of their pages."""
    return read_index(workspace, filters.runs, True, lambda reader: reader.listed(filters))
