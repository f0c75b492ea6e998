"""Calibration: relations run on a system with and without injected faults, and the thresholds that follow."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from concord.analyses.calibration.cached_system import CachedSystem
from concord.analyses.calibration.fault_effects import Faults, blamed
from concord.analyses.calibration.options import CalibrationTerms
from concord.analyses.calibration.sensitivity import (
    FaultyCase,
    Levels,
    Sensitivity,
    next_above,
    sensitivity,
    threshold_for,
)
from concord.model import FLAGS, System
from concord.plugins import Spec
from concord.plural import plural
from concord.relations._protocol import load_relation
from concord.runs import plan
from concord.runs.execute import RunExecutor, Settings, facts_of
from concord.runs.plan import Segments, Task
from concord.runs.summary import Progress
from concord.store import RunRecord, Workspace
from concord.translators.faulty import Kind
from concord.translators.faulty import Translator as Faulty


@dataclass(frozen=True, slots=True)
class Calibrated:
    """One relation: the threshold chosen from `clean` cases, of which it flags `flagged`, and the faults it finds.

    `threshold` is the suspicion above which a case is flagged, None without a clean case. `option` and `value` set it
    in the relation's options, and `options` are the other options of the runs. `in_force` is the threshold that runs
    have now, by configuration or by default, and `flagged_in_force` is how many clean cases it flags.
    """

    relation: str
    options: Mapping[str, Any]
    run: int
    clean: int
    flagged: int
    threshold: float | None
    option: str
    value: float | None
    kinds: Sequence[Sensitivity]
    notes: Sequence[str]
    in_force: float | None = None
    flagged_in_force: int = 0

    @property
    def recall(self) -> float | None:
        """The proportion of all faulty cases, of whatever kind, that the chosen threshold finds."""
        return self._share([kind.found for kind in self.kinds])

    @property
    def recall_in_force(self) -> float | None:
        """The proportion of them that the threshold now in force finds."""
        return self._share([kind.found_in_force for kind in self.kinds])

    def _share(self, counts: Sequence[int]) -> float | None:
        cases = sum(kind.cases for kind in self.kinds)
        return sum(counts) / cases if cases else None

    def plain(self) -> dict[str, Any]:
        names = ("clean", "flagged", "threshold", "option", "value", "recall")
        head = {"relation": self.relation, "options": dict(self.options), "run": str(self.run)}
        now = {"threshold": self.in_force, "flagged": self.flagged_in_force, "recall": self.recall_in_force}
        facts = {**{name: getattr(self, name) for name in names}, "in_force": now}
        return {**head, **facts, "kinds": [kind.plain() for kind in self.kinds], "notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class Calibration:
    """The calibration of relations on one system."""

    system: str
    source: str
    target: str
    corpus: str
    seed: int
    terms: CalibrationTerms
    relations: Sequence[Calibrated] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "system": self.system,
            "source_lang": self.source,
            "target_lang": self.target,
            "corpus": self.corpus,
            "seed": self.seed,
            "false_alarms": self.terms.accepted,
            "rate": self.terms.rate,
            "relations": [relation.plain() for relation in self.relations],
        }


@dataclass(frozen=True, slots=True)
class RunContext:
    """How the runs of a calibration are made: the workspace, the settings, and a callback for progress."""

    store: Workspace
    settings: Settings
    watch: Callable[[Progress], None]


async def calibrated(
    segments: Segments, specs: Sequence[Spec], system: System, to: str, terms: CalibrationTerms, context: RunContext
) -> Calibration:
    """Run every relation on the system, and again with each kind of fault; the system is asked nothing twice.

    Thresholds among the options of the relations are taken as those in force; the runs do not use them.
    """
    # The services are chosen for the system itself, so that faulty systems are judged by the same evidence.
    services = plan.services_for(system, context.settings.services)
    context = replace(context, settings=replace(context.settings, services=services))
    bare = [
        Spec(spec.name, spec.argument, load_relation(spec.name).facts({}).without_thresholds(spec.options))
        for spec in specs
    ]
    inner = CachedSystem(system, context.store)
    rate, seed = terms.rate, context.settings.seed
    faulty = [Faulty(inner=inner, kind=cast(Kind, kind), rate=rate, seed=seed) for kind in terms.kinds]
    async with plan.closing([system]):
        how = (context.settings.seconds, context.settings.services)
        tasks = await plan.tasks(segments, bare, [system, *faulty], [to], *how)
        runs = await _runs(tasks, context)
    # The runs are ordered by system: all relations on the clean one, then on each of the faulty ones.
    rows = [runs[start : start + len(specs)] for start in range(0, len(runs), len(specs))]
    faults = [Faults(context.store.notes(translator.id)) for translator in faulty]
    by_relation = zip(specs, zip(*rows, strict=True), strict=True)
    relations = [_relation(spec, ran, faults, terms, context.store) for spec, ran in by_relation]
    corpus = f"{segments.name}#{segments.digest}"
    return Calibration(system.id, segments.lang, to, corpus, seed, terms, relations)


async def _runs(tasks: Sequence[Task], context: RunContext) -> list[RunRecord]:
    """The runs of these tasks; a finished run without errors that the workspace has is not repeated."""
    store = context.store
    finished = {run.signature: run for run in store.runs() if run.finished and not store.tally(run.id)["errors"]}
    signatures = [facts_of(store, context.settings, task)["signature"] for task in tasks]
    missing = [task for task, signature in zip(tasks, signatures, strict=True) if signature not in finished]
    summaries = await RunExecutor(store, context.settings, context.watch).in_sequence(missing)
    finished |= {summary.run.signature: summary.run for summary in summaries}
    return [finished[signature] for signature in signatures]


def _relation(
    spec: Spec, runs: Sequence[RunRecord], faults: Sequence[Faults], terms: CalibrationTerms, store: Workspace
) -> Calibrated:
    clean_run, *faulty_runs = runs
    cases = _cases(store, clean_run)
    option = _option(clean_run, cases)
    notes = [_errors(run, store) for run in runs if store.tally(run.id)["errors"]]
    options = clean_run.facts.without_thresholds(spec.options)
    if not cases:
        notes.append("there is no clean case, so that no threshold can be chosen: give it more sentences")
        faulty = zip(terms.kinds, faulty_runs, strict=True)
        nothing = [Sensitivity(kind, run.id, 0, 0, None, None, 0, 0, 0) for kind, run in faulty]
        return Calibrated(spec.name, options, clean_run.id, 0, 0, None, option, None, nothing, notes)
    clean = [row["suspicion"] for row in cases]
    threshold = threshold_for(clean, terms.accepted)
    if 0 < terms.accepted * len(clean) < 1:
        few = plural(len(clean), "clean case is", "clean cases are")
        notes.append(f"{few} too few for {terms.accepted:g} of them: none is flagged")
    operator = clean_run.facts.operator
    levels = Levels(threshold, _in_force(spec.options.get(option), cases[0]), FLAGS[operator])
    kinds = [
        sensitivity(kind, run.id, clean, _faulty_cases(store, run, injected), levels)
        for kind, run, injected in zip(terms.kinds, faulty_runs, faults, strict=True)
    ]
    flagged = sum(suspicion > threshold for suspicion in clean)
    now = sum(levels.flags(suspicion, levels.in_force) for suspicion in clean)
    value = (threshold if operator == ">" else _at_least(threshold)) if option else None
    return Calibrated(
        spec.name, options, clean_run.id, len(clean), flagged, threshold, option, value, kinds, notes,
        levels.in_force, now,
    )  # fmt: skip


def _errors(run: RunRecord, store: Workspace) -> str:
    rows = store.tally(run.id)["errors"]
    error_rows = plural(rows, "row with an error, which does not count", "rows with an error, which do not count")
    return f"run {run.id} ({run.system}) has {error_rows}"


def _cases(store: Workspace, run: RunRecord) -> list[dict[str, Any]]:
    """The cases of a run, each once."""
    return list({row["case"]: row for row in store.rows([run.id]) if "case" in row}.values())


def _faulty_cases(store: Workspace, run: RunRecord, faults: Faults) -> list[FaultyCase]:
    rows = [(row, faults.in_row(row)) for row in _cases(store, run)]
    return [FaultyCase(row["suspicion"], blamed(row, injected)) for row, injected in rows if injected]


def _option(run: RunRecord, cases: Sequence[Mapping[str, Any]]) -> str:
    """The option whose threshold these cases have; if several may be, one that was not set and so has its default."""
    names = run.facts.judging
    values = [(name, run.settings[name]) for name in names]
    in_force = [case["threshold"] for case in cases[:1]]
    same = [name for name, value in values if value is not None and any(math.isclose(value, t) for t in in_force)]
    return next(iter([*same, *(name for name, value in values if value is None), *names]), "")


def _in_force(option: Any, case: Mapping[str, Any]) -> float:
    """The threshold in force: the relation's option if it is a number, else that of the run."""
    is_number = isinstance(option, int | float) and not isinstance(option, bool)
    return float(option if is_number else case["threshold"])


def _at_least(threshold: float) -> float | None:
    """The threshold with the same effect for a relation that flags suspicion ≥ threshold; None if there is none."""
    above = next_above(threshold)
    return above if above <= max(1.0, threshold) else None
