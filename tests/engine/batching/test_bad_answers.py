"""An answer that cannot be used is asked for once more, and one without end is kept cut and not judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from concord import api
from concord.bounds import LONGEST_TEXT, MORE, TIMES, cut, is_cut
from concord.engine.batching.budget import Budget
from concord.errors import NOT_JUDGED, BadAnswer, Exhausted, Refused
from concord.model import Limits, Noted, Text

UNUSABLE = [None, 7, BadAnswer("no text")]
BAD = ["", " \n", "\ud800", *UNUSABLE]


def at_first(*answers: Any) -> Callable[[str], Any]:
    """A system that begins with these answers, and says every other text back in capitals."""
    first = iter(answers)
    return lambda text: next(first, text.upper())


async def once(x: Text, translate: Any, *, to: str) -> list[Any]:
    await translate(x, to)
    return []


class Notebook:
    """A memory that is a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[Any, Any] = {}

    def recall(self, lane: Any, items: Sequence[Any]) -> list[Any]:
        return [self.kept.get((lane, item)) for item in items]

    def commit(self, lane: Any, items: Sequence[Any], answers: Sequence[Any]) -> None:
        self.kept |= {(lane, item): answer for item, answer in zip(items, answers, strict=True)}


@pytest.mark.parametrize("answer", BAD, ids=repr)
def test_a_bad_answer_is_asked_for_once_more(checked, local, answer):
    system = local(at_first(answer))
    (outcome,) = checked(system, ["hello"])
    assert outcome.cases == [["HELLO", "HELLO"]]
    assert system.texts == ["hello", "hello", "HELLO"]


@pytest.mark.parametrize("answer", UNUSABLE, ids=repr)
def test_a_second_unusable_answer_is_an_error_row(checked, local, answer):
    system = local(lambda text: answer if text == "bad" else text.upper(), texts=2)
    outcomes = checked(system, ["good", "bad", "fine"])
    assert [bool(outcome.error) for outcome in outcomes] == [False, True, False]
    assert system.texts.count("bad") == 2
    assert system.texts.count("good") == 1


@pytest.mark.parametrize(("answer", "kept"), [("", ""), (" \n", ""), ("a\ud800", "a\ufffd"), (" " * 10**6, "")])
def test_a_second_answer_that_is_empty_or_broken_is_kept(checked, local, answer, kept):
    memory = Notebook()
    system = local(lambda text: answer if text == "bad" else text.upper())
    assert [outcome.error for outcome in checked(system, ["good", "bad"], once, memory=memory)] == [None, None]
    assert system.texts.count("bad") == 2
    assert memory.kept[("en", "es"), "bad"] == kept


def test_a_reply_that_is_no_list_of_texts_is_asked_for_once_more_where_it_answers_one_text(checked, local):
    class Broken(type(local())):
        async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
            answers = await super().translate(texts, source, target)
            if len(self.batches) == 1:
                raise BadAnswer("the answer has a NoneType as text, not a str")
            return answers

    system = Broken(str.upper, Limits(texts=1))
    (outcome,) = checked(system, ["hello"])
    assert outcome.error is None
    assert system.texts == ["hello", "hello", "HELLO"]


def test_what_is_asked_again_travels_with_what_is_still_to_be_asked(checked, local):
    system = local(at_first(""), texts=2, in_flight=1)
    outcomes = checked(system, ["a", "b", "c"], once)
    assert [outcome.error for outcome in outcomes] == [None] * 3
    assert [set(batch) for batch in system.batches] == [{"a", "b"}, {"c", "a"}]


def test_a_system_that_says_nothing_costs_twice_its_texts_and_does_not_look_dead(checked, local, clock):
    words = [f"sentence {i}" for i in range(300)]
    system = local(lambda text: "", texts=16)
    outcomes = checked(system, words, once, clock=clock)
    assert {outcome.error for outcome in outcomes} == {None}
    assert len(outcomes) == 300
    assert len(system.texts) == 600
    assert clock.now < 1


def test_the_second_question_is_counted_by_the_budget(checked, local):
    system = local(at_first(""))
    budget = Budget(max_characters=100)
    checked(system, ["hello"], once, gate=budget.gate(system))
    assert budget.characters == 10
    system = local(at_first(""))
    with pytest.raises(Exhausted):
        checked(system, ["hello"], once, gate=Budget(max_characters=9).gate(system))
    assert system.texts == ["hello"]


def test_what_is_refused_or_always_the_same_is_asked_once(checked, local):
    refusing, repeating = local(lambda text: Refused("no")), local(lambda text: "")
    repeating.deterministic = True
    for system in (refusing, repeating):
        checked(system, ["hello"], once)
        assert system.texts == ["hello"]


