"""Reading a corpus: one validating pass when it is opened, then any number of lazy passes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from concord.corpus.files import File, open_file, open_path, open_stdin
from concord.corpus.formats import FORMATS, format_named, format_of, without_gz
from concord.corpus.formats.rows import Note, Row
from concord.corpus.ids import Ids
from concord.errors import CorpusError, UserError
from concord.language.codes import base, normalise
from concord.model import Segment, Text
from concord.plural import plural

_DEMO = Path(__file__).with_name("demo.jsonl")
_LINES_SHOWN = 5
_OF_UNITS = ("tmx", "xliff", "po")
"""Formats of units, several of which may stand in one line."""


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """A file, its format and language, and the file of its references, if there is one."""

    file: File
    format: str
    lang: str
    reference: File | None = None

    def rows(self, note: Note) -> Iterator[Row]:
        rows = FORMATS[self.format](self.file, self.lang, note)
        if self.reference is None:
            return rows
        pairs = zip(rows, self.reference, strict=True)
        return (replace(row, reference=line if line.strip() else None) for row, (_, line) in pairs)

    def check_parallel(self) -> None:
        if self.reference is None:
            return
        rows = sum(1 for _ in FORMATS[self.format](self.file, self.lang, _ignore))
        lines = sum(1 for _ in self.reference)
        if rows != lines:
            raise CorpusError(
                f"{self.file.label} and its reference {self.reference.label} do not match: {plural(rows, 'row')}, "
                f"{plural(lines, 'line')}. A reference needs one line for each row, an empty one where there is"
                " nothing to say"
            )


class Corpus:
    """Segments that can be iterated any number of times; each time the file is read anew.

    `digest` is a hash of the content, the same wherever the file lies; `size` is the number of
    segments; `warnings` are remarks for the user. Rows without text are not segments, but they use
    up a position. A segment has the file's own id, or else the number of its line; where several may
    share a line, the number of the unit. Positions are always unique.
    """

    def __init__(self, name: str, source: CorpusSource, limit: int | None = None) -> None:
        self.name = name
        self.lang = source.lang
        self.size = 0
        self.warnings: list[str] = []
        self._source = source
        self._limit = limit
        self.digest = self._scan()

    def __iter__(self) -> Iterator[Segment]:
        for position, row in self._limited_rows(_ignore):
            if row.text.strip():
                yield self._segment(position, row)

    def __repr__(self) -> str:
        return f"Corpus({self.name}#{self.digest}, {self.lang}, {plural(self.size, 'segment')})"

    def _scan(self) -> str:
        digest, empty, first_empty = blake2b(digest_size=4), 0, []
        self._source.check_parallel()
        with Ids() as ids:
            for position, row in self._limited_rows(self._note):
                if not row.text.strip():
                    empty += 1
                    first_empty += [row.line] if empty <= _LINES_SHOWN else []
                    continue
                self._check_id(ids, row)
                self.size += 1
                segment = self._segment(position, row)
                # A line number is no part of the content: it differs from format to format.
                own = row.id or blake2b(row.text.encode(), digest_size=4).hexdigest()
                content = (position, own, segment.text.words, segment.domain, segment.reference)
                digest.update(json.dumps(content).encode())
        if not self.size:
            raise CorpusError(f"{self._source.file.label} has no text. Put one segment on each line")
        if empty:
            self.warnings.append(_skipped(empty, first_empty))
        return digest.hexdigest()

    def _limited_rows(self, note: Note) -> Iterator[tuple[int, Row]]:
        left = self._limit
        for position, row in enumerate(self._source.rows(note)):
            yield position, row
            if left is not None and row.text.strip():
                left -= 1
                if not left:
                    return

    def _segment(self, position: int, row: Row) -> Segment:
        number = f"unit {position + 1}" if self._source.format in _OF_UNITS else f"line {row.line}"
        return Segment(row.id or number, Text(row.text, self.lang), position, row.domain, row.reference)

    def _check_id(self, ids: Ids, row: Row) -> None:
        earlier = ids.add(row.id, row.line) if row.id else None
        if earlier is not None:
            cure = "Change one of them, or leave out the field"
            raise self._source.file.error(row.line, f"the id '{row.id}' is already in line {earlier}. {cure}")

    def _note(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)


def read(
    path: str | Path | None,
    lang: str,
    *,
    format: str | None = None,
    reference: str | Path | None = None,
    limit: int | None = None,
) -> Corpus:
    """Open a corpus: a file, `-` for standard input, or `demo` for the bundled one.

    The file's ending decides the format (`.tsv`, `.csv`, `.jsonl`, `.tmx`, `.xlf`, `.po`, else lines; also with `.gz`)
    unless `format` names it. `reference` is a file with one line for each row. `limit` is the number of segments with
    text to read. Raises `CorpusError`, which names the file, the line and the cure, if something cannot be read.
    """
    if limit is not None and limit < 1:
        raise UserError(f"the limit must be at least 1, not {limit}")
    lang = normalise(lang)
    # The bundled corpus has a format of its own, so that a mistyped one would go unnoticed there.
    format = format and format_named(format)
    if str(path) == "-":
        return Corpus("stdin", CorpusSource(_stdin(reference), format or "lines", lang, _reference(reference)), limit)
    if path is not None and not str(path).strip():
        raise UserError("the name of the corpus is empty. Name a file, `-` for standard input, or `demo`")
    file_path = Path("demo" if path is None else path)
    if str(file_path) == "demo" and not file_path.exists():
        file_path, format = _demo_for(lang), None
    format_name = format or format_of(file_path)
    source = CorpusSource(open_file(file_path), format_name, lang, _reference(reference))
    return Corpus(without_gz(file_path).stem, source, limit)


def demo(lang: str = "en", *, limit: int | None = None) -> Corpus:
    """The bundled corpus: English sentences of six domains, written for Concord."""
    return read(_demo_for(lang), lang, limit=limit)


def _demo_for(lang: str) -> Path:
    if base(lang) != "en":
        raise UserError(f"the bundled corpus is English, not '{lang}'. Name a file of your own, or take 'en'")
    return _DEMO


def _stdin(reference: str | Path | None) -> File:
    if str(reference) == "-":
        raise UserError("standard input cannot be the corpus and its reference as well. Name a file for one of them")
    return open_stdin()


def _reference(path: str | Path | None) -> File | None:
    return None if path is None else open_path(path)


def _skipped(number: int, first: list[int]) -> str:
    lines = ", ".join(map(str, first)) + (", …" if number > len(first) else "")
    return f"{plural(number, 'empty line is', 'empty lines are')} skipped ({lines})"


def _ignore(warning: str) -> None:
    return None
