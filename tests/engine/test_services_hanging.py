"""A plug-in that hangs costs one text, or the run ends: by the user's timeout, or by Ctrl-C, but never not at all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

import concord
import concord.api
from concord.engine.services import left_behind
from concord.engine.services._worker_thread import WorkerThread
from concord.errors import ServiceError

PARSER = r'''
"""A parser for tests that never answers about some texts."""
import pathlib, re, threading
from concord.language.trees import Tree

class Parser:
    id = "stuck"
    kind = "shallow"
    def version(self): return "1"
    def languages(self): return frozenset({"en"})
    def __init__(self):
        self.lock = threading.Lock()
        # Named in full: a thread that a test left behind may still come here when the next test has its own folder.
        self.hanging = pathlib.Path("hanging").absolute()
    def parse(self, texts):
        with self.lock:
            if any("for ever" in text.words for text in texts):
                self.hanging.touch()
                threading.Event().wait()
            return [self.tree(text.words) for text in texts]
    def tree(self, words):
        leaves = tuple(Tree("NN", *found.span(), (), words) for found in re.finditer(r"\w+", words))
        return Tree("ROOT", leaves[0].start, leaves[-1].end, leaves, words)
'''
RELATION = '''
"""Nothing but a parse and a translation (for tests)."""
from concord.model import Case

async def check(x, translate, parse, *, to, threshold: float = 0.5):
    await parse(x)
    there = await translate(x, to)
    return [Case(x, x, there, there, (there, there), 0.0, threshold)]
'''
WORDS = ["-m", "concord.cli", "run", "c.txt", "-r", "parses", "-s", "fake", "-t", "es", "--parser", "stuck"]


@pytest.fixture
def installed(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guest("relations", "parses", RELATION)
    path = os.environ["PYTHONPATH"]
    guest("parsers", "stuck", PARSER)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([path, os.environ["PYTHONPATH"]]))


def ran(seconds):
    settings = concord.Settings(services={"parse": "stuck"}, seconds=seconds)
    return concord.run("c.txt", relations=["parses"], systems=["fake"], to=["es"], settings=settings)[0]


@pytest.fixture
def time_is_up_when_it_hangs(tmp_path, monkeypatch):
    """The timeout of a request expires where the parser hangs and nowhere else, however slow the machine is."""
    hanging = tmp_path / "hanging"

    async def expire(timeout):
        while not hanging.exists():
            await asyncio.sleep(0.01)
        hanging.unlink()
        timeout.reschedule(asyncio.get_running_loop().time())

    @contextlib.asynccontextmanager
    async def limited(seconds):
        async with asyncio.timeout(None) as timeout:
            watching = asyncio.ensure_future(expire(timeout))
            try:
                yield
            finally:
                watching.cancel()

    monkeypatch.setattr("concord.engine.batching.request.asyncio", SimpleNamespace(timeout=limited))


def test_a_text_on_which_the_parser_hangs_is_one_row_with_an_error(installed, tmp_path, time_is_up_when_it_hangs):
    (tmp_path / "c.txt").write_text("".join(f"Sentence {i}.\n" for i in range(70)) + "This takes for ever.\n")
    done = ran(1.0)
    assert (done.cases, done.errors) == (70, 1)
    (row,) = [row for row in concord.api.rows("concord.sqlite") if row["error"]]
    assert row["text"] == "This takes for ever."
    assert row["error"] == "the parser stuck gave no answer within 1 s"


def test_a_parser_that_always_hangs_ends_the_run(installed, tmp_path, monkeypatch):
    monkeypatch.setattr("concord.engine.batching.health.PATIENCE_AT_FIRST", 0.0)
    monkeypatch.setattr("concord.engine.batching.health.LONGEST_BACKOFF", 0.01)
    (tmp_path / "c.txt").write_text("This takes for ever.\n")
    with pytest.raises(ServiceError, match="the parser stuck has not answered"):
        ran(0.01)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_run_whose_parser_hangs(installed, tmp_path, workers):
    (tmp_path / "c.txt").write_text("This takes for ever.\n")
    child = subprocess.Popen([sys.executable, *WORDS, "--workers", workers], stderr=subprocess.PIPE, text=True)
    wait_for(lambda: (tmp_path / "hanging").exists() or child.poll() is not None)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate()
    assert child.returncode == 130, said
    assert "Run the same command again to continue" in said


def wait_for(condition):
    while not condition():
        time.sleep(0.02)


def threads(name):
    return [each for each in threading.enumerate() if each.name == name]


def test_the_thread_of_a_service_ends_with_the_run(installed, tmp_path):
    (tmp_path / "c.txt").write_text("A sentence.\n")
    left_behind = threads("the parser stuck")  # by the tests before this one
    assert ran(None).cases == 1
    wait_for(lambda: threads("the parser stuck") == left_behind)


def test_one_hand_does_one_thing_after_the_other_in_one_thread():
    async def both(worker):
        found = await asyncio.gather(worker.do(threading.current_thread), worker.do(threading.current_thread))
        worker.leave()
        return found

    one, other = asyncio.run(both(WorkerThread("a worker")))
    assert one is other
    assert (one.name, one.daemon) == ("a worker", True)


@pytest.mark.parametrize("error", [ValueError, StopIteration, SystemExit, KeyboardInterrupt])
def test_what_fails_in_a_hand_fails_there_alone(error):
    def fail():
        raise error("so it is")

    async def tried(worker):
        with pytest.raises((ValueError, RuntimeError), match="so it is"):
            await worker.do(fail)
        found = await worker.do(lambda: "still here")
        worker.leave()
        return found

    assert asyncio.run(tried(WorkerThread("a worker"))) == "still here"


def test_a_hand_that_hangs_is_left_behind():
    free, busy, last = threading.Event(), threading.Event(), threading.Event()

    def hang():
        busy.set()
        free.wait()

    async def tried(worker):
        stuck = asyncio.ensure_future(worker.do(hang))
        while not busy.is_set():
            await asyncio.sleep(0)
        stuck.cancel()
        worker.leave(last.set)
        found = await worker.do(lambda: "another")
        worker.leave()
        return found

    assert asyncio.run(tried(WorkerThread("stuck worker"))) == "another"
    assert threads("stuck worker")
    assert left_behind()
    free.set()  # its event loop is closed by now, and that is no error either
    wait_for(lambda: not threads("stuck worker"))
    assert last.is_set()
