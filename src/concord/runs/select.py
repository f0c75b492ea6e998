"""Selects runs of a workspace by their numbers."""

from collections.abc import Sequence
from pathlib import Path

from concord.errors import UserError
from concord.store import RunRecord, Workspace

Chosen = Sequence[str | int]
"""Run numbers, or texts such as `3`, `3,4` and `last`."""


def select(store: Workspace, runs: Chosen) -> list[int]:
    """The numbers of these runs; by default, of the latest run of each kind."""
    numbers: list[int] = []
    for word in ",".join(map(str, runs)).split(","):
        if word.strip().isdecimal() and len(word.strip()) < 18:
            numbers.append(store.run(int(word)).id)
        elif word.strip() == "last":
            numbers += [run.id for run in store.runs()[-1:]]
        elif word.strip():
            raise UserError(f"'{word}' is not a run. Give numbers from `concord show`, such as 3 or 3,4, or: last")
    return numbers or _latest(store)


def _latest(store: Workspace) -> list[int]:
    """The latest run of each kind, in the order in which the kinds were first run, so that the baseline stays first."""
    runs = store.runs()
    if not runs:
        raise UserError(f"the workspace {store.path} has no run yet. `concord run` makes one")
    return list({kind_of(run): run.id for run in runs}.values())


def kind_of(run: RunRecord) -> tuple[str, ...]:
    """What tells kinds of runs apart: runs of one kind ask the same of the same system."""
    return run.relation, str(run.question), run.system, run.source, run.target, run.corpus


def refuse_overwriting(workspace: str | Path, output: str | Path) -> None:
    """Refuse to write to the workspace itself."""
    if Path(output).exists() and Path(output).samefile(workspace):
        raise UserError(f"{output} is the workspace itself; choose another file to write to")
