"""A translation by Apertium depends on nothing but its text: not on its neighbours, not on what was asked before."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from concord.language.apertium.modes import FOLDER, find_modes
from concord.translators.apertium import Translator

Direction = tuple[str, str]
INSTALLED = sorted(find_modes(Path(FOLDER)))
# The packages of these name files that they do not install, so that Apertium's own command fails.
MISPLACED = {("ca", "eo"), ("es", "eo")}


@pytest.fixture(scope="module")
def corpus(asking):
    return asking.corpus()


def test_the_pairs_that_the_tests_need_are_installed(asking):
    needed = {*asking.ROAD.values(), ("es", "pt-BR"), ("ca", "en-US"), ("en", "ca-valencia"), ("es", "eo")}
    assert needed <= set(INSTALLED)


# Every other direction is tested one way, and every other one the other way.
@pytest.mark.parametrize("direction", INSTALLED[::2], ids="-".join)
def test_a_translation_does_not_depend_on_anything_but_the_text(asking, direction, corpus):
    texts = corpus[direction[0]][::2]

    async def work(system):
        rng = random.Random(7)
        seen = [dict(zip(texts, await asking.ask(system, texts, direction), strict=True))]
        order = rng.sample(texts, len(texts))
        seen.append(dict(zip(order, await asking.ask(system, order, direction), strict=True)))
        few = rng.sample(texts, 40)
        seen.append({text: (await asking.ask(system, [text], direction))[0] for text in few})
        await system.close()
        seen.append(dict(zip(few, await asking.ask(system, few, direction), strict=True)))
        others = [Translator(), Translator()]
        halves = few[::2], few[1::2]
        answers = await asyncio.gather(*(asking.ask(*each, direction) for each in zip(others, halves, strict=True)))
        seen += [dict(zip(*each, strict=True)) for each in zip(halves, answers, strict=True)]
        await asyncio.gather(*(other.close() for other in others))
        return seen

    first, *rest = asking.using(work)
    for other in rest:
        assert other == {text: first[text] for text in other}


@pytest.mark.parametrize("direction", sorted(set(INSTALLED[1::2]) - MISPLACED), ids="-".join)
def test_a_translation_is_what_a_fresh_process_gives(asking, direction, corpus):
    texts = corpus[direction[0]][:80]
    mode = find_modes(Path(FOLDER))[direction].path.stem
    answers = asking.using(lambda system: asking.ask(system, texts, direction))
    for number in (3, 40, 79):
        assert answers[number] == asking.script(texts[number], mode)
