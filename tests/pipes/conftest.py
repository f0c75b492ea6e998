"""A command that does odd things, and ways to ask a pipeline and to look after its processes."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from concord.pipes import Pipeline

# Reads records and answers them, some in odd ways. At the end of its input it ends the record under way,
# as Apertium's programs do. When told by a signal it says something nobody has asked for.
ODD = [
    sys.executable,
    "-c",
    r"""
import os, signal
def tell():
    open(os.environ["TOLD"], "w").close()
def chatter(*_):
    os.write(1, b"surplus\0")
    tell()
signal.signal(signal.SIGUSR1, chatter)
rest = held = b""
while data := os.read(0, 65536):
    *records, rest = (rest + data).split(b"\0")
    for record in records:
        if record in (b"half", b"mute"):
            os.write(1, b"ha")
        if record == b"mute":
            os.close(1)
        if record in (b"half", b"mute", b"stuck"):
            tell()
            signal.pause()
        if record == b"late":
            held = b"late\0"
            continue
        if record == b"twice":
            record = b"twice\0twice"
        if record == b"fatal":
            os.write(2, b"reading\nno such file\n")
            os._exit(3)
        if record == b"fatal once" and not os.path.exists(os.environ["TOLD"]):
            tell()
            os._exit(3)
        if record == b"grumble":
            os.write(2, b"hm! ")
        os.write(1, held + record + b"\0")
        held = b""
os.write(1, rest + b"\0")
""",
]


@pytest.fixture
def odd() -> list[str]:
    return ODD


@pytest.fixture(autouse=True)
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that appears when the odd program has come to where it does something odd."""
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    return tmp_path / "told"


def run(talk: Callable[[Pipeline], Coroutine[Any, Any, Any]], *commands: list[str]) -> Any:
    async def whole() -> Any:
        pipeline = Pipeline(commands)
        try:
            return await talk(pipeline)
        finally:
            await pipeline.close()

    return asyncio.run(whole())


async def begun(pipeline: Pipeline, record: bytes) -> asyncio.Task[list[bytes]]:
    """A question that has arrived and is not answered."""
    question = asyncio.create_task(pipeline.ask([record]))
    while not os.path.exists(os.environ["TOLD"]):
        await asyncio.sleep(0.001)
    return question


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def are_gone(pids: list[int], seconds: float = 120.0) -> bool:
    deadline = time.monotonic() + seconds
    while any(map(is_running, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture(name="run")
def run_fixture() -> Callable[..., Any]:
    return run


@pytest.fixture(name="begun")
def begun_fixture() -> Callable[..., Any]:
    return begun


@pytest.fixture(name="are_gone")
def are_gone_fixture() -> Callable[..., Any]:
    return are_gone
