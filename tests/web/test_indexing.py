"""What a server does in the background, so that pages need not wait."""

from __future__ import annotations

import asyncio
import threading

from starlette.requests import Request

from concord import api
from concord.web import indexing
from concord.web.app import create
from concord.web.events import of_index
from concord.web.indexing import Indexing
from concord.web.site import Site


def test_what_comparisons_read_is_prepared_behind_the_index(workspace, monkeypatch):
    done, ready = [], threading.Event()
    monkeypatch.setattr(api, "update_index", lambda path: done.append("index"))

    def prepare(path):
        done.append("comparisons")
        ready.set()
        return True

    monkeypatch.setattr(indexing, "prepare", prepare)
    thread = Indexing(workspace)
    thread.start()
    try:
        assert ready.wait(60)
    finally:
        thread.close()
    assert done == ["index", "comparisons"]


def test_what_could_not_be_kept_is_prepared_again(workspace, monkeypatch):
    kept, ready = [], threading.Event()
    monkeypatch.setattr(indexing, "PAUSE", 0.01)

    def prepare(path):
        kept.append(len(kept) > 1)
        if kept[-1]:
            ready.set()
        return kept[-1]

    monkeypatch.setattr(indexing, "prepare", prepare)
    thread = Indexing(workspace)
    thread.start()
    try:
        assert ready.wait(60)
    finally:
        thread.close()
    assert kept[:3] == [False, False, True]


def test_a_page_is_told_at_once_and_whenever_something_was_prepared(workspace):
    api.update_index(workspace)
    request = Request({"type": "http", "app": create(Site(workspace))})

    async def heard():
        answer = await of_index(request)
        lines = answer.body_iterator
        yield [await anext(lines), await anext(lines)]
        assert await asyncio.to_thread(indexing.prepare, workspace)
        yield await anext(lines)
        await lines.aclose()

    async def every():
        return [each async for each in heard()]

    (hello, first), later = asyncio.run(every())
    assert hello.startswith(":")
    assert first.startswith("event: change")
    assert later.startswith("event: change")
