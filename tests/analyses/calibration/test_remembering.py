"""What the workspace has of a system is not asked again, and what is asked is counted for its account."""

from __future__ import annotations

import asyncio

import pytest

from concord.analyses.calibration.cached_system import CachedSystem
from concord.errors import BadAnswer, Exhausted, Refused
from concord.model import Limits, System
from concord.store import Workspace


class Odd(System):
    id = "odd"
    limits = Limits(per_month=20)

    def __init__(self, answers):
        self.answers = answers
        self.asked = []
        self.closed = False

    async def translate(self, texts, source, target):
        self.asked.append(list(texts))
        return [self.answers[text] for text in texts if text in self.answers]

    def version(self, source, target):
        return "v1"

    async def directions(self):
        return {("en", "es")}

    async def close(self):
        self.closed = True


@pytest.fixture
def store(tmp_path):
    with Workspace(tmp_path / "w.sqlite") as made:
        yield made


def asked(system, *texts):
    return list(asyncio.run(system.translate(texts, "en", "es")))


def test_a_text_is_asked_once_and_answered_in_its_place(store):
    inner = Odd({"one": "uno", "two": "dos", "three": "tres"})
    system = CachedSystem(inner, store)
    assert asked(system, "one", "two") == ["uno", "dos"]
    assert asked(system, "three", "two", "one") == ["tres", "dos", "uno"]
    assert inner.asked == [["one", "two"], ["three"]]


def test_another_calibration_of_the_workspace_finds_the_answers(store):
    asked(CachedSystem(Odd({"one": "uno"}), store), "one")
    assert asked(CachedSystem(Odd({}), store), "one") == ["uno"]


def test_refusals_and_unusable_answers_are_passed_on_and_not_kept(store):
    no = Refused("no")
    inner = Odd({"one": "uno", "two": no, "three": ""})
    system = CachedSystem(inner, store)
    assert asked(system, "one", "two", "three") == ["uno", no, ""]
    assert asked(system, "one", "two", "three") == ["uno", no, ""]
    assert inner.asked[1:] == [["two", "three"]]


def test_too_few_answers_are_a_bad_answer_of_the_whole_batch(store):
    with pytest.raises(BadAnswer, match="odd gave 1 answer to 2 texts"):
        asked(CachedSystem(Odd({"one": "uno"}), store), "one", "two")


def test_only_what_is_sent_is_counted_and_the_plan_is_kept_to(store):
    system = CachedSystem(Odd({"one": "uno", "x" * 18: "y"}), store)
    asked(system, "one")
    asked(system, "one")
    assert store.spent_this_month("odd") == 3
    with pytest.raises(Exhausted, match="20 characters a month"):
        asked(system, "x" * 18)


def test_it_is_the_system_in_all_else(store):
    inner = Odd({})
    system = CachedSystem(inner, store)
    assert (system.id, system.version("en", "es"), asyncio.run(system.directions())) == ("odd", "v1", {("en", "es")})
    assert system.lacks("en", "fr", {("en", "es")}) == inner.lacks("en", "fr", {("en", "es")})
    asyncio.run(system.close())
    assert inner.closed
