"""Mending the translations that a run has found at odds with the others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from concord.errors import UserError
from concord.runs.select import Chosen, select
from concord.store import Workspace

if TYPE_CHECKING:  # they bring numpy and scipy along, which only a repair should wait for
    from concord.analyses.repair import By, Repairs


def repair(workspace: str | Path, runs: Chosen = (), *, by: By = "agreement") -> dict[int, Repairs]:
    """What can be offered in place of odd translations, for each run of transrepair or cat; nothing is translated.

    Without named runs, it is the latest ones of their kind. `by` says what tells the odd translation from the others:
    how it agrees with them, or how probable the model holds it to be, where the system notes that.
    """
    from concord.analyses.repair import RELATIONS, analysing, repairs

    with Workspace(workspace, create=False) as store:
        chosen = [store.run(each) for each in select(store, runs)]
        wanted = chosen if runs else [run for run in chosen if run.relation.partition(":")[0] in RELATIONS]
        if not wanted:
            raise UserError(
                f"the workspace {store.path} has no run of {' or '.join(RELATIONS)}. `concord run` makes one"
            )
        found = {}
        for run in wanted:
            with analysing(run.target) as forms:
                found[run.id] = repairs(store, run, by, forms)
        return found
