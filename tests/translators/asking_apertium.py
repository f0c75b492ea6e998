"""Texts for Apertium, and ways to ask it: kept running, as the translator does, or in a process for each text."""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
from typing import TypeVar

from concord.translators.apertium import Translator

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

# In other languages, words that change a tagger's mind, and unknown words on which that shows.
OTHERS = {
    "es": """
Como dijo Ysolde, nada es gratis. Sobre la mesa había bastante pan. El Centro escolar de Szczecin cerró tarde.
Entre los Vrbatov nadie blorkea bien. La suma era cierta. El wumpus come. Ella frobnica la casa.
La blorka grande duerme. Los quxes altos cantan. Fuera hacía frío. Un zorbo que canta es un buen zorbo.
""",
    "ca": """
Com més plou, més creix el riu. No hi ha cap porta oberta a Quxbury. El pont ha estat massa fosc.
La blorka dels Vrbatov encara dura. El wumpus menja. Ella frobnica la casa. Segons ell, la força baixa.
Els quxos alts canten. Un zorb que canta és un bon zorb. La zorba del frobnic és cara.
""",
    "gl": """
Cando chegou Zbigniew, choveu moito. Fomos polo camiño onde vive Ysolde. A entrevista sobre Cuba foi longa.
O wumpus come. Ela frobnica a casa. A blorka grande dorme. Os quxes altos cantan. Un zorbo que canta é bo.
Pola noite a zorba do frobnico é cara.
""",
    "pt": """
Nós vamos, mas os Vrbatov ficam. Mas o wumpus come. Ela frobnica a casa. A blorka grande dorme.
Os quxes altos cantam. Um zorbo que canta é bom. Nós vemos a zorba do frobnico.
""",
    "eo": """
Pluraj homoj venis. La Vrbatovoj vidas plurajn domojn. La wumpus manĝas. Ŝi frobnikas la domon.
La zorbo kiu kantas estas bona. Qux kantas.
""",
}
ROAD = {
    "es": ("en", "es"),
    "ca": ("en", "ca"),
    "gl": ("en", "gl"),
    "eo": ("en", "eo"),
    "pt": ("es", "pt"),
    "fr": ("es", "fr"),
}


def english():
    """The sentences and joined pairs of them, in an order that has nothing to do with their content."""
    rng = random.Random(20)
    pairs = [f"{rng.choice(SENTENCES)} {rng.choice(SENTENCES)}" for _ in range(30)]
    clauses = [f"{rng.choice(SENTENCES)[:-1]}, and {rng.choice(SENTENCES)}" for _ in range(30)]
    return rng.sample(texts := list(dict.fromkeys(SENTENCES + pairs + clauses)), len(texts))


async def ask(system, texts, direction):
    answers = await system.translate(texts, *direction)
    assert not [answer for answer in answers if not isinstance(answer, str)]
    return [str(answer) for answer in answers]


def corpus():
    """The English texts and what Apertium makes of them in every language it can start from."""

    async def fan_out(system):
        texts = {"en": english()}
        for language, road in ROAD.items():
            texts[language] = await ask(system, texts[road[0]], road)
        for language, own in OTHERS.items():
            texts[language] = list(dict.fromkeys([*re.findall(r"\S[^.]*\.", own), *texts[language]]))
        return texts

    return using(fan_out)


def using(work):
    async def whole():
        system = Translator()
        try:
            return await work(system)
        finally:
            await system.close()

    return asyncio.run(whole())


def script(text, mode):
    """What Apertium's own command gives for one text, in a process of its own."""
    ended = subprocess.run(["apertium", "-u", mode], input=text.encode(), capture_output=True, check=True)
    return ended.stdout.decode()
