"""Word vectors: the words that a sentence encoder holds to be alike before it reads them in a sentence.

The file is built by `models/word_vectors`; `CARD.md` there says from what, and under which licence.
"""

from __future__ import annotations

import hashlib
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.blas import one_blas_thread
from concord.language.english.lexicon import Lexicon, WordForm, lexicon

one_blas_thread()

SHIPPED = Path(__file__).with_name("word_vectors.npz")
UNKNOWN = 0.35
"""The similarity of two words of which one has no vector: what it is of most words that are candidates for a place."""


class _Words(NamedTuple):
    """Vectors of words in whole numbers, and their lengths: 0 for a word that has none."""

    vectors: NDArray[np.float32]
    lengths: NDArray[np.float64]


class WordVectors:
    """Vectors of words of the lexicon.

    >>> (bridge,), (tunnel,) = (lexicon().forms(word, "NN") for word in ("bridge", "tunnel"))
    >>> row = int((lexicon().shelf("NN").words == tunnel.number).argmax())
    >>> round(float(word_vectors().cosines(bridge)[row]), 1)
    0.5
    """

    def __init__(self, known: Lexicon, path: Path = SHIPPED) -> None:
        with np.load(path, allow_pickle=False) as file:
            words, vectors = bytes(file["words"]).decode().split("\n"), file["vectors"]
        numbers = {word: number for number, word in enumerate(known.words)}
        # Whole numbers, whose products come out the same on every processor: no sum of them is rounded.
        self._vectors = np.zeros((len(known.words), vectors.shape[1]), np.float32)
        self._vectors[[numbers[word] for word in words]] = vectors
        squares = np.einsum("ij,ij->i", self._vectors, self._vectors).astype(np.float64)
        self._lengths = np.sqrt(squares)
        self._under: dict[str, tuple[_Words, NDArray[np.intp], NDArray[np.intp]]] = {}
        self._lexicon, self._path = known, path

    @cached_property
    def version(self) -> str:
        """A digest of the file, for signatures."""
        return hashlib.blake2b(self._path.read_bytes(), digest_size=4).hexdigest()

    def cosines(self, form: WordForm) -> NDArray[np.float64]:
        """The similarity of a form to every form on its shelf, by the spellings or by the lemmas, whichever is more."""
        words, own_row, lemmas_row = self._words_under(form.tag)
        lemma = int(self._lexicon.lemma_words[form.lemma])
        own = self._similarities(form.number, words)
        lemmas_own = own if lemma == form.number else self._similarities(lemma, words)
        return np.asarray(np.maximum(own[own_row], lemmas_own[lemmas_row]))

    def _similarities(self, word: int, words: _Words) -> NDArray[np.float64]:
        if not self._lengths[word]:
            return np.full(len(words.lengths), UNKNOWN)
        products = (words.vectors @ self._vectors[word]).astype(np.float64)
        return np.where(words.lengths > 0, products / (np.maximum(words.lengths, 1) * self._lengths[word]), UNKNOWN)

    def _words_under(self, tag: str) -> tuple[_Words, NDArray[np.intp], NDArray[np.intp]]:
        """The words that are forms under a tag or lemmas of some; the row of each form, and that of its lemma."""
        if tag not in self._under:
            shelf = self._lexicon.shelf(tag)
            every = np.concatenate([shelf.words, self._lexicon.lemma_words[shelf.lemmas]])
            numbers, rows = np.unique(every, return_inverse=True)
            words = _Words(self._vectors[numbers], self._lengths[numbers])
            self._under[tag] = words, rows[: len(shelf.words)], rows[len(shelf.words) :]
        return self._under[tag]


@cache
def word_vectors() -> WordVectors:
    """The vectors that ship with Concord, read once."""
    return WordVectors(lexicon())
