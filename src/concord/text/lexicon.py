"""The English lexicon: forms, frequency, meaning and company of 30,000 common words, from WordNet and GloVe.

It holds a word's forms by Penn tag, its rank by frequency (0 is the commonest), the senses that a reader
would think of, the sentence frames of verbs, and a vector of the company that the word keeps. The file is
built by `models/lexicon`; `CARD.md` there says from what, and under which licences.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from concord.text.inflect import lemmas

TAGS = ("NN", "NNS", "NNP", "VB", "VBP", "VBZ", "VBG", "VBD", "VBN", "JJ", "JJR", "JJS", "RB", "RBR", "RBS")
SHIPPED = Path(__file__).parent / "substitutes" / "lexicon.npz"
NEAREST = 80


class Form(NamedTuple):
    """A word as it is spelt, with its tag; the numbers say where the lexicon keeps it and its lemma."""

    word: str
    tag: str
    number: int
    lemma: int


class Neighbour(NamedTuple):
    """A word that keeps similar company: `similarity` is a cosine of vectors, `kinship` the nearness of meanings.

    `kind` says how WordNet relates the two: synonym, antonym, co-hyponym (both fall under the same broader
    meaning) or merely similar.
    """

    form: Form
    similarity: float
    kinship: float
    kind: str


_Broader = tuple[tuple[int, ...], frozenset[int]]


class _Groups:
    """The rows that belong to each number, in arrays and not in a hundred thousand small lists, but for those met."""

    def __init__(self, keys: NDArray[Any], rows: NDArray[Any], size: int) -> None:
        order = np.argsort(keys, kind="stable")
        self._rows = rows[order]
        self._starts = np.searchsorted(keys[order], np.arange(size + 1)).tolist()
        self._met: dict[int, list[Any]] = {}

    def __getitem__(self, key: int) -> list[Any]:
        found = self._met.get(key)
        if found is None:
            found = self._met[key] = self._rows[self._starts[key] : self._starts[key + 1]].tolist()
        return found


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
        rows = self._data["vectors"].astype(np.float32)
        self._vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        self._tagged = self._by_tag()
        self._under: dict[str, tuple[NDArray[np.float32], NDArray[np.intp], NDArray[np.intp]]] = {}
        self._climbed: dict[int, _Broader] = {}
        self._path = path

    @cached_property
    def version(self) -> str:
        """A digest of the file, for signatures."""
        return hashlib.blake2b(self._path.read_bytes(), digest_size=4).hexdigest()

    def rank(self, word: str) -> int | None:
        """How many words are commoner; None for a word that the lexicon does not hold."""
        place = self._place(word)
        return None if place is None else int(self._data["ranks"][place])

    def tags(self, word: str) -> frozenset[str]:
        """The Penn tags that the word can have."""
        place = self._place(word)
        return frozenset() if place is None else frozenset(TAGS[tag] for _, tag, _ in self._forms_of[place])

    def forms(self, word: str, tag: str) -> list[Form]:
        """The entries of a word under a tag: one for each lemma that it is a form of."""
        place = self._place(word, proper=tag == "NNP")
        if place is None:
            return []
        found = self._forms_of[place]
        return [Form(self._words[place], tag, place, lemma) for lemma, at, _ in found if TAGS[at] == tag]

    def inflected(self, lemma: int, tag: str) -> Form | None:
        """The commonest form of a lemma under a tag."""
        found = [place for place, at in self._forms_by_lemma[lemma] if TAGS[at] == tag]
        if not found:
            return None
        place = min(found, key=lambda each: (int(self._data["ranks"][each]), each))
        return Form(self._words[place], tag, place, lemma)

    def similar(self, word: str, tag: str, *, least: float = 0.4) -> list[Neighbour]:
        """Words under the same tag that keep similar company, the nearest first, variants of the word left out."""
        found: dict[str, Neighbour] = {}
        for form in self.forms(word, tag):
            for other, cosine in self.near(form, least=least):
                neighbour = self.related(form, other, cosine)
                known = found.get(other.word)
                if not variants(word, other.word) and (known is None or neighbour.kinship > known.kinship):
                    found[other.word] = neighbour
        return sorted(found.values(), key=lambda each: (-each.similarity, each.form.word))

    def near(self, form: Form, *, least: float = 0.4) -> list[tuple[Form, float]]:
        """The forms under the same tag whose company is most like a form's, with cosines, in no order."""
        places, numbers = self._tagged[form.tag]
        rows, own_row, lemmas_row = self._rows_under(form.tag)
        # So short a product is done before the threads of a matrix library have been woken.
        own = np.einsum("ij,j->i", rows, self._vectors[form.number])
        lemma = self._data["lemmas"][form.lemma]
        lemmas_own = own if lemma == form.number else np.einsum("ij,j->i", rows, self._vectors[lemma])
        # The company of a form and that of its lemma err in different ways.
        cosines = (own[own_row] + lemmas_own[lemmas_row]) / 2
        nearest = np.argpartition(-cosines, min(NEAREST, len(cosines) - 1))[:NEAREST]
        return [
            (Form(self._words[places[at]], form.tag, int(places[at]), int(numbers[at])), min(float(cosines[at]), 1.0))
            for at in nearest
            if cosines[at] >= least and numbers[at] != form.lemma
        ]

    def _rows_under(self, tag: str) -> tuple[NDArray[np.float32], NDArray[np.intp], NDArray[np.intp]]:
        """The vectors of all forms under a tag and of their lemmas; which is each form's, and which its lemma's."""
        if tag not in self._under:
            places, numbers = self._tagged[tag]
            both, at = np.unique(np.concatenate([places, self._data["lemmas"][numbers]]), return_inverse=True)
            self._under[tag] = self._vectors[both], at[: len(places)], at[len(places) :]
        return self._under[tag]

    def related(self, form: Form, other: Form, cosine: float) -> Neighbour:
        """What one form is to another."""
        return Neighbour(other, cosine, self.kinship(form, other), self._kind(form.lemma, other.lemma))

    def synonyms(self, word: str, tag: str) -> list[Neighbour]:
        """Words that share a meaning with it, the nearest company first."""
        return self._of_kind(word, tag, "synonym")

    def antonyms(self, word: str, tag: str) -> list[Neighbour]:
        """Words that mean the opposite, the nearest company first."""
        return self._of_kind(word, tag, "antonym")

    def co_hyponyms(self, word: str, tag: str) -> list[Neighbour]:
        """Words that fall under the same broader meaning, the nearest company first."""
        return self._of_kind(word, tag, "co-hyponym")

    def similarity(self, word: str, others: Sequence[str]) -> NDArray[np.float32]:
        """The cosines between the company of a word and that of others; 0 where the lexicon holds no such word."""
        made = np.zeros(len(others), np.float32)
        here = self._place(word)
        places = [self._place(other) for other in others]
        known = [(at, place) for at, place in enumerate(places) if place is not None]
        if here is not None and known:
            made[[at for at, _ in known]] = self._vectors[[place for _, place in known]] @ self._vectors[here]
        return made

    def lemma(self, form: Form) -> str:
        """The lemma that the form belongs to."""
        return self._words[int(self._data["lemmas"][form.lemma])]

    def share(self, form: Form) -> float:
        """How much of a spelling's use is under this lemma's part of speech, by WordNet's counts; 0 to 1."""
        return float(next(share for lemma, _, share in self._forms_of[form.number] if lemma == form.lemma)) / 100

    def plainness(self, form: Form) -> float:
        """How much of a word's use is in its commonest sense; 0 to 1."""
        return max((share for _, share in self._senses[form.lemma]), default=0) / 100

    def topic(self, form: Form) -> int:
        """What the word is mostly about, as WordNet sorts its meanings: 18 are persons, 21 is what one owns."""
        shares: Counter[int] = Counter()
        for sense, share in self._senses[form.lemma]:
            shares[int(self._data["topics"][sense])] += share
        return max(shares, key=lambda topic: (shares[topic], -topic), default=-1)

    def given(self, name: str) -> bool:
        """Whether it is a given name and nothing else."""
        kinds = [self._parents[sense] for form in self.forms(name, "NNP") for sense, _ in self._senses[form.lemma]]
        return bool(kinds) and not any(kinds)

    def frames(self, form: Form) -> int:
        """WordNet's sentence frames of a verb, as bits: bit 8 is "Somebody ----s something"."""
        return int(self._data["frames"][form.lemma])

    def fixed(self, words: Iterable[str]) -> bool:
        """Whether the words are one expression whose parts cannot be exchanged: "freight train"."""
        return " ".join(words).lower() in self._fixed

    def kinship(self, one: Form, other: Form) -> float:
        """How much two words have in common over all their senses, each as far as it is used; 0 to 1.

        Two senses have in common what their narrowest common broader meaning says: Lin, "An
        Information-Theoretic Definition of Similarity", ICML 1998.
        """
        total, theirs = 0.0, [((share / 100) ** 0.5, sense) for sense, share in self._senses[other.lemma]]
        for sense, share in self._senses[one.lemma]:
            total += share / 100 * max([part * self._common(sense, each) for part, each in theirs], default=0.0)
        return min(total, 1.0)

    def _common(self, one: int, other: int) -> float:
        if one == other:
            return 1.0
        said, (_, ours), (theirs, _) = self._information, self._above(one), self._above(other)
        total = said[one] + said[other]
        shared = next((said[each] for each in theirs if each in ours), 0)
        return 2 * shared / total if total else 0.0

    def _kind(self, one: int, other: int) -> str:
        if other in self._opposites[one]:
            return "antonym"
        senses, others = ({sense for sense, _ in self._senses[lemma]} for lemma in (one, other))
        if senses & others:
            return "synonym"
        return "co-hyponym" if self._parents_of(senses) & self._parents_of(others) else "similar"

    def _of_kind(self, word: str, tag: str, kind: str) -> list[Neighbour]:
        return [each for each in self.similar(word, tag, least=0.0) if each.kind == kind]

    def _parents_of(self, senses: Iterable[int]) -> set[int]:
        return {parent for sense in senses for parent in self._parents[sense]}

    def _above(self, sense: int) -> _Broader:
        """The meaning and all broader ones, those that say most first."""
        known = self._climbed.get(sense)
        if known is None:
            every, waiting = {sense}, [sense]
            # Some meanings of adjectives are broader than each other, so nothing may climb in circles.
            while waiting:
                for parent in self._parents[waiting.pop()]:
                    if parent not in every:
                        every.add(parent)
                        waiting.append(parent)
            said = self._information
            known = self._climbed[sense] = tuple(sorted(every, key=lambda each: -said[each])), frozenset(every)
        return known

    def _place(self, word: str, *, proper: bool = False) -> int | None:
        if proper:
            return self._places.get(word[:1].upper() + word[1:].lower())
        found = self._places.get(word)
        return self._places.get(word.lower()) if found is None else found

    def _by_tag(self) -> dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]]:
        forms = self._data["forms"]
        return {tag: (forms[rows, 0], forms[rows, 1]) for at, tag in enumerate(TAGS) for rows in [forms[:, 2] == at]}

    def _unpacked(self, name: str) -> list[str]:
        return bytes(self._data[name]).decode().split("\n")

    @cached_property
    def _forms_of(self) -> _Groups:
        """By word: lemma, tag and share of each form."""
        forms = self._data["forms"]
        return _Groups(forms[:, 0], np.column_stack([forms[:, 1:], self._data["shares"]]), len(self._words))

    @cached_property
    def _forms_by_lemma(self) -> _Groups:
        """By lemma: word and tag of each form."""
        forms = self._data["forms"]
        return _Groups(forms[:, 1], forms[:, [0, 2]], len(self._data["lemmas"]))

    @cached_property
    def _senses(self) -> _Groups:
        """By lemma: meaning and share of each sense."""
        senses = self._data["senses"]
        return _Groups(senses[:, 0], senses[:, 1:], len(self._data["lemmas"]))

    @cached_property
    def _information(self) -> list[int]:
        return cast(list[int], self._data["information"].tolist())

    @cached_property
    def _parents(self) -> _Groups:
        parents = self._data["parents"]
        return _Groups(parents[:, 0], parents[:, 1], len(self._data["information"]))

    @cached_property
    def _opposites(self) -> _Groups:
        opposites = self._data["opposites"]
        return _Groups(opposites[:, 0], opposites[:, 1], len(self._data["lemmas"]))

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
    return frozenset(_plainest(each) for each in lemmas(word))


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
