from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from concord.errors import Unavailable
from concord.pipes import Pipeline

SAME = ["sed", "-zu", ""]
UPPER = ["sed", "-zu", r"s/.*/\U&/"]
STARS = ["sed", "-zu", "s/$/*/"]

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


def are_gone(pids: list[int], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while any(map(is_running, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_every_record_is_answered_in_order_by_all_commands() -> None:
    answers = run(lambda pipeline: pipeline.ask([b"one", b"", b"two\nlines"]), UPPER, STARS)
    assert answers == [b"ONE*", b"*", b"TWO\nLINES*"]


def test_no_records_start_no_process() -> None:
    async def talk(pipeline: Pipeline) -> tuple[list[bytes], list[int]]:
        return await pipeline.ask([]), pipeline.pids()

    assert run(talk, SAME) == ([], [])


def test_a_batch_larger_than_all_pipes_together_does_not_block() -> None:
    records = [b"%d " % number * 300 for number in range(3_000)] + [b"x" * 2_000_000]
    assert run(lambda pipeline: pipeline.ask(records), SAME, SAME, SAME) == records


def test_a_record_with_nul_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="NUL"):
        run(lambda pipeline: pipeline.ask([b"a\0b"]), SAME)


@pytest.mark.parametrize("commands", [[], [[]], [SAME, []]])
def test_a_pipeline_needs_commands(commands: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="command"):
        Pipeline(commands)


def test_questions_at_the_same_time_each_get_their_own_answers() -> None:
    async def talk(pipeline: Pipeline) -> list[list[bytes]]:
        return await asyncio.gather(*(pipeline.ask([b"%d.%d" % (i, j) for j in range(i)]) for i in range(30)))

    assert run(talk, SAME, STARS) == [[b"%d.%d*" % (i, j) for j in range(i)] for i in range(30)]


def test_the_same_processes_serve_one_event_loop_after_another() -> None:
    pipeline = Pipeline([SAME, UPPER])
    seen = set()
    for word in (b"a", b"b", b"c"):
        assert asyncio.run(pipeline.ask([word])) == [word.upper()]
        seen.add(tuple(pipeline.pids()))
    asyncio.run(pipeline.close())
    assert len(seen) == 1
    assert are_gone(list(seen.pop()))


def test_waiting_questions_do_not_tie_a_pipeline_to_their_event_loop() -> None:
    async def twice() -> list[list[bytes]]:
        return await asyncio.gather(pipeline.ask([b"a"]), pipeline.ask([b"b"]))

    pipeline = Pipeline([SAME])
    assert asyncio.run(twice()) == asyncio.run(twice()) == [[b"a"], [b"b"]]
    asyncio.run(pipeline.close())


def test_after_close_it_starts_anew() -> None:
    async def talk(pipeline: Pipeline) -> None:
        await pipeline.close()
        assert await pipeline.ask([b"a"]) == [b"a"]
        before = pipeline.pids()
        await pipeline.close()
        await pipeline.close()
        assert pipeline.pids() == []
        assert are_gone(before)
        assert await pipeline.ask([b"b"]) == [b"b"]

    run(talk, SAME)


def test_a_question_under_way_fails_when_the_pipeline_is_closed() -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, b"stuck")
        await pipeline.close()
        with pytest.raises(Unavailable, match="closed"):
            await question

    run(talk, SAME, ODD)


def test_a_cancelled_question_leaves_nothing_behind_for_the_next() -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, b"half")
        before = pipeline.pids()
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        assert are_gone(before)
        assert await pipeline.ask([b"next"]) == [b"next"]

    run(talk, SAME, ODD, SAME)


def test_questions_follow_each_other_without_a_gap() -> None:
    async def talk(pipeline: Pipeline) -> list[list[bytes]]:
        return await asyncio.gather(pipeline.ask([b"late"]), pipeline.ask([b"a", b"late"]), pipeline.ask([b"b"]))

    assert run(talk, ODD, SAME) == [[b"late"], [b"a", b"late"], [b"b"]]


def test_only_the_question_at_which_a_command_dies_fails() -> None:
    async def talk(pipeline: Pipeline) -> list[object]:
        records = [b"a", b"b", b"fatal", b"c", b"fatal", b"d"]
        return await asyncio.gather(*(pipeline.ask([record]) for record in records), return_exceptions=True)

    a, b, first, c, second, d = run(talk, SAME, ODD, SAME)
    assert [a, b, c, d] == [[b"a"], [b"b"], [b"c"], [b"d"]]
    assert isinstance(first, Unavailable)
    assert isinstance(second, Unavailable)


def test_questions_that_are_asked_again_have_no_answers_left_from_before() -> None:
    async def talk(pipeline: Pipeline) -> list[list[bytes]]:
        return await asyncio.gather(pipeline.ask([b"a", b"fatal once", b"c"]), pipeline.ask([b"d"]))

    assert run(talk, ODD) == [[b"a", b"fatal once", b"c"], [b"d"]]


def test_questions_behind_a_cancelled_one_are_answered_all_the_same() -> None:
    async def talk(pipeline: Pipeline) -> None:
        behind = asyncio.gather(*(pipeline.ask([b"%d" % number]) for number in range(5)))
        stuck = await begun(pipeline, b"stuck")
        after = asyncio.gather(*(pipeline.ask([b"%d" % number]) for number in range(5, 10)))
        await asyncio.sleep(0.01)
        stuck.cancel()
        assert [*await behind, *await after] == [[b"%d" % number] for number in range(10)]

    run(talk, SAME, ODD)


