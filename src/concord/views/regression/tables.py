"""Tables of run comparisons and gates, for the terminal and the page."""

from collections.abc import Callable, Iterator, Sequence

from concord.analyses.regression.gate import Check, GateResult
from concord.analyses.regression.regression import ChangedCase, ComparedPart, Regression, RunComparison
from concord.analyses.regression.sentence_tests import JointTest, RelationTest
from concord.plural import plural
from concord.stats.sign_test import p_value_text as p_value_text  # the web page shows it as well
from concord.views.tables import NONE, TextTable
from concord.views.wording import number

CASES = (
    "A case is the same in both runs if it has the same texts. It fails if it is flagged each time that it occurs in a"
    " run. It is flaky, and counted only as that, if one of the runs flags it only sometimes. Changed: cases of both"
    " runs with other answers than before. Only before, only after: cases of one run alone, and how many of them fail."
)
JOINT = (
    "Worse, better: sentences that more, or fewer, relations flag than before. A relation counts for the sentences that"
    " were judged in both of its runs; where it has granularities, each counts. p: exact sign test (McNemar) on these"
    " sentences, adjusted for all rows (Holm). This test decides the rule `no worse` of the gate."
)
SENTENCES = (
    "Sentences: those that were judged in both runs; one is flagged if it has a flagged case in more than half of its"
    " repetitions. p: exact sign test (McNemar) on the sentences that are flagged in one run alone, adjusted for all"
    " rows (Holm). It names the relations that differ; the gate is decided by all relations together."
)

RelationRow = tuple[JointTest, RelationTest]
JOINT_CELLS: dict[str, Callable[[JointTest], str]] = {
    "sentences": lambda test: f"{test.sentences:,}",
    "worse": lambda test: f"{test.worse:,}",
    "better": lambda test: f"{test.better:,}",
    "p (Holm)": lambda test: p_value_text(test.adjusted),
}
RELATION_CELLS: dict[str, Callable[[RelationRow], str]] = {
    "sentences": lambda row: f"{row[1].tested.sentences:,}",
    "newly flagged": lambda row: f"{row[1].tested.newly_flagged:,}",
    "no longer flagged": lambda row: f"{row[1].tested.no_longer_flagged:,}",
    "p (Holm)": lambda row: p_value_text(row[1].tested.adjusted),
}


def comparison_tables(comparison: RunComparison) -> list[TextTable]:
    """The differences of the runs, the changes of cases, and the tests on sentences."""
    rows = [(regression, part) for regression in comparison.regressions for part in regression.parts]
    tables = list(_differences(comparison.regressions))
    cases = TextTable("Cases", _CASES, [_cases(*row) for row in rows], CASES)
    failed = [each for each in comparison.regressions if each.errors.before or each.errors.after]
    cells: dict[str, Callable[[Regression], str]] = {
        "runs": _runs,
        "relation": lambda regression: regression.name,
        "before": lambda regression: f"{regression.errors.before:,}",
        "after": lambda regression: f"{regression.errors.after:,}",
        "newly with an error": lambda regression: f"{regression.errors.newly:,}",
    }
    errors = [TextTable.of("Rows with an error", failed, cells)] if failed else []
    return [*tables, cases, *_joint(comparison.joint), relations_table(comparison.joint), *errors]


_CASES = (
    "runs", "relation", "in both", "newly failing", "newly fixed", "still failing", "still passing", "flaky", "changed",
    "only before", "only after",
)  # fmt: skip


def _cases(regression: Regression, part: ComparedPart) -> tuple[str, ...]:
    c = part.counts
    counts = (
        c.in_both, c.newly_failing, c.newly_fixed, c.still_failing, c.still_passing, c.flaky, c.changed,
    )  # fmt: skip
    alone = (_alone(c.only_before, c.only_before_failing), _alone(c.only_after, c.only_after_failing))
    return (_runs(regression), _name(regression.name, part.name), *(f"{count:,}" for count in counts), *alone)


def _joint(tests: Sequence[JointTest]) -> Iterator[TextTable]:
    """The joint tests; no table if each has but one relation, whose test is the same."""
    cells: dict[str, Callable[[JointTest], str]] = {
        "runs": lambda test: ", ".join(f"{before} → {after}" for before, after in test.runs),
        "relations": lambda test: test.name,
        **JOINT_CELLS,
    }
    if any(len(test.relations) > 1 for test in tests):
        yield TextTable.of("All relations together", tests, cells, JOINT)


def relations_table(tests: Sequence[JointTest]) -> TextTable:
    """The test of each relation, which says where systems differ."""
    cells: dict[str, Callable[[RelationRow], str]] = {
        "runs": lambda row: f"{row[1].before} → {row[1].after}",
        "relation": lambda row: _name(f"{row[1].relation} {row[0].direction}", row[1].granularity),
        **RELATION_CELLS,
    }
    rows = [(test, relation) for test in tests for relation in test.relations]
    return TextTable.of("Sentences by relation", rows, cells, SENTENCES)


def _differences(regressions: Sequence[Regression]) -> Iterator[TextTable]:
    """The differences of runs; pairs of runs with the same differences share a table."""
    alike: dict[tuple[tuple[str, str, str], ...], list[Regression]] = {}
    for regression in regressions:
        rows = tuple(
            (difference.name, difference.before or NONE, difference.after or NONE)
            for difference in regression.pair.differences
        )
        alike.setdefault(rows, []).append(regression)
    for rows, alike_regressions in alike.items():
        if rows:
            yield TextTable(
                f"What differs: {', '.join(map(_runs, alike_regressions))}", ("property", "before", "after"), rows
            )


def _alone(count: int, failing: int) -> str:
    return f"{count:,} ({failing:,} fail)" if failing else f"{count:,}"


def _runs(regression: Regression) -> str:
    return f"{regression.pair.before.id} → {regression.pair.after.id}"


def _name(relation: str, granularity: str) -> str:
    return f"{relation} ({granularity})" if granularity else relation


def suspicions(changed: ChangedCase) -> str:
    """`0.2 → 0.8`"""
    return " → ".join(number(row["suspicion"]) if row else NONE for row in (changed.before, changed.after))


def gate_table(gate: GateResult) -> TextTable:
    """A row for each rule and run, failed rules first."""
    cells: dict[str, Callable[[Check], str]] = {
        "": lambda check: "passed" if check.passed else "FAILED",
        "rule": lambda check: check.rule,
        "run": lambda check: ",".join(map(str, check.runs)),
        "relation": lambda check: check.name,
        "value": lambda check: check.value,
        "limit": lambda check: check.limit,
        "n": lambda check: f"{check.n:,}",
    }
    return TextTable.of("Rules", sorted(gate.checks, key=lambda check: check.passed), cells)


def verdict(gate: GateResult) -> str:
    """The outcome of the gate in one line."""
    failed, rules = sum(not check.passed for check in gate.checks), len(gate.checks)
    if gate.passed:
        return f"Gate passed: {rules} of {plural(rules, 'rule holds', 'rules hold')}."
    breaking = f" {plural(gate.breaking, 'finding breaks', 'findings break')} them." if gate.breaking else ""
    return f"Gate failed: {failed} of {plural(rules, 'rule')} {'does' if failed == 1 else 'do'} not hold.{breaking}"
