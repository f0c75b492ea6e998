"""The overview of a workspace: all runs, their comparison, and their trends from run to run."""

from pathlib import Path

from concord.analyses.overview import Cell, CountedRun, Overview
from concord.analyses.overview import overview as read_overview
from concord.store import Workspace

__all__ = ["Cell", "CountedRun", "overview"]


def overview(workspace: str | Path) -> Overview:
    """All runs of a workspace with their counts, comparisons and trends."""
    with Workspace(workspace, create=False) as store:
        return read_overview(store, patient=False)
