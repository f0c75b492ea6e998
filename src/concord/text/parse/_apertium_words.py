"""Words with offsets, from the stream that Apertium's tagger writes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from concord.errors import Refused
from concord.text._apertium import BLANKS, ends_a_sentence
from concord.text.analysis import UNKNOWN, Part, Word, universal

# An escaped character, a unit ^surface/reading$, a superblank, any other character.
STREAM = re.compile(
    r"\\(?P<escaped>.)|\^(?P<surface>(?:\\.|[^\\/$])*)/(?P<reading>(?:\\.|[^\\$])*)\$|\[(?:\\.|[^\\\]])*\]|(?P<plain>.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_PARTS = re.compile(r"(?<=>)\+")
_TAG = re.compile(r"<([^<>]*)>")
_INSERTED = -1


@dataclass(slots=True)
class Analysed:
    """A text's words; `units` has the number of the stream's unit for each, or None for a mark outside of any."""

    words: list[Word] = field(default_factory=list)
    units: list[int | None] = field(default_factory=list)
    starts: set[int] = field(default_factory=set)
    """The words that begin a sentence."""


class _Cursor:
    """Walks through the characters that were sent, of which the stream repeats all but blanks."""

    def __init__(self, text: str) -> None:
        self._sent = [(offset, letter) for offset, letter in _sent(text)]
        self._at = 0

    def take(self, surface: str) -> tuple[int, int] | None:
        """The span of a surface form in the text; None if it consists of what was added to the text."""
        found = [offset for letter in surface if not letter.isspace() for offset in self._one(letter)]
        return (found[0], found[-1] + 1) if found else None

    def _one(self, letter: str) -> list[int]:
        while self._at < len(self._sent):
            offset, sent = self._sent[self._at]
            self._at += 1
            if sent == letter:
                return [offset] if offset != _INSERTED else []
            if not _skipped(sent):
                break
        raise Refused("Apertium's analysis does not repeat the text, so its words cannot be found again in it")


def read_words(text: str, stream: str) -> Analysed:
    """What the tagger says about a text."""
    cursor, found, number, fresh = _Cursor(text), Analysed(), 0, True
    for piece in _pieces(stream):
        unit = number if piece.reading else None
        number += piece.reading is not None
        span = cursor.take(piece.surface)
        if span is None:
            fresh = fresh or piece.ends
            continue
        apart = not found.words or span[0] > found.words[-1].end
        if fresh and apart:
            found.starts.add(len(found.words))
        # A stop with a letter right after it, as in an address, ends nothing; a closing mark belongs to what it ends.
        if apart or text[span[0]].isalnum():
            fresh = False
        found.words.append(Word(*span, piece.parts(text[slice(*span)]), text))
        found.units.append(unit)
        fresh = fresh or piece.ends
    return found


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


def _skipped(letter: str) -> bool:
    """Whether the analyser leaves a character out: soft hyphens and other invisible ones."""
    return unicodedata.category(letter) in ("Cf", "Cc")
