"""Counts of flagged cases and of labels at every threshold, as in tables II to V of He et al. (ICSE 2021).

Rows have their suspicion, so the workspace is enough to apply any threshold: nothing is translated.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from concord.analyses.phrase_filters import FilterPoint, filter_grid
from concord.errors import UserError
from concord.labels.labels import CATEGORIES, Labels
from concord.labels.majority import Verdict, verdict
from concord.model import Text
from concord.plain_data import plain
from concord.signature import digest
from concord.stats.wilson import wilson
from concord.store import RunRecord, Workspace
from concord.store.findings import translations
from concord.store.label_rows import outputs_of

WHOLE = tuple(float(value) for value in range(6))
STEPS = 10
MOST = 100


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """The counts at one threshold: cases above it, their labels, and the translations in them.

    `labelled` includes undecided cases; precision is the proportion of errors among the decided ones. A translation is
    a text with its translation, counted once even if several cases have it. `no_side` counts errors for which nobody,
    or no majority, says which translation is wrong; `wrong_translations` does not include these.
    """

    threshold: float
    flagged: int
    labelled: int
    erroneous: int
    bad_tests: int
    undecided: int
    stale: int
    precision: float | None
    interval: tuple[float, float] | None
    translations: int
    wrong_translations: int
    no_side: int
    categories: Mapping[str, int]
    no_category: int


@dataclass(frozen=True, slots=True)
class Scope:
    """The counts of a run, of one of its domains, or of all runs together (`run` is None), at each threshold.

    `tests` counts the different variants that are labelled, and `valid` those of them that are no bad tests.
    """

    run: int | None
    system: str
    source_lang: str
    target_lang: str
    domain: str | None
    points: Sequence[SweepPoint]
    tests: int
    valid: int

    @property
    def validity(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the share of valid variants."""
        return wilson(self.valid, self.tests)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The counts of all runs of one relation with the same options, whose suspicions are on one scale.

    `filters` has what stricter filters of phrases would leave, for a relation that has these filters.
    """

    relation: str
    settings: Mapping[str, Any]
    thresholds: Sequence[float]
    scopes: Sequence[Scope]
    seconds: Sequence[tuple[RunRecord, Mapping[str, float]]]
    filters: Sequence[FilterPoint] = ()

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        times = [
            {"run": run.id, "system": run.system, "stages": dict(stages), "total": round(run.seconds, 3)}
            for run, stages in self.seconds
        ]
        return {**plain(self), "seconds": times}


def sweeps(workspace: Workspace, runs: Sequence[int], thresholds: Sequence[float] = ()) -> list[Sweep]:
    """The counts of these runs at these thresholds; by default at those that suit the suspicions."""
    if len(thresholds) > MOST or not all(map(math.isfinite, thresholds)):
        first = ", ".join(map(str, thresholds[:5]))
        raise UserError(f"thresholds are at most {MOST} numbers, such as 0,1,2; not: {first}")
    kinds: dict[tuple[str, str], list[RunRecord]] = {}
    for number in dict.fromkeys(runs):
        run = workspace.run(number)
        kinds.setdefault((run.relation, json.dumps(run.question, sort_keys=True, default=str)), []).append(run)
    return [_sweep(workspace, same_kind, thresholds) for same_kind in kinds.values()]


@dataclass(frozen=True, slots=True)
class _Case:
    """The facts of a case that the counts need."""

    key: bytes
    suspicion: float
    domain: str
    translations: tuple[bytes, ...]
    wrong: tuple[bytes, ...]
    majority: Verdict
    variant: Text
    flagged: bool


def _sweep(workspace: Workspace, runs: Sequence[RunRecord], thresholds: Sequence[float]) -> Sweep:
    by_run = [(run, _cases(workspace, run)) for run in runs]
    every = list({case.key: case for _, cases in by_run for case in cases}.values())
    levels = sorted(set(thresholds)) or _usual([case.suspicion for case in every])
    scopes = [
        Scope(run.id, run.system, run.source, run.target, *counts)
        for run, cases in by_run
        for counts in _by_domain(cases, levels)
    ]
    if len(runs) > 1:
        scopes += [Scope(None, "", "", "", *counts) for counts in _by_domain(every, levels)]
    options, seconds = runs[0].question, [(run, run.stages) for run in runs]
    grid = filter_grid(options, ((case.variant, case.flagged, case.majority.verdict) for case in every))
    return Sweep(runs[0].relation, options, levels, scopes, seconds, grid)


def _cases(workspace: Workspace, run: RunRecord) -> list[_Case]:
    """The cases of a run, each once."""
    labels = Labels(workspace).of_runs([run.id])
    cases: dict[str, _Case] = {}
    for row in workspace.rows([run.id]):
        if "case" in row and row["case"] not in cases:
            outputs = outputs_of(row)
            majority = verdict(labels.get(row["case"], ()), outputs)
            answers = translations(row)
            cases[row["case"]] = _Case(
                key=digest(row["case"], outputs),
                suspicion=row["suspicion"],
                domain=row["domain"],
                translations=tuple(dict.fromkeys(digest(run.system, *answer) for answer in answers.values())),
                wrong=tuple(dict.fromkeys(digest(run.system, *answers[role]) for role in majority.wrong)),
                majority=majority,
                variant=Text(**row["follow_up"]),
                flagged=row["flagged"],
            )
    return list(cases.values())


def _by_domain(
    cases: Sequence[_Case], thresholds: Sequence[float]
) -> list[tuple[str | None, list[SweepPoint], int, int]]:
    """The counts of each domain, where there are several, and then of all together."""
    domains = sorted({case.domain for case in cases})
    parts = [(domain, [case for case in cases if case.domain == domain]) for domain in domains]
    scopes = [*(parts if len(domains) > 1 else []), (None, cases)]
    return [(domain, [_point(threshold, own) for threshold in thresholds], *_valid(own)) for domain, own in scopes]


def _valid(cases: Sequence[_Case]) -> tuple[int, int]:
    """How many variants are labelled, and how many of them are no bad tests; what is one in a case is one in all."""
    tests = {case.variant for case in cases if case.majority.verdict}
    bad = {case.variant for case in cases if case.majority.verdict == "bad test"}
    return len(tests), len(tests - bad)


def _usual(suspicions: Iterable[float]) -> list[float]:
    """The default thresholds: 0 to 5 if all suspicions are whole numbers, else their deciles, rounded."""
    finite = [value for value in suspicions if math.isfinite(value)]
    if all(value.is_integer() for value in finite):
        return list(WHOLE)
    inner = quantiles(finite, n=STEPS, method="inclusive") if len(finite) > 1 else []
    return sorted({float(f"{value:.3g}") for value in (min(finite), *inner, max(finite))})


def _point(threshold: float, cases: Sequence[_Case]) -> SweepPoint:
    """The counts of the cases above a threshold."""
    flagged = [case for case in cases if case.suspicion > threshold]
    errors = [case for case in flagged if case.majority.verdict == "error"]
    verdicts = Counter(case.majority.verdict for case in flagged if case.majority.verdict)
    decided = verdicts.total() - verdicts["undecided"]
    wrong = defaultdict[bytes, set[str]](set)
    for case in errors:
        for translation in case.wrong:
            wrong[translation].update(case.majority.categories)
    return SweepPoint(
        threshold=threshold,
        flagged=len(flagged),
        labelled=verdicts.total(),
        erroneous=len(errors),
        bad_tests=verdicts["bad test"],
        undecided=verdicts["undecided"],
        stale=sum(case.majority.stale for case in flagged),
        precision=len(errors) / decided if decided else None,
        interval=wilson(len(errors), decided),
        translations=len({translation for case in flagged for translation in case.translations}),
        wrong_translations=len(wrong),
        no_side=sum(not case.wrong for case in errors),
        categories={name: sum(name in categories for categories in wrong.values()) for name in CATEGORIES},
        no_category=sum(not categories for categories in wrong.values()),
    )
