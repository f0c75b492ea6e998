"""Apertium's installed pairs: their mode files, versions, and pipelines of programs that are kept running."""

import asyncio
import hashlib
import itertools
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from concord.errors import BadAnswer, Missing, Refused, Unavailable, UserError, apt_install
from concord.language.apertium.tagger import UTF8, Tagger, is_hidden_markov
from concord.language.codes import normalise
from concord.pipes import Pipeline

T = TypeVar("T")
Question = TypeVar("Question")
Answer = TypeVar("Answer")

FOLDER = "/usr/share/apertium/modes"
INSTALL = apt_install("apertium", "apertium-eng-spa", "apertium-eng-cat", "apertium-en-gl", "apertium-eo-en")
# Part of every version: the method by which answers are made independent of other texts.
MECHANISM = "apart1"
# Texts in one batch: enough to keep all programs busy, few enough for several batches to be in the pipeline.
TOGETHER = 32

MODE = re.compile(r"([a-z]{2,3})(?:_(\w+))?-([a-z]{2,3})(?:_(\w+))?")
REGION = re.compile(r"[A-Z]{2}")
# Suffixes of modes that are variants registered for BCP-47. All others are experiments or spelling rules.
VARIANTS = {"valencia": "valencia", "aran": "aranes", "ao1990": "ao1990"}
MEMBERS = {"zlm": "ms"}

SPECIAL = r"[\[\]{}^$/\\@<>]"
# The last program removes tildes as marks of its own, so they are sent as blanks.
BLANKS = " \t\r\n~"


@dataclass(frozen=True, slots=True)
class Mode:
    """The pipeline of commands for one direction."""

    path: Path
    commands: tuple[tuple[str, ...], ...]


class Pairs:
    """The directions whose modes are in a folder, with their versions; files are read when needed."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._modes: dict[tuple[str, str], Mode] | None = None
        self._owners: dict[str, tuple[str, str]] | None = None
        self._versions: dict[tuple[str, str], str] = {}

    def modes(self) -> dict[tuple[str, str], Mode]:
        if self._modes is None:
            if shutil.which("lt-proc") is None or shutil.which("apertium-tagger") is None:
                raise Missing("Apertium", INSTALL)
            if not self._folder.is_dir():
                raise UserError(f"there is no folder '{self._folder}' with Apertium's modes. To install: {INSTALL}")
            self._modes = find_modes(self._folder)
        return self._modes

    def version(self, source: str, target: str) -> str:
        """Engine, language data, tools and mechanism, such as `3.8.3-1+b2+eng-spa.0.8.1-2+334a79cc+apart1`."""
        if (source, target) not in self._versions:
            modes = self.modes().values()
            if self._owners is None:
                files = {str(mode.path) for mode in modes}.union(*map(_programs, modes))
                self._owners = _owners([*sorted(files), _program("apertium-tagger")])
            self._versions[source, target] = _version(self.modes()[source, target], self._owners)
        return self._versions[source, target]


def find_modes(folder: Path) -> dict[tuple[str, str], Mode]:
    """Every direction that can run: its name is a language pair, and its programs and files exist."""
    modes: dict[tuple[str, str], Mode] = {}
    # Of two spellings of the same pair, the three-letter one is the newer.
    for path in sorted(folder.glob("*.mode"), key=lambda path: (-len(path.stem), path.stem)):
        direction = _direction(path.stem)
        if direction and direction not in modes and (mode := read_mode(path)):
            modes[direction] = mode
    return modes


def read_mode(path: Path) -> Mode | None:
    """The pipeline of a mode file, set to answer at every NUL; None if it cannot run on this machine."""
    try:
        words = _words(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    commands = [list(run) for is_pipe, run in itertools.groupby(words, "|".__eq__) if not is_pipe]
    commands = [[name, "-z", *(_placed(word) for word in rest if word != "-z")] for name, *rest in commands]
    missing = any(shutil.which(command[0]) is None for command in commands) or any(
        word.startswith("/") and not os.path.exists(word) for command in commands for word in command
    )
    return None if missing or not commands else Mode(path, tuple(map(tuple, commands)))


@lru_cache(maxsize=1_000)
def _words(text: str) -> list[str]:
    """The words of a mode file; a command reads the files several times."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|")
    lexer.whitespace_split, lexer.commenters = True, ""
    # The arguments of `apertium -u`: no marks on unknown words, no option for the tagger.
    return [{"$1": "-n"}.get(word, word) for word in lexer if word != "$2"]


def to_stream(text: str, number: int) -> bytes:
    """A text as Apertium's text deformatter writes it, with a number by which its answer is recognised."""

    def separator(run: re.Match[str]) -> str:
        return (".[]" if ends_a_sentence(run[0]) else "") + _superblank(run[0])

    words = text.rstrip(BLANKS)
    body = re.sub(f"[{BLANKS}]+", separator, re.sub(SPECIAL, r"\\\g<0>", words))
    return f"{body}.[]{_superblank(text[len(words) :])}[{number}]".encode()


def answered(answer: bytes, number: int) -> str:
    """The stream of an answer, which must end with the number of its record."""
    mark = f"[{number}]".encode()
    if not answer.endswith(mark):
        raise BadAnswer("Apertium's answers have come out of step with the texts")
    try:
        return answer.removesuffix(mark).decode()
    except UnicodeDecodeError:
        raise BadAnswer("Apertium's answer is not UTF-8") from None


def ends_a_sentence(blank: str) -> bool:
    """Whether a full stop is inserted before a run of blanks, so that a headline is a sentence of its own."""
    return "\n\n" in blank or "\r\n\r\n" in blank


