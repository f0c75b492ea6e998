"""What plug-in authors test with: it accepts what is right and names what is wrong."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from concord.errors import Refused
from concord.model import Limits, System, Text
from concord.testing import Echo, Table, check_relation, check_translator, now
from concord.translators.fake import Translator as Fake

HELLO = Text("Hello", "en")


@pytest.mark.parametrize("key", [("Hello", "en", "es"), ("Hello", "es"), "Hello"])
def test_a_table_answers_as_exactly_as_it_is_told(key):
    assert now(Table({key: "Hola"})(HELLO, "es")) == Text("Hola", "es")


def test_a_table_refuses_what_it_does_not_know_and_notes_what_it_was_asked():
    table = Table({})
    with pytest.raises(Refused, match="'Hello' from en into es"):
        now(table(HELLO, "es"))
    assert table.asked == [("Hello", "es")]
    assert now(table.each([HELLO], "en")) == [HELLO]


def test_now_refuses_to_wait():
    import asyncio

    with pytest.raises(AssertionError, match="waits for something"):
        now(asyncio.sleep(0))


def test_a_good_translator_passes():
    check_translator(Fake())
    check_translator(lambda: Fake(flaws=0.0), "en", "ca")


class Good(System):
    id = "good"
    limits = Limits(texts=2)

    async def translate(self, texts, source, target):
        return [text.upper() for text in texts]


def saying(answers):
    """A translator that is good but for its answers to a batch of texts."""

    async def translate(self, texts, source, target):
        return answers(self, texts)

    return type("Bad", (Good,), {"translate": translate, "closed": False, "close": close})


async def close(self):
    self.closed = True


class Elsewhere(Good):
    async def directions(self):
        return {("fr", "de")}


class Restless(Good):
    def version(self, source, target):
        return str(random.random())


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (saying(lambda self, texts: texts[:1]), "depends on its neighbours|one answer per text"),
        (saying(lambda self, texts: [f"{text} {len(texts)}" for text in texts]), "depends on its neighbours"),
        (saying(lambda self, texts: ["" for _ in texts]), "empty answer"),
        (Elsewhere, "not among its directions"),
        (Restless, "must not change by itself"),
        (saying(lambda self, texts: [f"{text}{self.closed}" for text in texts]), "after close"),
        (object, "is a concord.System"),
    ],
)
def test_a_bad_translator_is_told_what_is_wrong(bad, said):
    check_translator(Good)
    with pytest.raises(AssertionError, match=said):
        check_translator(bad)


def relation(source: str) -> ModuleType:
    module = ModuleType("guest", "Guest: something must hold.")
    exec("from concord.model import Case, Text\n" + source, module.__dict__)
    return module


CASE = "Case(x, x, there, there, (there, there), {}, 0.5)"
ASK = "async def check(x, translate, *, to):\n there = await translate(x, to)\n return "


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def check(x, translate, *, to): return []", "coroutine function"),
        ("async def check(text, translate, *, to): return []", "first parameter is x"),
        ("async def check(x, translate, telepathy, *, to): return []", "no service is called telepathy"),
        ("async def check(x, translate=None, *, to): return []", "services have no defaults"),
        ("async def check(x, translate, *, to, **more): return []", "no \\*args"),
        ("async def check(x, translate, *, to): return None", "list of cases"),
        ("async def check(x, translate, *, to): return [1]", "list of cases"),
        (f"{ASK}[{CASE.format(1)}]", "perfect"),
        (f"import random\n{ASK}[{CASE.format('random.random() / 3')}]", "same text and seed"),
        (
            f"{ASK}[{CASE.format(0)}]\ndef compare(x, f, there, o): return {CASE.format(0.25)}",
            "compare and check must agree",
        ),
    ],
)
def test_a_bad_relation_is_told_what_is_wrong(source, said):
    with pytest.raises(AssertionError, match=said):
        check_relation(relation(source))


def test_a_good_relation_passes():
    check_relation(relation(f"{ASK}[{CASE.format(0)}]"))


def test_an_echo_says_everything_in_every_language():
    assert now(Echo()(HELLO, "es")) == Text("Hello", "es")
