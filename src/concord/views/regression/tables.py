"""Comparisons and gates as tables, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from concord.analyses.regression.gate import GateResult
from concord.analyses.regression.regression import ChangedCase, ComparedPart, Regression, RunComparison
from concord.plural import plural
from concord.stats.sign_test import p_value_text as p_value_text  # the web page shows it as well
from concord.views.tables import NONE, TextTable
from concord.views.wording import number

CASES = (
    "A case is the same in both runs if it asks the same. It fails if it is violated each time that it occurs in a run;"
    " it is flaky, and counted as nothing else, if in one of the runs it is sometimes. Changed: with other answers than"
    " before, of the cases of both runs. Only before, only after: those of one run alone, and how many of them fail."
)
SENTENCES = (
    "Sentences: those that were judged in both runs; one is violated if it has a violated case in more than half of its"
    " repetitions. p: exact sign test (McNemar) on the sentences that are violated in one run alone, adjusted for all"
    " rows (Holm)."
)


def comparison_tables(found: RunComparison) -> list[TextTable]:
    """What differs, what became of cases, and the test on sentences."""
    rows = [(regression, part) for regression in found.regressions for part in regression.parts]
    tables = list(_differences(found.regressions))
    cases = TextTable("Cases", _CASES, [_cases(*row) for row in rows], CASES)
    sentences = TextTable("Sentences", _SENTENCES, [_sentences(*row) for row in rows], SENTENCES)
    errors = [
        (
            _runs(regression),
            regression.name,
            f"{regression.errors.before:,}",
            f"{regression.errors.after:,}",
            f"{regression.errors.newly:,}",
        )
        for regression in found.regressions
        if regression.errors.before or regression.errors.after
    ]
    failed = [TextTable("Rows with an error", ("runs", "relation", "before", "after", "sentences newly"), errors)]
    return [*tables, cases, sentences, *(failed if errors else [])]


_CASES = (
    "runs", "relation", "in both", "newly failing", "newly fixed", "still failing", "still passing", "flaky", "changed",
    "only before", "only after",
)  # fmt: skip
_SENTENCES = ("runs", "relation", "sentences", "newly violated", "no longer violated", "p (Holm)")


def _cases(found: Regression, part: ComparedPart) -> tuple[str, ...]:
    c = part.counts
    counts = (
        c.in_both, c.newly_failing, c.newly_fixed, c.still_failing, c.still_passing, c.flaky, c.changed,
    )  # fmt: skip
    alone = (_alone(c.only_before, c.only_before_failing), _alone(c.only_after, c.only_after_failing))
    return (_runs(found), _name(found, part), *(f"{count:,}" for count in counts), *alone)


def _sentences(found: Regression, part: ComparedPart) -> tuple[str, ...]:
    t = part.tested
    counts = (t.sentences, t.newly_violated, t.no_longer_violated)
    return (_runs(found), _name(found, part), *(f"{count:,}" for count in counts), p_value_text(t.adjusted))


def _differences(found: Sequence[Regression]) -> Iterator[TextTable]:
    """What differs, once for all pairs that differ in the same."""
    alike: dict[tuple[tuple[str, str, str], ...], list[Regression]] = {}
    for regression in found:
        rows = tuple(
            (difference.name, difference.before or NONE, difference.after or NONE)
            for difference in regression.pair.differences
        )
        alike.setdefault(rows, []).append(regression)
    for rows, those in alike.items():
        if rows:
            yield TextTable(f"What differs: {', '.join(map(_runs, those))}", ("what", "before", "after"), rows)


def _alone(count: int, failing: int) -> str:
    return f"{count:,} ({failing:,} fail)" if failing else f"{count:,}"


def _runs(found: Regression) -> str:
    return f"{found.pair.before.id} → {found.pair.after.id}"


def _name(found: Regression, part: ComparedPart) -> str:
    return f"{found.name} ({part.name})" if part.name else found.name


def suspicions(changed: ChangedCase) -> str:
    """`0.2 → 0.8`"""
    return " → ".join(number(row["suspicion"]) if row else NONE for row in (changed.before, changed.after))


def gate_table(gate: GateResult) -> TextTable:
    """A row for each rule and run, those that are broken first."""
    rows = [
        (
            "passed" if each.passed else "FAILED",
            each.rule,
            str(each.run),
            each.name,
            each.value,
            each.limit,
            f"{each.n:,}",
        )
        for each in sorted(gate.checks, key=lambda check: check.passed)
    ]
    return TextTable("Rules", ("", "rule", "run", "relation", "value", "limit", "n"), rows)


def verdict(gate: GateResult) -> str:
    """One line that says it."""
    broken = sum(not check.passed for check in gate.checks)
    rules: Sequence[object] = gate.checks
    if gate.passed:
        return f"Gate passed: {len(rules)} of {plural(len(rules), 'rule holds', 'rules hold')}."
    return f"Gate failed: {broken} of {plural(len(rules), 'rule')} {'is' if broken == 1 else 'are'} broken."
