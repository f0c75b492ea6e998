"""The same run over a process pool: identical rows whatever the number of workers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from concord import api
from concord.engine import shard
from concord.engine.job import Job
from concord.engine.translate import Translating
from concord.errors import ConcordError, Interrupted, StoreError, UserError
from concord.model import Limits, Segment, Text
from concord.store import Workspace

RELATIONS = ["rtt", "pivot,pivots=ca,gl"]
SYSTEM = "faulty:fake,kind=wrong_count,rate=0.01,seed=4"


def rows(folder, workers, relations=RELATIONS, system=SYSTEM, **more):
    workspace = folder / f"{workers}.sqlite"
    how = api.Settings(workers=workers, **more)
    texts = folder / "texts.txt"
    if not texts.exists():
        texts.write_text("".join(f"There are {i % 97} cats and {i} dogs, but not a bird.\n" for i in range(700)))
    made = api.run(texts, relations=relations, systems=[system], to=["es"], workspace=workspace, settings=how)
    return list(api.rows(workspace)), [summary.run for summary in made]


def test_rows_and_counts_are_the_same_with_one_two_and_three_workers(tmp_path):
    one, two, three = (rows(tmp_path, workers) for workers in (1, 2, 3))
    assert one[0] == two[0] == three[0]
    assert 5 < sum(1 for row in one[0] if row["error"]) < 100
    trips = [run for _, runs in (one, two, three) for run in runs if run.relation == "rtt"]
    # What is sent differs a little: a failing batch is halved wherever its neighbours happen to stand.
    assert len({(run.asked, run.cached) for run in trips}) == 1


def test_repetitions_are_the_same_too(tmp_path):
    assert rows(tmp_path, 1, repetitions=2)[0] == rows(tmp_path, 2, repetitions=2)[0]


def test_what_the_user_can_cure_comes_back_from_a_worker(tmp_path):
    with pytest.raises(UserError, match="no pivot language"):
        rows(tmp_path, 2, ["pivot"], "fake")


def test_a_worker_that_is_killed_ends_the_run_with_a_clear_error(tmp_path, guest):
    kill = "import os, signal\nasync def check(x, translate, *, to):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    guest("relations", "killer", kill)
    (tmp_path / "texts.txt").write_text("Hello.\n")
    with pytest.raises(ConcordError, match="a worker process died"):
        rows(tmp_path, 2, ["killer"], "fake")


def test_a_workspace_that_fails_under_workers_ends_the_run(tmp_path, monkeypatch):
    (tmp_path / "texts.txt").write_text("Hello.\n" * 3)
    monkeypatch.setattr(Workspace, "recall", broken)
    with pytest.raises(StoreError, match="damaged"):
        rows(tmp_path, 2)


def broken(*_):
    raise StoreError("the workspace is damaged")


def test_a_worker_that_comes_in_the_moment_of_ctrl_c_is_sent_away(local, monkeypatch):
    busy, connected, heard = threading.Event(), threading.Event(), []

    async def interrupted():
        loop, stop = asyncio.get_running_loop(), asyncio.Event()

        def ctrl_c():
            busy.set()
            connected.wait(120)
            stop.set()

        def worker(job, segments, address):
            loop.call_soon_threadsafe(ctrl_c)
            busy.wait(120)
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(120)
                line.connect(address)
                connected.set()
                heard.append(line.recv(1))

        monkeypatch.setattr(shard, "check_shard", worker)
        job = Job("rtt", {}, seed=1, repetitions=1, system="local", directions=None, limits=Limits())
        segments = [Segment("1", Text("Hello.", "en"), 0)]
        async for _ in shard.run_sharded(job, segments, Translating(local(), None), 2, stop):
            pass

    monkeypatch.setattr(shard, "ProcessPoolExecutor", lambda workers, **_: ThreadPoolExecutor(workers))
    with pytest.raises(Interrupted):
        asyncio.run(interrupted())
    assert heard == [b""]


def test_no_worker_outlives_a_killed_run(tmp_path):
    (tmp_path / "c.txt").write_text("".join(f"Sentence {i}.\n" for i in range(2000)))
    slow = "command:sh -c 'sleep 0.2; cat',batch=20"
    words = ["run", "c.txt", "--system", slow, "--to", "es", "-r", "sane", "--workers", "2"]
    child = subprocess.Popen([sys.executable, "-m", "concord.cli", *words], cwd=tmp_path)
    workers = _wait_for(lambda: len(_children(child.pid)) >= 3 and _children(child.pid), child)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    assert _wait_for(lambda: not [pid for pid in workers if _alive(pid)])


def test_ctrl_c_while_workers_start_is_heard_by_the_main_process_alone(tmp_path):
    (tmp_path / "c.txt").write_text("".join(f"Sentence {i}.\n" for i in range(2000)))
    slow = "command:sh -c 'sleep 0.2; cat',batch=20"
    words = ["run", "c.txt", "--system", slow, "--to", "es", "-r", "sane", "--workers", "2"]
    command = [sys.executable, "-m", "concord.cli", *words]
    child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        first = _wait_for(
            lambda: [pid for pid, args in _children(child.pid).items() if "spawn_main" in args], child, pause=0.01
        )
        deaf = [_deaf_to_ctrl_c(pid) for pid in first]
        os.killpg(child.pid, signal.SIGINT)
        _, err = child.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):  # workers that were left alone would stay
            os.killpg(child.pid, signal.SIGKILL)
    assert child.returncode == 130
    assert err.splitlines()[-1].startswith("stopped; "), err
    assert "Traceback" not in err
    assert all(deaf)


def _wait_for(condition, child=None, pause=0.05):
    while not (found := condition()):
        assert child is None or child.poll() is None, "it has ended before"
        time.sleep(pause)
    return found


def _children(pid):
    found = subprocess.run(["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    lines = [line.split(maxsplit=1) for line in found.splitlines() if "python" in line and "<defunct>" not in line]
    return {int(pid): args for pid, args in lines}


def _deaf_to_ctrl_c(pid):
    with open(f"/proc/{pid}/status") as file:
        masks = [int(line.split()[1], 16) for line in file if line.startswith(("SigBlk:", "SigIgn:"))]
    return any(mask >> signal.SIGINT - 1 & 1 for mask in masks)


def _alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
