"""The base of translators that run a model on this machine: one thread, batches by tokens, a hash of the weights."""

import asyncio
import threading
from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from concord.errors import Refused, UserError
from concord.language.models import digest
from concord.model import Direction, Limits, Noted, System
from concord.translators._batches import BEAMS, MAX_TOKENS, Search, batches
from concord.translators._families import NamedLanguages, TokenizerFamily
from concord.translators._names import system_id

T = TypeVar("T")
GivenUp = Callable[[], bool]


class Worker:
    """One thread for a model's work, so that the event loop stays free and no two requests meet in the model."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None

    async def run(self, work: Callable[[GivenUp], T]) -> T:
        """The result of the work; when cancelled, the work is told that it was given up."""
        self._pool = self._pool or ThreadPoolExecutor(1, thread_name_prefix="concord-model")
        given_up = threading.Event()
        try:
            return await asyncio.wrap_future(self._pool.submit(work, given_up.is_set))
        except asyncio.CancelledError:
            given_up.set()
            raise

    async def end(self, last: Callable[[], None]) -> None:
        """Do one last task after all others, and end the thread."""
        if self._pool is None:
            last()
            return
        await self.run(lambda given_up: last())
        self._pool.shutdown()
        self._pool = None


class LocalModel(System):
    """A model in a folder, loaded when it is first needed; an adapter writes how it is loaded and how it answers."""

    limits = Limits(texts=256, characters=100_000, in_flight=1, seconds=1800)

    def __init__(
        self, kind: str, argument: str, search: Search, languages: NamedLanguages, **options: tuple[Any, Any]
    ) -> None:
        if not argument:
            raise UserError(f"there is no model. Write it like --system {kind}:FOLDER")
        shared = {"beams": (search.beams, BEAMS), "max_tokens": (search.max_tokens, MAX_TOKENS)}
        self.id = system_id(f"{kind}:{argument}", **shared, **options)
        self._argument = argument
        self._search = search
        self._languages = languages
        self._worker = Worker()
        self._family: TokenizerFamily | None = None
        self._network: Any = None
        self._digest = ""

    @abstractmethod
    def _files(self) -> list[Path]:
        """All that the answers depend on."""

    @abstractmethod
    def _tokenizer(self) -> TokenizerFamily: ...

    @abstractmethod
    def _loaded(self) -> Any:
        """The network with its weights; it lowers `longest` of the family to what it can read."""

    @abstractmethod
    def _answered(self, batch: list[list[Any]], opening: str | None, most: int, given_up: GivenUp) -> list[Any]:
        """For each text the tokens of its answer, and whether the answer came to an end."""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        return await self._worker.run(lambda given_up: self._translated(texts, source, target, given_up))

    async def directions(self) -> Collection[Direction]:
        def read(given_up: GivenUp) -> frozenset[Direction]:
            self.version("", "")  # the weights are read here, where nothing waits for the event loop
            return self._tokens().directions

        return await self._worker.run(read)

    def version(self, source: str, target: str) -> str:
        self._digest = self._digest or digest(self._files())
        return self._digest

    async def close(self) -> None:
        # The thread may still be busy with a request that was given up: what it uses is dropped afterwards.
        await self._worker.end(self._forget)

    def _forget(self) -> None:
        self._family = self._network = None
        self._digest = ""

    def _tokens(self) -> TokenizerFamily:
        self._family = self._family or self._tokenizer()
        return self._family

    def _translated(self, texts: Sequence[str], source: str, target: str, given_up: GivenUp) -> list[str | Refused]:
        family = self._tokens()
        if (source, target) not in family.directions:
            return [Refused(self.lacks(source, target, family.directions)) for _ in texts]
        self._network = self._network or self._loaded()
        encoded = [family.encode(text, source, target) if text.strip() else [] for text in texts]
        # A blank text is its own translation; a model would make something up.
        answers: list[str | Refused] = [
            _refusal(row, family.longest) or text for row, text in zip(encoded, texts, strict=True)
        ]
        refused = [isinstance(answer, Refused) for answer in answers]
        sizes = [0 if is_refused else len(row) for row, is_refused in zip(encoded, refused, strict=True)]
        for batch in batches(sizes, self._search, family.longest):
            if given_up():
                break
            rows = self._answered([encoded[i] for i in batch.indexes], family.opening(target), batch.most, given_up)
            for index, (tokens, ended) in zip(batch.indexes, rows, strict=True):
                words = family.decode(tokens)
                answers[index] = words if ended else Noted(words, {"cut_at_tokens": batch.most})
        return answers


def _refusal(tokens: Sequence[Any], longest: int) -> Refused | None:
    if len(tokens) <= longest:
        return None
    return Refused(f"the text has {len(tokens):,} tokens; the model takes {longest:,} at most")
