"""Offering repaired translations for the flagged cases of runs."""

from pathlib import Path
from typing import TYPE_CHECKING

from concord.errors import UserError
from concord.runs.select import Chosen, select
from concord.store import Workspace

if TYPE_CHECKING:  # they bring numpy and scipy along, which only a repair should wait for
    from concord.analyses.repair import By, Repairs


def repair(workspace: str | Path, runs: Chosen = (), *, by: "By" = "agreement") -> "dict[int, Repairs]":
    """Repairs of the translations that disagree with others, for each run of transrepair or cat.

    By default these are the latest runs; nothing is translated. `by` says how the wrong translation is told from the
    others: by its agreement with them, or by its probability in the model, if the system notes that.
    """
    from concord.analyses.repair import RELATIONS, analysing, repairs

    with Workspace(workspace, create=False) as store:
        records = [store.run(number) for number in select(store, runs)]
        if not runs:
            records = [run for run in records if run.relation.partition(":")[0] in RELATIONS]
        if not records:
            raise UserError(
                f"the workspace {store.path} has no run of {' or '.join(RELATIONS)}. `concord run` makes one"
            )
        offered = {}
        for run in records:
            with analysing(run.target) as forms:
                offered[run.id] = repairs(store, run, by, forms)
        return offered