def test_a_question_may_be_cancelled_before_anything_of_it_is_sent() -> None:
    async def talk(pipeline: Pipeline) -> None:
        wrong: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        first = await begun(pipeline, b"stuck")
        before = pipeline.pids()
        second = asyncio.create_task(pipeline.ask([b"b"]))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0.05)
        assert second.cancelled()
        assert not first.done()
        assert pipeline.pids() == before
        assert wrong == []
        first.cancel()

    run(talk, ODD)


def test_an_event_loop_that_was_abandoned_leaves_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    pipeline = Pipeline([ODD])
    loop = asyncio.new_event_loop()
    lost = loop.run_until_complete(begun(pipeline, b"half"))
    before = pipeline.pids()
    loop.close()
    assert asyncio.run(pipeline.ask([b"next"])) == [b"next"]
    assert are_gone(before)
    asyncio.run(pipeline.close())
    del lost
    gc.collect()
    assert "destroyed" in caplog.text


def test_a_cancelled_question_that_was_not_sent_does_not_disturb_the_one_under_way() -> None:
    async def talk(pipeline: Pipeline) -> None:
        assert await pipeline.ask([b"start"]) == [b"start"]
        before = pipeline.pids()
        first = asyncio.create_task(pipeline.ask([b"a" * 500_000]))
        waiting = asyncio.create_task(pipeline.ask([b"b"]))
        await asyncio.sleep(0)
        waiting.cancel()
        assert await first == [b"a" * 500_000]
        assert pipeline.pids() == before

    run(talk, SAME)


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("record", [b"stuck", b"half"])
def test_the_death_of_any_command_fails_the_question_and_not_the_next(number: int, record: bytes) -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, record)
        before = pipeline.pids()
        os.kill(before[number], signal.SIGKILL)
        with pytest.raises(Unavailable, match="stopped"):
            await question
        assert are_gone(before)
        assert await pipeline.ask([b"next"]) == [b"next"]

    run(talk, SAME, ODD, ODD, SAME)


def test_the_last_words_of_a_command_that_ended_are_told() -> None:
    with pytest.raises(Unavailable, match="stopped: no such file"):
        run(lambda pipeline: pipeline.ask([b"fine", b"fatal", b"fine"]), SAME, ODD, SAME)


def test_a_command_that_died_while_idle_is_replaced_unnoticed() -> None:
    async def talk(pipeline: Pipeline) -> None:
        assert await pipeline.ask([b"a"]) == [b"a"]
        before = pipeline.pids()
        os.kill(before[0], signal.SIGKILL)
        assert are_gone(before[:1])
        assert await pipeline.ask([b"b"]) == [b"b"]
        assert not set(before) & set(pipeline.pids())

    run(talk, SAME, SAME)


def test_half_an_answer_is_never_taken_for_a_whole_one() -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, b"mute")
        output = f"/proc/{pipeline.pids()[0]}/fd/1"
        while os.path.lexists(output):
            await asyncio.sleep(0.01)
        # The next command would now see the end of its input, and end the half record, if we let it.
        await asyncio.wait([question], timeout=0.3)
        assert not question.done()
        question.cancel()

    run(talk, ODD, ODD)


def test_more_answers_than_records_fail_the_question_and_not_the_next() -> None:
    async def talk(pipeline: Pipeline) -> None:
        with pytest.raises(Unavailable, match="more answers"):
            await pipeline.ask([b"once", b"twice"])
        assert await pipeline.ask([b"next"]) == [b"next"]

    run(talk, ODD)


def test_what_came_out_between_two_questions_is_not_taken_for_an_answer(told: Path) -> None:
    async def talk(pipeline: Pipeline) -> None:
        assert await pipeline.ask([b"a"]) == [b"a"]
        os.kill(pipeline.pids()[0], signal.SIGUSR1)
        while not told.exists():
            await asyncio.sleep(0.01)
        assert await pipeline.ask([b"b"]) == [b"b"]

    run(talk, ODD)


def test_a_program_that_does_not_exist_is_named_and_leaks_nothing() -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(Unavailable, match=r"no-such-program.*No such file"):
        run(lambda pipeline: pipeline.ask([b"a"]), SAME, ["no-such-program"])
    assert len(os.listdir("/proc/self/fd")) == before


def test_no_file_descriptor_outlives_the_processes() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        run(lambda pipeline: pipeline.ask([b"a"]), SAME, SAME, SAME)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_forgotten_pipeline_ends_its_processes() -> None:
    pipeline = Pipeline([SAME, SAME])
    asyncio.run(pipeline.ask([b"a"]))
    pids = pipeline.pids()
    del pipeline
    gc.collect()
    assert are_gone(pids)


def test_an_interrupt_at_the_terminal_does_not_reach_the_processes() -> None:
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


def test_complaints_stand_at_the_head_of_the_answer_they_belong_to() -> None:
    async def talk() -> list[bytes]:
        pipeline = Pipeline([SAME, ODD], complaints=True)
        try:
            return await pipeline.ask([b"a", b"grumble", b"b"])
        finally:
            await pipeline.close()

    assert asyncio.run(talk()) == [b"a", b"hm! grumble", b"b"]


def test_the_processes_end_when_ours_is_killed() -> None:
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


def test_a_program_that_ends_without_closing_leaves_no_process_and_no_warning() -> None:
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
