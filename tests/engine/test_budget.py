"""Caps are hard: not one request beyond."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.engine.budget import Budget
from concord.errors import Exhausted, UserError
from concord.model import Limits, Price, System


class Hosted(System):
    id = "hosted"
    limits = Limits(texts=4)
    price = Price(20.0, "EUR", "2026-11-01", "the price list")

    async def translate(self, texts, source, target):
        return list(texts)


class Free(Hosted):
    id = "free"
    price = None


@given(st.lists(st.lists(st.text(max_size=30), max_size=5), max_size=20), st.integers(0, 200))
def test_what_is_sent_never_exceeds_the_characters(batches, cap):
    budget = Budget(max_characters=cap)
    admit = budget.gate(Hosted())
    sent = 0
    for batch in batches:
        try:
            admit(batch)
        except Exhausted:
            assert sent + sum(map(len, batch)) > cap
        else:
            sent += sum(map(len, batch))
    assert sent == budget.characters <= cap


def test_a_cost_is_counted_by_the_list_price_or_by_the_users():
    for budget, texts in ((Budget(max_cost=0.001), 50), (Budget(max_cost=0.001, per_million=10.0), 100)):
        admit = budget.gate(Hosted())
        admit(["x" * texts])
        with pytest.raises(Exhausted, match="--max-cost"):
            admit(["x"])


def test_a_price_that_nobody_knows_must_be_said():
    with pytest.raises(UserError, match="--price"):
        Budget(max_cost=1.0).gate(Free())
    assert Budget(max_cost=1.0, per_million=5.0).gate(Free()) is not None


def test_without_caps_nothing_is_asked():
    assert Budget().gate(Hosted()) is None


def test_one_budget_serves_several_systems():
    budget = Budget(max_characters=10)
    budget.gate(Hosted())(["12345"])
    budget.gate(Free())(["12345"])
    with pytest.raises(Exhausted, match="10 characters"):
        budget.gate(Free())(["1"])


def test_a_cap_cannot_be_negative():
    with pytest.raises(UserError, match="negative"):
        Budget(max_characters=-1)


def test_a_run_stops_at_its_cap_and_goes_on_with_a_larger_one(checked, local, sleeper):
    budget = Budget(max_characters=100)
    system = local(texts=4, in_flight=3)
    with pytest.raises(Exhausted, match="100 characters"):
        checked(system, [f"sentence {i:02}" for i in range(40)], gate=budget.gate(Free()))
    assert sum(map(len, system.texts)) <= 100


def test_no_more_requests_a_second_than_allowed(checked, local, sleeper):
    system = local(texts=1, in_flight=4, per_second=2.0)
    checked(system, [f"s{i}" for i in range(5)], waits=sleeper.waits())
    assert sum(seconds for seconds in sleeper.slept) >= 9 * 0.5 - 0.01


class Monthly(Hosted):
    id = "hosted:plan,model=small"
    limits = Limits(per_month=100)


def test_a_month_counts_what_was_sent_before_this_command_under_any_options():
    asked = []

    def before(account):
        asked.append(account)
        return 70

    admit = Budget(spent_this_month=before).gate(Monthly())
    admit(["x" * 20])
    with pytest.raises(Exhausted, match=r"100 characters a month.* 90: .*next month.*per_month"):
        admit(["x" * 11])
    admit(["x" * 10])
    assert asked == ["hosted"]


def test_what_another_cap_turned_away_is_not_counted_for_the_month():
    budget = Budget(max_characters=50, spent_this_month=lambda account: 0)
    admit = budget.gate(Monthly())
    with pytest.raises(Exhausted, match="--max-chars"):
        admit(["x" * 60])
    admit(["x" * 50])
    assert budget.characters == 50


def test_costs_in_two_currencies_are_not_added():
    class Elsewhere(Hosted):
        id = "elsewhere"
        price = Price(50.0, "CNY", "2026-11-01", "the price list")

    budget = Budget(max_cost=1.0)
    budget.gate(Hosted())
    with pytest.raises(UserError, match="EUR and CNY"):
        budget.gate(Elsewhere())
    priced = Budget(max_cost=1.0, per_million=3.0)
    assert all(priced.gate(system) for system in (Hosted(), Elsewhere()))
