"""apertium: lemmas, tags and chunks from the analysis of Apertium's installed pairs (docs/apertium.md)."""

import asyncio
import hashlib
import itertools
import os
from collections.abc import Coroutine, Sequence
from threading import Lock
from typing import Annotated, Any, Literal, TypeVar

from concord.errors import Refused, ServiceError, Unavailable, UserError
from concord.language.analysis import Word
from concord.language.apertium.chunks import read_chunks, to_chunker
from concord.language.apertium.modes import FOLDER, Line, Mode, Pairs, answered, to_stream, unsendable
from concord.language.apertium.readings import now
from concord.language.apertium.words import Analysed, read_words
from concord.language.codes import base
from concord.language.parse._spans import no_word, too_long
from concord.language.trees import Tree
from concord.model import Text
from concord.plural import plural

T = TypeVar("T")
Direction = tuple[str, str]
Command = tuple[str, ...]

MOST_UNBROKEN = 5_000
TEXTS = 64
SECONDS = 120.0
# Part of every version: it changes with the way in which words and chunks are read from Apertium's streams.
EDITION = "words2"
_CHUNKERS = ("apertium-interchunk", "apertium-postchunk")


class Parser:
    """Words with lemmas and tags, and their chunks as shallow trees, by the first steps of Apertium's translation.

    A tree has a child for every sentence, whose children are chunks (`SN`, `SV`, `PREP` …) and words outside
    of any; a word's label is its universal tag. Pairs of closely related languages have no chunks, so that
    for a language with no other pair the sentences are flat. Of several pairs that analyse a language, the
    one with chunks and the largest dictionary is asked, or the one into `target`. Programs stay alive between
    calls; `close` ends them. No answer depends on other texts (docs/apertium.md).

    >>> Parser().parse([Text("Los gatos negros duermen.", "es")])[0].shape()
    '(ROOT (S (SN DET NOUN ADJ) (SV VERB) PUNCT))'
    """

    id = "apertium"
    kind: Literal["full", "shallow"] = "shallow"

    def __init__(
        self,
        *,
        folder: Annotated[str, "Folder of the installed modes."] = FOLDER,
        target: Annotated[str, "Target language of the pair to analyse with; by default the best one is taken."] = "",
    ) -> None:
        self._pairs = Pairs(folder)
        self._target = target
        self._lines: dict[Direction, _Lines] = {}
        self._lock = Lock()

    def version(self, lang: str = "") -> str:
        """The version of the pair that analyses a language; without a language, a digest of all versions."""
        if not lang:
            every = " ".join(self.version(language) for language in sorted(self.languages()))
            return f"{EDITION}+{hashlib.blake2b(every.encode(), digest_size=4).hexdigest()}"
        direction = self._direction(lang)
        if direction is None:
            raise UserError(self._lacks(lang))
        return f"{self._pairs.version(*direction)}+{EDITION}"

    def languages(self) -> frozenset[str]:
        """The languages that the installed pairs translate from, by way of a tagger."""
        return frozenset(source for source, _ in self._modes())

    def analyse(self, texts: Sequence[str], lang: str) -> list[list[Word] | ServiceError]:
        """The words of every text, in order, or the reason why there are none."""
        return [
            answer if isinstance(answer, ServiceError) else answer[0].words
            for answer in self._answers(texts, lang, False)
        ]

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One shallow tree for every text, in order, or the reason why there is none."""
        trees: dict[int, Tree | ServiceError] = {}
        for lang in sorted({text.lang for text in texts}):
            numbers = [number for number, text in enumerate(texts) if text.lang == lang]
            answers = self._answers([texts[number].words for number in numbers], lang, True)
            trees.update((number, _tree(answer)) for number, answer in zip(numbers, answers, strict=True))
        return [trees[number] for number in range(len(texts))]

    def close(self) -> None:
        """End the programs; the next call starts them again."""
        for lines in self._lines.values():
            self._now(lines.close())

    def _answers(self, texts: Sequence[str], lang: str, chunks: bool) -> "list[_Chunked | ServiceError]":
        direction = self._direction(lang)
        if direction is None:
            return [Refused(self._lacks(lang)) for _ in texts]
        with self._lock:
            if direction not in self._lines:
                self._lines[direction] = _Lines(self._pairs.modes()[direction].commands)
        lines = self._lines[direction]
        answers: list[_Chunked | ServiceError] = []
        for first in range(0, len(texts), TEXTS):
            answers += self._now(lines.ask(texts[first : first + TEXTS], chunks))
        return answers

    def _now(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine; the programs serve one event loop at a time."""
        with self._lock:
            return now(work)

    def _modes(self) -> dict[Direction, Mode]:
        modes = self._pairs.modes().items()
        return {pair: mode for pair, mode in modes if pair[1] == (self._target or pair[1]) and _tagger(mode.commands)}

    def _direction(self, lang: str) -> Direction | None:
        modes = self._modes()
        fitting = [pair for pair in modes if pair[0] == lang] or [pair for pair in modes if pair[0] == base(lang)]
        return max(fitting, key=lambda pair: (*_worth(modes[pair]), -len(pair[1]), pair), default=None)

    def _lacks(self, lang: str) -> str:
        into = f" into '{self._target}'" if self._target else ""
        languages = ", ".join(sorted(self.languages())) or "none"
        return (
            f"no installed pair of Apertium{into} analyses '{lang}'. Analysed: {languages}. "
            "Install a pair that translates from it, such as Debian's apertium-eng-spa"
        )


