from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from concord.errors import BadAnswer, Missing, Refused, Unavailable, UserError
from concord.testing import check_translator
from concord.text._apertium import FOLDER, find_modes, read_mode, to_stream
from concord.text._tagger import read_model
from concord.translators.apertium import Translator, from_stream

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
INSTALLED = sorted(find_modes(Path(FOLDER)))
# The packages of these name files that they do not install, so that Apertium's own command fails.
MISPLACED = {("ca", "eo"), ("es", "eo")}


def english() -> list[str]:
    """The sentences and joined pairs of them, in an order that has nothing to do with their content."""
    rng = random.Random(20)
    pairs = [f"{rng.choice(SENTENCES)} {rng.choice(SENTENCES)}" for _ in range(30)]
    clauses = [f"{rng.choice(SENTENCES)[:-1]}, and {rng.choice(SENTENCES)}" for _ in range(30)]
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
    """Our child processes that run the program of that name, or any that is not Python's own."""
    pids = [int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()]
    programs = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in pids}
    return [pid for pid, program in programs.items() if (program == name[:15] if name else "python" not in program)]


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


@pytest.mark.parametrize("direction", sorted(set(INSTALLED) - MISPLACED), ids="-".join)
def test_a_translation_is_what_a_fresh_process_gives(direction: Direction, corpus: dict[str, list[str]]) -> None:
    texts = corpus[direction[0]][:80]
    mode = find_modes(Path(FOLDER))[direction].path.stem
    answers = using(lambda system: ask(system, texts, direction))
    for number in (3, 40, 79):
        assert answers[number] == script(texts[number], mode)


ODD = {
    "stream characters": "He said ^a<b>$ [c] \\ @ {d}/e, and left.",
    "a lexical unit": "^house/house<n><sg>$ and [[t:i:x]]houses[[/]]",
    "a stream command": "[<STREAMCMD:SETVAR:x=1>]The cat sleeps.",
    "marks of the engine": "*cat #dog ~horse +bird .[] [7]",
    "paragraphs": "The first house.\n\nThe second house\r\n\r\n  and\tthe third.  \n",
    "nothing": "",
    "blanks": " \t ",
    "control characters": "The \x01cat\x1b[31m sleeps\x7f.\x0b\x0c",
    "emoji": "I like 🐈 and 👩‍👩‍👧‍👦, you know.",
    "right to left": "The word שלום means peace, \u202eمرحبا means hello.",
    "an unfinished escape": "The end \\",
    "many brackets": "[" * 1_000,
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts_come_through_as_in_apertium_itself(text: str) -> None:
    assert using(lambda system: ask(system, [text], ("en", "es"))) == [script(text, "eng-spa")]


@pytest.mark.parametrize("direction", [("en", "es"), ("en", "ca"), ("ca", "en")], ids="-".join)
def test_odd_texts_do_not_disturb_their_neighbours(direction: Direction) -> None:
    long = ("The house is red. " * 1_200)[:20_000]
    texts = [each for odd in [*ODD.values(), long, "x" * 20_000] for each in (odd, "The red house, a lot of Quxbury.")]

    async def work(system: Translator) -> tuple[list[str], list[str]]:
        return await ask(system, texts, direction), [(await ask(system, [text], direction))[0] for text in texts]

    together, alone = using(work)
    assert together == alone


def test_the_whole_of_a_long_text_is_translated() -> None:
    answers = using(lambda system: ask(system, ["The house is red. " * 1_000], ("en", "es")))
    assert answers == ["La casa es roja. " * 1_000]


@pytest.mark.parametrize("bad", ["a\0b", "a\uffffb", "a\ud800b"])
def test_a_text_that_cannot_be_sent_is_refused_alone(bad: str) -> None:
    async def work(system: Translator) -> Sequence[object]:
        return await system.translate(["The house.", bad, "The dog.", bad], "en", "es")

    first, refused, last, again = using(work)
    assert (first, last) == ("La casa.", "El perro.")
    assert isinstance(refused, Refused)
    assert isinstance(again, Refused)


def test_no_texts_have_no_translations() -> None:
    assert using(lambda system: ask(system, [], ("en", "es"))) == []


def test_calls_at_the_same_time_get_their_own_answers() -> None:
    texts = [f"The house has {number} doors." for number in range(200)]
    expected = [f"La casa tiene {number} puertas." for number in range(200)]

    async def work(system: Translator) -> list[list[str]]:
        spanish = [ask(system, texts[start : start + 10], ("en", "es")) for start in range(0, 200, 10)]
        galician = ask(system, texts, ("en", "gl"))
        return await asyncio.gather(galician, *spanish)

    galician, *spanish = using(work)
    assert [text for batch in spanish for text in batch] == expected
    assert [re.findall(r"\d+", text) for text in galician] == [[str(number)] for number in range(200)]


def test_a_direction_has_one_set_of_processes() -> None:
    async def work(system: Translator) -> tuple[int, int]:
        await asyncio.gather(*(ask(system, [f"House {number}."], ("en", "es")) for number in range(20)))
        running = len(children())
        await system.close()
        return running, len(children())

    # One for each command of the mode, and one that tells harmful words.
    assert using(work) == (len(find_modes(Path(FOLDER))["en", "es"].commands) + 1, 0)


def test_a_cancelled_call_leaves_nothing_behind_for_the_next() -> None:
    async def work(system: Translator) -> list[str]:
        call = asyncio.create_task(ask(system, english() * 20, ("en", "es")))
        while not children("apertium-postchunk"):
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return await ask(system, ["The house.", "The dog."], ("en", "es"))

    assert using(work) == ["La casa.", "El perro."]
    assert children() == []


@pytest.mark.parametrize("program", ["lt-proc", "apertium-tagger", "apertium-transfer", "apertium-postchunk"])
def test_a_killed_program_fails_the_call_and_not_the_next(program: str) -> None:
    async def work(system: Translator) -> list[str]:
        call = asyncio.create_task(ask(system, english() * 20, ("en", "es")))
        # One that is killed while it has nothing to do is replaced and not missed.
        while not call.done():
            for pid in children(program):
                os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.02)
        with pytest.raises(Unavailable, match="stopped"):
            await call
        return await ask(system, ["The house.", "The dog."], ("en", "es"))

    assert using(work) == ["La casa.", "El perro."]


