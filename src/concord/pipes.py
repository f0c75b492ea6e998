"""Long-lived child processes, connected like a shell's pipeline and asked with NUL-terminated records."""

import asyncio
import contextlib
import os
import subprocess
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from concord.errors import Unavailable

CHUNK = 1 << 16
MOST_ERROR_OUTPUT = 2_000


class Pipeline:
    """Commands that stay alive between questions: each reads what the one before it writes.

        pipeline = Pipeline([["lt-proc", "-z", "en.bin"], ["apertium-pretransfer", "-z"]])
        answers = await pipeline.ask([b"one", b"two"])
        await pipeline.close()

    Every command must answer each NUL-terminated record with one NUL-terminated record, in order. The
    processes start with the first question and again after `close`, after the death of any of them, and
    after a question that was cancelled or went wrong. Questions may be asked at the same time: they follow
    each other into the pipeline without a gap. When a process dies, those under way are asked again, one
    at a time, so that only the question at which it dies fails. One event loop after another may use a
    pipeline, but not two at once.

    A program that gives a record two answers, the second one late, cannot be noticed here: where that is
    possible, number the records. With `complaints`, what the last command writes to standard error stands
    at the head of its answers.
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
        self._stop: Callable[[], object] = lambda: None  # there are no processes yet
        self._conversation: _Conversation | None = None

    async def ask(self, records: Sequence[bytes]) -> list[bytes]:
        """One answer per record, in order, both without the terminator. Raises `Unavailable`."""
        if any(b"\0" in record for record in records):
            raise ValueError("a record must not contain NUL, which ends it")
        if not records:
            return []
        if self._conversation is None or not self._conversation.is_active():
            self._leave_conversation()
            self._conversation = _Conversation(self)
        conversation, question = self._conversation, _Question(records)
        conversation.add(question)
        try:
            return await question.answered
        except asyncio.CancelledError:
            conversation.drop(question)
            raise

    async def close(self) -> None:
        """End the processes; questions under way fail. The next question starts them anew."""
        if self._conversation is not None and self._conversation.is_active():
            self._conversation.end(Unavailable(f"{self._commands[0][0]} was closed while it was working"))
        self._conversation = None
        self._stop()

    def start(self) -> None:
        """Start the processes ahead of the first question, where that saves time."""
        if self._conversation is None or not self._conversation.is_active():
            self._leave_conversation()
            self._ready()

    def pids(self) -> list[int]:
        """The process of every command, or nothing when they are not running."""
        children = self._children
        return [process.pid for process in children.processes] if children and children.running() else []

    def _leave_conversation(self) -> None:
        """Leave a conversation whose event loop is gone; answers to its questions may still come out."""
        if self._conversation is not None and self._conversation.has_questions():
            self._stop()
        self._conversation = None

    def _ready(self) -> "_Children":
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
        """Whether nothing has come out since the last answer; whatever has is discarded."""
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


class _Question:
    """The records of one question and the answers to them."""

    def __init__(self, records: Sequence[bytes]) -> None:
        self.payload = memoryview(b"".join(record + b"\0" for record in records))
        self.count = len(records)
        self.answers: list[bytes] = []
        self.answered: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()

    def succeed(self) -> None:
        if not self.answered.done():
            self.answered.set_result(self.answers)

    def fail(self, error: Exception) -> None:
        if not self.answered.done():
            self.answered.set_exception(error)


class _Conversation:
    """A conversation: from the first question until all are answered.

    Records go in while answers come out, so that no full pipe stops either. Nothing of it outlives the
    last answer, so that the next conversation may take place in another event loop.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._loop = asyncio.get_running_loop()
        self._children: _Children | None = None
        self._waiting: deque[_Question] = deque()
        self._sent: deque[_Question] = deque()
        self._unsent: deque[memoryview] = deque()
        self._partial = b""
        self._error_output: list[bytes] = []
        # How many questions, which were under way when something went wrong, are asked one at a time.
        self._singly = 0

    def has_questions(self) -> bool:
        return bool(self._sent or self._waiting)

    def is_active(self) -> bool:
        return self.has_questions() and self._loop is asyncio.get_running_loop()

    def add(self, question: _Question) -> None:
        self._waiting.append(question)
        self._proceed()

    def drop(self, question: _Question) -> None:
        if question in self._waiting:
            self._waiting.remove(question)
        elif question in self._sent:
            self._sent.remove(question)
            unsent = deque(view for view in self._unsent if view is not question.payload)
            if len(unsent) < len(self._unsent):
                self._unsent = unsent
            else:
                # Its answers, still under way, would be taken for those to the next question.
                self._restart()
        self._proceed()

    def end(self, error: Exception) -> None:
        for question in (*self._sent, *self._waiting):
            question.fail(error)
        self._waiting.clear()
        self._sent.clear()
        self._restart()

    def _proceed(self) -> None:
        while self._waiting and not (self._singly and self._sent):
            if self._children is None:
                try:
                    self._listen(self._pipeline._ready())
                except Unavailable as error:
                    return self.end(error)
            question = self._waiting.popleft()
            self._sent.append(question)
            self._unsent.append(question.payload)
        if self._children is None:
            return
        if self._unsent:
            self._loop.add_writer(self._children.input, self._write)
        elif not self._sent:
            self._stop_listening()

    def _listen(self, children: _Children) -> None:
        self._children = children
        self._error_output = [b""] * len(children.errors)
        self._loop.add_reader(children.output, self._read)
        for number, end in enumerate(children.errors):
            self._loop.add_reader(end, self._read_errors, number)

    def _stop_listening(self) -> None:
        if self._children is not None:
            self._loop.remove_writer(self._children.input)
            for end in (self._children.output, *self._children.errors):
                self._loop.remove_reader(end)
            self._children = None

    def _restart(self) -> None:
        """Kill the processes, and queue their unanswered questions for new ones."""
        self._stop_listening()
        self._pipeline._stop()
        self._partial = b""
        self._unsent.clear()
        self._singly = max(len(self._sent), self._singly)
        while self._sent:
            question = self._sent.pop()
            question.answers = []
            self._waiting.appendleft(question)

    def _fail(self, error: Unavailable) -> None:
        if len(self._sent) == 1:
            self._sent.pop().fail(error)
            self._singly = max(0, self._singly - 1)
        self._restart()
        self._proceed()

    def _write(self) -> None:
        assert self._children is not None
        if not self._unsent:
            self._loop.remove_writer(self._children.input)
            return
        try:
            sent = os.write(self._children.input, self._unsent[0][:CHUNK])
        except BlockingIOError:
            return
        except OSError:
            return self._report_death(0)
        self._unsent[0] = self._unsent[0][sent:]
        if not self._unsent[0]:
            self._unsent.popleft()

    def _read(self) -> None:
        assert self._children is not None
        data = _take(self._children.output)
        if data is None:
            return
        if not data:
            return self._report_death(len(self._children.names) - 1)
        *answers, self._partial = (self._partial + data).split(b"\0")
        due = sum(question.count - len(question.answers) for question in self._sent)
        if len(answers) > due or (self._partial and len(answers) == due):
            return self._fail(Unavailable(f"{self._children.names[-1]} gave more answers than it was asked for"))
        for answer in answers:
            question = self._sent[0]
            question.answers.append(answer)
            if len(question.answers) == question.count:
                self._sent.popleft().succeed()
                self._singly = max(0, self._singly - 1)
        self._proceed()

    def _read_errors(self, number: int) -> None:
        assert self._children is not None
        data = _take(self._children.errors[number])
        if data:
            self._error_output[number] = (self._error_output[number] + data)[-MOST_ERROR_OUTPUT:]
        elif data is not None:
            self._report_death(number)

    def _report_death(self, number: int) -> None:
        """Fail with the last words of the command that ended, or of one that ended before it and took it along."""
        assert self._children is not None
        ended = [index for index, process in enumerate(self._children.processes) if process.poll() is not None]
        by_command = {index: self._last_words(index) for index in (number, *ended)}
        culprit = next((index for index, words in by_command.items() if words), number)
        words = f": {by_command[culprit]}" if by_command[culprit] else ""
        self._fail(Unavailable(f"{self._children.names[culprit]} stopped{words}"))

    def _last_words(self, number: int) -> str:
        """The last line that a command wrote to its standard error."""
        assert self._children is not None
        if number >= len(self._error_output):
            return ""
        self._error_output[number] += _take(self._children.errors[number]) or b""
        lines = self._error_output[number].decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _take(end: int) -> bytes | None:
    """The bytes that can be read now: None for nothing yet, empty at the end."""
    try:
        return os.read(end, CHUNK)
    except BlockingIOError:
        return None
