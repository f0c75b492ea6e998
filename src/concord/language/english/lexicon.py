"""The English lexicon: forms, frequency, meaning and company of 30,000 common words, from WordNet and GloVe.

It holds a word's forms by Penn tag, its rank by frequency (0 is the commonest), the senses that a reader
would think of, the sentence frames of verbs, and a vector of the company that the word keeps. The file is
built by `models/lexicon`; `CARD.md` there says from what, and under which licences.
"""

from __future__ import annotations

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
NEAREST = 80


class WordForm(NamedTuple):
    """A word as it is spelt, with its tag; the numbers say where the lexicon keeps it and its lemma."""

    word: str
    tag: str
    number: int
    lemma: int


class NearWord(NamedTuple):
    """A word that keeps similar company: `similarity` is a cosine of vectors, `kinship` the nearness of meanings.

    `kind` says how WordNet relates the two: synonym, antonym, co-hyponym (both fall under the same broader
    meaning) or merely similar.
    """

    form: WordForm
    similarity: float
    kinship: float
    kind: str


class Shelf(NamedTuple):
    """All forms under a tag, in arrays; a form is known here by its row. `shares` are those of `Lexicon.share`."""

    tag: str
    words: NDArray[np.intp]
    lemmas: NDArray[np.intp]
    shares: NDArray[np.float64]


class Vectors(NamedTuple):
    """The vectors of some words in whole numbers, and their lengths."""

    whole: NDArray[np.float32]
    lengths: NDArray[np.float64]


class Company(NamedTuple):
    """Forms that keep similar company, by their rows on the shelf, and how similar it is."""

    rows: NDArray[np.intp]
    cosines: NDArray[np.float64]


