"""Selects runs of a workspace by their numbers."""

import re
from collections.abc import Sequence
from pathlib import Path

from concord.errors import UserError
from concord.store import RunRecord, Workspace

Chosen = Sequence[str | int]
"""Run numbers, or texts such as `3`, `3,4`, `3-7` and `last`."""
RANGE = re.compile(r"(\d{1,17})-(\d{1,17})")


def select(store: Workspace, runs: Chosen, *, measured: bool = False) -> list[int]:
    """The numbers of these runs; by default, of the latest run of each kind.

    If it is `measured`, the default leaves out relations without a threshold, such as `sane`, beside others.
    """
    numbers: list[int] = []
    for word in ",".join(map(str, runs)).split(","):
        if word.strip().isdecimal() and len(word.strip()) < 18:
            numbers.append(store.run(int(word)).id)
        elif word.strip() == "last":
            numbers += [run.id for run in store.runs()[-1:]]
        elif ends := RANGE.fullmatch(word.strip()):
            numbers += _between(store, int(ends[1]), int(ends[2]))
        elif word.strip():
            raise UserError(f"'{word}' is not a run. Give numbers from `concord show`, such as 3 or 3,4-7, or: last")
    return list(dict.fromkeys(numbers)) or _latest(store, measured=measured)


def _between(store: Workspace, first: int, last: int) -> list[int]:
    """The runs from a number up to another; there must be one."""
    if first > last:
        raise UserError(f"'{first}-{last}' is no range of runs. Give the smaller number first: {last}-{first}")
    return [run.id for run in store.runs() if first <= run.id <= last] or [store.run(first).id]


def _latest(store: Workspace, *, measured: bool) -> list[int]:
    """The latest run of each kind, in the order in which the kinds were first run, so that the baseline stays first."""
    runs = store.runs()
    if not runs:
        raise UserError(f"the workspace {store.path} has no run yet. `concord run` makes one")
    latest = list({kind_of(run): run for run in runs}.values())
    with_threshold = [run for run in latest if run.facts.thresholds]
    return [run.id for run in (measured and with_threshold) or latest]


def kind_of(run: RunRecord) -> tuple[str, ...]:
    """What tells kinds of runs apart: runs of one kind ask the same of the same system."""
    return run.relation, str(run.question), run.system, run.source, run.target, run.corpus


def refuse_overwriting(workspace: str | Path, output: str | Path) -> None:
    """Refuse to write to the workspace itself."""
    if Path(output).exists() and Path(output).samefile(workspace):
        raise UserError(f"{output} is the workspace itself; choose another file to write to")
