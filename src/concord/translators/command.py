"""Any program that reads one text per line on standard input and writes one translation per line.

`--system "command:./my-mt --from {source} --to {target}"`. The command is split into words as a shell
would, but no shell runs it; `{source}` and `{target}` become the language codes. Each batch starts the
program anew, gives it the whole batch and waits for its end. A line break inside a text is sent as a
space. What the program leaves running in the background (`server & cat`) is its own: no run ends it, but
for one that stops the program itself.
"""

import asyncio
import contextlib
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Annotated, Any, cast

from concord.errors import BadAnswer, Refused, ServiceError, Unavailable, UserError
from concord.interruption import companions
from concord.model import Limits, System
from concord.options import Count, Within
from concord.plural import plural

LARGEST_OUTPUT = 8 * 2**20
LARGEST_TOGETHER = 128 * 2**20
"""What all programs that run at the same time may write."""
CHUNK = 2**16
GRACE = 10.0
"""Seconds to wait for lines that lack when a program has ended and another one, such as a filter, has its output."""
LARGEST_FILE_READ = 64 * 2**20
SHORTEST_SECRET = 6
_SECRET = re.compile("KEY|SECRET|TOKEN|PASSW", re.IGNORECASE)
LONGEST_COMPLAINT = 200
# Everything that the line readers of common languages take for the end of a line.
LINE_BREAK = re.compile("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")


class Translator(System):
    """A program, given as argument; `processes` of them may run at the same time."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "The program with its arguments, split into words as a shell would."] = "",
        batch: Annotated[Count, "How many lines each start of the program gets at most."] = 200,
        seconds: Annotated[float, Within(0, above=True), "Seconds that the program may take for a batch."] = 60.0,
        processes: Annotated[Count, "How many of the program may run at once."] = 1,
        version: Annotated[str, "What to call this version; by default a digest of the program's files."] = "",
    ) -> None:
        self._words = _split(argument)
        self._stated_version = version
        self._largest = min(LARGEST_OUTPUT, LARGEST_TOGETHER // processes)
        self.id = f"command:{argument}"
        self.dictionaries = "apertium" if Path(self._words[0]).name == "apertium" else ""
        self.limits = Limits(texts=batch, characters=1_000_000, in_flight=processes, seconds=seconds)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        refusals = [_unsendable(text) for text in texts]
        sent = [text for text, refusal in zip(texts, refusals, strict=True) if refusal is None]
        answers = iter(await self._ask(sent, source, target) if sent else [])
        return [refusal or next(answers) for refusal in refusals]

    def version(self, source: str, target: str) -> str | None:
        """What the user says, or else a hash of the files that the command names.

        So an edited script or a retrained model is a new version. Where a file changes by itself, such as a log,
        the option `version` keeps every run from being a new one.
        """
        if self._stated_version:
            return self._stated_version
        prints = [_fingerprint(path) for path in _files(self._command(source, target))]
        return hashlib.blake2b("\n".join(prints).encode(), digest_size=6).hexdigest() if prints else None

    def _command(self, source: str, target: str) -> list[str]:
        return [word.replace("{source}", source).replace("{target}", target) for word in self._words]

    async def _ask(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        name, *arguments = self._command(source, target)
        lines = "".join(LINE_BREAK.sub(" ", text) + "\n" for text in texts)
        run = _Run([name, *arguments], lines.encode(), len(texts), self._largest)
        problem = self._problem(name, run, await run.end(), len(texts))
        if problem:
            run.output.clear()  # an error keeps this frame alive, and what it knows
            raise problem
        return _lines(name, run.output)

    def _problem(self, name: str, run: "_Run", status: int, expected: int) -> ServiceError | None:
        if run.flooded:
            return BadAnswer(f"{name} wrote more than {self._largest / 2**20:g} MB and was stopped")
        if status != 0:
            # A program that was killed may live the next time; one that ended by itself had its reason.
            kind = Unavailable if status < 0 else BadAnswer
            return kind(f"{name} {_ending(status)}: {_last_line(run.complaints)}")
        if run.written() == expected:
            return None
        count = f"{plural(run.written(), 'line')} for {plural(expected, 'text')}, not one line for each text"
        return BadAnswer(f"{name} wrote {count}: {_last_line(run.complaints)}")


class _Run:
    """One run of the program: what it writes, within bounds, and how it ends."""

    def __init__(self, command: Sequence[str], lines: bytes, expected: int, largest: int) -> None:
        self._expected = expected
        self._largest = largest
        self.output = bytearray()
        self.complaints = b""
        self.flooded = False
        self._listeners = _Listener(self._hear), _Listener(self._note)
        # A file has no reader that can go away, and a program may open it again as /dev/stdin.
        with tempfile.TemporaryFile() as stdin:
            stdin.write(lines)
            stdin.seek(0)
            try:
                self._process = subprocess.Popen(
                    command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
                )
            except OSError as error:
                raise UserError(_cannot_start(command[0], error)) from None
        companions.add(self._process.pid)

    async def end(self) -> int:
        """The status it ends with; cancelled, everything that it has started ends too."""
        out, err = self._listeners
        ended: asyncio.Future[Any] = asyncio.ensure_future(self._status())
        try:
            await out.attend(self._process.stdout)
            await err.attend(self._process.stderr)
            await asyncio.wait([out.closed, ended], return_when=asyncio.FIRST_COMPLETED)
            status = await self._status()
            # A helper left in the background may keep the pipes open: what the program wrote is in them by now.
            await self._take_rest(out)
            if status or self.written() != self._expected:
                await asyncio.wait([err.closed], timeout=GRACE)
            return status
        except BaseException:
            self._kill()
            await self._status()
            raise
        finally:
            ended.cancel()
            companions.discard(self._process.pid)
            self._hang_up()

    def written(self) -> int:
        """How many lines it wrote, counted before they are split: an empty one takes more memory than its end."""
        return self.output.count(b"\n") + (not self.output.endswith(b"\n") and bool(self.output))

    async def _take_rest(self, out: "_Listener") -> None:
        """Read what the program left in the pipe; missing lines may still come from a filter after it."""
        out.read_rest()
        heard = -1
        while self.output.count(b"\n") < self._expected and len(self.output) > heard and not out.closed.done():
            heard = len(self.output)
            await asyncio.wait([out.closed], timeout=GRACE)

    def _hear(self, data: bytes) -> None:
        self.output += data
        if len(self.output) > self._largest and not self.flooded:
            self.flooded = True
            self._kill()

    def _note(self, data: bytes) -> None:
        self.complaints = (self.complaints + data)[-10_000:]

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        # What has left the group may hold the pipes open for ever.
        self._hang_up()

    def _hang_up(self) -> None:
        for listener in self._listeners:
            listener.leave()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()

    async def _status(self) -> int:
        pause = 0.001
        while (status := self._process.poll()) is None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.05)
        return status


class _Listener(asyncio.Protocol):
    """Passes on what comes through a pipe, and tells when the pipe is closed."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.closed: asyncio.Future[None] = loop.create_future()
        self._hear = hear
        self._transport: asyncio.ReadTransport | None = None
        self._pipe: IO[bytes] | None = None

    async def attend(self, pipe: IO[bytes] | None) -> None:
        self._pipe = pipe
        await asyncio.get_running_loop().connect_read_pipe(lambda: self, pipe)

    def read_rest(self) -> None:
        """Pass on what is in the pipe now."""
        assert self._pipe is not None
        with contextlib.suppress(BlockingIOError):
            # Hearing too much closes the pipe.
            while not self._pipe.closed and (data := os.read(self._pipe.fileno(), CHUNK)):
                self._hear(data)

    def leave(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.ReadTransport, transport)

    def data_received(self, data: bytes) -> None:
        self._hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set_result(None)


