"""Word pieces and word shapes, which the network of `concord_en` reads instead of words."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

UNKNOWN, FIRST, LAST = 0, 1, 2
SPECIAL = ("[UNK]", "[CLS]", "[SEP]")
SHAPES = 7
MOST_PIECES = 8
"""The most pieces of one word that are read; no English word has more."""

_LONGEST = 60
_REMEMBERED = 20_000
_OTHER = 4
_ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-"})


class CodedSentence(NamedTuple):
    """A sentence as numbers: its pieces with their shapes, and the first and last piece of every word.

    The two ends of the sentence count as words.
    """

    pieces: list[int]
    shapes: list[int]
    first: list[int]
    last: list[int]


class Pieces:
    """A vocabulary of word pieces, the special ones first; a piece inside a word begins with `##`."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._cached_word = lru_cache(_REMEMBERED)(self._word)

    def code(self, words: Sequence[str]) -> CodedSentence:
        """The sentence as the network reads it."""
        coded = CodedSentence([FIRST], [_OTHER], [0], [0])
        for word in words:
            pieces, shapes = self._cached_word(word)
            coded.first.append(len(coded.pieces))
            coded.pieces.extend(pieces)
            coded.last.append(len(coded.pieces) - 1)
            coded.shapes.extend(shapes)
        coded.first.append(len(coded.pieces))
        coded.last.append(len(coded.pieces))
        coded.pieces.append(LAST)
        coded.shapes.append(_OTHER)
        return coded

    def _word(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        pieces = self.pieces_of(word)
        return pieces, (shape(word),) * len(pieces)

    def pieces_of(self, word: str) -> tuple[int, ...]:
        """The pieces of a word."""
        pieces: list[int] = []
        for part in _parts(_plain(word[:_LONGEST])):
            pieces.extend(self._cut(part))
        return tuple(pieces[:MOST_PIECES]) or (UNKNOWN,)

    def _cut(self, part: str) -> list[int]:
        """The longest known piece, repeatedly; a part with an unknown piece is unknown altogether."""
        pieces, start = [], 0
        while start < len(part):
            inside = "##" if start else ""
            for end in range(len(part), start, -1):
                number = self._numbers.get(inside + part[start:end])
                if number is not None:
                    break
            else:
                return [UNKNOWN]
            pieces.append(number)
            start = end
        return pieces


def shape(word: str) -> int:
    """The capitalisation of a word, as one of `SHAPES` classes; the pieces themselves are in lower case."""
    if any(map(str.isdigit, word)):
        return 5
    if not any(map(str.isalpha, word)):
        return _OTHER
    if word.islower():
        return 0
    if word.isupper():
        return 2 if len(word) > 1 else 1
    if not word[0].isupper():
        return 6
    return 1 if word[1:].islower() else 3


def _plain(word: str) -> str:
    lowered = unicodedata.normalize("NFD", word.translate(_ALIKE).lower())
    return "".join(letter for letter in lowered if unicodedata.category(letter) != "Mn")


def _parts(word: str) -> Iterator[str]:
    """Runs of letters and digits, and every mark alone."""
    start = 0
    for index, letter in enumerate(word):
        if not letter.isalnum():
            if start < index:
                yield word[start:index]
            if not letter.isspace():
                yield letter
            start = index + 1
    if start < len(word):
        yield word[start:]
