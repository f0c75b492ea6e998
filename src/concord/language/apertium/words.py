"""Reads words with offsets from the output stream of Apertium's tagger."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from concord.errors import Refused
from concord.language.analysis import UNKNOWN, Part, Word, universal
from concord.language.apertium.modes import BLANKS, ends_a_sentence
from concord.language.trees import visible

# An escaped character, a unit ^surface/reading$, a superblank, any other character.
STREAM = re.compile(
    r"\\(?P<escaped>.)|\^(?P<surface>(?:\\.|[^\\/$])*)/(?P<reading>(?:\\.|[^\\$])*)\$|\[(?:\\.|[^\\\]])*\]|(?P<plain>.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_PARTS = re.compile(r"(?<=>)\+")
_TAG = re.compile(r"<([^<>]*)>")
_TILDES = re.compile("~+")
_INSERTED = -1

Span = tuple[int, int]


@dataclass(slots=True)
class Analysed:
    """The words of a text; `units` has the number of each word's unit in the stream, None for a mark outside units."""

    words: list[Word] = field(default_factory=list)
    units: list[int | None] = field(default_factory=list)
    starts: set[int] = field(default_factory=set)
    """The indices of words that begin a sentence."""


def read_words(text: str, stream: str) -> Analysed:
    """The words of a text by the tagger's stream."""
    cursor, reader, number = _Cursor(text), _Reader(text), 0
    for piece in _pieces(stream):
        unit = number if piece.reading else None
        number += piece.reading is not None
        span = cursor.take(piece.surface)
        if span is not None:
            reader.tildes(span[0])
            reader.add(span, piece.parts(text[slice(*span)]), unit)
        reader.ended = reader.ended or piece.ends
    reader.tildes(len(text))
    return reader.analysed


class _Cursor:
    """Finds the characters of the stream in the text that was sent; the stream repeats all but blanks."""

    def __init__(self, text: str) -> None:
        self._sent = list(_sent(text))
        self._index = 0

    def take(self, surface: str) -> Span | None:
        """The span of a surface form in the text; None if it was inserted or is invisible."""
        offsets = [(self._offset_of(letter), letter) for letter in surface if not letter.isspace()]
        visible_offsets = [offset for offset, letter in offsets if offset != _INSERTED and visible(letter)]
        return (visible_offsets[0], visible_offsets[-1] + 1) if visible_offsets else None

    def _offset_of(self, letter: str) -> int:
        while self._index < len(self._sent):
            offset, sent = self._sent[self._index]
            self._index += 1
            if sent == letter:
                return offset
            # The analyser leaves out soft hyphens and other invisible characters.
            if visible(sent):
                break
        raise Refused("Apertium's analysis does not repeat the text, so its words cannot be found again in it")


class _Reader:
    """Collects the words of a text from left to right, and the starts of sentences."""

    def __init__(self, text: str) -> None:
        self.analysed = Analysed()
        self.ended = True
        self._text = text
        self._end = 0

    def add(self, span: Span, parts: tuple[Part, ...], unit: int | None) -> None:
        words = self.analysed.words
        apart = not words or span[0] > self._end
        if self.ended and apart:
            self.analysed.starts.add(len(words))
        # A stop right before a letter, as in an address, ends no sentence; a closing mark belongs to the one it ends.
        if apart or self._text[span[0]].isalnum():
            self.ended = False
        words.append(Word(*span, parts, self._text))
        self.analysed.units.append(unit)
        self._end = span[1]

    def tildes(self, until: int) -> None:
        """Add the tildes up to an offset; they were sent as blanks and are not in the stream."""
        for run in _TILDES.finditer(self._text, self._end, until):
            self.add(run.span(), (Part(run[0], (), _mark(run[0])),), None)


@dataclass(frozen=True, slots=True)
class _Piece:
    surface: str
    reading: str | None

    @property
    def ends(self) -> bool:
        # The tagger takes colons and semicolons for ends, but a sentence goes on after them.
        return self.reading is not None and "<sent>" in self.reading and self.surface not in (":", ";")

    def parts(self, surface: str) -> tuple[Part, ...]:
        if self.reading is None:
            return (Part(surface, (), _mark(surface)),)
        if self.reading.startswith("*"):
            return (Part(surface),)
        return tuple(_part(part) for part in _PARTS.split(self.reading))


def _part(reading: str) -> Part:
    """A lemma and its tags; the invariable rest of a multiword, after `#`, belongs to the lemma."""
    tags = tuple(_TAG.findall(reading))
    lemma = _ESCAPE.sub(r"\1", _TAG.sub("", reading).replace("# ", " "))
    return Part(lemma, tags, universal(tags))


def _pieces(stream: str) -> Iterator[_Piece]:
    """Units, and runs of characters outside of them, with marks in runs of their own."""
    run = ""
    for match in STREAM.finditer(stream):
        letter = match["escaped"] or match["plain"] or ""
        if run and (not letter or letter.isspace() or _mark(letter) != _mark(run[0])):
            yield _Piece(run, None)
            run = ""
        if match["reading"] is not None:
            yield _Piece(_ESCAPE.sub(r"\1", match["surface"]), match["reading"])
        elif letter and not letter.isspace():
            run += letter
    if run:
        yield _Piece(run, None)


def _mark(letters: str) -> str:
    return {"P": "PUNCT", "S": "SYM"}.get(unicodedata.category(letters[0])[0], UNKNOWN)


def _sent(text: str) -> Iterator[tuple[int, str]]:
    for run in re.finditer(f"[{BLANKS}]+|[^{BLANKS}]+", text.rstrip(BLANKS)):
        if run[0][0] not in BLANKS:
            yield from ((run.start() + index, letter) for index, letter in enumerate(run[0]) if not letter.isspace())
        elif ends_a_sentence(run[0]):
            yield _INSERTED, "."
    yield _INSERTED, "."
