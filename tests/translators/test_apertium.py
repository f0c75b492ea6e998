from __future__ import annotations

import asyncio
import random
import subprocess
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from concord.testing import check_translator
from concord.translators.apertium import FOLDER, Translator, find_modes

T = TypeVar("T")
Direction = tuple[str, str]

SENTENCES = """
The old bridge was closed after the storm.
I really believe that a lot of people will come.
She is a known singer from Zagreb.
Mrs Okonkwo-Hale bought three kilos of plums for her Frobnicator.
The elected mayor did not answer our letters.
Could you tell me where the nearest pharmacy is?
Prices rose by 4.5 % in March, said Tamsin Quellhurst.
We have known each other since 1998.
A lot of rain fell on Wednesday near Llanfair.
The children were playing in the garden while it snowed.
Nobody knows who wrote this song.
If the train is late, call Zbigniew Wrzeszcz.
He cut the bread, set the table and put on the kettle.
Your glasses do not fit in that case.
The company sold a well known brand to Gazpromko.
My brother has never eaten snails.
It is better to light a candle than to curse the darkness.
Two of the five dogs barked at the postman.
The doctor whom I met yesterday comes from Tbilisi.
Long live the queen!
What a strange coincidence, thought Ysolde.
The results, however, were not as good as we had hoped.
They gave the prize to the least known of the Vrbatovs.
Let us read the first chapter again.
The left wing of the house burned down.
Many thanks for the flowers and the kind words.
The judge found him guilty of blorking and fined him 300 euros.
There is hardly any milk left.
I would rather walk than take the bus to Quxbury.
The more you practise, the easier it becomes.
Her father, a retired engineer, repairs clocks.
Write your name on the back of the sheet.
The museum opens at ten and closes at six.
No sooner had we sat down than the phone rang.
This soup smells of garlic and wumpus.
The meeting has been put off until next Thursday.
Some say that the castle is haunted.
Down came the rain and washed the spider out.
Neither the cat nor the parrot touched the fish.
He promised to come; he did not.
The new law, known as the Zimmer act, hurt a lot of farmers.
Please keep off the grass.
I have read, set and cut better texts than that.
The cost of living in Reykjavik worries the unemployed.
She asked whether the shop sold stamps.
Most of what they said was true.
An old friend of mine runs a bakery in Szczecin.
You must not feed the bears.
The river, swollen by melting snow, broke its banks.
Who would have thought it?
The team lost 3 to 1 in spite of a strong start.
Given the weather, the hike near Ffestiniog was fun.
The more ambitious of the two plans was dropped.
All that glitters is not gold.
Last but not least, thank you, Mr Bxrtlqvst.
The wounded soldier was carried to a near village.
Every spring the swallows come back.
The light went out and someone screamed.
Set in 1920, the film by Kvothe Arliden won a lot of prizes.
As far as I know, the shop has been shut since May.
""".strip().splitlines()

ROAD = {
    "es": ("en", "es"),
    "ca": ("en", "ca"),
    "gl": ("en", "gl"),
    "eo": ("en", "eo"),
    "pt": ("es", "pt"),
    "fr": ("es", "fr"),
}
INSTALLED = sorted(find_modes(Path(FOLDER)))


def english() -> list[str]:
    """The sentences and joined pairs of them, in an order that has nothing to do with their content."""
    rng = random.Random(20)
    pairs = [f"{rng.choice(SENTENCES)} {rng.choice(SENTENCES)}" for _ in SENTENCES]
    clauses = [f"{rng.choice(SENTENCES)[:-1]}, and {rng.choice(SENTENCES)}" for _ in SENTENCES]
    return rng.sample(texts := list(dict.fromkeys(SENTENCES + pairs + clauses)), len(texts))


async def ask(system: Translator, texts: Sequence[str], direction: Direction) -> list[str]:
    answers = await system.translate(texts, *direction)
    assert not [answer for answer in answers if not isinstance(answer, str)]
    return [str(answer) for answer in answers]


@pytest.fixture(scope="module")
def corpus() -> dict[str, list[str]]:
    """The English texts and what Apertium makes of them in every language it can start from."""

    async def fan_out(system: Translator) -> dict[str, list[str]]:
        texts = {"en": english()}
        for language, road in ROAD.items():
            texts[language] = await ask(system, texts[road[0]], road)
        for language, own in OTHERS.items():
            texts[language] = list(dict.fromkeys([*re.findall(r"\S[^.]*\.", own), *texts[language]]))
        return texts

    return using(fan_out)


def using(work: Callable[[Translator], Coroutine[Any, Any, T]]) -> T:
    async def whole() -> T:
        system = Translator()
        try:
            return await work(system)
        finally:
            await system.close()

    return asyncio.run(whole())


def script(text: str, mode: str) -> str:
    """What Apertium's own command gives for one text, in a process of its own."""
    ended = subprocess.run(["apertium", "-u", mode], input=text.encode(), capture_output=True, check=True)
    return ended.stdout.decode()


def children(name: str = "") -> list[int]:
    """Our child processes, or those that run the program of that name."""
    pids = [int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()]
    return [pid for pid in pids if Path(f"/proc/{pid}/comm").read_text().strip() == name[:15] or not name]


def test_it_is_a_good_translator() -> None:
    check_translator(Translator)


def test_the_pairs_that_the_tests_need_are_installed() -> None:
    assert {*ROAD.values(), ("es", "pt-BR"), ("ca", "en-US"), ("en", "ca-valencia"), ("es", "eo")} <= set(INSTALLED)


@pytest.mark.parametrize("direction", INSTALLED, ids="-".join)
def test_a_translation_does_not_depend_on_anything_but_the_text(
    direction: Direction, corpus: dict[str, list[str]]
) -> None:
    texts = corpus[direction[0]]

    async def work(system: Translator) -> list[dict[str, str]]:
        rng = random.Random(7)
        seen = [dict(zip(texts, await ask(system, texts, direction), strict=True))]
        for _ in range(2):
            order = rng.sample(texts, len(texts))
            seen.append(dict(zip(order, await ask(system, order, direction), strict=True)))
        few = rng.sample(texts, 40)
        seen.append({text: (await ask(system, [text], direction))[0] for text in few})
        await system.close()
        seen.append(dict(zip(few, await ask(system, few, direction), strict=True)))
        others = [Translator(), Translator()]
        halves = few[::2], few[1::2]
        answers = await asyncio.gather(*(ask(*each, direction) for each in zip(others, halves, strict=True)))
        seen += [dict(zip(*each, strict=True)) for each in zip(halves, answers, strict=True)]
        await asyncio.gather(*(other.close() for other in others))
        return seen

    first, *rest = using(work)
    for other in rest:
        assert other == {text: first[text] for text in other}


@pytest.mark.parametrize(
    "direction", [each for each in INSTALLED if each not in {("ca", "eo"), ("es", "eo")}], ids="-".join
)
def test_a_translation_is_what_a_fresh_process_gives(direction: Direction, corpus: dict[str, list[str]]) -> None:
    texts = corpus[direction[0]]
    mode = find_modes(Path(FOLDER))[direction].path.stem
    answers = using(lambda system: ask(system, texts, direction))
    for number in (50, 100, 150):
        assert answers[number] == script(texts[number], mode)