def test_it_says_how_to_install_apertium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing, match=r"apt-get install apertium apertium-eng-spa"):
        using(lambda system: system.directions())


def test_it_says_that_the_folder_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no folder"):
        asyncio.run(Translator(folder=str(tmp_path / "none")).directions())


@pytest.mark.parametrize(
    ("source", "target", "hint"),
    [
        ("es", "it", "apt-get install apertium-spa-ita"),
        ("is", "en", "apt-get install apertium-isl-eng"),
        ("id", "ms", "apt-get install apertium-ind-zlm"),
        ("eo", "es", "has only: es-eo"),
        ("en-GB", "es", "has only: en-es, es-en, es-en-US"),
        ("en", "zh", "no package for this pair"),
    ],
)
def test_a_direction_that_is_not_installed_comes_with_a_cure(source: str, target: str, hint: str) -> None:
    with pytest.raises(UserError, match=hint) as raised:
        using(lambda system: ask(system, ["x"], (source, target)))
    assert "Installed: ca-en, ca-en-US," in str(raised.value)


def mode(folder: Path, name: str, line: str = "lt-proc $1 data.bin") -> Path:
    path = folder / f"{name}.mode"
    path.write_text(line)
    return path


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("eng-spa", ("en", "es")),
        ("eo-en", ("eo", "en")),
        ("es-pt_BR", ("es", "pt-BR")),
        ("cat-eng_US", ("ca", "en-US")),
        ("eng-cat_valencia", ("en", "ca-valencia")),
        ("oc_aran-ca", ("oc-aranes", "ca")),
        ("ind-zlm", ("id", "ms")),
        ("spa-ast", ("es", "ast")),
        ("eng-cat_iec2017", None),
        ("eng-cat_valencia_uni", None),
        ("en-eo-bytecode", None),
        ("eco-es-fr", None),
        ("es-eo-no_cg", None),
        ("eng-spa-tagger", None),
    ],
)
def test_plain_pairs_and_registered_variants_are_directions(
    name: str, direction: Direction | None, tmp_path: Path
) -> None:
    mode(tmp_path, name)
    assert list(find_modes(tmp_path)) == ([direction] if direction else [])


def test_of_two_spellings_of_a_pair_the_newer_is_taken(tmp_path: Path) -> None:
    mode(tmp_path, "en-es")
    newer = mode(tmp_path, "eng-spa")
    assert {direction: found.path for direction, found in find_modes(tmp_path).items()} == {("en", "es"): newer}


def test_a_mode_becomes_commands_that_answer_at_every_nul(tmp_path: Path) -> None:
    data = tmp_path / "some data.bin"
    data.touch()
    read = read_mode(mode(tmp_path, "a", f"\n  lt-proc '{data}'| apertium-tagger -g $2 x | lt-proc $1 -z y \n"))
    assert read is not None
    assert read.commands == (
        ("lt-proc", "-z", str(data)),
        ("apertium-tagger", "-z", "-g", "x"),
        ("lt-proc", "-z", "-n", "y"),
    )


