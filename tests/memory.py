"""No process that runs tests holds more memory than it should: it gives back what it can, or else its run fails.

Two libraries take hundreds of megabytes each, and do not give them back. Tests that load one are marked `large`, and
`make unit` runs those of each file in a process of their own.
"""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import pytest

MOST = 700
"""How many megabytes a worker may hold at its peak, and so may a process that runs the large tests of a file."""
MUCH = 380
"""From how many megabytes on memory is given back after each file of tests."""
LARGE = ("torch", "kiwipiepy")
LOADED = pytest.StashKey[set[str]]()


def pytest_configure(config: pytest.Config) -> None:
    worker = hasattr(config, "workerinput")
    limit = None if worker else Limit()
    if limit:
        config.pluginmanager.register(limit)
        # Hypothesis makes its table of all characters once in a fresh clone, and takes 200 MB to do so.
        subprocess.run(
            [sys.executable, "-c", "from hypothesis import strategies; strategies.text().validate()"], check=True
        )
    config.pluginmanager.register(Frozen())
    if worker or config.option.markexpr == "large":
        config.pluginmanager.register(Peak(limit))


class Frozen:
    """Keeps the collector of garbage from walking through all tests each time, which takes a quarter of a second."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        gc.collect()
        gc.freeze()


class Peak:
    """The peak of this process, and the tests that raised it most; in a worker, told to the process that judges it."""

    def __init__(self, limit: Limit | None) -> None:
        self.limit = limit
        self.megabytes = megabytes("VmHWM")
        self.steps: list[tuple[int, str]] = []

    def pytest_collection_finish(self) -> None:
        self.pytest_runtest_logfinish("collecting the tests")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        before, self.megabytes = self.megabytes, megabytes("VmHWM")
        if self.megabytes > before:
            self.steps.append((self.megabytes - before, nodeid))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        steps = [f"{grown:+5} MB  {nodeid}" for grown, nodeid in sorted(self.steps, reverse=True)[:8]]
        if self.limit:
            self.limit.judge("this process", self.megabytes, steps)
        else:
            session.config.workeroutput["memory"] = (self.megabytes, steps)


class Limit:
    """Fails the run if a process held too much."""

    def __init__(self) -> None:
        self.complaints: list[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.judge(node.gateway.id, *getattr(node, "workeroutput", {}).get("memory", (0, [])))

    def judge(self, process: str, peak: int, steps: list[str]) -> None:
        if peak > MOST:
            self.complaints += [f"{process} held {peak} MB, more than {MOST}. Its peak grew most in", *steps]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.complaints and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.complaints:
            terminalreporter.line(line, red=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Fail the test that is the first to load a large library without being marked."""
    yield
    loaded = {name for name in LARGE if sys.modules.get(name)}
    known = item.config.stash.get(LOADED, set())
    item.config.stash[LOADED] = known | loaded
    if loaded - known and not item.get_closest_marker("large"):
        pytest.fail(f"{', '.join(loaded - known)} was loaded by a test that is not marked `large`", pytrace=False)


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """Between two files of tests, drop the models and dictionaries that the program keeps, where they are much."""
    yield
    if megabytes("VmRSS") < MUCH:
        return
    for name in [name for name in sys.modules if name.startswith("concord.")]:
        for value in list(vars(sys.modules[name]).values()):
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def megabytes(what: str) -> int:
    """A figure from /proc/self/status. Not `getrusage`: its peak includes the process that has started this one."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(f"{what}:"))
    return int(line.split()[1]) // 1000
