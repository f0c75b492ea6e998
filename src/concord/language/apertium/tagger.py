"""Apertium's statistical tagger, without the memory that makes an answer depend on earlier texts."""

from __future__ import annotations

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
    """The statistical tagger, without the memory that makes an answer depend on earlier texts.

    A word whose set of tags the model has never seen makes the tagger overwrite the set of tags that it
    gives to unknown words, for the rest of its life. Such texts are tagged by a process of their own.
    Which readings are of that kind is asked of another tagger, whose answers matter to nobody.
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
        # Numbers stand in for the words, to know them again in what the tagger says. It names only the first
        # part of a compound, so each of those is a question of its own.
        questions = [[reading for reading in new if b"+" not in reading], *([each] for each in new if b"+" in each)]
        records = [b"".join(b"^%d/%b$^./.<sent>$" % pair for pair in enumerate(question)) for question in questions]
        for question, answer in zip(questions, await self._oracle.ask(records), strict=True):
            found = {int(number or 0) for number, tags in NEW_CLASS.findall(answer) if self._model.gives_way(tags)}
            self._harmful.update((reading, number in found) for number, reading in enumerate(question))

    async def _afresh(self, record: bytes) -> bytes:
        tagger = Pipeline([self._command], variables=UTF8)
        try:
            return (await tagger.ask([record]))[0]
        finally:
            await tagger.close()


@dataclass(frozen=True, slots=True)
class TaggerModel:
    """What a tagger's model says about sets of tags: those it has seen, and the size of that of unknown words."""

    tags: dict[bytes, int]
    seen: list[frozenset[int]]
    unknown: int

    def gives_way(self, names: bytes) -> bool:
        """Whether a new set of tags makes the tagger overwrite that of unknown words.

        It does so with a seen set that includes the new one, if there is one smaller than what it has.
        """
        if not self.seen or any(name not in self.tags for name in names.split(b",")):
            return True
        new = {self.tags[name] for name in names.split(b",")}
        return any(new <= seen and len(seen) < self.unknown for seen in self.seen)


def read_model(path: str) -> TaggerModel:
    """The head of a model file; one of another make is read as if every new set were harmful."""

    def many(item: Callable[[], T]) -> list[T]:
        return [item() for _ in range(one())]

    def one() -> int:
        return next(numbers)

    def text() -> bytes:
        return "".join(map(chr, many(one))).encode()

    try:
        numbers = _numbers(Path(path).read_bytes())
        unknown = len(many(one))
        many(lambda: (one(), one()))
        tags = {name: number for number, name in enumerate(many(text))}
        many(lambda: (text(), one()))
        many(lambda: (one(), many(one)))
        many(text)
        many(lambda: (text(), one()))
        return TaggerModel(tags, many(lambda: frozenset(many(one))), unknown)
    except (OSError, StopIteration, ValueError):
        return TaggerModel({}, [], 0)


def _numbers(data: bytes) -> Iterator[int]:
    """The numbers of a compressed file: the two highest bits of the first byte say how many bytes follow."""
    position = 0
    while position < len(data):
        more = data[position] >> 6
        yield int.from_bytes(bytes([data[position] & 0x3F]) + data[position + 1 : position + 1 + more])
        position += 1 + more


def remembers(command: Sequence[str]) -> bool:
    """Whether it is the tagger of hidden Markov models; those with other models start every text anew."""
    name, *rest = command
    others = any(re.fullmatch(r"-\w*[xu]\w*|--perceptron|--unigram.*", word) for word in rest)
    return os.path.basename(name) == "apertium-tagger" and not others


def _is_open(reading: bytes) -> bool:
    """Whether a word's readings leave a choice, or consist of parts; every single tag is in every model."""
    return b"/" in reading or b"+" in reading
