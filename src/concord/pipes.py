"""Long-lived child processes, connected like a shell's pipeline and asked with NUL-terminated records."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import weakref
from collections.abc import Callable, Mapping, Sequence

from concord.errors import Unavailable

CHUNK = 1 << 16
LAST_WORDS = 2_000


class Pipeline:
    """Commands that stay alive between questions: each reads what the one before it writes.

        pipeline = Pipeline([["lt-proc", "-z", "en.bin"], ["apertium-pretransfer", "-z"]])
        answers = await pipeline.ask([b"one", b"two"])
        await pipeline.close()

    Every command must answer each NUL-terminated record with one NUL-terminated record, in order. The
    processes start with the first question and again after `close`, after the death of any of them, and
    after a question that was cancelled or went wrong. Questions asked at the same time wait for each
    other. One event loop after another may use a pipeline, but not two at once. A program that gives a
    record two answers, the second one late, cannot be noticed here: where that is possible, number them.

    With `complaints`, what the last command writes to standard error stands at the head of its answers.
    """

    def __init__(
        self,
        commands: Sequence[Sequence[str]],
        *,
        variables: Mapping[str, str] | None = None,
        complaints: bool = False,
    ) -> None:
        if not commands or not all(commands):
            raise ValueError("a pipeline needs at least one command, and no command may be empty")
        self._commands = [list(command) for command in commands]
        self._variables = dict(variables or {})
        self._complaints = complaints
        self._children: _Children | None = None
        self._stop: Callable[[], object] = _nothing
        self._talk: _Talk | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()

    async def ask(self, records: Sequence[bytes]) -> list[bytes]:
        """One answer per record, in order, both without the terminator. Raises `Unavailable`."""
        if any(b"\0" in record for record in records):
            raise ValueError("a record must not contain NUL, which ends it")
        if not records:
            return []
        async with self._turn():
            self._talk = _Talk(self._ready(), records)
            try:
                return await self._talk.run()
            except BaseException:
                # Answers still under way would be taken for those to the next question.
                self._stop()
                raise
            finally:
                self._talk = None

    async def close(self) -> None:
        """End the processes; a question under way fails. The next question starts them anew."""
        if self._talk is not None and self._loop is asyncio.get_running_loop():
            self._talk.fail(Unavailable(f"{self._commands[0][0]} was closed while it was working"))
        async with self._turn():
            self._stop()

    def pids(self) -> list[int]:
        """The process of every command, or nothing when they are not running."""
        children = self._children
        return [process.pid for process in children.processes] if children and children.running() else []

    def _turn(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._lock = loop, asyncio.Lock()
        return self._lock

    def _ready(self) -> _Children:
        if self._children is not None and self._children.running() and self._children.silent():
            return self._children
        self._stop()
        self._children = _Children(self._commands, self._variables, self._complaints)
        self._stop = weakref.finalize(self, self._children.stop)
        return self._children


class _Children:
    """The processes and our ends of their pipes."""

    def __init__(self, commands: Sequence[Sequence[str]], variables: Mapping[str, str], complaints: bool) -> None:
        self._owner = os.getpid()
        self._ends: set[int] = set()
        self.names = [os.path.basename(command[0]) for command in commands]
        self.processes: list[subprocess.Popen[bytes]] = []
        self.errors: list[int] = []
        environment = {**os.environ, **variables}
        try:
            self.input, self.output = self._start(commands, environment, complaints)
        except OSError as error:
            self.stop()
            raise Unavailable(f"cannot start {' | '.join(self.names)}: {error.strerror or error}") from None
        for end in (self.input, self.output, *self.errors):
            os.set_blocking(end, False)

    def running(self) -> bool:
        """Whether every process runs, and is ours."""
        mine = bool(self._ends) and self._owner == os.getpid()
        return mine and all(process.poll() is None for process in self.processes)

    def silent(self) -> bool:
        """Whether nothing has come out since the last answer; if anything has, it is lost."""
        return _take(self.output) is None

    def stop(self) -> None:
        """Kill the processes and close our ends; in a forked copy of the owner, only close."""
        mine = self._owner == os.getpid()
        for process in self.processes:
            if mine and process.poll() is None:
                process.kill()
        for end in self._ends:
            with contextlib.suppress(OSError):
                os.close(end)
        self._ends.clear()
        for process in self.processes:
            process.returncode = process.wait() if mine else 0

    def _start(
        self, commands: Sequence[Sequence[str]], environment: Mapping[str, str], complaints: bool
    ) -> tuple[int, int]:
        source, first = self._pipe()
        for command in commands:
            is_last = len(self.processes) == len(commands) - 1
            result, sink = self._pipe()
            error, errors = self._pipe()
            self.processes.append(
                subprocess.Popen(
                    command,
                    stdin=source,
                    stdout=sink,
                    stderr=subprocess.STDOUT if complaints and is_last else errors,
                    env=environment,
                    start_new_session=True,
                )
            )
            self.errors.append(error)
            # Our copy of the sink between two commands stays open: when a command dies, the next one must
            # not see the end of its input, because it would send off a half record as if it were whole.
            # The death shows as the end of the command's errors instead, which nobody else holds open.
            self._close(source, *([errors, sink] if is_last else [errors]))
            source = result
        if complaints:
            self.errors.pop()
        return first, source

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self._ends.update(ends)
        return ends

    def _close(self, *ends: int) -> None:
        for end in ends:
            self._ends.discard(end)
            os.close(end)


class _Talk:
    """One exchange: all records go in while the answers come out, so that no full pipe stops either."""

    def __init__(self, children: _Children, records: Sequence[bytes]) -> None:
        self._children = children
        self._expected = len(records)
        self._unsent = memoryview(b"".join(record + b"\0" for record in records))
        self._answers: list[bytes] = []
        self._partial = b""
        self._words = [b""] * len(children.errors)
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[list[bytes]] = self._loop.create_future()

    async def run(self) -> list[bytes]:
        children, loop = self._children, self._loop
        for number, end in enumerate(children.errors):
            loop.add_reader(end, self._listen, number)
        loop.add_reader(children.output, self._read)
        loop.add_writer(children.input, self._write)
        try:
            return await self._done
        finally:
            loop.remove_writer(children.input)
            for end in (children.output, *children.errors):
                loop.remove_reader(end)

    def fail(self, error: Exception) -> None:
        if not self._done.done():
            self._done.set_exception(error)

    def _write(self) -> None:
        try:
            sent = os.write(self._children.input, self._unsent[:CHUNK])
        except BlockingIOError:
            return
        except OSError:
            self._loop.remove_writer(self._children.input)
            return self._mourn(0)
        self._unsent = self._unsent[sent:]
        if not self._unsent:
            self._loop.remove_writer(self._children.input)

    def _read(self) -> None:
        data = _take(self._children.output)
        if data is None:
            return
        if not data:
            self._loop.remove_reader(self._children.output)
            return self._mourn(len(self._children.names) - 1)
        *answers, self._partial = (self._partial + data).split(b"\0")
        self._answers += answers
        surplus = len(self._answers) > self._expected or (self._partial and len(self._answers) == self._expected)
        if surplus:
            self.fail(Unavailable(f"{self._children.names[-1]} gave more answers than it was asked for"))
        elif len(self._answers) == self._expected and not self._done.done():
            self._done.set_result(self._answers)

    def _listen(self, number: int) -> None:
        data = _take(self._children.errors[number])
        if data:
            self._words[number] = (self._words[number] + data)[-LAST_WORDS:]
        elif data is not None:
            self._loop.remove_reader(self._children.errors[number])
            self._mourn(number)

    def _mourn(self, number: int) -> None:
        words = b""
        if number < len(self._words):
            words = self._words[number] + (_take(self._children.errors[number]) or b"")
        lines = words.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        self.fail(Unavailable(f"{self._children.names[number]} stopped" + (f": {last}" if last else "")))


def _take(end: int) -> bytes | None:
    """What can be read now: None for nothing yet, empty for the end."""
    try:
        return os.read(end, CHUNK)
    except BlockingIOError:
        return None


def _nothing() -> None:
    """Stands in for the end of processes that were never started."""