def unsendable(text: str) -> Refused | None:
    """The error of a text that Apertium's programs cannot read; None if they can."""
    if "\0" in text:
        return Refused("the text holds a NUL character, which ends a text for Apertium")
    if "\uffff" in text:
        return Refused("the text holds the noncharacter U+FFFF, which ends a text for Apertium")
    try:
        text.encode()
    except UnicodeEncodeError:
        return Refused("the text holds half of a surrogate pair, which UTF-8 cannot carry")
    return None


class Line(Generic[Question, Answer]):
    """A pipeline of commands that is kept running, with taggers in segments of their own.

    `write` turns a question into a numbered record, `read` the record with that number into an answer.
    """

    def __init__(
        self,
        commands: Iterable[tuple[str, ...]],
        write: Callable[[Question, int], bytes],
        read: Callable[[bytes, int], Answer],
    ) -> None:
        self._write, self._read = write, read
        self._segments: list[Tagger | Pipeline] = []
        self._numbers = itertools.count()
        for apart, run in itertools.groupby(commands, is_hidden_markov):
            if apart:
                self._segments += [Tagger(command) for command in run]
            else:
                self._segments.append(Pipeline(list(run), variables=UTF8))

    async def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer per question, in order."""
        if questions:
            self.start()
        parts = [self._part(questions[i : i + TOGETHER]) for i in range(0, len(questions), TOGETHER)]
        return list(itertools.chain.from_iterable(await _all(parts)))

    def start(self) -> None:
        """Start all programs at once, because each takes time to load."""
        for segment in self._segments:
            segment.start()

    async def close(self) -> None:
        for segment in self._segments:
            await segment.close()

    async def _part(self, questions: Sequence[Question]) -> list[Answer]:
        numbers = list(itertools.islice(self._numbers, len(questions)))
        records = [self._write(question, number) for question, number in zip(questions, numbers, strict=True)]
        for segment in self._segments:
            records = await segment.ask(records)
        try:
            return [self._read(answer, number) for answer, number in zip(records, numbers, strict=True)]
        except BadAnswer:
            await self.close()
            raise


def _direction(name: str) -> tuple[str, str] | None:
    match = MODE.fullmatch(name)
    if match is None:
        return None
    source, target = _code(match[1], match[2]), _code(match[3], match[4])
    return (source, target) if source and target else None


def _code(language: str, suffix: str | None) -> str | None:
    if suffix and not REGION.fullmatch(suffix) and suffix not in VARIANTS:
        return None
    try:
        return normalise("-".join(filter(None, (MEMBERS.get(language, language), VARIANTS.get(suffix or "", suffix)))))
    except UserError:
        return None


def _placed(word: str) -> str:
    """The path of a file that exists: some packages install a pair's folder with the languages in reverse order."""
    path = Path(word)
    folder = re.fullmatch(r"apertium-(\w+)-(\w+)", path.parent.name)
    if not path.is_absolute() or path.exists() or folder is None:
        return word
    turned = path.parent.with_name(f"apertium-{folder[2]}-{folder[1]}") / path.name
    return str(turned) if turned.exists() else word


def _superblank(blank: str) -> str:
    return blank if blank in ("", " ") else f"[{blank}]"


def _programs(mode: Mode) -> list[str]:
    return sorted({_program(command[0]) for command in mode.commands})


def _program(name: str) -> str:
    """The program's real path, by which its package is found."""
    return os.path.realpath(shutil.which(name) or name)


def _version(mode: Mode, owners: Mapping[str, tuple[str, str]]) -> str:
    programs = _programs(mode)
    pair, engine = owners.get(str(mode.path)), owners.get(_program("apertium-tagger"))
    if pair is None or engine is None or not all(program in owners for program in programs):
        files = [word for command in mode.commands for word in command[1:] if os.path.isfile(word)]
        return f"files.{digest(Path(file).read_bytes() for file in [*programs, *files])}+{MECHANISM}"
    tools = digest(" ".join(tool).encode() for tool in sorted({owners[program] for program in programs}))
    return f"{engine[1]}+{pair[0].removeprefix('apertium-')}.{pair[1]}+{tools}+{MECHANISM}"


def _owners(paths: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The Debian package and version of each file; empty without Debian's tools."""
    ownership = [line.rpartition(": ") for line in _dpkg("-S", *paths)]
    packages = {path: names.split(",")[0].split(":")[0] for names, _, path in ownership if path in paths}
    if not packages:
        return {}
    versions_text = _dpkg("-W", "-f", "${Package} ${Version}\n", *sorted(set(packages.values())))
    versions = dict(line.split(" ") for line in versions_text)
    return {path: (name, versions[name]) for path, name in packages.items() if name in versions}


def _dpkg(*arguments: str) -> list[str]:
    # In a session of its own: Ctrl-C must not stop it, since half an answer would give another version.
    try:
        run = subprocess.run(
            ["dpkg-query", *arguments], capture_output=True, text=True, check=False, start_new_session=True
        )
    except OSError:
        return []
    if run.returncode < 0:
        raise Unavailable("dpkg-query, which tells the versions of Apertium's packages, was stopped. Try again")
    return run.stdout.splitlines()


def digest(parts: Iterable[bytes]) -> str:
    """A short hash of all parts, for versions."""
    whole = hashlib.blake2b(digest_size=4)
    for part in parts:
        whole.update(hashlib.blake2b(part).digest())
    return whole.hexdigest()


async def _all(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of all coroutines, in order; if one fails, the others are cancelled and awaited."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    try:
        return [await task for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
