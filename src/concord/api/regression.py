"""Runs and systems side by side, and the gate."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord.errors import UserError
from concord.runs.config import CONFIGURATION, read_gate
from concord.runs.select import Chosen, select, spare
from concord.signature import digest
from concord.store import RunRecord, Workspace

if TYPE_CHECKING:  # they bring numpy along, which only a comparison should wait for
    from concord.analyses.quality.options import Terms
    from concord.analyses.regression.accepted_findings import Accepted
    from concord.analyses.regression.gate import Gate
    from concord.analyses.regression.gate_rules import Rules
    from concord.analyses.regression.regression import Comparison
    from concord.analyses.regression.run_pairs import Pair
    from concord.store.index import Index
    from concord.store.verdict_arrays import Verdicts

FEW, SMALL = 10_000, 20_000
"""So many cases of a run are read, and so many of all are ranked, while somebody waits for a page."""
T = TypeVar("T")


class _TooMuch(Exception):
    pass


def compare_runs(
    workspace: str | Path,
    before: str | Chosen,
    after: str | Chosen,
    *,
    kind: str = "newly failing",
    limit: int = 10,
    start: int = 0,
    patient: bool = True,
) -> Comparison | None:
    """Runs beside earlier ones, or beside those of another system: what fails newly, what no longer, and the test.

    A side is run numbers (`3`, `3,4`, `last`), or the name of a system, which stands for its latest runs. `kind` says
    which cases are listed, `limit` of them from `start` on. Without patience, large runs that were not
    compared since they changed give None.
    """
    from concord.analyses.regression.regression import Comparison, compared
    from concord.analyses.regression.run_pairs import paired

    with Workspace(workspace, create=False) as store:
        pairs, alone = paired(side(store, before), side(store, after))

        def ask(index: Index) -> Comparison:
            load = _load(store, index, patient=patient)
            return Comparison(compared(store, pairs, load, kind=kind, limit=limit, start=start), kind, alone)

        with contextlib.suppress(_TooMuch):
            return _with_index(store, ask)
    return None


def side(store: Workspace, wanted: str | Chosen) -> list[RunRecord]:
    """The runs that are meant by numbers, or the latest of each kind of a system that is named."""
    if isinstance(wanted, str):
        runs = [run for run in store.runs() if wanted.strip() and wanted.strip() in (run.system, run.given)]
        if runs:
            latest = {(run.relation, str(run.settings), run.source, run.target, run.corpus): run for run in runs}
            return list(latest.values())
        _check_words(store, wanted)
        wanted = [wanted]
    if not any(str(each).strip() for each in wanted):
        raise UserError("name two runs, or two systems, to compare. `concord runs` lists them")
    return [store.run(number) for number in dict.fromkeys(select(store, wanted))]


def _check_words(store: Workspace, wanted: str) -> None:
    """Who writes a word has a system in mind, and is told which there are."""
    for word in filter(None, map(str.strip, wanted.split(","))):
        if not word.isdecimal() and word != "last":
            systems = ", ".join(dict.fromkeys(run.given or run.system for run in store.runs())) or "none"
            raise UserError(
                f"'{word[:80]}' is neither a run nor a system of this workspace. Give runs, such as 3, 3,4 or last, or"
                f" one system as it was run. Systems: {systems}"
            )


def standings(
    workspace: str | Path, runs: Chosen = (), terms: Terms | None = None, *, patient: bool = True
) -> dict[str, Any] | None:
    """How often relations hold by system and domain, with intervals and letters, and a `picture` for each table.

    It is what `quality` finds, as plain data, and is remembered until one of the runs changes; so is why runs cannot be
    ranked, which is raised. Without patience, what is not remembered of large runs is None.
    """
    from concord.analyses.quality.options import Terms
    from concord.store.verdict_arrays import more_cases_than
    from concord.views.regression.charts import standing_picture

    how = terms or Terms()
    with Workspace(workspace, create=False) as store:
        chosen = select(store, runs)

        def make(index: Index) -> bytes:
            if not patient and more_cases_than(store, chosen, SMALL):
                raise _TooMuch
            # Only who has nothing to remember waits for scipy.
            from concord.analyses.quality.fast_counts import counted
            from concord.analyses.quality.quality import quality

            try:
                made = quality(counted(store, chosen, _load(store, index)), how).plain()
            except UserError as error:  # whoever has no patience could otherwise wait for it for ever
                made = {"refused": str(error)}
            return json.dumps(made).encode()

        def ask(index: Index) -> bytes:
            # A number that is drawn anew once its run has changed: together they say whether any of them has.
            marks = [index.blob(run, "changed", lambda: secrets.token_bytes(8)).hex() for run in chosen]
            # What is said of the runs besides names the workspace, and those that did not finish.
            told = [str(store.path), *(str(store.run(run).finished is None) for run in chosen)]
            name = f"standings3:{digest(*map(str, chosen), *marks, *told, str(how)).hex()}"
            return index.blob(chosen[0], name, lambda: make(index))

        try:
            found: dict[str, Any] = json.loads(_with_index(store, ask))
        except _TooMuch:
            return None
    if "refused" in found:
        raise UserError(found["refused"])
    for table in found["tables"]:
        table["picture"] = standing_picture(table)
    return found


def prepare(workspace: str | Path) -> bool:
    """Make whatever comparisons read: the arrays of every run and the standings of the latest ones.

    For the background of a server. Says whether all of it is kept: another process may have held the index, or a run
    may have changed meanwhile.
    """
    with Workspace(workspace, create=False) as store:
        runs = [run.id for run in store.runs()]
    kept = [_prepared(workspace, run) for run in runs]
    return all(kept) and (not runs or _ranked(workspace))


def _prepared(workspace: str | Path, run: int) -> bool:
    from concord.store.verdict_arrays import prepared

    with Workspace(workspace, create=False) as store:
        return _with_index(store, lambda index: prepared(store, run, index.blob))


def _ranked(workspace: str | Path) -> bool:
    try:
        standings(workspace)
        return standings(workspace, patient=False) is not None
    except UserError:  # runs that cannot be ranked: why is remembered, and the page says it
        return True


def index_of(workspace: str | Path) -> Path:
    """The file that is written whenever something was prepared."""
    from concord.store.index.location import place_of

    return place_of(Path(workspace))


def gate(
    workspace: str | Path,
    runs: Chosen = (),
    *,
    config: str | Path = CONFIGURATION,
    junit: str | Path | None = None,
    most: int = 200,
    **typed: Any,
) -> Gate:
    """Hold runs against rules: those of the table [gate] of the configuration, and what is given here.

    The names are those of `Rules`; `limits` are texts such as `rti=0.05`. `most` bounds the findings of each run, also
    those in the JUnit file.
    """
    from concord.analyses.regression.accepted_findings import read
    from concord.analyses.regression.gate import judge
    from concord.views.regression.junit import write

    named = any(str(each).strip() for each in runs)
    with Workspace(workspace, create=False) as store:
        rules, notes = _rules(store, runs if named else (), config, typed)
        records, pairs, alone = _gated(store, runs if named else (), rules)
        known: Sequence[Accepted] = read(rules.accepted) if rules.accepted else ()
        if junit is not None:
            spare(workspace, junit)

        def ask(index: Index) -> Gate:
            return judge(store, records, rules, _load(store, index), pairs, known, most)

        found = _with_index(store, ask)
    found.notes[:0] = [*notes, *alone]
    if junit is not None:
        write(found, junit)
    return found


def accept(
    workspace: str | Path, runs: Chosen = (), *, accepted: str | Path = "", reason: str = "", **rest: Any
) -> tuple[Path, int, int]:
    """Write the present findings of runs to the file of accepted ones; gives the file, how many are new, and all."""
    from concord.analyses.regression import accepted_findings as file
    from concord.analyses.regression.gate_rules import configured

    config = rest.get("config", CONFIGURATION)
    path = Path(accepted or configured(read_gate(config), config).accepted)
    if not path.name:
        raise UserError("say which file keeps the accepted findings: --accepted FILE, or accepted = … in [gate]")
    if path.exists():
        spare(workspace, path)
    known = file.read(path) if path.exists() else []
    with Workspace(workspace, create=False) as store:
        found = [
            file.accepted(row, reason)
            for row in store.rows(select(store, runs))
            if not row["error"] and row["violated"]
        ]
    new = file.write(path, known, found)
    return path, new, len(file.read(path))


def _rules(store: Workspace, runs: Chosen, config: str | Path, typed: dict[str, Any]) -> tuple[Rules, list[str]]:
    """The rules that are asked for, and what to say of those that are not."""
    from concord.analyses.regression.gate_rules import EVERY, configured, limits, merged

    own = limits(typed.pop("limits", None) or ())
    told = configured(read_gate(config), config)
    rules = merged(told, {**typed, "limits": own})
    if not rules.any:
        raise UserError(
            "a gate needs a rule: --max rti=0.05, --no-worse-than RUN, --no-new or --max-errors 0.01, or the same in"
            f" the table [gate] of {config}"
        )
    if rules.no_new and not (rules.no_worse_than or rules.accepted):
        raise UserError("what is new is told by an earlier run, --no-worse-than RUN, or by a file, --accepted FILE")
    present = {store.run(number).relation for number in select(store, runs)}
    idle = [each for each in rules.limits if each.relation not in (*present, EVERY)]
    if any(each in own for each in idle) or (idle and not runs):
        names = ", ".join(each.relation for each in idle)
        raise UserError(f"there is a limit for {names}, and no run of it. Run it, or take the limit out")
    return rules, [f"the limit for {each.relation} is not asked: none of these runs is one of it" for each in idle]


def _gated(store: Workspace, runs: Chosen, rules: Rules) -> tuple[list[RunRecord], list[Pair], list[str]]:
    """The runs to be judged, and those beside earlier ones; an earlier one is not judged itself unless it is named."""
    from concord.analyses.regression.run_pairs import paired

    records = [store.run(number) for number in dict.fromkeys(select(store, runs))]
    if not rules.no_worse_than:
        return records, [], []
    before = side(store, rules.no_worse_than)
    if not runs:
        earlier = {run.id for run in before}
        records = [run for run in records if run.id not in earlier]
        if not records:
            raise UserError(f"there is no run but {rules.no_worse_than}, which is the one to be compared with")
    return (records, *paired(before, records))


def _load(store: Workspace, index: Index, *, patient: bool = True) -> Callable[[int], Verdicts]:
    from concord.store.verdict_arrays import more_cases_than, verdicts

    def keep(run: int, name: str, make: Callable[[], bytes]) -> bytes:
        def bounded() -> bytes:
            if not patient and more_cases_than(store, [run], FEW):
                raise _TooMuch
            return make()

        return index.blob(run, name, bounded)

    return lambda run: verdicts(store, run, keep)


def _with_index(store: Workspace, ask: Callable[[Index], T]) -> T:
    from concord.store.index import with_index

    return with_index(store, ask)
