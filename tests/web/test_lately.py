"""What is made of runs that go on: one after the other, in the background, with rests between."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from starlette.requests import Request

from concord import api
from concord.web import lately
from concord.web.app import create
from concord.web.events import of_index
from concord.web.lately import KEPT, Lately
from concord.web.site import Site


@pytest.fixture
def some(monkeypatch):
    monkeypatch.setattr(lately, "PAUSE", 0.0)
    monkeypatch.setattr(lately, "REST", 0.0)
    made = Lately()
    yield made
    made.close()


def turned(some: Lately, version: int) -> None:
    while some.version < version:
        time.sleep(0.001)


def test_what_was_made_last_is_shown_while_it_is_made_anew(some):
    go_on, states = threading.Semaphore(1), iter("abc")

    def make():
        go_on.acquire()
        return next(states)

    assert some.ask("x", make) is None
    turned(some, 1)
    assert some.ask("x", make).what == "a"
    assert some.ask("x", make).what == "a"  # still being made, and asked for once
    go_on.release()
    turned(some, 2)
    assert some.ask("x", make).what == "b"
    go_on.release()
    turned(some, 3)


def test_it_says_how_old_it_is():
    now = [100.0]
    some = Lately(clock=lambda: now[0])
    some.ask("x", lambda: 1)
    turned(some, 1)
    now[0] = 107.0
    assert some.ask("x", lambda: 2).age == 7.0
    some.close()


def test_between_two_turns_it_rests_and_the_end_ends_the_rest(monkeypatch):
    monkeypatch.setattr(lately, "PAUSE", 600.0)
    some = Lately()
    some.ask("x", lambda: 1)
    turned(some, 1)
    before = set(threading.enumerate())
    some.ask("x", lambda: 2)
    (resting,) = set(threading.enumerate()) - before
    some.close()
    resting.join(60)
    assert not resting.is_alive()
    assert some.version == 1


def test_whoever_has_nothing_to_look_at_does_not_wait_for_the_rest(monkeypatch):
    monkeypatch.setattr(lately, "PAUSE", 600.0)
    some = Lately()
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
    assert some.ask("x", lambda: 1).what == 1


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
        app.state.lately.ask("x", lambda: 1)
        said = await anext(lines)
        await lines.aclose()
        return said

    assert asyncio.run(heard()).startswith("event: change")
    app.state.lately.close()