class Lexicon:
    """Words, by spelling and tag.

    >>> [each.form.word for each in lexicon().similar("bridge", "NN")][:2]
    ['viaduct', 'road']
    """

    def __init__(self, path: Path = SHIPPED) -> None:
        with np.load(path, allow_pickle=False) as file:
            self._data = {name: file[name] for name in file.files}
        self._words = self._unpacked("words")
        self._places = {word: place for place, word in enumerate(self._words)}
        # Whole numbers, whose products come out the same on every processor: no sum of them is rounded.
        self._vectors = self._data["vectors"].astype(np.float32)
        squares = np.einsum("ij,ij->i", self._vectors, self._vectors).astype(np.float64)
        self._lengths = np.maximum(np.sqrt(squares), 1e-9)
        self.meanings = Meanings(self._data)
        self.ranks = self._data["ranks"].astype(np.int64)
        """By word: how many are commoner."""
        self.lemma_words = self._data["lemmas"].astype(np.intp)
        """By lemma: the word that it is."""
        self.all_frames = self._data["frames"]
        """By lemma: its sentence frames."""
        self._shelves: dict[str, Shelf] = {}
        self._under: dict[str, tuple[Vectors, NDArray[np.intp], NDArray[np.intp]]] = {}
        self._path = path

    @cached_property
    def version(self) -> str:
        """A digest of the file, for signatures."""
        return hashlib.blake2b(self._path.read_bytes(), digest_size=4).hexdigest()

    def rank(self, word: str) -> int | None:
        """How many words are commoner; None for a word that the lexicon does not hold."""
        place = self._place(word)
        return None if place is None else int(self.ranks[place])

    def tags(self, word: str) -> frozenset[str]:
        """The Penn tags that the word can have."""
        place = self._place(word)
        return frozenset() if place is None else frozenset(TAGS[tag] for _, tag, _ in self._forms_of[place])

    def forms(self, word: str, tag: str) -> list[WordForm]:
        """The entries of a word under a tag: one for each lemma that it is a form of."""
        place = self._place(word, proper=tag == "NNP")
        if place is None:
            return []
        found = self._forms_of[place]
        return [WordForm(self._words[place], tag, place, lemma) for lemma, at, _ in found if TAGS[at] == tag]

    def inflected(self, lemma: int, tag: str) -> WordForm | None:
        """The commonest form of a lemma under a tag."""
        found = [place for place, at in self._forms_by_lemma[lemma] if TAGS[at] == tag]
        if not found:
            return None
        place = min(found, key=lambda each: (int(self.ranks[each]), each))
        return WordForm(self._words[place], tag, place, lemma)

    def similar(self, word: str, tag: str, *, least: float = 0.4) -> list[NearWord]:
        """Words under the same tag that keep similar company, the nearest first, variants of the word left out."""
        found: dict[str, NearWord] = {}
        for form in self.forms(word, tag):
            for other, cosine in self.near(form, least=least):
                neighbour = self.related(form, other, cosine)
                known = found.get(other.word)
                if not variants(word, other.word) and (known is None or neighbour.kinship > known.kinship):
                    found[other.word] = neighbour
        return sorted(found.values(), key=lambda each: (-each.similarity, each.form.word))

    def near(self, form: WordForm, *, least: float = 0.4) -> list[tuple[WordForm, float]]:
        """The forms under the same tag whose company is most like a form's, with cosines, in no order."""
        shelf, (rows, cosines) = self.shelf(form.tag), self.company(form, least=least)
        return [(self.form(shelf, row), cosine) for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True)]

    def company(self, form: WordForm, *, least: float = 0.4) -> Company:
        """The same in arrays."""
        both, own_row, lemmas_row = self._rows_under(form.tag)
        lemma = int(self.lemma_words[form.lemma])
        own = self._cosines(both, form.number)
        lemmas_own = own if lemma == form.number else self._cosines(both, lemma)
        # The company of a form and that of its lemma err in different ways.
        cosines = (own[own_row] + lemmas_own[lemmas_row]) / 2
        near = np.flatnonzero(cosines >= least)
        if len(near) > NEAREST:
            # Stable: of several that are equally near, the same ones on every processor.
            near = near[np.argsort(-cosines[near], kind="stable")[:NEAREST]]
        near = near[self.shelf(form.tag).lemmas[near] != form.lemma]
        return Company(near, np.minimum(cosines[near], 1.0))

    def _cosines(self, rows: Vectors, word: int) -> NDArray[np.float64]:
        """The cosines of a word's vector with those of some others."""
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
        """A form that stands on a shelf."""
        number = int(shelf.words[row])
        return WordForm(self._words[number], shelf.tag, number, int(shelf.lemmas[row]))

    def _rows_under(self, tag: str) -> tuple[Vectors, NDArray[np.intp], NDArray[np.intp]]:
        """The vectors of all forms under a tag and of their lemmas; which is each form's, and which its lemma's."""
        if tag not in self._under:
            shelf = self.shelf(tag)
            both, at = np.unique(np.concatenate([shelf.words, self.lemma_words[shelf.lemmas]]), return_inverse=True)
            self._under[tag] = self._of(both), at[: len(shelf.words)], at[len(shelf.words) :]
        return self._under[tag]

    def related(self, form: WordForm, other: WordForm, cosine: float) -> NearWord:
        """What one form is to another."""
        return NearWord(other, cosine, self.kinship(form, other), self.kind(form, other))

    def similarity(self, word: str, others: Sequence[str]) -> NDArray[np.float64]:
        """The cosines between the company of a word and that of others; 0 where the lexicon holds no such word."""
        made = np.zeros(len(others))
        here = self._place(word)
        places = [self._place(other) for other in others]
        known = [(at, place) for at, place in enumerate(places) if place is not None]
        if here is not None and known:
            made[[at for at, _ in known]] = self._cosines(self._of([place for _, place in known]), here)
        return made

    def numbers(self, words: Iterable[str]) -> NDArray[np.intp]:
        """The numbers of those words that the lexicon holds as they are spelt, in no order."""
        found = {self._places.get(word) for word in words} - {None}
        return np.fromiter(cast(set[int], found), np.intp, len(found))

    def middle(self, words: Sequence[str]) -> NDArray[np.float64]:
        """The mean of the words' company; one that the lexicon does not hold keeps none."""
        known = self._of([place for place in map(self._place, words) if place is not None])
        return np.asarray((known.whole / known.lengths[:, None]).sum(axis=0) / max(len(words), 1))

    def suit(self, numbers: NDArray[np.intp], middle: NDArray[np.float64]) -> NDArray[np.float64]:
        """How similar the company of each of some words is to the middle of others', in the mean."""
        some = self._of(numbers)
        return np.asarray(np.einsum("ij,j->i", some.whole, middle) / some.lengths)

    def _of(self, numbers: NDArray[np.intp] | Sequence[int]) -> Vectors:
        return Vectors(self._vectors[numbers], self._lengths[numbers])

    def lemma(self, form: WordForm) -> str:
        """The lemma that the form belongs to."""
        return self._words[int(self.lemma_words[form.lemma])]

    def share(self, form: WordForm) -> float:
        """How much of a spelling's use is under this lemma's part of speech, by WordNet's counts; 0 to 1."""
        return float(next(share for lemma, _, share in self._forms_of[form.number] if lemma == form.lemma)) / 100

    def plainness(self, form: WordForm) -> float:
        """How much of a word's use is in its commonest sense; 0 to 1."""
        return float(self.meanings.plainness[form.lemma])

    def topic(self, form: WordForm) -> int:
        """What the word is mostly about, as WordNet sorts its meanings: 18 are persons, 21 is what one owns."""
        return int(self.meanings.topics[form.lemma])

    def given(self, name: str) -> bool:
        """Whether it is a given name and nothing else."""
        meanings = self.meanings
        kinds = [
            meanings.parents[sense] for form in self.forms(name, "NNP") for sense, _ in meanings.senses[form.lemma]
        ]
        return bool(kinds) and not any(kinds)

    def frames(self, form: WordForm) -> int:
        """WordNet's sentence frames of a verb, as bits: bit 8 is "Somebody ----s something"."""
        return int(self.all_frames[form.lemma])

    def fixed(self, words: Iterable[str]) -> bool:
        """Whether the words are one expression whose parts cannot be exchanged: "freight train"."""
        return " ".join(words).lower() in self._fixed

    def kinship(self, one: WordForm, other: WordForm) -> float:
        """How much two words have in common over all their senses; 0 to 1."""
        return self.meanings.kinship(one.lemma, other.lemma)

    def kind(self, one: WordForm, other: WordForm) -> str:
        """How WordNet relates two words: synonym, antonym, co-hyponym, or merely similar."""
        return self.meanings.kind(one.lemma, other.lemma)

    def _place(self, word: str, *, proper: bool = False) -> int | None:
        if proper:
            return self._places.get(word[:1].upper() + word[1:].lower())
        found = self._places.get(word)
        return self._places.get(word.lower()) if found is None else found

    def _unpacked(self, name: str) -> list[str]:
        return bytes(self._data[name]).decode().split("\n")

    @cached_property
    def capital(self) -> NDArray[np.bool_]:
        """By word: whether it begins with a capital letter."""
        return np.array([word[:1].isupper() for word in self._words])

    @cached_property
    def _forms_of(self) -> Groups:
        """By word: lemma, tag and share of each form."""
        forms = self._data["forms"]
        return Groups(forms[:, 0], np.column_stack([forms[:, 1:], self._data["shares"]]), len(self._words))

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


def variants(one: str, other: str) -> bool:
    """Whether two words are one: in other case, inflected, hyphenated, spelt in another country, or cut short.

    >>> variants("metre", "Meters"), variants("photo", "photograph"), variants("cat", "dog")
    (True, True, False)
    """
    if _stems(one) & _stems(other):
        return True
    short, long = sorted((_plainest(one.lower()), _plainest(other.lower())), key=len)
    return len(short) > 3 and long.startswith(short)


@lru_cache(maxsize=50_000)
def _stems(word: str) -> frozenset[str]:
    return frozenset(_plainest(lemma) for lemma in lemmas(word))


@lru_cache(maxsize=50_000)
def _plainest(word: str) -> str:
    """A spelling that British and American words share."""
    for british, shared in _SPELLINGS:
        word = word.replace(british, shared)
    return word[:-2] + "er" if word.endswith("tre") else word


_SPELLINGS = (
    ("-", ""), ("our", "or"), ("is", "iz"), ("ys", "yz"), ("ll", "l"), ("ae", "e"), ("oe", "e"), ("nce", "nse"),
    ("ogue", "og"), ("grey", "gray"), ("mme", "m"), ("cheque", "check"), ("tyre", "tire"), ("aluminium", "aluminum"),
)  # fmt: skip
