"""A system with faults: whom they hit, how often, and that all else is the system's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from typing import get_args

import pytest

from concord import plugins
from concord.errors import Refused, Unavailable, UnknownName, UserError
from concord.model import Limits, Noted, System
from concord.translators._fault_injection import FAULTS
from concord.translators.faulty import SERVICE_FAULTS, Kind, Translator

SENTENCES = [f"The old captain did not sell {number} ships to the people of Oslo." for number in range(2_000)]


class Echo(System):
    """Says every text again, in brackets; refuses what it is told to."""

    id = "echo"
    limits = Limits(texts=5, characters=99, in_flight=3, seconds=7)
    codes = {"he": "iw"}  # noqa: RUF012
    keys = ("ECHO_KEY",)

    def __init__(self, told: str | None = "v9") -> None:
        self.told = told
        self.closed = 0

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        return [Refused("no") if text == "refuse" else text for text in texts]

    def version(self, source: str, target: str) -> str | None:
        return self.told

    async def directions(self) -> Collection[tuple[str, str]]:
        return {("en", "es")}

    async def close(self) -> None:
        self.closed += 1


class Loud(Echo):
    """Says every text again, louder."""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        return [text + "!" for text in texts]


def spoilt(kind, texts=SENTENCES, rate=0.2, seed=7):
    system = Translator(inner=Echo(), kind=kind, rate=rate, seed=seed, delay=0.2)
    return list(asyncio.run(system.translate(texts, "es", "en")))


@pytest.mark.parametrize("kind", [*FAULTS, "any"])
def test_the_share_of_faults_is_as_told(kind):
    answers = asyncio.run(Translator(inner=Loud(), kind=kind, rate=0.2, seed=7).translate(SENTENCES, "es", "en"))
    wrong = [isinstance(answer, Noted) for answer in answers]
    assert sum(wrong) / len(wrong) == pytest.approx(0.2, abs=0.03)
    for hit, answer, text in zip(wrong, answers, SENTENCES, strict=True):
        assert (answer != text + "!") == hit


def test_neither_order_nor_batch_decides_who_is_hit():
    system = Translator(inner=Echo(), rate=0.5, seed=3)
    together = asyncio.run(system.translate(SENTENCES[:60], "es", "en"))
    alone = [asyncio.run(system.translate([text], "es", "en"))[0] for text in reversed(SENTENCES[:60])]
    assert list(together) == alone[::-1]


def test_another_seed_kind_or_direction_hits_others():
    def hit(kind, seed, source):
        system = Translator(inner=Echo(), kind=kind, rate=0.5, seed=seed)
        return [isinstance(answer, Noted) for answer in asyncio.run(system.translate(SENTENCES, source, "en"))]

    base = hit("drop_word", 1, "es")
    assert base == hit("drop_word", 1, "es")
    for other in (hit("drop_word", 2, "es"), hit("drop_phrase", 1, "es"), hit("drop_word", 1, "fr")):
        assert 0.4 < sum(a != b for a, b in zip(base, other, strict=True)) / len(base) < 0.6


def test_rate_nought_spoils_nothing_and_rate_one_everything():
    assert spoilt("drop_word", rate=0) == SENTENCES
    assert all(isinstance(answer, Noted) for answer in spoilt("drop_word", rate=1))


def test_a_refusal_of_the_system_is_passed_on():
    refused, wrong = spoilt("drop_word", ["refuse", "two words"], rate=1)
    assert isinstance(refused, Refused)
    assert isinstance(wrong, Noted)


def test_an_error_fails_exactly_the_batches_with_a_chosen_text():
    failed = []
    for text in SENTENCES[:200]:
        try:
            assert spoilt("error", [text]) == [text]
        except Unavailable:
            failed.append(text)
    assert len(failed) == pytest.approx(40, abs=15)
    with pytest.raises(Unavailable, match="injected"):
        spoilt("error", [*[text for text in SENTENCES[:200] if text not in failed], failed[0]])


def test_a_wrong_count_is_one_answer_short():
    assert spoilt("wrong_count", ["one", "two"], rate=1) == ["one"]
    assert spoilt("wrong_count", ["one"], rate=1) == []
    assert spoilt("wrong_count", ["one", "two"], rate=0) == ["one", "two"]


def test_a_delay_is_waited_and_changes_nothing():
    began = time.monotonic()
    assert spoilt("delay", ["one", "two"], rate=1) == ["one", "two"]
    assert time.monotonic() - began >= 0.2


def test_a_delay_is_not_waited_where_no_text_is_hit():
    system = Translator(inner=Echo(), kind="delay", rate=0, delay=600)
    assert asyncio.run(asyncio.wait_for(system.translate(["one"], "es", "en"), 120)) == ["one"]


def test_everything_else_is_the_inner_systems():
    inner = Echo()
    system = Translator(inner=inner, kind="drop_word", rate=0.25, seed=7)
    assert system.limits == inner.limits
    assert asyncio.run(system.directions()) == {("en", "es")}
    assert system.lacks("en", "fr", [("en", "es")]) == inner.lacks("en", "fr", [("en", "es")])
    asyncio.run(system.close())
    assert inner.closed == 1


def test_the_id_and_the_version_tell_what_was_injected():
    system = Translator(inner=Echo(), kind="drop_word", rate=0.25, seed=7)
    assert system.id == "faulty:echo,kind=drop_word,rate=0.25,seed=7"
    assert system.version("en", "es") == "v9+faults1,kind=drop_word,rate=0.25,seed=7"
    assert Translator(inner=Echo(told=None)).version("en", "es") is None


def test_the_command_line_describes_it():
    system = plugins.system("faulty:fake,kind=drop_word,rate=0.5,seed=7")
    assert system.id == "faulty:fake,kind=drop_word,rate=0.5,seed=7"
    answers = asyncio.run(system.translate(SENTENCES, "en", "es"))
    assert 0.4 < sum(isinstance(answer, Noted) for answer in answers) / len(answers) < 0.6


def test_what_cannot_be_is_the_users_to_cure():
    with pytest.raises(UserError, match="faulty needs another system"):
        Translator()
    with pytest.raises(UnknownName, match="kind of fault"):
        Translator(inner=Echo(), kind="nonsense")  # type: ignore[arg-type]
    for option in ("rate=1.5", "rate=-0.1", "rate=nan", "delay=-1"):
        with pytest.raises(UserError, match="number"):
            plugins.system(f"faulty:fake,{option}")


def test_the_kinds_on_the_command_line_are_the_kinds_there_are():
    assert set(get_args(Kind)) == {"any", *FAULTS, *SERVICE_FAULTS}