# -- answers without end ----------------------------------------------------------------------------


def test_an_answer_out_of_proportion_is_asked_for_once_more(checked, local):
    system = local(at_first("1-" * 10_000))
    (outcome,) = checked(system, ["hello"])
    assert outcome.cases == [["HELLO", "HELLO"]]
    assert system.texts == ["hello", "hello", "HELLO"]


def test_the_second_is_kept_cut_and_is_not_judged_now_or_from_memory(checked, local):
    memory = Notebook()
    system = local(lambda text: "1-" * 1_500_000 if text == "hello" else text.upper())
    words = ["hello", "world"]
    first = [outcome.error for outcome in checked(system, words, memory=memory)]
    assert first[1] is None
    assert first[0].startswith(f"{NOT_JUDGED}the answer to “hello” ")
    assert "It begins: “1-1-1-" in first[0]
    assert len(first[0]) < 500
    assert system.texts.count("hello") == 2
    assert memory.kept[("en", "es"), "hello"] == ("1-" * 10_000)[: TIMES * 5 + MORE]
    sent = len(system.texts)
    assert [outcome.error for outcome in checked(system, words, memory=memory)] == first
    assert len(system.texts) == sent


def test_one_answer_without_end_of_several_that_are_asked_together_is_not_judged(checked, local):
    async def several(x: Text, translate: Any, *, to: str) -> list[Any]:
        await translate.each([x, Text("fine", "en")], to)
        return []

    (outcome,) = checked(local(lambda text: "x" * 10**6 if text == "hello" else text.upper()), ["hello"], several)
    assert outcome.error.startswith(NOT_JUDGED)


def test_what_is_kept_of_an_answer_keeps_its_note():
    kept = cut("hello", Noted("x" * 20_000, {"fault": "loop"}))
    assert isinstance(kept, Noted)
    assert kept.note == {"fault": "loop"}
    assert is_cut("hello", kept)
    assert not is_cut("hello", kept[:-1])
    assert cut("hello", "x" * 100) == "x" * 100


# -- long texts -------------------------------------------------------------------------------------


def test_a_text_too_long_to_be_compared_is_a_row_and_is_never_sent(checked, local):
    system = local(characters=10**7)
    outcomes = checked(system, ["fine", "x" * LONGEST_TEXT, "y" * (LONGEST_TEXT + 1)])
    assert [outcome.error for outcome in outcomes[:2]] == [None, None]
    assert outcomes[2].error.startswith(f"{NOT_JUDGED}the text has 20,001 characters; at most 20,000 are compared")
    assert not any("y" in text for text in system.texts)


def test_an_answer_too_long_to_be_compared_is_kept_whole_and_not_judged(checked, local):
    memory = Notebook()
    system = local(lambda text: text * 3, characters=10**7)
    (outcome,) = checked(system, ["long text " * 1_000], memory=memory)
    assert outcome.error.startswith(f"{NOT_JUDGED}the answer to “long text")
    assert "has 30,000 characters; at most 20,000 are compared" in outcome.error
    assert [len(answer) for answer in memory.kept.values()] == [30_000]
    assert len(system.texts) == 1


# -- several processes ------------------------------------------------------------------------------

RUNAWAY = """#!/usr/bin/env python3
import sys
for line in sys.stdin:
    print("" if "13 " in line else "1-" * 100_000 if "7 " in line else "Hay " + line.split()[2] + " gatos.")
"""


def test_rows_and_counts_do_not_depend_on_the_number_of_workers(tmp_path):
    program, texts = tmp_path / "mt", tmp_path / "texts.txt"
    program.write_text(RUNAWAY)
    program.chmod(0o755)
    texts.write_text("".join(f"There are {i} cats.\n" for i in range(60)) + "x" * 30_000 + "\n")
    rows, counts = [], []
    for workers in (1, 2):
        made = api.run(
            texts,
            relations=["literals"],
            systems=[f"command:{program}"],
            to=["es"],
            workspace=tmp_path / f"{workers}.sqlite",
            settings=api.Settings(workers=workers),
        )
        rows.append(list(api.rows(tmp_path / f"{workers}.sqlite")))
        counts.append([(each.run.asked, each.run.sent, each.run.cached) for each in made])
    assert rows[0] == rows[1]
    assert counts[0] == counts[1]
    errors = [row["error"] for row in rows[0] if row["error"]]
    not_judged = [error for error in errors if error.startswith(NOT_JUDGED)]
    assert (len(not_judged), len(errors)) == (8, 8)
