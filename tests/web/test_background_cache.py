"""What is made of runs that go on: one after the other, in the background, with rests between."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from starlette.requests import Request

from concord import api
from concord.errors import UserError
from concord.web import background_cache
from concord.web.app import create
from concord.web.background_cache import KEPT, WAITING, BackgroundCache
from concord.web.events import of_index
from concord.web.settings import Site


@pytest.fixture
def some(monkeypatch):
    monkeypatch.setattr(background_cache, "PAUSE", 0.0)
    monkeypatch.setattr(background_cache, "REST", 0.0)
    made = BackgroundCache()
    yield made
    made.close()


def turned(some: BackgroundCache, version: int) -> None:
    while some.version < version:
        time.sleep(0.001)


def test_what_was_made_last_is_shown_while_it_is_made_anew(some):
    go_on, states = threading.Semaphore(1), iter("abc")

    def make():
        go_on.acquire()
        return next(states)

    assert some.ask("x", make) is None
    turned(some, 1)
    assert some.ask("x", make).value == "a"
    assert some.ask("x", make).value == "a"  # still being made, and asked for once
    go_on.release()
    turned(some, 2)
    assert some.ask("x", make).value == "b"
    go_on.release()
    turned(some, 3)


def test_it_says_how_old_it_is():
    now = [100.0]
    some = BackgroundCache(clock=lambda: now[0])
    some.ask("x", lambda: 1)
    turned(some, 1)
    now[0] = 107.0
    assert some.ask("x", lambda: 2).age == 7.0
    some.close()


def test_between_two_turns_it_rests_and_the_end_ends_the_rest(monkeypatch):
    monkeypatch.setattr(background_cache, "PAUSE", 600.0)
    some = BackgroundCache()
    before = set(threading.enumerate())
    some.ask("x", lambda: 1)
    turned(some, 1)
    for idle in set(threading.enumerate()) - before:
        idle.join(60)
    some.ask("x", lambda: 2)
    (resting,) = set(threading.enumerate()) - before
    some.close()
    resting.join(60)
    assert not resting.is_alive()
    assert some.version == 1


def test_whoever_has_nothing_to_look_at_does_not_wait_for_the_rest(monkeypatch):
    monkeypatch.setattr(background_cache, "PAUSE", 600.0)
    some = BackgroundCache()
    some.ask("x", lambda: 1)
    turned(some, 1)
    some.ask("y", lambda: 2)
    turned(some, 2)
    assert some.knows("y")
    some.close()


def test_what_goes_wrong_is_told_where_the_server_runs_and_asked_again(some, capsys):
    def broken():
        raise OSError("no space left")

    some.ask("x", broken)
    turned(some, 1)
    assert "no space left" in capsys.readouterr().err
    assert some.ask("x", lambda: 1) is None
    turned(some, 2)
    assert some.ask("x", lambda: 1).value == 1


def test_a_mistake_of_the_user_is_kept_and_raised_to_whoever_asks(some, capsys):
    def mistaken():
        raise UserError("runs 1 and 2 have nothing in common")

    assert some.ask("x", mistaken) is None
    turned(some, 1)
    with pytest.raises(UserError, match="nothing in common"):
        some.ask("x", lambda: 1)
    turned(some, 2)
    assert some.ask("x", lambda: 1).value == 1
    assert capsys.readouterr().err == ""


def test_whoever_asks_while_another_is_served_is_remembered(some):
    go_on = threading.Event()
    some.ask("x", go_on.wait)
    some.ask("y", lambda: 2)
    go_on.set()
    turned(some, 2)
    assert some.knows("y")


def test_whoever_has_nothing_comes_before_those_who_asked_earlier(some):
    begun, go_on, order = threading.Event(), threading.Event(), []
    some.ask("x", lambda: 0)
    turned(some, 1)
    some.ask("z", lambda: begun.set() or go_on.wait())
    assert begun.wait(60)
    some.ask("x", lambda: order.append("x"))
    some.ask("y", lambda: order.append("y"))
    go_on.set()
    turned(some, 4)
    assert order == ["y", "x"]


def test_those_who_renew_take_turns(some):
    order = []
    for name in "xy":
        some.ask(name, lambda: 0)
    turned(some, 2)
    begun, go_on = threading.Event(), threading.Event()
    some.ask("z", lambda: begun.set() or go_on.wait())
    assert begun.wait(60)
    for name in "xyx":
        some.ask(name, lambda name=name: order.append(name))
    go_on.set()
    turned(some, 5)
    assert order == ["x", "y"]


def test_a_rest_does_not_keep_a_newcomer_waiting(monkeypatch):
    monkeypatch.setattr(background_cache, "PAUSE", 600.0)
    some = BackgroundCache()
    some.ask("x", lambda: 1)
    turned(some, 1)
    some.ask("x", lambda: 2)  # it rests first
    some.ask("y", lambda: 3)
    turned(some, 2)
    assert some.ask("y", lambda: 4).value == 3
    assert some.ask("x", lambda: 2).value == 1
    some.close()


def test_the_failure_of_one_does_not_keep_another_waiting_and_is_rested_from(monkeypatch, capsys):
    monkeypatch.setattr(background_cache, "PAUSE", 600.0)
    some, tried = BackgroundCache(), []

    def broken():
        tried.append(1)
        raise OSError("no space left")

    some.ask("x", broken)
    turned(some, 1)
    some.ask("x", broken)
    some.ask("y", lambda: 2)
    turned(some, 2)
    assert some.knows("y")
    assert not some.knows("x")
    assert len(tried) == 1
    some.close()


def test_a_failure_leaves_what_was_made_before(some, capsys):
    some.ask("x", lambda: 1)
    turned(some, 1)
    some.ask("x", lambda: 1 / 0)
    turned(some, 2)
    assert some.ask("x", lambda: 1).value == 1


def test_no_more_wait_than_so_many(some):
    go_on = threading.Event()
    for number in range(WAITING + 3):
        some.ask(number, go_on.wait)
    assert len(some._requests) == WAITING
    go_on.set()
    turned(some, WAITING)
    assert not some.knows(WAITING)
    assert some.knows(WAITING - 1)


def test_no_more_is_kept_than_so_many(some):
    for number in range(KEPT + 3):
        some.ask(number, lambda: 0)
        turned(some, number + 1)
    assert [number for number in range(KEPT + 3) if some.knows(number)] == list(range(3, KEPT + 3))


def test_a_page_is_told_when_something_was_made(workspace, monkeypatch):
    api.update_index(workspace)
    app = create(Site(workspace))
    request = Request({"type": "http", "app": app})

    async def heard():
        lines = (await of_index(request)).body_iterator
        await anext(lines), await anext(lines)
        app.state.background_cache.ask("x", lambda: 1)
        said = await anext(lines)
        await lines.aclose()
        return said

    assert asyncio.run(heard()).startswith("event: change")
    app.state.background_cache.close()
