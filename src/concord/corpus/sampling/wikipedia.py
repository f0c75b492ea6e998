"""Wikipedia dumps: the articles of a MediaWiki XML export, one at a time, packed or not."""

from __future__ import annotations

import bz2
import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO, cast
from xml.parsers import expat

from concord.corpus.sampling.pages import LARGEST_PAGE, LONGEST_TITLE, Page
from concord.corpus.sampling.wikitext import plain
from concord.errors import CorpusError

_BLOCK = 1 << 16
_LARGEST_TOKEN = 1 << 23
_DEEPEST = 50
_HEAD = 512
_ENDINGS = (".xml", ".xml.gz", ".xml.bz2")
_PAGE = ["mediawiki", "page"]
_FIELDS = {
    (*_PAGE, "title"): "title",
    (*_PAGE, "ns"): "ns",
    (*_PAGE, "id"): "id",
    (*_PAGE, "revision", "model"): "model",
    (*_PAGE, "revision", "text"): "text",
}


def dump_pages(path: str | Path) -> Iterator[Page]:
    """The articles of a dump (`…-pages-articles.xml`, also packed as .bz2 or .gz; `-` for standard input).

    Only articles are read: no talk, no redirects, no modules. Memory holds one page at a time.
    """
    label = "standard input" if str(path) == "-" else str(path)
    with _readable(label), _opened(path) as stream:
        export = _Export(label)
        while block := stream.read(_BLOCK):
            yield from export.feed(block)
        yield from export.feed(b"", last=True)


def is_dump(path: str | Path) -> bool:
    """Whether that is a dump, by its name (`.xml`, also packed) or by its beginning; `-` is standard input."""
    if str(path).lower().endswith(_ENDINGS):
        return True
    try:
        if str(path) == "-":
            return _begins_a_dump(_ahead(sys.stdin.buffer))
        # A pipe can be read only once.
        if not Path(path).is_file():
            return False
        with _opened(path) as stream:
            return _begins_a_dump(stream.read(_HEAD))
    except (EOFError, OSError, zlib.error):
        return False


def _ahead(stream: BinaryIO) -> bytes:
    """What a stream begins with, left there for the next reader."""
    if isinstance(stream, BufferedReader):
        return stream.peek(_HEAD)
    start = stream.tell()
    head = stream.read(_HEAD)
    stream.seek(start)
    return head


def _begins_a_dump(head: bytes) -> bool:
    # Text is never packed by bzip2 where it is read from standard input; a dump may be.
    if head.startswith(b"BZh"):
        return True
    if head.startswith(b"\x1f\x8b"):
        head = zlib.decompressobj(wbits=31).decompress(head, _HEAD)
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<mediawiki", b"<?xml"))


class _Export:
    """The parser's state: which elements are open, and what the page has so far."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._open: list[str] = []
        self._field = ""
        self._parts: dict[str, list[str]] = {}
        self._room = 0
        self._redirects = False
        self._done: list[Page] = []
        self._fed = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity

    def feed(self, block: bytes, *, last: bool = False) -> list[Page]:
        self._fed += len(block)
        try:
            self._parser.Parse(block, last)
        except expat.ExpatError as problem:
            reason = expat.ErrorString(problem.code)
            raise self._error(f"not well-formed XML ({reason}). Download the dump again") from None
        except (LookupError, ValueError) as problem:
            raise self._error(f"the declared encoding cannot be read ({problem})") from None
        # The parser keeps a tag or a comment until it is complete, however long it is.
        if not last and self._fed - self._parser.CurrentByteIndex > _LARGEST_TOKEN:
            raise self._error(f"a tag or a comment longer than {_LARGEST_TOKEN:,} bytes. Download the dump again")
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._open and name != "mediawiki":
            raise self._error(
                f"the root element is <{name}>, not <mediawiki>. Name a dump such as …-pages-articles.xml"
            )
        self._open.append(name)
        if len(self._open) > _DEEPEST:
            raise self._error(f"more than {_DEEPEST} elements inside each other. Download the dump again")
        if self._open == _PAGE:
            self._parts, self._redirects = {}, False
        elif self._open == [*_PAGE, "redirect"]:
            self._redirects = True
        self._field = _FIELDS.get(tuple(self._open), "")
        if self._field:
            # Of several revisions the last one counts.
            self._parts[self._field] = []
            self._room = LARGEST_PAGE if self._field == "text" else LONGEST_TITLE

    def _end(self, name: str) -> None:
        if self._open == _PAGE:
            self._finish()
        self._open.pop()
        self._field = ""

    def _text(self, data: str) -> None:
        if self._field and self._room > 0:
            self._parts[self._field].append(data[: self._room])
            self._room -= len(data)

    def _finish(self) -> None:
        fields = {name: "".join(parts) for name, parts in self._parts.items()}
        is_article = fields.get("ns", "0").strip() == "0" and fields.get("model", "wikitext") == "wikitext"
        if is_article and not self._redirects and fields.get("text"):
            title = fields.get("title", "").strip()
            self._done.append(Page(fields.get("id", "").strip() or title, title, plain(fields["text"])))
        self._parts = {}

    def _entity(self, name: str, *_: object) -> None:
        raise self._error(f"the file declares the entity '{name}', which is not read for safety. No dump needs it")

    def _error(self, message: str) -> CorpusError:
        return CorpusError(f"{self._label}, line {self._parser.CurrentLineNumber}: {message}")


@contextmanager
def _opened(path: str | Path) -> Iterator[IO[bytes]]:
    if str(path) == "-":
        yield _unpacked(sys.stdin.buffer)
        return
    with Path(path).open("rb") as file:
        yield _unpacked(file)


def _unpacked(file: BinaryIO) -> IO[bytes]:
    head = _ahead(file)
    if head.startswith(b"BZh"):
        return bz2.open(file)
    return cast(IO[bytes], gzip.open(file)) if head.startswith(b"\x1f\x8b") else file


@contextmanager
def _readable(label: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise CorpusError(f"there is no file {label}. Name a dump such as …-pages-articles.xml.bz2") from None
    except IsADirectoryError:
        raise CorpusError(f"{label} is a folder. Name a file in it") from None
    except (EOFError, zlib.error) as problem:
        raise CorpusError(f"{label} is damaged: {problem}. Download it again") from None
    except OSError as problem:
        raise CorpusError(f"{label} cannot be read: {problem.strerror or problem}") from None
