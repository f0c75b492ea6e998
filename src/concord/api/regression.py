"""Comparing runs and systems, and the gate."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.analyses.quality.options import QualityTerms
from concord.analyses.regression.gate_rules import chosen, configured, gated_runs, rules_for
from concord.analyses.regression.run_pairs import KINDS, by_kind, latest_pair, paired, side
from concord.api.findings import plain_row
from concord.errors import CONFIGURATION, UserError
from concord.runs.config import read_gate
from concord.runs.select import Chosen, refuse_overwriting, select
from concord.store import Workspace
from concord.store.index import Index, with_index
from concord.store.index.location import index_path

if TYPE_CHECKING:  # they bring numpy along, which only a comparison should wait for
    from concord.analyses.regression.accepted_findings import Accepted
    from concord.analyses.regression.gate import GateResult
    from concord.analyses.regression.regression import RunComparison

__all__ = [
    "KINDS", "accept", "by_kind", "compare_runs", "gate", "index_of", "latest_pair", "prepare", "standings",
    "unfinished",
]  # fmt: skip


def compare_runs(
    workspace: str | Path,
    before: str | Chosen,
    after: str | Chosen,
    *,
    kind: str = "newly failing",
    limit: int = 10,
    start: int = 0,
    patient: bool = True,
) -> RunComparison | None:
    """Compare runs with earlier ones, or with those of another system: what is newly flagged, what no longer, the test.

    A side is run numbers (`3`, `3,4`, `last`), or the name of a system, which means its latest runs. `kind` says which
    cases are listed, `limit` of them from `start` on. Unless `patient`, the result is None if the runs are large and
    have changed since the last comparison.
    """
    from concord.analyses.regression.regression import compared
    from concord.store.verdict_arrays import TooMuch, verdicts

    with Workspace(workspace, create=False) as store:
        pairs, alone = paired(side(store, before), side(store, after))

        def ask(index: Index) -> RunComparison:
            load = partial(verdicts, store, keep=index.blob, patient=patient)
            return compared(store, pairs, load, kind=kind, limit=limit, start=start, notes=alone)

        with contextlib.suppress(TooMuch):
            return with_index(store, ask)
    return None


def unfinished(workspace: str | Path, sides: tuple[str, str] | None = None) -> bool:
    """Whether a run of these two sides or, without any, one of the latest runs is unfinished."""
    with Workspace(workspace, create=False) as store:
        if sides is None:
            return any(store.run(number).finished is None for number in select(store, ()))
        pairs, _ = paired(*(side(store, name) for name in sides))
        return any(run.finished is None for pair in pairs for run in (pair.before, pair.after))


def standings(
    workspace: str | Path, runs: Chosen = (), terms: QualityTerms | None = None, *, patient: bool = True
) -> dict[str, Any] | None:
    """How often relations hold by system and domain, with confidence intervals, letters, and a `picture` of each table.

    This is `quality` as plain data, cached until one of the runs changes; so is the error that is raised if runs cannot
    be ranked. Without patience, the result for large runs that is not cached is None.
    """
    from concord.analyses.quality.standings import standings
    from concord.views.regression.charts import standing_picture

    with Workspace(workspace, create=False) as store:
        ranking = standings(store, select(store, runs), terms or QualityTerms(), patient=patient)
    for table in ranking["tables"] if ranking else ():
        table["picture"] = standing_picture(table)
    return ranking


def prepare(workspace: str | Path) -> bool:
    """Build what comparisons read: the arrays of every run and the standings of the latest ones.

    For a background process of the server. Returns False if not all of it is cached, because another process held the
    index or a run has changed meanwhile.
    """
    with Workspace(workspace, create=False) as store:
        runs = [run.id for run in store.runs()]
    cached = [_prepared(workspace, run) for run in runs]
    return all(cached) and (not runs or _ranked(workspace))


def _prepared(workspace: str | Path, run: int) -> bool:
    from concord.store.verdict_arrays import prepared

    with Workspace(workspace, create=False) as store:
        return with_index(store, lambda index: prepared(store, run, index.blob))


def _ranked(workspace: str | Path) -> bool:
    try:
        standings(workspace)
        return standings(workspace, patient=False) is not None
    except UserError:  # runs that cannot be ranked: the reason is cached, and the page shows it
        return True


def index_of(workspace: str | Path) -> Path:
    """The path of the index, which is written whenever `prepare` has indexed something."""
    return index_path(Path(workspace))


def gate(
    workspace: str | Path,
    runs: Chosen = (),
    *,
    config: str | Path = CONFIGURATION,
    junit: str | Path | None = None,
    most: int = 200,
    **typed: Any,
) -> GateResult:
    """Check runs against rules: those of the table [gate] of the configuration, and the keyword arguments.

    The names are those of `Rules`; `limits` are texts such as `rti=0.05`. `most` bounds the findings of each run, also
    those in the JUnit file.
    """
    from concord.analyses.regression.accepted_findings import read
    from concord.analyses.regression.gate import judge
    from concord.store.index.finding_reader import finding_numbers
    from concord.store.index.reader import read as read_index
    from concord.store.verdict_arrays import verdicts
    from concord.views.regression.junit import write

    if not any(str(run).strip() for run in runs):
        runs = ()
    with Workspace(workspace, create=False) as store:
        rules, notes = rules_for(store, runs, config, typed)
        records, pairs, alone = gated_runs(store, runs, rules)
        accepted: Sequence[Accepted] = read(rules.accepted) if rules.accepted else ()
        if junit is not None:
            refuse_overwriting(workspace, junit)
        numbers, load = read_index(store, records, finding_numbers), partial(verdicts, store)
        judged = partial(judge, store, records, rules, numbers=numbers, pairs=pairs, accepted=accepted, most=most)
        gate_result = with_index(store, lambda index: judged(partial(load, keep=index.blob)))
    gate_result.findings[:] = [replace(each, row=plain_row(each.row)) for each in gate_result.findings]
    gate_result.notes[:0] = [*notes, *alone]
    if junit is not None:
        write(gate_result, junit)
    return gate_result


def accept(
    workspace: str | Path, runs: Chosen = (), *, accepted: str | Path = "", reason: str = "", **rest: Any
) -> tuple[Path, int, int]:
    """Add the flagged cases of runs to the file of accepted ones; return the file, and how many are new and in all."""
    from concord.analyses.regression import accepted_findings as file

    config = rest.get("config", CONFIGURATION)
    path = Path(accepted or configured(read_gate(config), config).accepted)
    if not path.name:
        raise UserError("say which file keeps the accepted findings: --accepted FILE, or accepted = … in [gate]")
    if path.exists():
        refuse_overwriting(workspace, path)
    earlier = file.read(path) if path.exists() else []
    with Workspace(workspace, create=False) as store:
        findings = [
            file.accepted(row, reason)
            for row in store.rows([run.id for run in chosen(store, runs)])
            if not row["error"] and row["flagged"]
        ]
    new = file.write(path, earlier, findings)
    return path, new, len(file.read(path))
