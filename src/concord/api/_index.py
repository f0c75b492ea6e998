"""Reading the index, for the functions that list findings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from concord.runs.select import select
from concord.store import Workspace
from concord.store.finding_filter import Filter
from concord.store.index.finding_reader import grouped_cases
from concord.store.index.groups import GroupedCases
from concord.store.index.reader import CaseList, Reader, read

Row = dict[str, Any]
T = TypeVar("T")


def read_index(workspace: str | Path, runs: tuple[int | str, ...], patient: bool, ask: Callable[[Reader], T]) -> T:
    """Call `ask` with a reader of one consistent state of the index; if `patient`, only after all runs are indexed."""
    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs) if store.runs() else []
        records = [record for record in store.runs() if record.id in numbers]  # one may be discarded meanwhile
        return read(store, records, ask, patient=patient)


def grouped(workspace: str | Path, filters: Filter) -> GroupedCases:
    """All flagged cases that pass the filters, with their findings and problems."""
    return read_index(workspace, filters.runs, True, lambda reader: grouped_cases(reader, filters))


def listed(workspace: str | Path, filters: Filter) -> CaseList:
    """All cases that pass the filters, in the order of their pages."""
    return read_index(workspace, filters.runs, True, lambda reader: reader.listed(filters))
