"""Outages are waited out, at little cost; a text that a service cannot do is told from a service that is down."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.engine.batching.batcher import Batched
from concord.engine.batching.budget import Budget
from concord.engine.batching.health import retried, unreached
from concord.errors import BadAnswer, Down, Exhausted, Refused, ServiceError, Throttled, Unavailable
from concord.model import Limits, System
from concord.runs.plan import directions
from concord.translators._http import Http


def out(clock: Any, since: float, until: float, error: Exception | None = None) -> Callable[[str], str]:
    """A service that is down for a while."""

    def one(text: str) -> str:
        if since <= clock.now < until:
            raise error or Unavailable("failed (status 503)")
        return text.upper()

    return one


WORDS = [f"{i:04}" + "x" * 46 for i in range(300)]


@pytest.mark.parametrize("texts", [1, 50, 500])
@pytest.mark.parametrize(("since", "until"), [(0, 10), (0.3, 31), (0.3, 100)])
def test_an_outage_that_ends_leaves_no_error_behind(checked, local, clock, texts, since, until):
    system = local(out(clock, since, until), texts=texts, in_flight=4, latency=lambda: 0.2)
    outcomes = checked(system, WORDS, clock=clock)
    assert [outcome.error for outcome in outcomes] == [None] * 300


def test_an_outage_costs_little(checked, local, clock):
    budget = Budget(max_characters=10**9)
    system = local(out(clock, 1, 61), texts=50, in_flight=4, latency=lambda: 0.4)
    checked(system, WORDS, gate=budget.gate(system), clock=clock)
    during = [batch for batch, time in zip(system.batches, system.times, strict=True) if 1 <= time < 61]
    assert len(during) < 30
    assert sum(map(len, during)) < 7 * 50
    assert sum(map(len, system.batches)) < 600 + 8 * 50


@pytest.mark.parametrize(("since", "patience"), [(0, 20), (1, 120)])
def test_an_outage_that_does_not_end_ends_the_run(checked, local, clock, since, patience):
    system = local(out(clock, since, 10**9), texts=50, latency=lambda: 0.1)
    with pytest.raises(Down, match=r"has not answered for .* s; last: failed \(status 503\)\. Try it by .* --timeout"):
        checked(system, [f"{i}" for i in range(2000)], clock=clock)
    assert patience < clock.now - since < patience + 60


def test_a_service_that_wants_years_of_patience_ends_the_run(checked, local, clock):
    def one(text: str) -> str:
        raise Throttled("asks for patience (status 429)", 999_999_999)

    with pytest.raises(Exhausted, match=r"left alone for 999999999 s: .*\. To go on: the same command later"):
        checked(local(one, texts=1), ["a"], clock=clock)


def test_one_slow_answer_is_asked_for_again(checked, local, clock):
    slow = iter([100.0])
    system = local(texts=1, latency=lambda: next(slow, 0.0), seconds=60.0)
    (outcome,) = checked(system, ["hello"], clock=clock)
    assert outcome.error is None
    assert system.texts == ["hello", "hello", "HELLO"]
    assert 60.0 < system.times[1] < 62.0


def test_a_text_that_is_always_late_is_tried_twice(checked, local, clock):
    class Stuck(type(local())):
        async def translate(self, texts: Any, source: str, target: str) -> list[Any]:
            answers = await super().translate(texts, source, target)
            await asyncio.sleep(100.0 if "stuck" in texts else 1.0)
            return answers

    system = Stuck(str.upper, Limits(texts=1, in_flight=2, seconds=60.0))
    outcomes = checked(system, ["stuck", *WORDS[:100]], clock=clock)
    assert [outcome.error for outcome in outcomes if outcome.error] == ["local gave no answer within 60 s"]
    assert system.texts.count("stuck") == 2


def test_late_answers_narrow_the_requests_in_flight(checked, local, clock):
    slow = iter([100.0] * 4)
    system = local(texts=1, in_flight=4, latency=lambda: next(slow, 1.0), seconds=60.0)
    checked(system, WORDS[:20], clock=clock)
    after = [time for time in system.times if 60.0 <= time < 60.9]
    assert len(after) <= 2


@pytest.mark.parametrize("texts", [1, 8, 64])
@pytest.mark.parametrize("count", [1, 2, 60])
@pytest.mark.parametrize("every", [2, 3, 10])
def test_texts_that_a_service_fails_on_are_found_in_time_wherever_they_stand(
    checked, local, clock, texts, count, every
):
    words = ["good", *(f"bad {i}" if i % every == 0 else f"fine {i}" for i in range(count))]

    def one(text: str) -> str:
        if text.startswith("bad"):
            raise Unavailable("500")
        return text.upper()

    outcomes = checked(local(one, texts=texts), words, clock=clock)
    assert [bool(outcome.error) for outcome in outcomes] == [word.startswith("bad") for word in words]
    assert clock.now < 120


def test_a_known_text_is_asked_again_only_where_all_that_is_left_has_failed(checked, local, clock):
    def one(text: str) -> str:
        if text == "bad":
            raise Unavailable("500")
        return text.upper()

    system = local(one, texts=1)
    assert [bool(outcome.error) for outcome in checked(system, ["a", "b", "bad"], clock=clock)] == [False, False, True]
    again = {text: system.texts.count(text) for text in set(system.texts) - {"bad"}}
    assert sum(again.values()) <= len(again) + 1


def test_a_throttled_text_is_asked_again_without_those_that_were_answered(checked, local, clock):
    busy = iter([Throttled("busy", 3.0), Unavailable("reset")])
    system = local(lambda text: next(busy, "LONG") if text == "long" else text.upper(), texts=8)
    outcomes = checked(system, ["a", "long", "b"], clock=clock)
    assert [outcome.error for outcome in outcomes] == [None] * 3
    assert (system.texts.count("a"), system.texts.count("b"), system.texts.count("long")) == (1, 1, 3)


def test_a_text_that_stays_unavailable_is_an_error_row_and_keeps_the_others(checked, local, clock):
    system = local(lambda text: Unavailable("500") if text == "bad" else text.upper(), texts=8)
    a, bad, b = checked(system, ["a", "bad", "b"], clock=clock)
    assert (a.error, bad.error, b.error) == (None, "500", None)
    assert system.texts.count("bad") == 3
    assert system.texts.count("a") == 1


def test_a_quota_that_ends_within_a_batch_keeps_what_was_answered(checked, local):
    kept = []

    class Memory:
        def recall(self, lane: Any, items: Any) -> list[None]:
            return [None] * len(items)

        def commit(self, lane: Any, items: Any, answers: Any) -> None:
            kept.extend(items)

    system = local(lambda text: Exhausted("used up") if text == "late" else text.upper(), texts=8)
    with pytest.raises(Exhausted, match="used up"):
        checked(system, ["a", "b", "late"], memory=Memory())
    assert kept == ["a", "b"]


class Listing(System):
    """Says which languages it can do, after some errors."""

    id = "listing"

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked = 0

    async def translate(self, texts: Any, source: str, target: str) -> list[str]:
        return list(texts)

    async def directions(self) -> set[tuple[str, str]]:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return {("en", "es")}


# -- throttling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("retry_after", [None, 0.0, -5.0])
@pytest.mark.parametrize("in_flight", [1, 4])
def test_a_service_that_only_throttles_and_does_not_say_until_when_is_given_up(
    checked, local, clock, retry_after, in_flight
):
    system = local(out(clock, 0, 10**9, Throttled("busy", retry_after)), texts=1, in_flight=in_flight)
    with pytest.raises(Exhausted, match=r"only throttled for 120 s, without one answer .*: busy\. To go on: the same"):
        checked(system, WORDS, clock=clock)
    assert 120 <= clock.now < 125
    assert len(system.batches) < 60


def test_how_long_it_may_throttle_is_a_limit(checked, local, clock):
    system = local(out(clock, 0, 10**9, Throttled("busy")), throttled_for=30.0)
    with pytest.raises(Exhausted, match="only throttled for 30 s"):
        checked(system, WORDS, clock=clock)


def test_every_answer_makes_a_service_that_throttles_worth_waiting_for(checked, local, clock):
    def one(text: str) -> str:
        if clock.now % 100 < 50:
            raise Throttled("busy")
        return text.upper()

    system = local(one, texts=1, in_flight=1, latency=lambda: 1.0)
    outcomes = checked(system, WORDS[:100], clock=clock)
    assert [outcome.error for outcome in outcomes] == [None] * 100
    assert clock.now > 240


def test_a_service_that_says_when_to_come_back_is_waited_for(checked, local, clock):
    system = local(out(clock, 0, 700, Throttled("busy", 100.0)))
    outcomes = checked(system, WORDS, clock=clock)
    assert [outcome.error for outcome in outcomes] == [None] * 300
    assert len([time for time in system.times if time < 700]) < 12


def test_what_a_service_has_said_before_does_not_count_against_it(checked, local, clock):
    said = itertools.cycle([None, None, 60.0])

    def one(text: str) -> str:
        if clock.now < 600:
            raise Throttled("busy", next(said))
        return text.upper()

    (outcome,) = checked(local(one), ["hello"], clock=clock)
    assert outcome.error is None


@pytest.mark.parametrize("error", [Throttled("busy", 7.0), Throttled("busy"), Unavailable("reset")])
def test_the_list_of_languages_is_asked_for_again(clock, error):
    system = Listing(error, error)
    assert clock.run(directions(system)) == {("en", "es")}
    assert clock.now >= 2 * (getattr(error, "retry_after", None) or 0.0)
    assert clock.now > 0


def test_the_list_of_languages_is_asked_for_a_few_times_only(clock):
    system = Listing(*[Unavailable("reset")] * 10)
    with pytest.raises(Unavailable, match="reset"):
        clock.run(directions(system))
    assert system.asked == 4


@pytest.mark.parametrize("error", [Refused("no"), Throttled("tomorrow", 86_400.0)])
def test_what_waiting_does_not_help_is_said_at_once(clock, error):
    system = Listing(error)
    with pytest.raises(type(error), match=str(error)):
        clock.run(retried(system.directions, clock.waits()))
    assert (system.asked, clock.now) == (1, 0.0)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_server_that_does_not_listen_is_known_from_one_that_breaks_off(host):
    async def ask() -> None:
        await Http(f"http://{host}:1", name="nobody").get_json("/")

    with pytest.raises(Unavailable) as raised:
        asyncio.run(ask())
    assert unreached(raised.value)
    assert not unreached(Unavailable("broke off"))


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    rate=st.sampled_from([0.05, 0.3, 0.6]),
    texts=st.integers(1, 9),
    in_flight=st.integers(1, 5),
    per_second=st.sampled_from([None, 1.0, 7.0]),
    cap=st.sampled_from([10**9, 400, 37]),
)
def test_whatever_fails_the_run_ends_within_its_limits(new_clock, seed, rate, texts, in_flight, per_second, cap):
    clock, rng, log = new_clock(), random.Random(seed), Log()
    kinds = [Unavailable("reset"), Throttled("busy", 1.5), Throttled("busy"), BadAnswer("no JSON"), KeyError("text")]

    async def answer(lane: Any, items: list[str]) -> list[Any]:
        with log.under_way(clock.now):
            await asyncio.sleep(rng.choice([0.0, 0.3, 80.0 if rng.random() < 0.1 else 0.1]))
        if rng.random() < rate:
            raise rng.choice(kinds)
        return [rng.choice(kinds[:2]) if rng.random() < rate / 5 else item[::-1] for item in items]

    async def go() -> list[Any]:
        limits = Limits(texts=texts, in_flight=in_flight, per_second=per_second)
        gate = Budget(max_characters=cap).gate(Listing())
        return await Batched(answer, limits, gate=gate, waits=clock.waits()).ask_now("lane", words)

    words = [f"text {i}" for i in range(40)]
    answers = clock.run(go())
    assert all(isinstance(told, ServiceError) or told == word[::-1] for told, word in zip(answers, words, strict=True))
    assert log.most <= in_flight
    assert per_second is None or all(b - a >= 1 / per_second - 1e-6 for a, b in itertools.pairwise(log.times))


class Log:
    """When requests arrived, and how many were under way at once."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.most = self.now = 0

    @contextlib.contextmanager
    def under_way(self, time: float) -> Iterator[None]:
        self.times.append(time)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            yield
        finally:
            self.now -= 1