_Chunked = tuple[Analysed, dict[int, tuple[int, str]]]


class _Lines:
    """The programs of a pair: those up to its tagger, and those from there to its chunks."""

    def __init__(self, commands: tuple[Command, ...]) -> None:
        tagger = _tagger(commands)
        self._words = Line(_analysing(commands[: tagger + 1]), to_stream, answered)
        rest = _chunking(commands[tagger + 1 :])
        self._chunks = Line(rest, to_chunker, answered) if rest else None

    async def ask(self, texts: Sequence[str], chunks: bool) -> list[_Chunked | ServiceError]:
        """Ask for all texts at once; where that fails, for one at a time, so that one bad text spoils no other."""
        refused = [too_long(text, "Apertium") or _unbroken(text) or unsendable(text) for text in texts]
        sent = [text for text, why in zip(texts, refused, strict=True) if why is None]
        try:
            answers = iter(await self._answers(sent, chunks))
        except ServiceError:
            answers = iter([await self._answer(text, chunks) for text in sent])
        return [why or next(answers) for why in refused]

    async def close(self) -> None:
        for line in filter(None, (self._words, self._chunks)):
            await line.close()

    async def _answer(self, text: str, chunks: bool) -> _Chunked | ServiceError:
        try:
            return (await self._answers([text], chunks))[0]
        except ServiceError as error:
            return error

    async def _answers(self, texts: Sequence[str], chunks: bool) -> list[_Chunked | ServiceError]:
        try:
            async with asyncio.timeout(SECONDS):
                tagged = await self._words.ask(texts)
                chunked = await self._chunks.ask(tagged) if chunks and self._chunks else [""] * len(tagged)
        except TimeoutError:
            raise Unavailable(
                f"Apertium did not analyse {plural(len(texts), 'text')} in {SECONDS:.0f} seconds"
            ) from None
        return [_read(*streams) for streams in zip(texts, tagged, chunked, strict=True)]


def _read(text: str, tagged: str, chunked: str) -> _Chunked | ServiceError:
    try:
        return read_words(text, tagged), read_chunks(chunked)
    except Refused as error:
        return error


def _unbroken(text: str) -> Refused | None:
    """Why a text is refused for an overlong word, if it is: the analyser's time grows with the square of its length."""
    longest = max(map(len, text.split()), default=0)
    if longest <= MOST_UNBROKEN:
        return None
    return Refused(f"Apertium is given up to {MOST_UNBROKEN} characters without a blank between them, not {longest}")


def _tagger(commands: Sequence[Command]) -> int:
    """The index of the command that chooses one of a word's readings; never the first, so that 0 stands for none."""
    return next((index for index, command in enumerate(commands) if index and _name(command) == "apertium-tagger"), 0)


def _analysing(commands: Sequence[Command]) -> list[Command]:
    """The commands up to the tagger, with options that keep surface forms and give lemmas in the dictionary's case."""
    first, *between, (tagger, *rest) = [tuple(word for word in command if word != "-w") for command in commands]
    if _name(first) == "lt-proc":
        first = (first[0], "-w", *first[1:])
    return [first, *between, (tagger, "-p", *rest)]


def _name(command: Command) -> str:
    return os.path.basename(command[0])


def _chunking(commands: Sequence[Command]) -> list[Command]:
    """The commands that follow the tagger up to the first stage of transfer, if that one makes chunks."""
    end = next((index for index, command in enumerate(commands) if _name(command) in _CHUNKERS), 0)
    return list(commands[:end])


def _worth(mode: Mode) -> tuple[bool, bool, int]:
    """The rank of a mode: modes with chunks, then newer ones, with three-letter codes, then larger dictionaries."""
    rest = mode.commands[_tagger(mode.commands) + 1 :]
    dictionary = mode.commands[0][-1]
    size = os.path.getsize(dictionary) if os.path.isfile(dictionary) else 0
    return bool(_chunking(rest)), mode.path.stem.find("-") == 3, size


def _tree(answer: _Chunked | ServiceError) -> Tree | ServiceError:
    if isinstance(answer, ServiceError):
        return answer
    analysed, owners = answer
    words = analysed.words
    if not words:
        return no_word()
    owned = [owners.get(unit, (-1, "")) if unit is not None else None for unit in analysed.units]
    bounds = [*sorted(analysed.starts | {0}), len(words)]
    sentences = [_sentence(words[a:b], owned[a:b]) for a, b in itertools.pairwise(bounds)]
    return Tree("ROOT", words[0].start, words[-1].end, tuple(sentences), words[0].text)


def _sentence(words: Sequence[Word], owners: Sequence[tuple[int, str] | None]) -> Tree:
    leaves = [Tree(word.upos, word.start, word.end, (), word.text) for word in words]
    children: list[Tree] = []
    for (_, label), run in itertools.groupby(range(len(words)), lambda index: owners[index] or (-1, "")):
        phrase = [leaves[index] for index in run]
        # Words that need no phrase are in chunks with names in lower case; a few pairs use upper case for punctuation.
        if label[:1].isupper() and any(leaf.label != "PUNCT" for leaf in phrase):
            children.append(Tree(label, phrase[0].start, phrase[-1].end, tuple(phrase), words[0].text))
        else:
            children += phrase
    return Tree("S", leaves[0].start, leaves[-1].end, tuple(children), words[0].text)
