"""A window of live checks over a corpus."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from concord.engine.rng import rng
from concord.engine.run import bind, run
from concord.engine.translate import Translating
from concord.errors import Interrupted, Untested, UserError
from concord.model import Segment, Text


def test_each_segment_has_one_outcome_per_repetition(checked, local):
    outcomes = checked(local(), ["a", "b"], repetitions=3)
    assert [(o.segment.position, o.repetition) for o in outcomes] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_an_empty_corpus_has_no_outcomes(checked, local):
    assert checked(local(), []) == []


def test_a_check_that_raises_is_a_row_with_an_error(checked, local):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        await translate(x, to)
        if x.words == "b":
            raise ZeroDivisionError("division by zero")
        return []

    a, b = checked(local(), ["a", "b"], check)
    assert a.error is None
    assert b.error == "ZeroDivisionError: division by zero"


def test_a_relation_with_nothing_to_test_says_why(checked, local):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        raise Untested("half a \ud800 reason")

    (outcome,) = checked(local(), ["a"], check)
    assert (outcome.cases, outcome.error, outcome.untested) == ([], None, r"half a \ud800 reason")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda case: None, "list of cases"),
        (lambda case: [case, 1], "list of cases"),
        (lambda case: [replace(case, suspicion=float("nan"))], "not a number"),
        (lambda case: [replace(case, suspicion="high")], "cannot be stored"),
        (lambda case: [replace(case, evidence={"found": {1, 2}})], "cannot be stored"),
    ],
)
def test_what_a_relation_returns_wrongly_is_a_row_with_an_error(checked, local, found, change, said):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        return change(found(x.words)) if x.words == "b" else [found(x.words)]

    a, b, c = checked(local(), ["a", "b", "c"], check)
    assert (a.error, c.error) == (None, None)
    assert said in b.error


def test_an_error_message_is_always_valid_text(checked, local):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        raise ValueError("half a \ud800 character")

    (outcome,) = checked(local(), ["a"], check)
    assert outcome.error == "ValueError: half a \\ud800 character"


def test_what_the_user_can_cure_ends_the_run(checked, local):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        raise UserError("name a pivot")

    with pytest.raises(UserError, match="name a pivot"):
        checked(local(), ["a"], check)


def test_a_check_may_await_services_only(checked, local):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        await asyncio.sleep(0)
        return []

    with pytest.raises(UserError, match="services only"):
        checked(local(), ["a"], check)


def test_an_unknown_service_is_named_before_anything_runs(relation_of):
    async def check(x: Text, telepathy: Any, *, to: str) -> list[Any]:
        return []

    with pytest.raises(UserError, match="telepathy"):
        bind(relation_of(check), {}, {}, seed=1)


def test_many_texts_can_be_asked_at_once(checked, local, found):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        return [found(*[each.words for each in await translate.each([x, Text(x.words + "!", x.lang)], to)])]

    system = local(texts=4)
    (outcome,) = checked(system, ["a"], check)
    assert outcome.cases == [["A", "A!"]]
    assert system.batches == [["a", "a!"]]


def test_translating_into_the_same_language_gives_the_text_itself(checked, local, found):
    async def check(x: Text, translate: Any, *, to: str) -> list[Any]:
        return [found((await translate(x, "en")).words, *[each.words for each in await translate.each([x], "en")])]

    system = local()
    (outcome,) = checked(system, ["a"], check)
    assert outcome.cases == [["a", "a"]]
    assert system.batches == []


def test_randomness_depends_on_the_text_not_on_the_order(checked, local, found):
    async def check(x: Text, translate: Any, rng: Any, *, to: str) -> list[Any]:
        await translate(x, to)
        return [found(rng.random())]

    words = [f"sentence {i}" for i in range(50)]
    forth = checked(local(), words, check)
    back = checked(local(texts=3), words[::-1], check)
    assert [o.cases for o in forth] == [o.cases for o in back][::-1]
    assert len({o.cases[0][0] for o in forth}) == 50


def test_randomness_differs_by_seed_relation_text_and_repetition():
    draws = [rng(1, "a", "x", 0), rng(2, "a", "x", 0), rng(1, "b", "x", 0), rng(1, "a", "y", 0), rng(1, "a", "x", 1)]
    assert len({each.random() for each in draws}) == 5
    assert rng(1, "a", "x", 0).random() == rng(1, "a", "x", 0).random()


def test_only_a_window_of_the_corpus_is_alive(local, relation_of):
    system = local(texts=4, in_flight=1)
    taken = 0

    def corpus() -> Any:
        nonlocal taken
        for position in range(10_000):
            taken += 1
            yield Segment(str(position), Text(f"sentence {position}", "en"), position)

    async def check(x: Text, translate: Any) -> list[Any]:
        await translate(x, "es")
        return []

    async def go() -> int:
        translate = Translating(system, None)
        stream = run(bind(relation_of(check), {}, {"translate": translate}, 1), corpus(), [translate.batched])
        async for _ in stream:
            break
        await stream.aclose()
        return taken

    assert asyncio.run(go()) <= 40


def test_stopping_takes_in_what_is_under_way_and_sends_nothing_more(local, clock, relation_of):
    system = local(texts=2, in_flight=2, latency=lambda: 0.05)
    committed: list[str] = []

    class Memory:
        def recall(self, lane: Any, items: Any) -> list[None]:
            return [None] * len(items)

        def commit(self, lane: Any, items: Any, answers: Any) -> None:
            committed.extend(items)

    async def check(x: Text, translate: Any) -> list[Any]:
        await translate(x, "es")
        return []

    async def go() -> None:
        stop = asyncio.Event()
        translate = Translating(system, None, memory=Memory(), waits=clock.waits())
        start = bind(relation_of(check), {}, {"translate": translate}, 1)
        corpus = [Segment(str(i), Text(f"sentence {i}", "en"), i) for i in range(100)]
        asyncio.get_running_loop().call_later(0.01, stop.set)
        async for _ in run(start, corpus, [translate.batched], stop=stop):
            pass

    with pytest.raises(Interrupted):
        clock.run(go())
    assert sorted(committed) == sorted(system.texts)
    assert 0 < len(system.texts) <= 8
