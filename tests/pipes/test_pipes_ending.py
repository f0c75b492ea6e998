"""Commands that die or talk out of turn, and processes that end with whoever has started them."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from concord.errors import Unavailable
from concord.pipes import Pipeline

SAME = ["sed", "-zu", ""]


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("record", [b"stuck", b"half"])
def test_the_death_of_any_command_fails_the_question_and_not_the_next(
    run, begun, are_gone, odd, number: int, record: bytes
) -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, record)
        before = pipeline.pids()
        os.kill(before[number], signal.SIGKILL)
        with pytest.raises(Unavailable, match="stopped"):
            await question
        assert are_gone(before)
        assert await pipeline.ask([b"next"]) == [b"next"]

    run(talk, SAME, odd, odd, SAME)


def test_the_last_words_of_a_command_that_ended_are_told(run, odd) -> None:
    with pytest.raises(Unavailable, match="stopped: no such file"):
        run(lambda pipeline: pipeline.ask([b"fine", b"fatal", b"fine"]), SAME, odd, SAME)


def test_a_command_that_died_while_idle_is_replaced_unnoticed(run, are_gone) -> None:
    async def talk(pipeline: Pipeline) -> None:
        assert await pipeline.ask([b"a"]) == [b"a"]
        before = pipeline.pids()
        os.kill(before[0], signal.SIGKILL)
        assert are_gone(before[:1])
        assert await pipeline.ask([b"b"]) == [b"b"]
        assert not set(before) & set(pipeline.pids())

    run(talk, SAME, SAME)


def test_half_an_answer_is_never_taken_for_a_whole_one(run, begun, odd) -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, b"mute")
        output = f"/proc/{pipeline.pids()[0]}/fd/1"
        while os.path.lexists(output):
            await asyncio.sleep(0.01)
        # The next command would now see the end of its input, and end the half record, if we let it.
        await asyncio.wait([question], timeout=0.3)
        assert not question.done()
        question.cancel()

    run(talk, odd, odd)


def test_more_answers_than_records_fail_the_question_and_not_the_next(run, odd) -> None:
    async def talk(pipeline: Pipeline) -> None:
        with pytest.raises(Unavailable, match="more answers"):
            await pipeline.ask([b"once", b"twice"])
        assert await pipeline.ask([b"next"]) == [b"next"]

    run(talk, odd)


def test_what_came_out_between_two_questions_is_not_taken_for_an_answer(run, odd, told: Path) -> None:
    async def talk(pipeline: Pipeline) -> None:
        assert await pipeline.ask([b"a"]) == [b"a"]
        os.kill(pipeline.pids()[0], signal.SIGUSR1)
        while not told.exists():
            await asyncio.sleep(0.01)
        assert await pipeline.ask([b"b"]) == [b"b"]

    run(talk, odd)


def test_a_program_that_does_not_exist_is_named_and_leaks_nothing(run) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(Unavailable, match=r"no-such-program.*No such file"):
        run(lambda pipeline: pipeline.ask([b"a"]), SAME, ["no-such-program"])
    assert len(os.listdir("/proc/self/fd")) == before


def test_no_file_descriptor_outlives_the_processes(run) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        run(lambda pipeline: pipeline.ask([b"a"]), SAME, SAME, SAME)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_forgotten_pipeline_ends_its_processes(are_gone) -> None:
    pipeline = Pipeline([SAME, SAME])
    asyncio.run(pipeline.ask([b"a"]))
    pids = pipeline.pids()
    del pipeline
    gc.collect()
    assert are_gone(pids)


def test_an_interrupt_at_the_terminal_does_not_reach_the_processes(run) -> None:
    async def talk(pipeline: Pipeline) -> list[int]:
        await pipeline.ask([b"a"])
        return [os.getsid(pid) for pid in pipeline.pids()]

    assert os.getsid(0) not in run(talk, SAME, SAME)


def test_variables_are_added_to_the_environment() -> None:
    async def talk() -> list[bytes]:
        tell = ["sed", "-zu", r"s/.*/printf %s-%s $GREETING ${PATH:+path}/e"]
        pipeline = Pipeline([tell], variables={"GREETING": "hi"})
        try:
            return await pipeline.ask([b"x"])
        finally:
            await pipeline.close()

    assert asyncio.run(talk()) == [b"hi-path"]


def test_complaints_stand_at_the_head_of_the_answer_they_belong_to(odd) -> None:
    async def talk() -> list[bytes]:
        pipeline = Pipeline([SAME, odd], complaints=True)
        try:
            return await pipeline.ask([b"a", b"grumble", b"b"])
        finally:
            await pipeline.close()

    assert asyncio.run(talk()) == [b"a", b"hm! grumble", b"b"]


def test_the_processes_end_when_ours_is_killed(are_gone) -> None:
    script = """
import asyncio
from concord.pipes import Pipeline
async def main():
    pipelines = [Pipeline([["sed", "-zu", ""]] * 3) for _ in range(3)]
    for pipeline in pipelines:
        await pipeline.ask([b"a"])
    print(*(pid for pipeline in pipelines for pid in pipeline.pids()), flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    ours = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert ours.stdout is not None
    with ours.stdout as output:
        pids = [int(word) for word in output.readline().split()]
        ours.kill()
        ours.wait()
    assert len(pids) == 9
    assert are_gone(pids)


def test_a_program_that_ends_without_closing_leaves_no_process_and_no_warning(are_gone) -> None:
    script = """
import asyncio
from concord.pipes import Pipeline
pipeline = Pipeline([["sed", "-zu", ""]])
asyncio.run(pipeline.ask([b"a"]))
print(*pipeline.pids())
"""
    ended = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, check=True)
    assert ended.stderr == b""
    assert are_gone([int(word) for word in ended.stdout.split()])


def test_a_forked_copy_starts_processes_of_its_own() -> None:
    script = """
import asyncio, os
from concord.pipes import Pipeline
pipeline = Pipeline([["sed", "-zu", ""]])
asyncio.run(pipeline.ask([b"a"]))
mine = pipeline.pids()
if os.fork() == 0:
    assert asyncio.run(pipeline.ask([b"b"])) == [b"b"]
    assert not set(mine) & set(pipeline.pids())
    raise SystemExit
assert os.wait()[1] == 0
assert asyncio.run(pipeline.ask([b"c"])) == [b"c"]
assert pipeline.pids() == mine
"""
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)