@pytest.mark.parametrize("line", ["lt-proc-j x", "lt-proc /no/such/file.bin", "lt-proc 'x", ""])
def test_a_mode_that_cannot_run_is_left_out(line: str, tmp_path: Path) -> None:
    assert read_mode(mode(tmp_path, "eng-spa", line)) is None


def test_files_are_found_in_a_folder_named_the_other_way_round(tmp_path: Path) -> None:
    (tmp_path / "apertium-es-eo").mkdir()
    data = tmp_path / "apertium-es-eo" / "es-eo.bin"
    data.touch()
    read = read_mode(mode(tmp_path, "es-eo", f"lt-proc '{tmp_path}/apertium-eo-es/es-eo.bin'"))
    assert read is not None
    assert read.commands == (("lt-proc", "-z", str(data)),)


def test_the_version_tells_engine_data_and_mechanism() -> None:
    system = Translator()
    told = system.version("en", "es")
    packages = ["apertium", "apertium-eng-spa"]
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version} ", *packages], capture_output=True, check=True)
    engine, pair = shown.stdout.decode().split()
    assert re.fullmatch(rf"{re.escape(engine)}\+eng-spa\.{re.escape(pair)}\+[0-9a-f]{{8}}\+apart1", told)
    assert told != system.version("en", "ca")


def test_without_packages_the_version_follows_the_files(tmp_path: Path) -> None:
    data = tmp_path / "data.bin"
    told = []
    for content in ("one", "two", "one"):
        data.write_text(content)
        mode(tmp_path, "eng-spa", f"lt-proc {data}")
        told.append(Translator(folder=str(tmp_path)).version("en", "es"))
    assert told[0] == told[2] != told[1]
    assert all(re.fullmatch(r"files\.[0-9a-f]{8}\+apart1", each) for each in told)


@pytest.mark.parametrize(
    "text",
    [
        *ODD.values(),
        "~a~ ~\n",
        "a. \n\n\n b \r\n\r\n",
        "\n\n",
        " a",
        "a ",
        "a\r\n\n",
        "a\xa0b\u2028c\x85",
        "".join(map(chr, range(1, 128))),
    ],
)
def test_texts_are_written_and_read_as_by_apertiums_own_programs(text: str) -> None:
    written = subprocess.run(["apertium-destxt"], input=text.encode(), capture_output=True, check=True).stdout
    assert to_stream(text, 12) == written + b"[12]"
    read = subprocess.run(["apertium-retxt"], input=written, capture_output=True, check=True).stdout
    assert from_stream(written + b"[12]", 12) == read.decode()


@pytest.mark.parametrize("answer", [b"hola.[][8]", b"hola.[]", b"hola.[]\\[7\\]", b"\xff[7]"])
def test_an_answer_that_is_not_the_one_expected_is_not_accepted(answer: bytes) -> None:
    with pytest.raises(BadAnswer):
        from_stream(answer, 7)


def packed(*items: object) -> bytes:
    """Numbers as Apertium's data files hold them; a list begins with its length, a text is a list."""
    data = b""
    for item in items:
        if isinstance(item, int):
            data += bytes([item]) if item < 0x40 else bytes([0x40 | item >> 8, item & 0xFF])
        elif isinstance(item, str):
            data += packed(len(item), *map(ord, item))
        elif isinstance(item, list):
            data += packed(len(item), *item)
        elif isinstance(item, tuple):
            data += packed(*item)
    return data


def test_only_new_sets_of_tags_inside_a_smaller_seen_one_are_harmful(tmp_path: Path) -> None:
    tags = ["ADJ", "NOUN", "VERB", "ADV", "NUM"]
    seen = [[number] for number in range(5)] + [[0, 1, 3], [0, 1, 2, 3]]
    index = [(name, number) for number, name in enumerate(tags)]
    file = tmp_path / "model.prob"
    head = packed([0, 1, 1, 1], [(1, 2)], tags, index, [(0, [1, 2])], ["<adj>"], [("kDOLLAR", 200)], seen)
    file.write_bytes(head + b"\x05\x07 and so on")
    model = read_model(str(file))
    assert model.gives_way(b"ADJ,NOUN")
    assert not model.gives_way(b"ADJ,VERB")
    assert not model.gives_way(b"NUM,NOUN")


@pytest.mark.parametrize("content", [b"", b"\xff" * 3, b"\x01\x02\x03", bytes(range(256)) * 40])
def test_of_a_model_that_cannot_be_read_every_new_set_is_harmful(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.prob"
    file.write_bytes(content)
    assert read_model(str(file)).gives_way(b"ADJ,NOUN")
