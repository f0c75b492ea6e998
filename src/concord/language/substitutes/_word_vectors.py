"""Word vectors: the words that a sentence encoder holds to be alike before it reads them in a sentence.

The file is built by `models/word_vectors`; `CARD.md` there says from what, and under which licence.
"""

import hashlib
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concord.blas import one_blas_thread
from concord.language.english.lexicon import Lexicon, WordForm, lexicon

one_blas_thread()

SHIPPED = Path(__file__).with_name("word_vectors.npz")
UNKNOWN = 0.35
"""The similarity of two words of which one has no vector: what it is of most words that are candidates for a place."""


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
        self._lengths = np.maximum(np.sqrt(squares), 1e-9)
        self._known = squares > 0
        self._lexicon, self._path = known, path

    @cached_property
    def version(self) -> str:
        """A digest of the file, for signatures."""
        return hashlib.blake2b(self._path.read_bytes(), digest_size=4).hexdigest()

    def cosines(self, form: WordForm) -> NDArray[np.float64]:
        """The similarity of a form to every form on its shelf, by the spellings or by the lemmas, whichever is more."""
        shelf, lemma_words = self._lexicon.shelf(form.tag), self._lexicon.lemma_words
        by_spelling = self._between(form.number, shelf.words)
        by_lemma = self._between(int(lemma_words[form.lemma]), lemma_words[shelf.lemmas])
        return np.asarray(np.maximum(by_spelling, by_lemma))

    def _between(self, word: int, words: NDArray[np.intp]) -> NDArray[np.float64]:
        products = (self._vectors[words] @ self._vectors[word]).astype(np.float64)
        is_known = self._known[words] & self._known[word]
        return np.where(is_known, products / (self._lengths[words] * self._lengths[word]), UNKNOWN)


@cache
def word_vectors() -> WordVectors:
    """The vectors that ship with Concord, read once."""
    return WordVectors(lexicon())
