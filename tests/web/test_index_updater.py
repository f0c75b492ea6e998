"""What a server does in the background, so that pages need not wait."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading

import pytest
from starlette.requests import Request

from concord import api
from concord.store import Workspace
from concord.store.index import Index
from concord.store.index.location import index_path, locked
from concord.store.migration_facts import with_facts
from concord.store.migrations import STEPS
from concord.web import index_process, index_updater
from concord.web.app import create
from concord.web.events import of_index
from concord.web.index_updater import Helper, Indexing
from concord.web.settings import Site


@pytest.fixture
def helper():
    made = Helper()
    yield made
    made.close()


def pid_of(helper):
    return helper._process.pid


def test_what_comparisons_read_is_prepared_behind_the_index(workspace, monkeypatch):
    done = []
    monkeypatch.setattr(api, "update_index", lambda path: done.append("index"))
    monkeypatch.setattr(index_process, "prepare", lambda path: done.append("comparisons") or True)
    assert index_process.bring_up_to_date(workspace)
    assert done == ["index", "comparisons"]


def test_what_could_not_be_kept_is_prepared_again(workspace, monkeypatch):
    kept, ready = [], threading.Event()
    monkeypatch.setattr(index_updater, "PAUSE", 0.01)

    def update(self, path):
        kept.append(len(kept) > 1)
        if kept[-1]:
            ready.set()
        return kept[-1]

    monkeypatch.setattr(Helper, "update", update)
    background = Indexing(workspace)
    background.start()
    try:
        assert ready.wait(60)
    finally:
        background.close()
    assert kept[:3] == [False, False, True]


def test_another_process_makes_the_index_and_is_kept_for_the_next_time(workspace, helper):
    assert helper.update(workspace)
    first = pid_of(helper)
    with Workspace(workspace, create=False) as store, Index(store) as index:
        assert all(index.columns(run.id) for run in store.runs())
    assert helper.update(workspace)
    assert pid_of(helper) == first != os.getpid()


def test_a_helper_that_was_killed_is_told_and_another_takes_its_place(workspace, helper):
    assert helper.update(workspace)
    first = pid_of(helper)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(ChildProcessError, match="exit code -9"):
        helper.update(workspace)
    assert helper.update(workspace)
    assert pid_of(helper) != first


GUEST = """
import os
print("hello from a guest")
os.write(1, b"and from its library")
DISTINCT = True
async def check(x, translate, *, to): return []
"""


def test_what_a_guest_prints_is_no_answer(workspace, monkeypatch, tmp_path, helper, capfd):
    about = tmp_path / "guest" / "noisy-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: noisy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[concord.relations]\nnoisy = noisy_guest\n")
    (about.parent / "noisy_guest.py").write_text(GUEST)
    monkeypatch.setenv("PYTHONPATH", str(about.parent))
    with contextlib.closing(sqlite3.connect(workspace)) as db, db:
        # Only an older workspace asks the relation, when it is brought to the present format.
        db.execute("UPDATE runs SET relation = 'noisy' WHERE id = 1")
        db.execute("ALTER TABLE runs DROP COLUMN facts")
        db.execute("ALTER TABLE learnt DROP COLUMN profile")
        db.execute("ALTER TABLE checks DROP COLUMN untested")
        db.execute(f"PRAGMA user_version = {STEPS.index(with_facts)}")
    assert helper.update(workspace)
    with pytest.raises(ChildProcessError, match="there is no workspace"):
        helper.update(workspace.with_name("gone.sqlite"))
    assert helper.update(workspace)
    told = capfd.readouterr().err
    assert "hello from a guest" in told
    assert "and from its library" in told


def test_a_workspace_that_is_gone_is_told_and_does_not_end_the_helper(workspace, helper):
    assert helper.update(workspace)
    first = pid_of(helper)
    with pytest.raises(ChildProcessError, match="there is no workspace"):
        helper.update(workspace.with_name("gone.sqlite"))
    assert helper.update(workspace)
    assert pid_of(helper) == first


def test_a_workspace_may_be_deleted_while_it_is_indexed(workspace, helper):
    failed = []

    def update():
        try:
            helper.update(workspace)
        except ChildProcessError as error:
            failed.append(str(error))

    with locked(index_path(workspace)):
        asking = threading.Thread(target=update)
        asking.start()
        for path in workspace.parent.glob("concord.sqlite*"):
            path.unlink()
    asking.join()
    assert all("there is no workspace" in each for each in failed)
    assert not workspace.exists()
    assert helper._process.poll() is None


def test_closing_ends_a_helper_in_the_middle_of_its_work(workspace, monkeypatch, capsys):
    asked, begun, ask = [], threading.Event(), index_updater._answer

    def answer(process, question):
        asked.append(process)
        begun.set()
        return ask(process, question)

    monkeypatch.setattr(index_updater, "_answer", answer)
    background = Indexing(workspace)
    with locked(index_path(workspace)):  # so that it does not get to the end
        background.start()
        assert begun.wait(60)
        background.close()
    background._thread.join()
    assert [process.returncode for process in asked] == [-signal.SIGKILL]
    assert capsys.readouterr().err == ""


def test_after_closing_none_is_started(workspace, helper):
    helper.close()
    with pytest.raises(ChildProcessError, match="about to end"):
        helper.update(workspace)
    assert helper._process is None


def test_a_server_that_is_killed_takes_its_helper_along(workspace):
    program = """
        import signal, sys
        from pathlib import Path
        from concord.web.index_updater import Helper
        helper = Helper()
        helper.update(Path(sys.argv[1]))
        print(helper._process.pid, flush=True)
        helper.update(Path(sys.argv[1]))
        signal.pause()
    """
    words = [sys.executable, "-c", textwrap.dedent(program), str(workspace)]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with server:
        assert int(server.stdout.readline()) != server.pid
        server.kill()
        # The helper has inherited this pipe, which ends when the last process that has it does.
        assert server.stderr.read() == ""


def test_an_index_that_only_the_server_knows_is_made_by_the_server(workspace, monkeypatch, tmp_path_factory):
    made = threading.Event()
    monkeypatch.setattr(index_updater, "index_of", lambda path: tmp_path_factory.getbasetemp() / "hidden")
    monkeypatch.setattr(index_updater, "bring_up_to_date", lambda path: made.set() or True)
    background = Indexing(workspace)
    background.start()
    try:
        assert made.wait(60)
    finally:
        background.close()
    assert background._helper._process is None


def test_a_page_is_told_at_once_and_whenever_something_was_prepared(workspace):
    api.update_index(workspace)
    request = Request({"type": "http", "app": create(Site(workspace))})

    async def heard():
        answer = await of_index(request)
        lines = answer.body_iterator
        yield [await anext(lines), await anext(lines)]
        assert await asyncio.to_thread(index_process.prepare, workspace)
        yield await anext(lines)
        await lines.aclose()

    async def every():
        return [each async for each in heard()]

    (hello, first), later = asyncio.run(every())
    assert hello.startswith(":")
    assert first.startswith("event: change")
    assert later.startswith("event: change")
