"""No more requests a second than an account allows, whoever asks and whatever happens."""

from __future__ import annotations

import asyncio
import itertools
import sys
import time
from collections import defaultdict
from typing import Any

import pytest

from concord import api
from concord.engine.batching.batcher import Batched
from concord.engine.batching.rate_limit import RateLimit
from concord.engine.translate import Translating
from concord.errors import Throttled
from concord.model import Limits


def gaps(times: list[float]) -> list[float]:
    return [after - before for before, after in itertools.pairwise(times)]


def test_requests_leave_as_often_as_allowed_and_not_more_often(checked, local, clock):
    system = local(texts=1, in_flight=4, per_second=2.0)
    checked(system, [f"s{i}" for i in range(5)], clock=clock)
    assert system.times == pytest.approx([i / 2 for i in range(10)])


def test_slow_answers_do_not_make_requests_rarer(checked, local, clock):
    system = local(texts=1, in_flight=4, per_second=2.0, latency=lambda: 1.7)
    checked(system, [f"s{i}" for i in range(20)], clock=clock)
    assert system.times[:20] == pytest.approx([i / 2 for i in range(20)])


def throttled_once(retry_after: float, at: int = 0) -> Any:
    calls = itertools.count()

    def one(text: str) -> str:
        if next(calls) == at:
            raise Throttled("slow down", retry_after)
        return text.upper()

    return one


@pytest.mark.parametrize("at", [0, 2])
def test_nobody_gathers_behind_a_pause_to_leave_at_once(checked, local, clock, at):
    system = local(throttled_once(10.0, at), texts=1, in_flight=4, per_second=1.0)
    checked(system, [f"s{i}" for i in range(6)], clock=clock)
    assert all(gap >= 1 - 1e-9 for gap in gaps(system.times))
    assert 10.0 <= gaps(system.times)[at] <= 11.0


def test_a_pause_is_never_shorter_than_asked_and_not_always_the_same(clock):
    waits = clock.waits()
    pauses = [waits.pause(Throttled("slow down", 10.0), 0) for _ in range(100)]
    assert all(10.0 <= pause <= 11.0 for pause in pauses)
    assert len(set(pauses)) > 50


def test_fewer_at_once_after_a_throttle_holds_for_those_who_wait_already(checked, local, clock):
    throttled = iter(range(4))

    def one(text: str) -> str:
        for _ in throttled:
            raise Throttled("slow down", 5.0)
        return text.upper()

    system = local(one, texts=1, in_flight=4, latency=lambda: 0.5)
    checked(system, [f"s{i}" for i in range(12)], clock=clock)
    assert system.times[:4] == [0.0] * 4
    together = [time for time in system.times[4:] if time - system.times[4] < 0.4]
    assert len(together) == 2


def test_systems_of_one_account_share_its_requests_a_second(local, clock):
    systems = [local(texts=1, per_second=2.0) for _ in range(3)]

    async def go() -> None:
        rate_limit = RateLimit(lambda: clock.now)
        made = [Translating(system, None, rate_limit=rate_limit, waits=clock.waits()).batched for system in systems]
        await asyncio.gather(*(each.ask_now(("en", "es"), ["a", "b", "c"]) for each in made))

    clock.run(go())
    times = sorted(time for system in systems for time in system.times)
    assert times == pytest.approx([i / 2 for i in range(9)])


def test_runs_after_each_other_share_them_too(local, clock):
    system = local(texts=1, per_second=2.0)

    async def go() -> None:
        rate_limits = defaultdict(lambda: RateLimit(lambda: clock.now))
        for words in (["a", "b"], ["c", "d"]):
            translate = Translating(system, None, rate_limit=rate_limits["acme"], waits=clock.waits())
            await translate.batched.ask_now(("en", "es"), words)

    clock.run(go())
    assert system.times == pytest.approx([0.0, 0.5, 1.0, 1.5])


def test_a_pause_that_one_system_is_asked_for_holds_for_its_account_and_for_no_other(local, clock):
    first = local(throttled_once(10.0), texts=1)
    second, stranger = local(texts=1), local(texts=1)

    async def go() -> None:
        rate_limits = defaultdict(lambda: RateLimit(lambda: clock.now))
        names = [(first, "acme"), (second, "acme"), (stranger, "other")]
        made = [Translating(s, None, rate_limit=rate_limits[name], waits=clock.waits()).batched for s, name in names]
        asking = asyncio.ensure_future(made[0].ask_now(("en", "es"), ["a"]))
        await asyncio.sleep(1)
        await asyncio.gather(asking, *(each.ask_now(("en", "es"), ["b"]) for each in made[1:]))

    clock.run(go())
    assert second.times[0] >= 10.0
    assert stranger.times == [1.0]


def test_the_end_of_a_run_frees_the_account_for_others(clock):
    """A run that ends while it waits for its turn must not leave the queue closed behind it."""

    async def answer(lane: Any, items: list[Any]) -> list[Any]:
        return items

    async def go() -> list[Any]:
        rate_limit = RateLimit(lambda: clock.now)
        rate_limit.hold(1000.0)
        one = Batched(answer, Limits(texts=1), rate_limit=rate_limit, waits=clock.waits())
        asking = asyncio.ensure_future(one.ask_now("lane", ["a", "b"]))
        await asyncio.sleep(1)
        await one.drain()
        asking.cancel()
        return await Batched(answer, Limits(), rate_limit=rate_limit, waits=clock.waits()).ask_now("lane", ["c"])

    assert clock.run(go()) == ["c"]
    assert clock.now == pytest.approx(1000.0)


CLOCKED = """
import time
from concord.model import Limits, System

TIMES = []

class Translator(System):
    limits = Limits(texts=1, per_second=4.0)

    def __init__(self, *, tone: str = "plain") -> None:
        self.id = f"clocked,tone={tone}"

    async def translate(self, texts, source, target):
        TIMES.append(time.monotonic())
        return [text + "!" for text in texts]
"""


def test_the_systems_of_a_command_share_their_account(tmp_path, guest):
    guest("translators", "clocked", CLOCKED)
    (tmp_path / "texts.txt").write_text("Hello.\n")
    systems = ["clocked,tone=plain", "clocked,tone=formal"]
    began = time.monotonic()
    api.run(tmp_path / "texts.txt", relations=["rtt"], systems=systems, to=["es"], workspace=tmp_path / "w.sqlite")
    times = sys.modules["guest_clocked"].TIMES
    assert len(times) == 4
    # A busy machine makes a request late, never early: with an account each, the fourth would leave after 0.25 s.
    assert all(left - began >= place * 0.25 for place, left in enumerate(times))
