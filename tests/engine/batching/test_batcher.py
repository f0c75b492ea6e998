"""Many single questions become few full batches, and one bad text never more than one error row."""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import weakref
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.engine.batching.batcher import Batched
from concord.errors import BadAnswer, Down, Exhausted, Refused, StoreError, Throttled, Unauthorised, Unavailable
from concord.model import Limits, Text


def test_every_batch_but_the_last_is_full(checked, local):
    system = local(texts=32, in_flight=8)
    checked(system, [f"sentence {i}" for i in range(1500)])
    assert sum(map(len, system.batches)) == 3000
    assert 3000 / (32 * len(system.batches)) >= 0.95


def test_batches_stay_full_when_latency_is_jittered(checked, local, clock):
    rng = random.Random(3)
    system = local(texts=16, in_flight=4, latency=lambda: rng.uniform(0.001, 0.01))
    checked(system, [f"sentence {i}" for i in range(1500)], clock=clock)
    assert 3000 / (16 * len(system.batches)) >= 0.95


def test_identical_questions_in_flight_are_asked_once(checked, local):
    system = local()
    outcomes = checked(system, ["same"] * 50)
    assert system.texts == ["same", "SAME"]
    assert all(outcome.cases == [["SAME", "SAME"]] for outcome in outcomes)


def test_no_more_requests_are_in_flight_than_allowed(checked, local, clock):
    system = local(texts=4, in_flight=3, latency=lambda: 0.001)
    checked(system, [f"sentence {i}" for i in range(200)], clock=clock)
    assert system.most_at_once == 3


def test_a_batch_respects_the_limit_of_characters(checked, local):
    system = local(texts=100, characters=50)
    checked(system, ["x" * n for n in range(1, 50)])
    assert all(sum(map(len, batch)) <= 50 for batch in system.batches)


def test_a_text_over_the_limit_is_an_error_row_and_is_never_sent(checked, local):
    system = local(characters=1000)
    short, long = checked(system, ["fine", "x" * 10_000])
    assert short.error is None
    assert long.error == "the text has 10,000 characters; local takes 1,000"
    assert max(map(len, system.texts)) < 1000


def poisoned(*bad: str, error: Exception) -> Any:
    def one(text: str) -> str:
        if text in bad:
            raise error
        return text.upper()

    return one


def at_first(*failures: Exception) -> Any:
    """A system that begins with these failures."""
    left = iter(failures)

    def one(text: str) -> str:
        for failure in left:
            raise failure
        return text.upper()

    return one


@pytest.mark.parametrize("error", [BadAnswer("no JSON"), Refused("no"), KeyError("translations"), Unavailable("500")])
def test_a_failed_batch_is_halved_down_to_the_one_bad_text(checked, local, clock, error):
    words = [f"sentence {i}" for i in range(100)]
    outcomes = checked(local(poisoned("sentence 41", error=error), texts=32), words, clock=clock)
    assert [outcome.segment.position for outcome in outcomes if outcome.error] == [41]
    assert all(outcome.cases for outcome in outcomes if not outcome.error)


def test_an_error_in_place_of_an_answer_concerns_that_text_alone(checked, local):
    system = local(lambda text: Refused("not in the table") if text == "b" else text, texts=8)
    a, b, c = checked(system, ["a", "b", "c"])
    assert (a.error, b.error, c.error) == (None, "not in the table", None)
    assert len(system.batches) == 2


@pytest.mark.parametrize("answer", [None, 7])
def test_an_unusable_answer_is_an_error_row(checked, local, answer):
    good, bad = checked(local(lambda text: answer if text == "bad" else text), ["good", "bad"])
    assert good.error is None
    assert bad.error.startswith("local ")


def test_a_translator_that_always_gives_too_few_answers_ends_in_error_rows(checked, local):
    class Short(type(local())):
        async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
            return (await super().translate(texts, source, target))[:-1]

    outcomes = checked(Short(str.upper, Limits(texts=8)), [f"sentence {i}" for i in range(20)])
    assert {outcome.error for outcome in outcomes} == {"local gave 0 answers to 1 text"}


def test_a_translator_that_hangs_on_one_text_costs_that_text_only(checked, local, clock):
    class Stuck(type(local())):
        async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
            if "stuck" in texts:
                await asyncio.Event().wait()
            return await super().translate(texts, source, target)

    system = Stuck(str.upper, Limits(texts=8, seconds=0.02))
    outcomes = checked(system, ["a", "b", "stuck", "c", "d"], clock=clock)
    assert [outcome.error for outcome in outcomes if outcome.error] == ["local gave no answer within 0.02 s"]
    assert outcomes[2].error


