"""Remote calls from worker processes, which ask for translations through a socket: one line of JSON each way."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from concord.bounds import MORE, TIMES
from concord.engine.translate import Translating
from concord.errors import KEPT, Interrupted, Refused, RunEnding
from concord.model import Limits, System

LONGEST_LINE = 64 * 1024 * 1024


class TranslationServer:
    """The server that answers the workers' requests for translations."""

    def __init__(self, translate: Translating) -> None:
        self._batched = translate.batched
        self._writers: set[asyncio.StreamWriter] = set()
        self._open = True

    def refuse(self) -> None:
        """Take no more requests; those under way are still answered."""
        self._open = False

    def close(self) -> None:
        """Drop all connections, also those that come later."""
        self.refuse()
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                while self._open and (line := await reader.readline()):
                    source, target, texts = json.loads(line)
                    answers = await self._batched.ask_now((source, target), texts)
                    writer.write(_line([str(a) if isinstance(a, str) else {"error": str(a)} for a in answers]))
                    await writer.drain()
        finally:
            self._writers.discard(writer)
            writer.close()


def _line(message: object) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode(errors="surrogatepass") + b"\n"


class RemoteSystem(System):
    """The system of the main process, asked through its server; there, a bad answer was retried already."""

    deterministic = True

    def __init__(self, name: str, address: str, limits: Limits) -> None:
        self.id = name
        # The server splits into the provider's batches; here a batch only saves round trips. It is so small that its
        # answers fit into a line, even if each is as long as an answer may be and of control characters of six bytes.
        texts = min(limits.texts * 2, LONGEST_LINE // 6 // MORE // 4)
        characters = LONGEST_LINE // 6 * 3 // 4 // TIMES
        self.limits = Limits(texts=texts, characters=characters, in_flight=limits.in_flight, seconds=float(10**6))
        self._address = address
        self._open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[Any]:
        try:
            if not self._open:
                self._open.append(await asyncio.open_unix_connection(self._address, limit=LONGEST_LINE))
            reader, writer = self._open.pop()
            writer.write(_line([source, target, list(texts)]))
            await writer.drain()
            line = await reader.readline()
        except OSError:
            line = b""
        if not line:
            raise RunEnding("the run was stopped")
        self._open.append((reader, writer))
        return [answer if isinstance(answer, str) else Refused(answer["error"]) for answer in json.loads(line)]

    async def close(self) -> None:
        for _, writer in self._open:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        self._open.clear()


@contextlib.asynccontextmanager
async def event_of_the_end(address: str) -> AsyncIterator[asyncio.Event]:
    """An event that is set when the server closes, so that a worker that waits for its own services notices."""
    stop = asyncio.Event()
    try:
        reader, writer = await asyncio.open_unix_connection(address)
    except OSError:
        raise Interrupted(KEPT) from None

    async def watch() -> None:
        with contextlib.suppress(ConnectionError):
            await reader.read()
        stop.set()

    watching = asyncio.ensure_future(watch())
    try:
        yield stop
    finally:
        watching.cancel()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
