"""The English lexicon: forms, frequencies, meanings and vectors of 30,000 common words, from WordNet and GloVe.

It holds a word's forms by Penn tag, its rank by frequency (0 is the commonest), the senses that a reader
would think of, the sentence frames of verbs, and a vector of the contexts that the word occurs in. The file is
built by `models/lexicon`; `CARD.md` there says from what, and under which licences.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from concord.blas import one_blas_thread
from concord.language.english.inflection import lemmas
from concord.language.english.wordnet import Groups, Meanings

one_blas_thread()

TAGS = ("NN", "NNS", "NNP", "VB", "VBP", "VBZ", "VBG", "VBD", "VBN", "JJ", "JJR", "JJS", "RB", "RBR", "RBS")
SHIPPED = Path(__file__).parents[1] / "substitutes" / "lexicon.npz"


class WordForm(NamedTuple):
    """A word as it is spelt, with its tag, and the numbers of the word and of its lemma in the lexicon."""

    word: str
    tag: str
    number: int
    lemma: int


class Shelf(NamedTuple):
    """All forms under a tag, in arrays; a row is a form.

    `shares` says how much of a spelling's use is under this lemma's part of speech, by WordNet's counts; 0 to 1.
    """

    tag: str
    words: NDArray[np.intp]
    lemmas: NDArray[np.intp]
    shares: NDArray[np.float64]


class Vectors(NamedTuple):
    """Vectors of words in whole numbers, and their lengths."""

    whole: NDArray[np.float32]
    lengths: NDArray[np.float64]


class Lexicon:
    """Words, by spelling and tag.

    >>> words = ["viaduct", "love"]
    >>> lexicon().similarity("bridge", words).round(1).tolist()
    [0.8, 0.1]
    """

    def __init__(self, path: Path = SHIPPED) -> None:
        with np.load(path, allow_pickle=False) as file:
            self._data = {name: file[name] for name in file.files}
        self.words = self._unpacked("words")
        self._numbers = {word: number for number, word in enumerate(self.words)}
        # Whole numbers, whose products come out the same on every processor: no sum of them is rounded.
        self._vectors = self._data["vectors"].astype(np.float32)
        squares = np.einsum("ij,ij->i", self._vectors, self._vectors).astype(np.float64)
        self._lengths = np.maximum(np.sqrt(squares), 1e-9)
        self.meanings = Meanings(self._data)
        self.ranks = self._data["ranks"].astype(np.int64)
        """By word: the number of commoner words."""
        self.lemma_words = self._data["lemmas"].astype(np.intp)
        """By lemma: the number of the word that it is."""
        self.all_frames = self._data["frames"]
        """By lemma: WordNet's sentence frames of a verb, as bits: bit 8 is "Somebody ----s something"."""
        self._shelves: dict[str, Shelf] = {}
        self._under: dict[str, tuple[Vectors, NDArray[np.intp], NDArray[np.intp]]] = {}
        self._path = path

    @cached_property
    def version(self) -> str:
        """A digest of the file, for signatures."""
        return hashlib.blake2b(self._path.read_bytes(), digest_size=4).hexdigest()

    def rank(self, word: str) -> int | None:
        """The number of commoner words; None for a word that the lexicon does not hold."""
        number = self._number(word)
        return None if number is None else int(self.ranks[number])

    def tags(self, word: str) -> frozenset[str]:
        """The Penn tags that the word can have."""
        number = self._number(word)
        return frozenset() if number is None else frozenset(TAGS[tag] for _, tag in self._forms_of[number])

    def forms(self, word: str, tag: str) -> list[WordForm]:
        """The entries of a word under a tag: one for each lemma that it is a form of."""
        number = self._number(word, proper=tag == "NNP")
        if number is None:
            return []
        lemmas = [lemma for lemma, tag_number in self._forms_of[number] if TAGS[tag_number] == tag]
        return [WordForm(self.words[number], tag, number, lemma) for lemma in lemmas]

    def inflected(self, lemma: int, tag: str) -> WordForm | None:
        """The commonest form of a lemma under a tag."""
        numbers = [number for number, tag_number in self._forms_by_lemma[lemma] if TAGS[tag_number] == tag]
        if not numbers:
            return None
        commonest = min(numbers, key=lambda number: (int(self.ranks[number]), number))
        return WordForm(self.words[commonest], tag, commonest, lemma)

    def cosines(self, form: WordForm) -> NDArray[np.float64]:
        """The similarity of a form's vector to those of all forms on its shelf."""
        vectors, own_row, lemmas_row = self._vectors_under(form.tag)
        lemma = int(self.lemma_words[form.lemma])
        own = self._cosines(vectors, form.number)
        lemmas_own = own if lemma == form.number else self._cosines(vectors, lemma)
        # The vector of a form and that of its lemma err in different ways.
        return np.asarray(np.minimum((own[own_row] + lemmas_own[lemmas_row]) / 2, 1.0))

    def _cosines(self, rows: Vectors, word: int) -> NDArray[np.float64]:
        """The cosines of a word's vector with those of other words."""
        products = (rows.whole @ self._vectors[word]).astype(np.float64)
        return np.asarray(products / (rows.lengths * self._lengths[word]))

    def shelf(self, tag: str) -> Shelf:
        """All forms under a tag."""
        if tag not in self._shelves:
            forms = self._data["forms"]
            rows = np.flatnonzero(forms[:, 2] == TAGS.index(tag))
            words, lemmas = forms[rows, 0].astype(np.intp), forms[rows, 1].astype(np.intp)
            self._shelves[tag] = Shelf(tag, words, lemmas, self._data["shares"][rows] / 100)
        return self._shelves[tag]

    def form(self, shelf: Shelf, row: int) -> WordForm:
        """The form in a row of a shelf."""
        number = int(shelf.words[row])
        return WordForm(self.words[number], shelf.tag, number, int(shelf.lemmas[row]))

    def _vectors_under(self, tag: str) -> tuple[Vectors, NDArray[np.intp], NDArray[np.intp]]:
        """The vectors of all forms under a tag and of their lemmas; the row of each form, and that of its lemma."""
        if tag not in self._under:
            shelf = self.shelf(tag)
            words, rows = np.unique(np.concatenate([shelf.words, self.lemma_words[shelf.lemmas]]), return_inverse=True)
            self._under[tag] = self._vectors_of(words), rows[: len(shelf.words)], rows[len(shelf.words) :]
        return self._under[tag]

    def similarity(self, word: str, words: Sequence[str]) -> NDArray[np.float64]:
        """The cosines between the vector of a word and those of others; 0 where the lexicon holds no such word."""
        cosines = np.zeros(len(words))
        number = self._number(word)
        numbers = {index: self._number(other) for index, other in enumerate(words)}
        in_lexicon = {index: other for index, other in numbers.items() if other is not None}
        if number is not None and in_lexicon:
            cosines[list(in_lexicon)] = self._cosines(self._vectors_of(list(in_lexicon.values())), number)
        return cosines

    def numbers(self, words: Iterable[str]) -> NDArray[np.intp]:
        """The numbers of those words that the lexicon holds as they are spelt, in no order."""
        numbers = {self._numbers.get(word) for word in words} - {None}
        return np.fromiter(cast(set[int], numbers), np.intp, len(numbers))

    def mean(self, words: Sequence[str]) -> NDArray[np.float64]:
        """The mean of the words' unit vectors; a word that the lexicon does not hold counts as zero."""
        vectors = self._vectors_of([number for number in map(self._number, words) if number is not None])
        return np.asarray((vectors.whole / vectors.lengths[:, None]).sum(axis=0) / max(len(words), 1))

    def similarity_to_mean(self, numbers: NDArray[np.intp], mean: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean similarity of each word to the words whose `mean` this is."""
        vectors = self._vectors_of(numbers)
        return np.asarray(np.einsum("ij,j->i", vectors.whole, mean) / vectors.lengths)

    def _vectors_of(self, numbers: NDArray[np.intp] | Sequence[int]) -> Vectors:
        return Vectors(self._vectors[numbers], self._lengths[numbers])

    def topic(self, form: WordForm) -> int:
        """The word's main topic, as WordNet sorts its meanings: 18 are persons, 21 are possessions."""
        return int(self.meanings.topics[form.lemma])

    def is_given_name(self, name: str) -> bool:
        """Whether the word is a given name and nothing else."""
        meanings = self.meanings
        kinds = [
            meanings.parents[sense] for form in self.forms(name, "NNP") for sense, _ in meanings.senses[form.lemma]
        ]
        return bool(kinds) and not any(kinds)

    def fixed(self, words: Iterable[str]) -> bool:
        """Whether the words are one expression whose parts cannot be exchanged: "freight train"."""
        return " ".join(words).lower() in self._fixed

    def semantic_similarity(self, first: WordForm, second: WordForm) -> float:
        """The similarity of two words' meanings over all their senses; 0 to 1."""
        return self.meanings.similarity(first.lemma, second.lemma)

    def kind(self, first: WordForm, second: WordForm) -> str:
        """WordNet's relation of two words: synonym, antonym, co-hyponym (under one broader meaning), or similar."""
        return self.meanings.kind(first.lemma, second.lemma)

    def _number(self, word: str, *, proper: bool = False) -> int | None:
        if proper:
            return self._numbers.get(word[:1].upper() + word[1:].lower())
        return self._numbers.get(word, self._numbers.get(word.lower()))

    def _unpacked(self, name: str) -> list[str]:
        return bytes(self._data[name]).decode().split("\n")

    @cached_property
    def capital(self) -> NDArray[np.bool_]:
        """By word: whether it begins with a capital letter."""
        return np.array([word[:1].isupper() for word in self.words])

    @cached_property
    def _forms_of(self) -> Groups:
        """By word: lemma and tag of each form."""
        forms = self._data["forms"]
        return Groups(forms[:, 0], forms[:, 1:], len(self.words))

    @cached_property
    def _forms_by_lemma(self) -> Groups:
        """By lemma: word and tag of each form."""
        forms = self._data["forms"]
        return Groups(forms[:, 1], forms[:, [0, 2]], len(self._data["lemmas"]))

    @cached_property
    def _fixed(self) -> frozenset[str]:
        return frozenset(self._unpacked("fixed"))


@cache
def lexicon() -> Lexicon:
    """The lexicon that ships with Concord, read once."""
    return Lexicon()


def variants(first: str, second: str) -> bool:
    """Whether two words differ only in case, inflection, hyphens, British or American spelling, or by being shortened.

    >>> variants("metre", "Meters"), variants("photo", "photograph"), variants("cat", "dog")
    (True, True, False)
    """
    if _stems(first) & _stems(second):
        return True
    short, long = sorted((_plainest(first.lower()), _plainest(second.lower())), key=len)
    return len(short) > 3 and long.startswith(short)


@lru_cache(maxsize=50_000)
def _stems(word: str) -> frozenset[str]:
    return frozenset(_plainest(lemma) for lemma in lemmas(word))


@lru_cache(maxsize=50_000)
def _plainest(word: str) -> str:
    """A normalised spelling, the same for the British and the American form of a word."""
    for british, shared in _SPELLINGS:
        word = word.replace(british, shared)
    return word[:-2] + "er" if word.endswith("tre") else word


_SPELLINGS = (
    ("-", ""), ("our", "or"), ("is", "iz"), ("ys", "yz"), ("ll", "l"), ("ae", "e"), ("oe", "e"), ("nce", "nse"),
    ("ogue", "og"), ("grey", "gray"), ("mme", "m"), ("cheque", "check"), ("tyre", "tire"), ("aluminium", "aluminum"),
)  # fmt: skip