def test_a_passing_failure_is_retried_after_a_pause(checked, local, clock):
    system = local(at_first(Unavailable("dropped"), Unavailable("dropped")))
    (outcome,) = checked(system, ["hello"], clock=clock)
    assert outcome.cases == [["HELLO", "HELLO"]]
    first, second, third, _ = system.times
    assert 0 < second - first < 2
    assert 0 < third - second < 4


def test_a_provider_that_throttles_for_ever_is_left_alone_in_the_end(checked, local, clock):
    system = local(poisoned("a", error=Throttled("again", retry_after=1.0)))
    with pytest.raises(Exhausted, match="60 times in a row"):
        checked(system, ["a"], clock=clock)
    assert len(system.batches) == 61
    assert all(after - before > 0.1 for before, after in itertools.pairwise(system.times))


def test_being_throttled_uses_up_no_attempt(checked, local, clock):
    failures = [Throttled("slow", 1.0), Throttled("slow", 1.0), Unavailable("reset"), Unavailable("reset")]
    (outcome,) = checked(local(at_first(*failures)), ["hello"], clock=clock)
    assert outcome.error is None


def test_halving_sends_little_more_than_the_batch(checked, local, clock):
    words = [f"sentence {i}" for i in range(256)]
    system = local(poisoned("sentence 41", error=Unavailable("500")), texts=256)
    checked(system, words, clock=clock)
    assert len(system.texts) < 256 * 3 + 2 * 256 + 256 + 20


def test_a_share_of_bad_texts_never_looks_like_a_dead_service(checked, local, clock):
    words = [f"sentence {i}" for i in range(300)]
    system = local(poisoned(*words[::3], error=Unavailable("500")), texts=64)
    outcomes = checked(system, words, clock=clock)
    assert [outcome.error is not None for outcome in outcomes] == [i % 3 == 0 for i in range(300)]


def test_an_answer_may_be_awaited_twice(checked, local, found):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        asked = translate(x, to)
        return [found((await asked).words, (await asked).words)]

    (outcome,) = checked(local(), ["a"], check)
    assert outcome.cases == [["A", "A"]]


@pytest.mark.parametrize("driven", [True, False])
def test_a_memory_that_cannot_be_read_ends_the_run_instead_of_hanging_it(checked, local, driven):
    class Broken(Notebook):
        def recall(self, lane: Any, items: Sequence[Any]) -> list[Any]:
            raise StoreError("the workspace is damaged")

    async def go() -> Any:
        async def answer(lane: Any, items: list[Any]) -> list[Any]:
            return items

        return await asyncio.wait_for(Batched(answer, Limits(), memory=Broken()).ask_now("lane", ["a"]), 60)

    if driven:
        with pytest.raises(StoreError, match="damaged"):
            checked(local(), ["a", "b"], memory=Broken())
    else:
        (answer,) = asyncio.run(go())
        assert isinstance(answer, StoreError)


def test_an_error_does_not_keep_alive_what_the_service_had_said():
    class Said:
        """Something large."""

    alive = []

    async def answer(lane, items):
        said = Said()
        alive.append(weakref.ref(said))
        try:
            raise ValueError("it cannot be decoded")
        except ValueError:
            raise BadAnswer("that is no answer") from None

    (error,) = asyncio.run(Batched(answer, Limits()).ask_now("lane", ["a"]))
    assert str(error) == "that is no answer"
    gc.collect()
    assert alive[0]() is None


def test_nothing_is_sent_after_the_end_not_even_again(clock):
    requests, sent = [], []

    async def answer(lane: Any, items: list[Any]) -> list[Any]:
        requests.append(items)
        raise Throttled("later", retry_after=0.2)

    async def go() -> float:
        service = Batched(answer, Limits(texts=1, in_flight=2), size=lambda item: 1, waits=clock.waits())
        asking = asyncio.ensure_future(service.ask_now("lane", [1, 2, 3]))
        await asyncio.sleep(0.05)
        began = clock.now
        await service.drain()
        sent.append(len(requests))
        waited = clock.now - began
        asking.cancel()
        await asyncio.sleep(0.3)
        return waited

    assert clock.run(go()) < 0.15
    assert sent == [len(requests)]


def test_retry_after_is_honoured(checked, local, clock):
    system = local(at_first(Throttled("slow down", retry_after=12.0)))
    (outcome,) = checked(system, ["hello"], clock=clock)
    assert outcome.error is None
    assert 12.0 < system.times[1] <= 13.2


