"""Caps are hard: not one character beyond, and all that fits is bought."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.engine.batching.budget import Budget
from concord.errors import Exhausted, Throttled, Unavailable, UserError
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
    gate = budget.gate(Hosted())
    sent = 0
    for batch in batches:
        assert gate.remaining() == cap - sent
        try:
            gate.admit(batch)
        except Exhausted:
            assert sent + sum(map(len, batch)) > cap
        else:
            sent += sum(map(len, batch))
    assert sent == budget.characters <= cap


@given(st.floats(0, 1), st.floats(0.001, 1000), st.lists(st.integers(0, 5000), max_size=20))
def test_the_room_left_by_a_cost_is_all_that_may_be_spent_and_no_more(cap, price, sizes):
    budget = Budget(max_cost=cap, per_million=price)
    gate = budget.gate(Free())
    for size in sizes:
        gate.admit(["x" * min(size, gate.remaining())])
        assert budget.cost <= cap
    room = gate.remaining()
    assert budget.cost_with(price, room) <= cap < budget.cost_with(price, room + 1)


@given(st.lists(st.integers(0, 5000), max_size=20))
def test_what_is_given_back_can_be_spent_again(sizes):
    budget = Budget(max_characters=10**9, max_cost=100.0)
    gate = budget.gate(Hosted())
    before = gate.remaining()
    for size in sizes:
        gate.admit(["x" * size])
    for size in sizes:
        gate.give_back(["x" * size])
    assert (gate.remaining(), budget.characters, budget.cost) == (before, 0, 0.0)


def test_every_request_is_noted_for_its_account_even_if_nothing_is_capped():
    noted = []
    gate = Budget(note=lambda account, characters: noted.append((account, characters))).gate(Free())
    assert gate.remaining() is None
    gate.admit(["12345", "678"])
    gate.give_back(["678"])
    assert noted == [("free", 8), ("free", -3)]


def test_a_request_that_is_turned_away_is_not_noted():
    noted = []
    gate = Budget(max_characters=3, note=lambda account, characters: noted.append(characters)).gate(Free())
    with pytest.raises(Exhausted):
        gate.admit(["1234"])
    assert noted == []


@pytest.mark.parametrize("cap", ["max_cost", "per_million", "max_characters"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1])
def test_a_cap_is_a_number(cap, value):
    with pytest.raises(UserError, match="not negative"):
        Budget(**{cap: value})


def test_a_cost_is_counted_by_the_list_price_or_by_the_users():
    for budget, texts in ((Budget(max_cost=0.001), 50), (Budget(max_cost=0.001, per_million=10.0), 100)):
        gate = budget.gate(Hosted())
        gate.admit(["x" * texts])
        with pytest.raises(Exhausted, match="--max-cost"):
            gate.admit(["x"])


def test_a_price_that_nobody_knows_must_be_said():
    with pytest.raises(UserError, match="--price"):
        Budget(max_cost=1.0).gate(Free())
    assert Budget(max_cost=1.0, per_million=5.0).gate(Free()) is not None


def test_without_caps_nothing_is_asked():
    assert Budget().gate(Hosted()) is None


def test_one_budget_serves_several_systems():
    budget = Budget(max_characters=10)
    budget.gate(Hosted()).admit(["12345"])
    budget.gate(Free()).admit(["12345"])
    with pytest.raises(Exhausted, match="10 characters"):
        budget.gate(Free()).admit(["1"])


@pytest.mark.parametrize("in_flight", [1, 3])
def test_a_run_buys_all_that_its_cap_allows_and_nothing_more(checked, local, in_flight):
    budget = Budget(max_characters=100)
    system = local(texts=4, in_flight=in_flight)
    with pytest.raises(Exhausted, match="100 characters"):
        checked(system, [f"sentence {i:02}" for i in range(40)], gate=budget.gate(Free()))
    assert 100 - len("sentence 00") < sum(map(len, system.texts)) <= 100


def test_a_cap_smaller_than_a_batch_is_still_used(checked, local):
    system = local(texts=50, in_flight=2, characters=16_000)
    texts = [f"{i:03}" + "x" * 97 for i in range(200)]
    with pytest.raises(Exhausted, match="another request of 100 "):
        checked(system, texts, gate=Budget(max_characters=4000).gate(Free()))
    assert system.texts == texts[:40]


def test_what_is_given_back_late_is_still_bought(checked, local, clock):
    error = Throttled("busy", 2.0)
    system = local(failing(error), texts=50, in_flight=4, latency=lambda: 0.5)
    texts = [f"{i:03}" + "x" * 97 for i in range(400)]
    budget = Budget(max_characters=4000)
    with pytest.raises(Exhausted, match="another request of 100 "):
        checked(system, texts, gate=budget.gate(Free()), clock=clock)
    assert system.batches == [texts[:40], texts[:40]]
    assert budget.characters == 4000


def test_the_month_too_is_used_to_its_end(checked, local):
    system = local(texts=50)
    budget = Budget(spent_this_month=lambda account: 70)
    with pytest.raises(Exhausted, match="a month"):
        checked(system, [f"{i:010}" for i in range(50)], gate=budget.gate(Monthly()))
    assert len(system.texts) == 3


def failing(*errors):
    left = list(errors)

    def one(text):
        if left:
            raise left.pop(0)
        return text.upper()

    return one


@pytest.mark.parametrize("error", [Throttled("busy"), Throttled("busy", 2.0)])
def test_what_was_certainly_not_translated_costs_nothing(checked, local, clock, error):
    budget = Budget(max_characters=250)
    system = local(failing(*[error] * 8))
    (outcome,) = checked(system, ["x" * 100], gate=budget.gate(Free()), clock=clock)
    assert outcome.error is None
    assert budget.characters == 200


def test_a_refused_connection_costs_nothing_and_a_dropped_one_may(checked, local, clock):
    for cause, spent in ((ConnectionRefusedError(), 200), (ConnectionResetError(), 300)):
        error = Unavailable("it failed")
        error.__context__ = cause
        budget = Budget(max_characters=1000)
        checked(local(failing(error)), ["x" * 100], gate=budget.gate(Free()), clock=clock)
        assert budget.characters == spent


def test_a_request_that_timed_out_may_be_billed(checked, local, clock):
    slow = iter([100.0])
    budget = Budget(max_characters=1000)
    system = local(latency=lambda: next(slow, 0.0), seconds=60.0)
    checked(system, ["x" * 100], gate=budget.gate(Free()), clock=clock)
    assert budget.characters == 300


class Monthly(Hosted):
    id = "hosted:plan,model=small"
    limits = Limits(per_month=100)


def test_a_month_counts_what_was_sent_before_this_command_under_any_options():
    asked = []

    def before(account):
        asked.append(account)
        return 70

    gate = Budget(spent_this_month=before).gate(Monthly())
    gate.admit(["x" * 20])
    with pytest.raises(Exhausted, match=r"100 characters a month.* 90: .*next month.*per_month"):
        gate.admit(["x" * 11])
    gate.admit(["x" * 10])
    assert asked == ["hosted"]


def test_what_another_cap_turned_away_is_not_counted_for_the_month():
    budget = Budget(max_characters=50, spent_this_month=lambda account: 0)
    gate = budget.gate(Monthly())
    with pytest.raises(Exhausted, match="--max-chars"):
        gate.admit(["x" * 60])
    gate.admit(["x" * 50])
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
