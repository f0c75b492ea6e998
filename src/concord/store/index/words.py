"""An inverted index of the words of a run: lists of row numbers by token, in chunks.

A token is a word, whatever its case and width; a script without blanks gives single letters and pairs of neighbours. A
row number is the lower 16 bits of the row's index in corpus order, and the chunk is the rest. A list is an array while
it is short, and a bit for each row once that takes less.
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
"""Longer words are cut to this length, in the index and in searches."""
MOST = 32
"""A search uses at most this many different words."""
SHORTEST_PREFIX = 3
"""A shorter last word of a search is no prefix: too many words begin with one or two letters."""
_READ = 4_000
_FEW = CHUNK // 16  # an array of this many numbers is as large as a bit for each row

Booleans = NDArray[np.bool_]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Words, runs of letters of scripts without blanks, and words of texts without combining characters."""
    return re.compile(rf"[\w{marks()}]+"), re.compile(f"[{UNSPACED_LETTERS}]+"), re.compile(r"\w+")


_ASCII = str.maketrans(
    {chr(code): chr(code).lower() if chr(code).isalnum() else " " for code in range(128)} | {"_": "_"}
)


def _words(text: str) -> Iterable[str]:
    """The words of a text and its runs of letters of scripts without blanks, case-folded, in order."""
    if text.isascii():
        return text.translate(_ASCII).split()
    word, unspaced, plain = _patterns()
    folded = unicodedata.normalize("NFKC", text).casefold()
    if _is_latin(folded):
        return plain.findall(folded)
    if not unspaced.search(folded):
        return word.findall(folded)
    return (part for match in word.findall(folded) for part in _parts(match, unspaced))


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
    """The tokens of a text."""
    return _remembered(text) if len(text) < _READ else _tokens(text)


@lru_cache(maxsize=256)
def _remembered(text: str) -> frozenset[str]:
    """Cached, because the cases of a sentence have texts in common."""
    return _tokens(text)


def _tokens(text: str) -> frozenset[str]:
    words = set(_words(text))
    for word in [word for word in words if len(word) > LONGEST or not word.isascii()]:
        if _patterns()[1].match(word):
            words.remove(word)
            words.update(word, map("".join, pairwise(word)))
        elif len(word) > LONGEST:
            words.remove(word)
            words.add(word[:LONGEST])
    return frozenset(words)


def search_terms(search: str) -> tuple[list[str], str]:
    """The tokens that must occur, and the prefix of another, or nothing."""
    unspaced = _patterns()[1]
    must: dict[str, None] = {}
    prefix = ""
    for word in _words(search[:_READ]):
        if prefix:
            must[prefix] = None
        prefix = ""
        if unspaced.match(word):
            pairs = ["".join(pair) for pair in pairwise(word)]
            must |= dict.fromkeys(pairs or [word])
        elif len(word) < SHORTEST_PREFIX or len(word) > LONGEST:
            must[word[:LONGEST]] = None
        else:
            prefix = word
        if len(must) >= MOST:
            return list(must)[:MOST], ""
    return list(must), prefix


class Writer:
    """Collects the tokens of rows and writes their lists, a chunk at a time."""

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


def rows_with(db: sqlite3.Connection, run: int, count: int, search: str) -> Booleans | None:
    """For each of a run's rows whether every word of a search occurs in it; None for a search without words."""
    must, prefix = search_terms(search)
    if not must and not prefix:
        return None
    matches = np.zeros(count, dtype=bool)
    for chunk in range(-(-count // CHUNK)):
        start = chunk * CHUNK
        matches[start : start + CHUNK] = _chunk(db, (run, chunk), must, prefix)[: count - start]
    return matches


def _chunk(db: sqlite3.Connection, chunk: tuple[int, int], must: list[str], prefix: str) -> Booleans:
    matches = np.ones(CHUNK, dtype=bool)
    for token in must:
        query = "SELECT rows FROM words WHERE run = ? AND chunk = ? AND token = ?"
        matches &= _union(packed for (packed,) in db.execute(query, (*chunk, token)))
        if not matches.any():
            return matches
    if prefix:
        query = "SELECT rows FROM words WHERE run = ? AND chunk = ? AND token >= ? AND token < ?"
        matches &= _union(packed for (packed,) in db.execute(query, (*chunk, prefix, prefix + "\U0010ffff")))
    return matches


def _union(lists: Iterable[bytes]) -> Booleans:
    matches = np.zeros(CHUNK, dtype=bool)
    short = []
    for packed in lists:
        if len(packed) == CHUNK // 8:
            matches |= np.unpackbits(np.frombuffer(packed, dtype=np.uint8)).view(bool)
        else:
            short.append(packed)
    matches[np.frombuffer(b"".join(short), dtype=np.uint16)] = True
    return matches
