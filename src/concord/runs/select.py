"""Which runs of a workspace are meant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from concord.errors import UserError
from concord.store import RunRecord, Workspace

Chosen = Sequence[str | int]
"""Run numbers, or texts such as `3`, `3,4` and `last`."""


def select(store: Workspace, wanted: Chosen) -> list[int]:
    """Run numbers from texts such as `3`, `3,4` or `last`; nothing at all means every latest run of its kind."""
    chosen: list[int] = []
    for word in ",".join(map(str, wanted)).split(","):
        if word.strip().isdecimal() and len(word.strip()) < 18:
            chosen.append(store.run(int(word)).id)
        elif word.strip() == "last":
            chosen += [run.id for run in store.runs()[-1:]]
        elif word.strip():
            raise UserError(f"'{word}' is not a run. Give numbers from `concord show`, such as 3 or 3,4, or: last")
    return chosen or _latest(store)


def _latest(store: Workspace) -> list[int]:
    """The latest run of each kind, in the order in which the kinds were first run: the baseline stays the first."""
    runs = store.runs()
    if not runs:
        raise UserError(f"the workspace {store.path} has no run yet. `concord run` makes one")
    return list({kind_of(run): run.id for run in runs}.values())


def kind_of(run: RunRecord) -> tuple[str, ...]:
    """What runs have in common that ask the same of the same system."""
    return run.relation, str(run.question), run.system, run.source, run.target, run.corpus


def spare(workspace: str | Path, output: str | Path) -> None:
    if Path(output).exists() and Path(output).samefile(workspace):
        raise UserError(f"{output} is the workspace itself; choose another file to write to")
