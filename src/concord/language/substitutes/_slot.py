"""A place in a sentence: a word that may be replaced, its neighbours, and what they require of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeVar

from concord.errors import Refused
from concord.language import word_set, word_tables
from concord.language.codes import base
from concord.language.english.inflection import cased, lemmas, with_article
from concord.language.english.lexicon import TAGS, Lexicon
from concord.language.stopwords import stop_words
from concord.language.substitutes import Slot
from concord.language.trees import Tree

T = TypeVar("T")

OPEN = frozenset({*TAGS, "CD"})
UNIVERSAL = frozenset({"NOUN", "VERB", "ADJ", "ADV", "PROPN", "NUM"})
"""The same in universal tags, which parsers of other languages give."""
CHINESE = frozenset({"NR", "VV", "VA", "AD", "OD"})
"""Those of the Chinese Treebank that Penn's tags lack."""
_ANY = OPEN | UNIVERSAL | CHINESE
NAMES = frozenset({"NNP", "NNPS"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
VERBS = frozenset({"VB", "VBP", "VBZ", "VBG", "VBD", "VBN"})
_HAVE = frozenset({"have", "has", "had", "having", "'ve", "'s", "'d"})
_OPENS_NOUN_PHRASE = NOUNS | {"DT", "PDT", "PRP", "PRP$", "CD", "JJ", "JJR", "JJS", "EX", "$", "VBN"}
_OF_TWO = frozenset({"either", "neither", "both", "between"})
_FRACTIONS = frozenset({"third", "thirds", "quarter", "quarters", "fifths", "half", "halves"})
# A bound on the work for texts of thousands of words.
_NEAR = 60


def _bits(*frames: int) -> int:
    return sum(1 << frame for frame in frames)


# WordNet's sentence frames, by what follows the verb.
TRANSITIVE = _bits(8, 9, 10, 11, 15, 16, 17, 18, 19, 20, 21, 31)
INTRANSITIVE = _bits(1, 2, 3, 23)
PREPOSITION = _bits(4, 12, 13, 22, 27)
CLAUSE = _bits(26, 34)
QUESTION = _bits(26, 29)
INFINITIVE = _bits(28, 32, 35)
GERUND = _bits(33)
ADJECTIVE = _bits(5, 6, 7)


_COMMON_NOUNS = frozenset({"NN", "NNS"})
TIMES, _MEASURES = (word_set(word_tables(__file__)[name]) for name in ("times", "measures"))
LIGHT = {letter: word_set(words) for letter, words in word_tables(__file__)["light"].items()}
"""Words that serve grammar more than meaning, by the first letter of their tag: neither replaced nor substitutes."""


class SlottedSentence:
    """The words of a tree, with facts that all its places share and that are computed once."""

    def __init__(self, tree: Tree) -> None:
        self.leaves = tuple(tree.leaves())
        self.tags = [leaf.label for leaf in self.leaves]
        self.words = [leaf.words for leaf in self.leaves]
        self.small = [word.lower() for word in self.words]

    @cached_property
    def content(self) -> list[frozenset[str]]:
        """For each content word itself and its lemmas; nothing for other words."""
        tagged = zip(self.words, self.tags, strict=True)
        return [lemmas(word) | {word} if tag in OPEN else frozenset() for word, tag in tagged]

    @cached_property
    def context(self) -> list[str | None]:
        """For each content word, numbers left out, itself; None for other words."""
        stopped = stop_words("en")
        every = zip(self.words, self.tags, self.small, strict=True)
        return [word if tag in TAGS and small not in stopped else None for word, tag, small in every]


@dataclass(frozen=True, eq=False)
class Place:
    """One word of a sentence."""

    sentence: SlottedSentence
    index: int

    @property
    def leaf(self) -> Tree:
        return self.sentence.leaves[self.index]

    @property
    def word(self) -> str:
        return self.sentence.words[self.index]

    @property
    def tag(self) -> str:
        return self.sentence.tags[self.index]

    def tag_at(self, distance: int) -> str:
        """The tag of a neighbour; empty beyond the ends of the sentence."""
        index = self.index + distance
        return self.sentence.tags[index] if 0 <= index < len(self.sentence.tags) else ""

    def word_at(self, distance: int) -> str:
        """A neighbour in lower case; empty beyond the ends of the sentence."""
        index = self.index + distance
        return self.sentence.small[index] if 0 <= index < len(self.sentence.small) else ""

    def touches(self, marks: str) -> bool:
        """Whether one of the marks is directly before or after the word."""
        text, start, end = self.leaf.text, self.leaf.start, self.leaf.end
        return text[start - 1 : start] in tuple(marks) or text[end : end + 1] in tuple(marks)

    def context(self) -> list[str]:
        """The other content words of the sentence, numbers left out."""
        return [word for word in self._around(self.sentence.context) if word is not None]

    @cached_property
    def other_words(self) -> frozenset[str]:
        """The other words of the sentence, as lemmas and as they are."""
        return frozenset().union(*self._around(self.sentence.content))

    def _around(self, every: list[T]) -> list[T]:
        """The elements of the words near this one."""
        return every[max(0, self.index - _NEAR) : self.index] + every[self.index + 1 : self.index + _NEAR + 1]

    def replaced(self, word: str) -> tuple[str, str]:
        """The sentence with this word replaced and its article corrected, and the new word in the case of this one."""
        text, leaf = self.leaf.text, self.leaf
        fitted = cased(word, self.word)
        return with_article(text[: leaf.start] + fitted + text[leaf.end :], leaf.start), fitted


def places(slot: Slot, sentence: SlottedSentence | None = None) -> list[Place]:
    """The words of the span that may be replaced at all: content words, but no function words."""
    words = sentence or SlottedSentence(slot.tree)
    inside = [index for index, leaf in enumerate(words.leaves) if slot.start <= leaf.start and leaf.end <= slot.end]
    if not inside:
        raise Refused(f"there is no word at {slot.start}:{slot.end} of '{slot.tree.text[:60]}'")
    return [place for place in (Place(words, index) for index in inside) if _open(place, slot.lang)]


def _open(place: Place, lang: str) -> bool:
    if place.tag not in _ANY or place.touches("-‐‑/@_'’") or place.word.lower() in stop_words(lang):
        return False
    if "HYPH" in (place.tag_at(-1), place.tag_at(1)):
        return False
    if place.tag in ("CD", "NUM", "OD"):
        return True
    light = LIGHT.get(place.tag[0], frozenset()) if base(lang) == "en" else frozenset()
    return place.word.isalpha() and not lemmas(place.word) & light


def fixed(place: Place, lexicon: Lexicon) -> bool:
    """Whether the word is part of an expression that would fall apart."""
    for size in (2, 3):
        for first in range(max(place.index - size + 1, 0), place.index + 1):
            words = place.sentence.small[first : first + size]
            if len(words) == size and any(lexicon.fixed(spelling) for spelling in _spellings(words)):
                return True
    return False


def _spellings(words: list[str]) -> Iterator[tuple[str, ...]]:
    """The words as they are, and with the first or the last one as its lemmas."""
    middle = [[word] for word in words[1:-1]]
    yield from product(lemmas(words[0]), *middle, lemmas(words[-1]))


def frames(place: Place) -> int:
    """WordNet's sentence frames for this place, as bits; a verb fits if it has at least one of them."""
    if place.tag == "VBN" and not _after(place, _HAVE):
        return TRANSITIVE
    distance = 1
    while place.tag_at(distance) in ("RB", "RBR"):
        distance += 1
    return _following(place, distance)


def _following(place: Place, distance: int) -> int:
    tag, word = place.tag_at(distance), place.word_at(distance)
    if tag in ("JJ", "JJR") and place.tag_at(distance + 1) not in NOUNS | {"JJ", "CC", ",", "HYPH"}:
        return ADJECTIVE
    if tag in _OPENS_NOUN_PHRASE:
        return CLAUSE if tag == "PRP" and place.tag_at(distance + 1) in VERBS | {"MD"} else TRANSITIVE
    if tag == "TO" or word == "to":
        return INFINITIVE if place.tag_at(distance + 1) == "VB" else PREPOSITION | INTRANSITIVE
    if tag in ("WP", "WRB", "WDT") or word in ("whether", "if"):
        return QUESTION
    if word == "that":
        return CLAUSE
    if tag == "VBG":
        return GERUND
    return PREPOSITION | INTRANSITIVE if tag == "IN" else INTRANSITIVE


def _after(place: Place, words: frozenset[str]) -> bool:
    """Whether one of the words precedes it, with nothing but adverbs and a subject in between."""
    for distance in range(-1, -5, -1):
        if place.word_at(distance) in words:
            return True
        if place.tag_at(distance) not in ("RB", "PRP", "NN", "NNS", "NNP", "DT"):
            return False
    return False


def takes_complement(place: Place) -> bool:
    """Whether the word has a complement of its own: "willing to", "liable for", "the decision to", "grow up"."""
    following, word = place.tag_at(1), place.word_at(1)
    if place.tag in VERBS:
        return following == "RP"
    if place.tag.startswith("JJ"):
        return (following in ("IN", "TO") and word not in ("than", "when", "after", "before")) or word == "enough"
    if place.tag in ("NN", "NNS"):
        return (following == "TO" and place.tag_at(2) == "VB") or (word == "that" and following == "IN")
    return False


def bound(place: Place) -> bool:
    """Whether another number would contradict its neighbours: "neither of the two", "two thirds"."""
    pair = place.word.lower() in ("two", "2") and any(word in _OF_TWO for word in place.sentence.small)
    return pair or place.word_at(1) in _FRACTIONS


def compound(place: Place) -> bool:
    """Whether the noun is beside another: "cash box", "loan agreement" mean more than their parts."""
    return place.tag in _COMMON_NOUNS and (place.tag_at(-1) in _COMMON_NOUNS or place.tag_at(1) in _COMMON_NOUNS)


def measure(place: Place) -> bool:
    """Whether another unit would make the sentence absurd: "300 kilometres", "twice a week", "every morning"."""
    word = place.word.lower()
    return word in TIMES or (place.tag in _COMMON_NOUNS and place.tag_at(-1) == "CD" and word in _MEASURES)


def in_name(place: Place) -> bool:
    """Whether the word is part of a longer name: "Corvin Partners"."""
    beside = NAMES & {place.tag_at(-1), place.tag_at(1)}
    return bool(beside) and (place.tag in NAMES or place.word[:1].isupper())


def countable(place: Place) -> bool | None:
    """Whether the noun here must be countable (True), must not be (False), or either will do (None)."""
    if place.tag != "NN" or place.tag_at(1) in ("NN", "NNS"):
        return None
    distance = -1
    while place.tag_at(distance) in ("JJ", "JJR", "JJS", "VBN", "VBG", "NN", "CD") and place.word_at(distance):
        distance -= 1
    word, tag = place.word_at(distance), place.tag_at(distance)
    if word in ("a", "an", "another", "each", "every", "one", "either", "neither"):
        return True
    if tag in ("DT", "PRP$", "POS", "PDT", "WDT", "WP$"):
        return None
    return False
