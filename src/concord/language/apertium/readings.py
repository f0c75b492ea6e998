"""The readings of words and their translations in a dictionary, by Apertium's `lt-proc`."""

import asyncio
import re
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from concord.errors import BadAnswer, Unavailable
from concord.language.apertium.tagger import UTF8
from concord.pipes import Pipeline
from concord.plural import plural

T = TypeVar("T")
SECONDS = 30.0
TOGETHER = 2_000
_UNIT = re.compile(r"\^([^/$]*)/([^$]*)\$")
_READING = re.compile(r"[^<>*@#+\\]+(?:<[^<>]+>)+")


class Files(NamedTuple):
    """The compiled analyser of a language, and the dictionary from it into another language."""

    analyser: str
    dictionary: str


class Readings:
    """One direction of a pair: the readings of words, such as `house<n><pl>`, and their translations."""

    def __init__(self, files: Files) -> None:
        # -w keeps the case of the dictionary, so that a lemma is the same at the beginning of a sentence.
        self._analyser = Pipeline([["lt-proc", "-z", "-w", files.analyser]], variables=UTF8)
        self._dictionary = Pipeline([["lt-proc", "-z", "-b", files.dictionary]], variables=UTF8)

    def analyse(self, words: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The readings of words in lower case, or capitalised as names and the nouns of some languages are."""
        plain_words = [word.replace("’", "'") for word in words]
        answers = _ask(self._analyser, [*plain_words, *(word.capitalize() for word in plain_words)])
        lower, upper = answers[: len(words)], answers[len(words) :]
        return {word: small or capital for word, small, capital in zip(words, lower, upper, strict=True)}

    def translated(self, readings: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The dictionary's translations of each reading, in its order."""
        return dict(zip(readings, _ask(self._dictionary, [f"^{reading}$" for reading in readings]), strict=True))

    def close(self) -> None:
        now(self._end())

    async def _end(self) -> None:
        await self._analyser.close()
        await self._dictionary.close()


def lemma(reading: str) -> str:
    """
    >>> lemma("house<n><pl>")
    'house'
    """
    return reading.partition("<")[0]


def plain(reading: str) -> str:
    """A reading with its word class only, which tells a noun from a verb of the same spelling.

    >>> plain("house<n><pl>")
    'house<n>'
    """
    word, _, tags = reading.partition("<")
    return f"{word}<{tags.partition('>')[0]}>" if tags else word


def _ask(pipeline: Pipeline, records: Sequence[str]) -> list[tuple[str, ...]]:
    answers: list[bytes] = []
    for first in range(0, len(records), TOGETHER):
        # With nothing after the last unit, lt-proc waits for more input before it answers.
        ended = [f"{record}\n".encode() for record in records[first : first + TOGETHER]]
        answers += now(_answers(pipeline, ended))
    return [_read(answer) for answer in answers]


async def _answers(pipeline: Pipeline, records: list[bytes]) -> list[bytes]:
    try:
        async with asyncio.timeout(SECONDS):
            return await pipeline.ask(records)
    except TimeoutError:
        raise Unavailable(f"lt-proc did not look up {plural(len(records), 'word')} in {SECONDS:.0f} seconds") from None


def _read(answer: bytes) -> tuple[str, ...]:
    """The readings in an answer; of joined words, such as a verb with its pronouns, the first one's. () if unknown."""
    try:
        units = _UNIT.findall(answer.decode())
    except UnicodeDecodeError:
        raise BadAnswer("the answer of lt-proc is not UTF-8") from None
    if len(units) != 1:
        return ()
    firsts = [reading.partition("+")[0] for reading in units[0][1].split("/")]
    return tuple(dict.fromkeys(first for first in firsts if _READING.fullmatch(first)))


def now(work: Coroutine[Any, Any, T]) -> T:
    """A coroutine's result, even if an event loop is running in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, work).result()
