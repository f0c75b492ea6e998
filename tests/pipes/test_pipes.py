"""Questions to a pipeline of commands and their answers: in order, at the same time, cancelled."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from concord.errors import Unavailable
from concord.pipes import Pipeline

SAME = ["sed", "-zu", ""]
UPPER = ["sed", "-zu", r"s/.*/\U&/"]
STARS = ["sed", "-zu", "s/$/*/"]


def test_every_record_is_answered_in_order_by_all_commands(run) -> None:
    answers = run(lambda pipeline: pipeline.ask([b"one", b"", b"two\nlines"]), UPPER, STARS)
    assert answers == [b"ONE*", b"*", b"TWO\nLINES*"]


def test_no_records_start_no_process(run) -> None:
    async def talk(pipeline: Pipeline) -> tuple[list[bytes], list[int]]:
        return await pipeline.ask([]), pipeline.pids()

    assert run(talk, SAME) == ([], [])


def test_a_batch_larger_than_all_pipes_together_does_not_block(run) -> None:
    records = [b"%d " % number * 300 for number in range(600)] + [b"x" * 1_000_000]
    assert run(lambda pipeline: pipeline.ask(records), SAME, SAME, SAME) == records


def test_a_record_with_nul_is_a_mistake_of_the_caller(run) -> None:
    with pytest.raises(ValueError, match="NUL"):
        run(lambda pipeline: pipeline.ask([b"a\0b"]), SAME)


@pytest.mark.parametrize("commands", [[], [[]], [SAME, []]])
def test_a_pipeline_needs_commands(commands: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="command"):
        Pipeline(commands)


def test_questions_at_the_same_time_each_get_their_own_answers(run) -> None:
    async def talk(pipeline: Pipeline) -> list[list[bytes]]:
        return await asyncio.gather(*(pipeline.ask([b"%d.%d" % (i, j) for j in range(i)]) for i in range(30)))

    assert run(talk, SAME, STARS) == [[b"%d.%d*" % (i, j) for j in range(i)] for i in range(30)]


def test_the_same_processes_serve_one_event_loop_after_another(are_gone) -> None:
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


def test_after_close_it_starts_anew(run, are_gone) -> None:
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


def test_a_question_under_way_fails_when_the_pipeline_is_closed(run, begun, odd) -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, b"stuck")
        await pipeline.close()
        with pytest.raises(Unavailable, match="closed"):
            await question

    run(talk, SAME, odd)


def test_a_cancelled_question_leaves_nothing_behind_for_the_next(run, begun, are_gone, odd) -> None:
    async def talk(pipeline: Pipeline) -> None:
        question = await begun(pipeline, b"half")
        before = pipeline.pids()
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        assert are_gone(before)
        assert await pipeline.ask([b"next"]) == [b"next"]

    run(talk, SAME, odd, SAME)


def test_questions_follow_each_other_without_a_gap(run, odd) -> None:
    async def talk(pipeline: Pipeline) -> list[list[bytes]]:
        return await asyncio.gather(pipeline.ask([b"late"]), pipeline.ask([b"a", b"late"]), pipeline.ask([b"b"]))

    assert run(talk, odd, SAME) == [[b"late"], [b"a", b"late"], [b"b"]]


def test_only_the_question_at_which_a_command_dies_fails(run, odd) -> None:
    async def talk(pipeline: Pipeline) -> list[object]:
        records = [b"a", b"b", b"fatal", b"c", b"fatal", b"d"]
        return await asyncio.gather(*(pipeline.ask([record]) for record in records), return_exceptions=True)

    a, b, first, c, second, d = run(talk, SAME, odd, SAME)
    assert [a, b, c, d] == [[b"a"], [b"b"], [b"c"], [b"d"]]
    assert isinstance(first, Unavailable)
    assert isinstance(second, Unavailable)


def test_questions_that_are_asked_again_have_no_answers_left_from_before(run, odd) -> None:
    async def talk(pipeline: Pipeline) -> list[list[bytes]]:
        return await asyncio.gather(pipeline.ask([b"a", b"fatal once", b"c"]), pipeline.ask([b"d"]))

    assert run(talk, odd) == [[b"a", b"fatal once", b"c"], [b"d"]]


def test_questions_behind_a_cancelled_one_are_answered_all_the_same(run, begun, odd) -> None:
    async def talk(pipeline: Pipeline) -> None:
        behind = asyncio.gather(*(pipeline.ask([b"%d" % number]) for number in range(5)))
        stuck = await begun(pipeline, b"stuck")
        after = asyncio.gather(*(pipeline.ask([b"%d" % number]) for number in range(5, 10)))
        await asyncio.sleep(0.01)
        stuck.cancel()
        assert [*await behind, *await after] == [[b"%d" % number] for number in range(10)]

    run(talk, SAME, odd)


def test_a_question_may_be_cancelled_before_anything_of_it_is_sent(run, begun, odd) -> None:
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

    run(talk, odd)


def test_an_event_loop_that_was_abandoned_leaves_nothing_behind(
    begun, are_gone, odd, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline = Pipeline([odd])
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


def test_a_cancelled_question_that_was_not_sent_does_not_disturb_the_one_under_way(run) -> None:
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
