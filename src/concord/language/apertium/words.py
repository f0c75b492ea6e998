"""Words with offsets, from the stream that Apertium's tagger writes."""

from __future__ import annotations

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
    """A text's words; `units` has the number of the stream's unit for each, or None for a mark outside of any."""

    words: list[Word] = field(default_factory=list)
    units: list[int | None] = field(default_factory=list)
    starts: set[int] = field(default_factory=set)
    """The words that begin a sentence."""


def read_words(text: str, stream: str) -> Analysed:
    """What the tagger says about a text."""
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
    return reader.found


class _Cursor:
    """Walks through the characters that were sent, of which the stream repeats all but blanks."""

    def __init__(self, text: str) -> None:
        self._sent = list(_sent(text))
        self._at = 0

    def take(self, surface: str) -> Span | None:
        """The span of a surface form in the text; None if it was added to the text or cannot be seen."""
        places = [(self._place(letter), letter) for letter in surface if not letter.isspace()]
        seen = [place for place, letter in places if place != _INSERTED and visible(letter)]
        return (seen[0], seen[-1] + 1) if seen else None

    def _place(self, letter: str) -> int:
        while self._at < len(self._sent):
            place, sent = self._sent[self._at]
            self._at += 1
            if sent == letter:
                return place
            # The analyser leaves out soft hyphens and others that cannot be seen.
            if visible(sent):
                break
        raise Refused("Apertium's analysis does not repeat the text, so its words cannot be found again in it")


class _Reader:
    """Gathers the words of a text from left to right, and tells where sentences begin."""

    def __init__(self, text: str) -> None:
        self.found = Analysed()
        self.ended = True
        self._text = text
        self._end = 0

    def add(self, span: Span, parts: tuple[Part, ...], unit: int | None) -> None:
        words = self.found.words
        apart = not words or span[0] > self._end
        if self.ended and apart:
            self.found.starts.add(len(words))
        # A stop with a letter right after it, as in an address, ends nothing; a closing mark belongs to what it ends.
        if apart or self._text[span[0]].isalnum():
            self.ended = False
        words.append(Word(*span, parts, self._text))
        self.found.units.append(unit)
        self._end = span[1]

    def tildes(self, until: int) -> None:
        """The tildes up to there, which travel as blanks: the analyser is not shown them."""
        for run in _TILDES.finditer(self._text, self._end, until):
            self.add(run.span(), (Part(run[0], (), _mark(run[0])),), None)


@dataclass(frozen=True, slots=True)
class _Piece:
    surface: str
    reading: str | None

    @property
    def ends(self) -> bool:
        # Colons and semicolons are ends to the tagger, but a sentence goes on after them.
        return self.reading is not None and "<sent>" in self.reading and self.surface not in (":", ";")

    def parts(self, surface: str) -> tuple[Part, ...]:
        if self.reading is None:
            return (Part(surface, (), _mark(surface)),)
        if self.reading.startswith("*"):
            return (Part(surface),)
        return tuple(_part(part) for part in _PARTS.split(self.reading))


def _part(reading: str) -> Part:
    """A lemma and its tags; the invariable rest of a multiword, written after `#`, belongs to the lemma."""
    tags = tuple(_TAG.findall(reading))
    lemma = _ESCAPE.sub(r"\1", _TAG.sub("", reading).replace("# ", " "))
    return Part(lemma, tags, universal(tags))


def _pieces(stream: str) -> Iterator[_Piece]:
    """Units, and runs of characters outside of them: marks apart from all else."""
    run = ""
    for found in STREAM.finditer(stream):
        letter = found["escaped"] or found["plain"] or ""
        if run and (not letter or letter.isspace() or _mark(letter) != _mark(run[0])):
            yield _Piece(run, None)
            run = ""
        if found["reading"] is not None:
            yield _Piece(_ESCAPE.sub(r"\1", found["surface"]), found["reading"])
        elif letter and not letter.isspace():
            run += letter
    if run:
        yield _Piece(run, None)


def _mark(letters: str) -> str:
    return {"P": "PUNCT", "S": "SYM"}.get(unicodedata.category(letters[0])[0], UNKNOWN)


def _sent(text: str) -> Iterator[tuple[int, str]]:
    for run in re.finditer(f"[{BLANKS}]+|[^{BLANKS}]+", text.rstrip(BLANKS)):
        if run[0][0] not in BLANKS:
            yield from ((run.start() + at, letter) for at, letter in enumerate(run[0]) if not letter.isspace())
        elif ends_a_sentence(run[0]):
            yield _INSERTED, "."
    yield _INSERTED, "."
