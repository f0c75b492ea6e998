"""Reading the index: for the doors that list findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.runs.select import select
from concord.store import Workspace
from concord.store.finding_filter import Wanted

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index.reader import Listed, Reader

Row = dict[str, Any]
T = TypeVar("T")


def read_index(workspace: str | Path, runs: tuple[int | str, ...], patient: bool, ask: Callable[[Reader], T]) -> T:
    """Ask one state of the index, after bringing the runs up to date as far as there is time."""
    from concord.store.index.reader import read

    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs) if store.runs() else []
        records = [record for record in store.runs() if record.id in chosen]  # one may be discarded meanwhile
        return read(store, records, ask, patient=patient)


def listed(workspace: str | Path, wanted: Wanted) -> Listed:
    """All cases that are wanted, in the order in which their pages have them."""
    return read_index(workspace, wanted.runs, True, lambda reader: reader.listed(wanted))
