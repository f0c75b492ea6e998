"""A real Apertium as a translator: odd texts, calls at the same time, programs that die, what is not installed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from concord.errors import BadAnswer, Missing, Refused, Unavailable, UserError
from concord.language.apertium.modes import FOLDER, find_modes, to_stream
from concord.testing import check_translator
from concord.translators.apertium import Translator, from_stream

Direction = tuple[str, str]


OTHERS: set[int] = set()
"""Child processes from before the test: what language services share is kept for the next one who asks."""


@pytest.fixture(autouse=True)
def others():
    OTHERS.clear()
    OTHERS.update(children())


def children(name=""):
    """Our child processes that run the program of that name, or any that is not Python's own."""
    found = [int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()]
    pids = set(found) - OTHERS
    programs = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in pids}
    return [pid for pid, program in programs.items() if (program == name[:15] if name else "python" not in program)]


def test_it_is_a_good_translator():
    check_translator(Translator)


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
def test_odd_texts_come_through_as_in_apertium_itself(asking, text):
    assert asking.using(lambda system: asking.ask(system, [text], ("en", "es"))) == [asking.script(text, "eng-spa")]


@pytest.mark.parametrize("direction", [("en", "es"), ("en", "ca"), ("ca", "en")], ids="-".join)
def test_odd_texts_do_not_disturb_their_neighbours(asking, direction):
    long = ("The house is red. " * 1_200)[:20_000]
    texts = [each for odd in [*ODD.values(), long, "x" * 20_000] for each in (odd, "The red house, a lot of Quxbury.")]

    async def work(system):
        return await asking.ask(system, texts, direction), [
            (await asking.ask(system, [text], direction))[0] for text in texts
        ]

    together, alone = asking.using(work)
    assert together == alone


def test_the_whole_of_a_long_text_is_translated(asking):
    answers = asking.using(lambda system: asking.ask(system, ["The house is red. " * 1_000], ("en", "es")))
    assert answers == ["La casa es roja. " * 1_000]


@pytest.mark.parametrize("bad", ["a\0b", "a\uffffb", "a\ud800b"])
def test_a_text_that_cannot_be_sent_is_refused_alone(asking, bad):
    async def work(system):
        return await system.translate(["The house.", bad, "The dog.", bad], "en", "es")

    first, refused, last, again = asking.using(work)
    assert (first, last) == ("La casa.", "El perro.")
    assert isinstance(refused, Refused)
    assert isinstance(again, Refused)


def test_no_texts_have_no_translations(asking):
    assert asking.using(lambda system: asking.ask(system, [], ("en", "es"))) == []


def test_calls_at_the_same_time_get_their_own_answers(asking):
    texts = [f"The house has {number} doors." for number in range(200)]
    expected = [f"La casa tiene {number} puertas." for number in range(200)]

    async def work(system):
        spanish = [asking.ask(system, texts[start : start + 10], ("en", "es")) for start in range(0, 200, 10)]
        galician = asking.ask(system, texts, ("en", "gl"))
        return await asyncio.gather(galician, *spanish)

    galician, *spanish = asking.using(work)
    assert [text for batch in spanish for text in batch] == expected
    assert [re.findall(r"\d+", text) for text in galician] == [[str(number)] for number in range(200)]


def test_a_direction_has_one_set_of_processes(asking):
    async def work(system):
        await asyncio.gather(*(asking.ask(system, [f"House {number}."], ("en", "es")) for number in range(20)))
        running = len(children())
        await system.close()
        return running, len(children())

    # One for each command of the mode, and one that tells harmful words.
    assert asking.using(work) == (len(find_modes(Path(FOLDER))["en", "es"].commands) + 1, 0)


def test_a_cancelled_call_leaves_nothing_behind_for_the_next(asking):
    async def work(system):
        call = asyncio.create_task(asking.ask(system, asking.english() * 20, ("en", "es")))
        while not children("apertium-postchunk"):
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return await asking.ask(system, ["The house.", "The dog."], ("en", "es"))

    assert asking.using(work) == ["La casa.", "El perro."]
    assert children() == []


@pytest.mark.parametrize("program", ["lt-proc", "apertium-tagger", "apertium-transfer", "apertium-postchunk"])
def test_a_killed_program_fails_the_call_and_not_the_next(asking, program):
    async def work(system):
        call = asyncio.create_task(asking.ask(system, asking.english() * 20, ("en", "es")))
        # One that is killed while it has nothing to do is replaced and not missed.
        while not call.done():
            for pid in children(program):
                os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.02)
        with pytest.raises(Unavailable, match="stopped"):
            await call
        return await asking.ask(system, ["The house.", "The dog."], ("en", "es"))

    assert asking.using(work) == ["La casa.", "El perro."]


def test_it_says_how_to_install_apertium(asking, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing, match=r"apt-get install apertium apertium-eng-spa"):
        asking.using(lambda system: system.directions())


def test_it_says_that_the_folder_is_missing(tmp_path):
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
def test_a_direction_that_is_not_installed_comes_with_a_cure(asking, source, target, hint):
    with pytest.raises(UserError, match=hint) as raised:
        asking.using(lambda system: asking.ask(system, ["x"], (source, target)))
    assert "Installed: ca-en, ca-en-US," in str(raised.value)


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
def test_texts_are_written_and_read_as_by_apertiums_own_programs(text):
    written = subprocess.run(["apertium-destxt"], input=text.encode(), capture_output=True, check=True).stdout
    assert to_stream(text, 12) == written + b"[12]"
    read = subprocess.run(["apertium-retxt"], input=written, capture_output=True, check=True).stdout
    assert from_stream(written + b"[12]", 12) == read.decode()


@pytest.mark.parametrize("answer", [b"hola.[][8]", b"hola.[]", b"hola.[]\\[7\\]", b"\xff[7]"])
def test_an_answer_that_is_not_the_one_expected_is_not_accepted(answer):
    with pytest.raises(BadAnswer):
        from_stream(answer, 7)
