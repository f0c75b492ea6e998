"""The overview of a workspace: all runs, their comparison, and their trends from run to run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from concord.store import Workspace

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.analyses.overview import Cell, CountedRun, Overview

__all__ = ["Cell", "CountedRun", "overview"]


def overview(workspace: str | Path) -> Overview:
    """All runs of a workspace with their counts, comparisons and trends."""
    from concord.analyses.overview import overview

    with Workspace(workspace, create=False) as store:
        return overview(store, patient=False)