def _split(argument: str) -> list[str]:
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise UserError(f"the command cannot be split into words ({error}): {argument}") from None
    if not words:
        raise UserError('there is no command. Write it like --system "command:./my-mt --from {source} --to {target}"')
    return words


def _unsendable(text: str) -> Refused | None:
    if "\0" in text:
        return Refused("the text holds a NUL character, at which many programs stop reading")
    try:
        text.encode()
    except UnicodeEncodeError:
        return Refused("the text holds half of a surrogate pair, which UTF-8 cannot carry")
    return None


def _lines(name: str, output: bytearray) -> list[str]:
    lines = []
    for number, line in enumerate(output.removesuffix(b"\n").split(b"\n"), 1):
        try:
            lines.append(line.removesuffix(b"\r").decode())
        except UnicodeDecodeError:
            raise BadAnswer(f"line {number} of what {name} wrote is not UTF-8") from None
    return lines


def _ending(status: int) -> str:
    if status < 0:
        return f"was killed by signal {-status} ({signal.strsignal(-status)})"
    return f"ended with status {status}"


def _last_line(complaints: bytes) -> str:
    lines = [line for line in complaints.decode("utf-8", "replace").splitlines() if line.strip()]
    last = "".join(c for c in (lines or ["it wrote no message"])[-1] if unicodedata.category(c)[0] != "C").strip()
    last = _discreet(last, os.environ)
    return last if len(last) <= LONGEST_COMPLAINT else last[:LONGEST_COMPLAINT] + "…"


def _discreet(words: str, environ: Mapping[str, str]) -> str:
    """The words without the keys of the environment, which the program was given with everything else."""
    secrets = [value for name, value in environ.items() if _SECRET.search(name) and len(value) >= SHORTEST_SECRET]
    for secret in sorted(secrets, key=len, reverse=True):
        words = words.replace(secret, "…")
    return words


def _cannot_start(name: str, error: OSError) -> str:
    path = shutil.which(name) or name
    if "/" not in path or not os.path.exists(path):
        cure = "the path" if "/" in name else f"the spelling, or give its path, such as ./{name}"
        return f"there is no program '{name}'. Check {cure}"
    if not os.access(path, os.X_OK) or os.path.isdir(path):
        return f"'{name}' cannot be run: it is not an executable file. To make it one: chmod +x {shlex.quote(path)}"
    return f"'{name}' cannot be run: {error.strerror}. If it is a script, check its first line (#!...)"


def _files(words: Sequence[str]) -> Iterator[Path]:
    program = shutil.which(words[0])
    for word in [program or words[0], *words[1:]]:
        # The file may be the value of an option: --model=file
        for name in dict.fromkeys((word, word.partition("=")[2])):
            if name and os.path.isfile(name):
                yield Path(name)


def _fingerprint(path: Path) -> str:
    facts = path.stat()
    if facts.st_size > LARGEST_FILE_READ or not os.access(path, os.R_OK):
        return f"{facts.st_size} {facts.st_mtime_ns}"
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
