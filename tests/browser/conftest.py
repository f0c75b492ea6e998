"""A real browser (Debian's Chromium, without windows) before the real server, in a process of its own.

Nothing here waits for a time to pass: a page is waited for until it is as it should be, for as long as a busy machine
may take. Whatever a page complains about on its way (an error, a dialog, a breach of its policy) fails the test.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from concord import api

PATIENCE = 180_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
SYSTEMS = ["faulty:fake,rate=0.5", "faulty:fake,rate=0.5,seed=2"]
ANNOTATORS = ["Ada", "Grace"]
QUEUE = "first"


@dataclass(frozen=True, slots=True)
class Served:
    """A workspace behind an address."""

    workspace: Path
    address: str


# By module, not longer: Playwright's loop runs in this thread, where tests of other folders start loops of their own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium-headless-shell")
    assert program, "there is no browser here: tools/debian chromium-headless-shell"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def template(tmp_path_factory) -> Path:
    """Two systems, two relations, thirty sentences, a queue, and what two people said of most of it."""
    path = tmp_path_factory.mktemp("template") / "concord.sqlite"
    with ThreadPoolExecutor(1) as aside:
        aside.submit(_fill, path).result()
    return path


@pytest.fixture(scope="session")
def served(template) -> Iterator[Served]:
    """A server for pages that change nothing."""
    process, address = _started(template, "--system", "fake")
    yield Served(template, address)
    _ended(process)


@pytest.fixture
def serve(tmp_path) -> Iterator[Callable[..., Served]]:
    """`serve(path)` starts a server for one test, over a copy of that workspace, or else over a new one."""
    started = []

    def begun(template: Path | None = None, *options: str) -> Served:
        path = tmp_path / "concord.sqlite"
        if template:
            shutil.copy(template, path)
        process, address = _started(path, "--config", str(tmp_path / "concord.toml"), "--new", *options)
        started.append(process)
        return Served(path, address)

    yield begun
    for process in started:
        _ended(process)


@pytest.fixture
def complaints() -> list[str]:
    """What pages have complained about; nobody may leave anything in it."""
    return []


@pytest.fixture
def visit(chromium, complaints) -> Iterator[Callable[..., Page]]:
    """`visit(served)` opens a page of its own, with cookies of its own, at the server's address."""
    opened = []

    def page(served: Served, *, who: str = "", **how: object) -> Page:
        context = chromium.new_context(base_url=served.address, **how)
        opened.append(context)
        context.set_default_timeout(PATIENCE)
        if who:
            context.add_cookies([{"name": "concord-annotator", "value": who, "url": served.address}])
        made = context.new_page()
        made.on("pageerror", lambda error: complaints.append(f"{made.url}: {error}"))
        made.on("console", lambda said: complaints.append(f"{made.url}: {said.text}") if said.type != "log" else None)
        made.on("dialog", lambda dialog: (complaints.append(f"{made.url}: {dialog.message}"), dialog.dismiss()))
        return made

    yield page
    for context in opened:
        context.close()
    assert complaints == []


def _fill(path: Path) -> None:
    corpus = api.read("demo", "en", limit=30)
    api.run(corpus, relations=["rtt", "rti"], systems=SYSTEMS, to=["es"], workspace=path)
    api.draw_queue(path, name=QUEUE, size=40)
    for place in range(1, 31):
        row = api.turn(path, QUEUE, ANNOTATORS[0], place=place).row
        assert row
        for each, who in enumerate(ANNOTATORS):
            verdict = "error" if row["flagged"] and (place + each) % 5 else "correct"
            api.say(path, {"case": row["case"], "verdict": verdict}, annotator=who)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def _started(workspace: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    words = [sys.executable, "-m", "concord.cli", "serve", str(workspace), "--no-browser", "--port", "0", *options]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    line = process.stderr.readline()
    found = re.search(r"http://\S+", line)
    assert found, line + process.stderr.read()
    return process, found[0]


def _ended(process: subprocess.Popen[str]) -> None:
    process.terminate()
    _, said = process.communicate()
    assert "Traceback" not in said, said