def test_throttling_halves_the_requests_in_flight_and_success_brings_them_back():
    throttle = [True]

    async def answer(lane: Any, items: list[Any]) -> list[Any]:
        if throttle[0]:
            throttle[0] = False
            raise Throttled("slow down", retry_after=0.0)
        return items

    async def go() -> list[int]:
        service = Batched(answer, Limits(texts=1, in_flight=8), size=lambda item: 1)
        widths = []
        await service.ask_now("lane", ["first"])
        widths.append(service._health.width)
        await service.ask_now("lane", list(range(100)))
        widths.append(service._health.width)
        return widths

    assert asyncio.run(go()) == [4, 8]


@pytest.mark.parametrize("error", [Unauthorised("set LOCAL_KEY"), Exhausted("the quota is used up")])
def test_errors_that_every_request_would_meet_end_the_run(checked, local, error):
    with pytest.raises(type(error), match=str(error)):
        checked(local(poisoned("sentence 41", error=error)), [f"sentence {i}" for i in range(100)])


def test_a_service_that_stopped_answering_ends_the_run_instead_of_filling_it_with_errors(checked, local, clock):
    system = local(poisoned(*(f"s{i}" for i in range(1000)), error=Unavailable("connection refused")))
    with pytest.raises(Down, match="connection refused"):
        checked(system, [f"s{i}" for i in range(1000)], clock=clock)


def test_a_provider_that_wants_an_hour_ends_the_run(checked, local, clock):
    with pytest.raises(Exhausted, match="3600 s"):
        checked(local(poisoned("a", error=Throttled("later", 3600.0))), ["a"], clock=clock)


class Notebook:
    """A memory that notes the order of things."""

    def __init__(self) -> None:
        self.known: dict[tuple[Any, Any], Any] = {}

    def recall(self, lane: Any, items: Sequence[Any]) -> list[Any]:
        return [self.known.get((lane, item)) for item in items]

    def commit(self, lane: Any, items: Sequence[Any], answers: Sequence[Any]) -> None:
        self.known.update({(lane, item): answer for item, answer in zip(items, answers, strict=True)})


def test_an_answer_is_committed_before_a_check_sees_it(checked, local):
    memory = Notebook()
    seen = []

    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        there = await translate(x, to)
        seen.append(memory.known.get(((x.lang, to), x.words)) == there.words)
        return []

    checked(local(), [f"sentence {i}" for i in range(40)], check, memory=memory)
    assert seen == [True] * 40


def test_what_the_memory_knows_is_not_sent(checked, local):
    memory = Notebook()
    words = [f"sentence {i}" for i in range(40)]
    first, second = local(), local()
    before = checked(first, words, memory=memory)
    after = checked(second, words, memory=memory)
    assert second.batches == []
    assert [outcome.cases for outcome in before] == [outcome.cases for outcome in after]


def test_errors_are_never_remembered(checked, local):
    memory = Notebook()
    checked(local(poisoned("bad", error=Refused("no"))), ["good", "bad"], memory=memory)
    assert ("bad" in {item for _, item in memory.known}) is False


def test_a_memory_that_cannot_be_written_ends_the_run(checked, local):
    class Full(Notebook):
        def commit(self, lane: Any, items: Sequence[Any], answers: Sequence[Any]) -> None:
            raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="disk is full"):
        checked(local(), ["a", "b"], memory=Full())


def test_counts_add_up(local):
    async def go() -> Any:
        async def answer(lane: Any, items: list[Any]) -> list[Any]:
            return items

        service = Batched(answer, Limits(texts=4), memory=Notebook())
        await service.ask_now("lane", ["a", "b", "a"])
        await service.ask_now("lane", ["a", "c"])
        return service.counts

    counts = asyncio.run(go())
    assert (counts.asked, counts.sent, counts.cached) == (5, 3, 2)


@settings(deadline=None, max_examples=30)
@given(
    words=st.lists(st.text(min_size=1).filter(str.strip), max_size=40),
    texts=st.integers(1, 9),
    in_flight=st.integers(1, 5),
    seed=st.integers(0, 9),
)
def test_the_outcome_does_not_depend_on_batches_and_timing(words, texts, in_flight, seed):
    rng = random.Random(seed)

    async def answer(lane: Any, items: list[Any]) -> list[Any]:
        for _ in range(rng.randrange(4)):
            await asyncio.sleep(0)
        return [item[::-1] for item in items]

    async def go() -> list[Any]:
        service = Batched(answer, Limits(texts=texts, in_flight=in_flight))
        return await service.ask_now("lane", words)

    assert asyncio.run(go()) == [each[::-1] for each in words]
