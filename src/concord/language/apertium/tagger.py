"""Apertium's statistical tagger, made independent of earlier texts."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from concord.pipes import Pipeline

T = TypeVar("T")

UTF8 = {"LC_ALL": "C.UTF-8"}
READING = re.compile(rb"\\.|\^(?:\\.|[^\\/$])*/((?:\\.|[^\\$])*)\$", re.DOTALL)
NEW_CLASS = re.compile(rb"Word '(\d*)'\.\s+New ambiguity class: \{([^}]*)\}")


class Tagger:
    """The statistical tagger, made independent of earlier texts.

    A word whose set of tags is not in the model makes the tagger overwrite the tags of unknown words
    until it ends. Such harmful texts are tagged by a process of their own. A second tagger, whose
    answers are not used, tells which readings are harmful.
    """

    def __init__(self, command: Sequence[str]) -> None:
        name, *rest = command
        self._command = list(command)
        self._live = Pipeline([command], variables=UTF8)
        self._oracle = Pipeline([[name, "-d", *rest]], variables=UTF8, complaints=True)
        self._model = read_model(rest[-1])
        self._harmful: dict[bytes, bool] = {}

    def start(self) -> None:
        self._live.start()
        self._oracle.start()

    async def ask(self, records: Sequence[bytes]) -> list[bytes]:
        readings = [set(filter(_is_open, READING.findall(record))) for record in records]
        await self._learn(set().union(*readings))
        alone = [any(map(self._harmful.__getitem__, reading)) for reading in readings]
        together = iter(await self._live.ask([r for r, apart in zip(records, alone, strict=True) if not apart]))
        return [await self._afresh(r) if apart else next(together) for r, apart in zip(records, alone, strict=True)]

    async def close(self) -> None:
        await self._live.close()
        await self._oracle.close()

    async def _learn(self, readings: set[bytes]) -> None:
        new = sorted(readings - self._harmful.keys())
        if not new:
            return
        # Numbers replace the words, to identify them in the tagger's messages. A message names only the first
        # part of a compound, so each compound is a question of its own.
        compounds = [reading for reading in new if b"+" in reading]
        questions = [[reading for reading in new if b"+" not in reading], *([reading] for reading in compounds)]
        records = [b"".join(b"^%d/%b$^./.<sent>$" % pair for pair in enumerate(question)) for question in questions]
        for question, answer in zip(questions, await self._oracle.ask(records), strict=True):
            classes = NEW_CLASS.findall(answer)
            harmful = {int(number or 0) for number, tags in classes if self._model.overwrites_unknown(tags)}
            self._harmful.update((reading, number in harmful) for number, reading in enumerate(question))

    async def _afresh(self, record: bytes) -> bytes:
        tagger = Pipeline([self._command], variables=UTF8)
        try:
            return (await tagger.ask([record]))[0]
        finally:
            await tagger.close()


@dataclass(frozen=True, slots=True)
class TaggerModel:
    """The sets of tags in a tagger's model, and the size of the set for unknown words."""

    tags: dict[bytes, int]
    tag_sets: list[frozenset[int]]
    unknown: int

    def overwrites_unknown(self, names: bytes) -> bool:
        """Whether a new set of tags makes the tagger overwrite the set for unknown words.

        The tagger replaces it by a set of the model that includes the new one, if there is a smaller one.
        """
        if not self.tag_sets or any(name not in self.tags for name in names.split(b",")):
            return True
        new_set = {self.tags[name] for name in names.split(b",")}
        return any(new_set <= tag_set and len(tag_set) < self.unknown for tag_set in self.tag_sets)


def read_model(path: str) -> TaggerModel:
    """The head of a model file; for a file of another format, every new set counts as harmful."""

    def repeated(item: Callable[[], T]) -> list[T]:
        return [item() for _ in range(number())]

    def number() -> int:
        return next(numbers)

    def text() -> bytes:
        return "".join(map(chr, repeated(number))).encode()

    try:
        numbers = _numbers(Path(path).read_bytes())
        unknown = len(repeated(number))
        repeated(lambda: (number(), number()))
        tags = {name: index for index, name in enumerate(repeated(text))}
        repeated(lambda: (text(), number()))
        repeated(lambda: (number(), repeated(number)))
        repeated(text)
        repeated(lambda: (text(), number()))
        return TaggerModel(tags, repeated(lambda: frozenset(repeated(number))), unknown)
    except (OSError, StopIteration, ValueError):
        return TaggerModel({}, [], 0)


def _numbers(data: bytes) -> Iterator[int]:
    """The numbers of a compressed file: the two highest bits of the first byte say how many bytes follow."""
    position = 0
    while position < len(data):
        more = data[position] >> 6
        yield int.from_bytes(bytes([data[position] & 0x3F]) + data[position + 1 : position + 1 + more])
        position += 1 + more


def is_hidden_markov(command: Sequence[str]) -> bool:
    """Whether a command is the tagger with a hidden Markov model; with other models it keeps no state."""
    name, *rest = command
    other_model = any(re.fullmatch(r"-\w*[xu]\w*|--perceptron|--unigram.*", word) for word in rest)
    return os.path.basename(name) == "apertium-tagger" and not other_model


def _is_open(reading: bytes) -> bool:
    """Whether a word has several readings or parts; every model has every single tag."""
    return b"/" in reading or b"+" in reading
