"""What Python users call: a relation on a function of their own."""

from __future__ import annotations

import asyncio

import pytest

import concord
from concord.errors import UserError

TEXTS = ["The cat sat.", "The dog ran away."]


def plain(text):
    return text.upper()


def with_languages(text, source, target):
    return f"{target}:{text}" if source == "en" else text.partition(":")[2]


def batch(texts, source, target):
    return [with_languages(text, source, target) for text in texts]


async def later(texts, source, target):
    await asyncio.sleep(0)
    return batch(texts, source, target)


@pytest.mark.parametrize("function", [with_languages, batch, later, lambda text: text])
@pytest.mark.usefixtures("toy_languages")
def test_a_function_is_a_translator(function):
    outcomes = concord.check("rtt", TEXTS, translator=function, to="es")
    assert [outcome.segment.text.words for outcome in outcomes] == TEXTS
    assert [outcome.cases[0].suspicion for outcome in outcomes] == [0, 0]


@pytest.mark.usefixtures("toy_languages")
def test_options_and_files_work_as_on_the_command_line(tmp_path):
    (tmp_path / "c.txt").write_text("\n".join(TEXTS))
    outcomes = concord.check("rtt,metric=levenshtein,threshold=0", tmp_path / "c.txt", translator=plain, to="es")
    assert all(outcome.cases[0].flagged for outcome in outcomes)
    assert concord.check("rtt", TEXTS, translator="fake,flaws=0", to="es")[0].cases[0].suspicion == 0


@pytest.mark.usefixtures("toy_languages")
def test_a_function_that_fails_costs_its_own_text_only():
    def picky(text):
        if "dog" in text:
            raise ValueError("no dogs")
        return text

    cat, dog = concord.check("rtt", TEXTS, translator=picky, to="es")
    assert cat.error is None
    assert "no dogs" in dog.error


@pytest.mark.parametrize("wrong", [lambda: "", lambda a, b: "", lambda a, b, c, d: ""])
def test_a_function_of_another_shape_is_refused(wrong):
    with pytest.raises(UserError, match="must take"):
        concord.check("rtt", TEXTS, translator=wrong, to="es")


def test_it_works_inside_a_running_event_loop():
    async def notebook():
        return concord.check("rtt", TEXTS, translator=batch, to="es")

    assert len(asyncio.run(notebook())) == 2


class Nameless(concord.System):
    async def translate(self, texts, source, target):
        return list(texts)


def test_a_system_without_an_id_is_not_mistaken_for_another(tmp_path):
    with pytest.raises(UserError, match="needs an id"):
        concord.run("demo", relations=["rtt"], systems=[Nameless()], to=["es"], workspace=tmp_path / "w.sqlite")
