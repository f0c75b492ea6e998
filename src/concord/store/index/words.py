"""Which rows of a run have a word: lists of row numbers by token, in chunks.

A token is a word as people search for it, whatever its case and width; a script without blanks gives its letters and
each two neighbours. Row numbers are the lower 16 bits of a row's place in corpus order, the chunk is the rest. A list
is an array while it is short and a bit for each row once that takes less.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from concord.language.scripts import UNSPACED_LETTERS, marks

CHUNK = 1 << 16
LONGEST = 64
"""Of a longer word only its beginning is kept and looked for."""
MOST = 32
"""So many different words of a question count."""
SHORTEST_BEGUN = 3
"""A shorter last word is looked for as it is: too many words begin with one or two letters."""
_READ = 4_000
_FEW = CHUNK // 16  # an array of so many numbers is as large as a bit for each row

Booleans = NDArray[np.bool_]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Words, stretches of scripts without blanks, and words where nothing combines with the letter before it."""
    return re.compile(rf"[\w{marks()}]+"), re.compile(f"[{UNSPACED_LETTERS}]+"), re.compile(r"\w+")


_ASCII = str.maketrans(
    {chr(code): chr(code).lower() if chr(code).isalnum() else " " for code in range(128)} | {"_": "_"}
)


def _words(text: str) -> Iterable[str]:
    """The words of a text and the stretches of scripts without blanks, folded, in their order."""
    if text.isascii():
        return text.translate(_ASCII).split()
    word, unspaced, plain = _patterns()
    folded = unicodedata.normalize("NFKC", text).casefold()
    if _is_latin(folded):
        return plain.findall(folded)
    if not unspaced.search(folded):
        return word.findall(folded)
    return (part for found in word.findall(folded) for part in _parts(found, unspaced))


def _is_latin(text: str) -> bool:
    with contextlib.suppress(UnicodeEncodeError):
        return bool(text.encode("latin-1"))
    return False


def _parts(word: str, unspaced: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for stretch in unspaced.finditer(word):
        yield from filter(None, (word[start : stretch.start()], stretch.group()))
        start = stretch.end()
    if start < len(word):
        yield word[start:]


def tokens(text: str) -> frozenset[str]:
    """What a text can be found by."""
    return _remembered(text) if len(text) < _READ else _tokens(text)


@lru_cache(maxsize=256)
def _remembered(text: str) -> frozenset[str]:
    """The cases of a sentence have texts in common."""
    return _tokens(text)


def _tokens(text: str) -> frozenset[str]:
    found = set(_words(text))
    for word in [word for word in found if len(word) > LONGEST or not word.isascii()]:
        if _patterns()[1].match(word):
            found.remove(word)
            found.update(word, map("".join, pairwise(word)))
        elif len(word) > LONGEST:
            found.remove(word)
            found.add(word[:LONGEST])
    return frozenset(found)


def asked(question: str) -> tuple[list[str], str]:
    """The tokens that must occur, and one of which the beginning suffices, or none."""
    unspaced = _patterns()[1]
    must: dict[str, None] = {}
    begun = ""
    for word in _words(question[:_READ]):
        if begun:
            must[begun] = None
        begun = ""
        if unspaced.match(word):
            pairs = ["".join(pair) for pair in pairwise(word)]
            must |= dict.fromkeys(pairs or [word])
        elif len(word) < SHORTEST_BEGUN or len(word) > LONGEST:
            must[word[:LONGEST]] = None
        else:
            begun = word
        if len(must) >= MOST:
            return list(must)[:MOST], ""
    return list(must), begun


class Writer:
    """Takes the texts of row after row and writes their lists, a chunk at a time."""

    def __init__(self, db: sqlite3.Connection, run: int) -> None:
        self._db = db
        self._run = run
        self._row = 0
        self._lists: dict[str, array[int]] = defaultdict(lambda: array("H"))

    def add(self, texts: Iterable[str]) -> None:
        row = self._row % CHUNK
        for token in frozenset().union(*map(tokens, texts)):
            self._lists[token].append(row)
        self._row += 1
        if self._row % CHUNK == 0:
            self.flush()

    def flush(self) -> None:
        chunk = (self._row - 1) // CHUNK
        lists = sorted(self._lists.items())
        self._lists.clear()
        self._db.executemany(
            "INSERT INTO words VALUES (?, ?, ?, ?)",
            ((self._run, chunk, token, _packed(numbers)) for token, numbers in lists),
        )


def _packed(numbers: array[int]) -> bytes:
    if len(numbers) < _FEW:
        return numbers.tobytes()
    bits = np.zeros(CHUNK, dtype=bool)
    bits[np.frombuffer(numbers, dtype=np.uint16)] = True
    return np.packbits(bits).tobytes()


def rows_with(db: sqlite3.Connection, run: int, count: int, question: str) -> Booleans | None:
    """For each of a run's rows whether every word of a question occurs in it; None for a question without words."""
    must, begun = asked(question)
    if not must and not begun:
        return None
    found = np.zeros(count, dtype=bool)
    for chunk in range(-(-count // CHUNK)):
        start = chunk * CHUNK
        found[start : start + CHUNK] = _chunk(db, (run, chunk), must, begun)[: count - start]
    return found


def _chunk(db: sqlite3.Connection, place: tuple[int, int], must: list[str], begun: str) -> Booleans:
    every = np.ones(CHUNK, dtype=bool)
    for token in must:
        query = "SELECT rows FROM words WHERE run = ? AND chunk = ? AND token = ?"
        every &= _union(packed for (packed,) in db.execute(query, (*place, token)))
        if not every.any():
            return every
    if begun:
        query = "SELECT rows FROM words WHERE run = ? AND chunk = ? AND token >= ? AND token < ?"
        every &= _union(packed for (packed,) in db.execute(query, (*place, begun, begun + "\U0010ffff")))
    return every


def _union(lists: Iterable[bytes]) -> Booleans:
    found = np.zeros(CHUNK, dtype=bool)
    short = []
    for packed in lists:
        if len(packed) == CHUNK // 8:
            found |= np.unpackbits(np.frombuffer(packed, dtype=np.uint8)).view(bool)
        else:
            short.append(packed)
    found[np.frombuffer(b"".join(short), dtype=np.uint16)] = True
    return found
