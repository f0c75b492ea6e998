"""Text files as lines of UTF-8: decompressed while they are read, checked for being text, readable again and again."""

import gzip
import sys
import weakref
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from difflib import get_close_matches
from io import BufferedReader
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, cast

from concord.errors import CorpusError
from concord.scratch import FULL, temporary_folder

LONGEST_LINE = 1_000_000
_BOM = b"\xef\xbb\xbf"
_HEAD = 8192
_BLOCK = 1 << 16
_GZIP = b"\x1f\x8b"
_MAGIC = {
    _GZIP: "a gzip file. Give it the ending .gz, or unpack it",
    b"SQLite format 3\0": "an SQLite database. Export the text from it",
    b"PK\x03\x04": "a zip archive or an office document. Unpack it, or save it as plain text in UTF-8",
    b"%PDF-": "a PDF document. Save it as plain text in UTF-8",
    b"\x28\xb5\x2f\xfd": "a zstd file. Unpack it",
    b"\xfd7zXZ\0": "an xz file. Unpack it",
    b"BZh91AY&SY": "a bzip2 file. Unpack it",
}


class File:
    """A text file: `for number, line in file`, with line numbers from 1.

    Only LF or CRLF ends a line: U+2028, U+0085, form feeds and vertical tabs are text, or else a file
    would get out of step with its parallel files.
    """

    def __init__(self, path: Path, label: str) -> None:
        self.path = path
        self.label = label
        with _readable(label):
            self._stamp = _stamp(path)
            with _unpacked(path) as file:
                _refuse_binary(file.read(_HEAD), label)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        with self.stream() as file:
            if file.read(len(_BOM)) != _BOM:
                file.seek(0)
            for number in count(1):
                # Two more bytes for the line end, and one to detect a longer line.
                raw = file.readline(LONGEST_LINE + 3)
                if not raw:
                    return
                yield number, self._decoded(number, raw, file)

    @contextmanager
    def stream(self) -> Iterator[BufferedReader]:
        """The bytes, if the file has not changed since it was opened; read errors become a CorpusError."""
        with _readable(self.label), _unpacked(self.path) as file:
            if _stamp(self.path) != self._stamp:
                raise CorpusError(f"{self.label} has changed since it was opened. Run the command again")
            yield file

    def error(self, line: int, message: str) -> CorpusError:
        return CorpusError(f"{self.label}, line {line}: {message}")

    def _decoded(self, number: int, raw: bytes, file: BinaryIO) -> str:
        line = raw.removesuffix(b"\r\n") if raw.endswith(b"\r\n") else raw.removesuffix(b"\n")
        if len(line) > LONGEST_LINE:
            raise self.error(number, f"longer than {LONGEST_LINE:,} bytes. Put one segment on each line")
        try:
            return line.decode()
        except UnicodeDecodeError as problem:
            offset = file.tell() - len(raw) + problem.start
            complaint = f"byte 0x{line[problem.start]:02x} at offset {offset} is not UTF-8"
            raise self.error(number, f"{complaint}. {_cure(line, problem)}") from None


def open_path(path: str | Path) -> File:
    """The file at a path, or standard input for `-`."""
    return open_stdin() if str(path) == "-" else open_file(Path(path))


def open_file(path: Path) -> File:
    """The file, decompressed while read if its name ends in .gz; a pipe is copied, as it can be read once only."""
    label = str(path)
    if path.is_dir():
        raise CorpusError(f"{label} is a folder. Name a file in it")
    if not path.exists():
        raise _missing(path)
    if not path.is_file():
        with _readable(label), _unpacked(path) as stream:
            return _spooled(stream, label)
    return File(path, label)


def open_stdin() -> File:
    with _readable("standard input"):
        return _spooled(sys.stdin.buffer, "standard input")


class _Spool(File):
    """A temporary copy that is deleted when the object is."""

    def __init__(self, path: Path, label: str, folder: ExitStack) -> None:
        super().__init__(path, label)
        weakref.finalize(self, folder.close)


def _spooled(stream: BinaryIO, label: str) -> File:
    head = stream.read(_HEAD)
    _refuse_binary(head, label)  # before copying a stream that may never end
    with ExitStack() as folder:
        path = folder.enter_context(temporary_folder()) / "text"
        with path.open("wb") as copy:
            _put(head, copy, label)
            while block := stream.read(_BLOCK):
                _put(block, copy, label)
        return _Spool(path, label, folder.pop_all())


def _put(block: bytes, copy: BinaryIO, label: str) -> None:
    try:
        copy.write(block)
        copy.flush()
    except OSError as problem:  # not the fault of what is copied
        raise CorpusError(f"{label} cannot be copied to {copy.name}: {problem.strerror}. {FULL}") from None


@contextmanager
def _unpacked(path: Path) -> Iterator[BufferedReader]:
    """The bytes of a file, unpacked if its name ends in .gz."""
    with path.open("rb") as file:
        if path.suffix.lower() != ".gz":
            yield file
            return
        if file.peek(2)[:2] not in (_GZIP, b""):
            raise CorpusError(f"{path} is not a gzip file, although its name says so. Rename it without .gz")
        with gzip.GzipFile(fileobj=file) as unpacked, BufferedReader(cast(Any, unpacked), _BLOCK) as stream:
            yield stream


@contextmanager
def _readable(label: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise CorpusError(f"{label} is damaged: {problem}. Copy or download it again") from None
    except OSError as problem:
        raise CorpusError(f"{label} cannot be read: {problem.strerror or problem}") from None


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def _missing(path: Path) -> CorpusError:
    folder = path.parent
    if not folder.is_dir():
        return CorpusError(f"there is no file {path}: the folder {folder} does not exist")
    names = [entry.name for entry in folder.iterdir() if entry.is_file()]
    near = get_close_matches(path.name, names, n=1)
    hint = f" Did you mean {folder / near[0]}?" if near else ""
    return CorpusError(f"there is no file {path}.{hint}")


def _refuse_binary(head: bytes, label: str) -> None:
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            raise CorpusError(f"{label} is not text but {kind}")
    if _is_utf16(head):
        raise CorpusError(f"{label}, line 1: byte 0x{head[0]:02x} at offset 0 begins UTF-16. {_convert('utf-16')}")
    # A stray NUL is damaged text; many of them are a binary format.
    nuls = head.count(0)
    if nuls >= 32 and nuls > len(head) / 10:
        raise CorpusError(f"{label} is a binary file ({nuls} NUL bytes at its beginning). Save it as plain text")


def _is_utf16(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    even, odd = head[::2].count(0), head[1::2].count(0)
    return max(even, odd) >= 8 and max(even, odd) > 0.8 * len(head) / 2 and min(even, odd) < max(even, odd) / 10


def _cure(line: bytes, problem: UnicodeDecodeError) -> str:
    cut_short = problem.reason == "unexpected end of data"
    if not cut_short and line.decode(errors="ignore").isascii():
        return f"It looks like Latin-1. {_convert('latin1')}"
    return "Save the file as UTF-8"


def _convert(encoding: str) -> str:
    return f"Convert the file: iconv -f {encoding} -t utf-8"
