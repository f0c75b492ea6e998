"""Substitutes that mean something else altogether: plain words that every translator knows.

A word of the list replaces a word if the lexicon finds neither their vectors nor their meanings similar. A person
replaces a person and a thing a thing, a count noun a count noun and a mass noun a mass noun.
"""

from collections.abc import Iterator
from random import Random

from concord.language.codes import base
from concord.language.english.lexicon import WordForm, lexicon, variants
from concord.language.substitutes import Slot
from concord.language.substitutes._form_features import PERSONS
from concord.language.substitutes._slot import (
    Place,
    compound,
    countable,
    fixed,
    in_name,
    measure,
    places,
    takes_complement,
)
from concord.language.trees import Tree

LANGUAGE = "en"
MOST_SIMILARITY, MOST_SEMANTIC_SIMILARITY = 0.3, 0.4
"""Words at least as similar as this, by vectors or by meanings, do not replace each other."""

_PERSONS = "doctor farmer nurse soldier baker pilot singer teacher judge child neighbour sailor painter"
_THINGS = (
    "apple bottle bridge camera candle carpet chair clock coat desk drum engine feather garden guitar hammer island"
    " jacket kitchen ladder lamp lemon mirror mountain needle onion pencil pillow potato rope shirt shoe spoon tower"
    " umbrella violin wheel window"
)
_STUFF = "bread butter cotton dust gold honey ice milk rice sand salt silver smoke sugar wool"
_QUALITIES = (
    "blue cheap clean cold deep dry green heavy hungry loud narrow quiet rich round sharp sleepy soft sour sweet tall"
    " thin wet wide wooden yellow young"
)


def sentences_with_another_word(tree: Tree, leaf: Tree, rng: Random) -> Iterator[tuple[str, str]]:
    """English sentences in which a word of another meaning replaces this one, and that word, in random order.

    There are none for a word that the lexicon does not know, or that is part of a name, a measure or a fixed
    expression.
    """
    for place in places(Slot(tree, leaf.start, leaf.end, lang=LANGUAGE)):
        if fixed(place, lexicon()) or compound(place) or in_name(place) or measure(place) or takes_complement(place):
            continue
        originals = lexicon().forms(place.word, place.tag)
        if originals:
            fitting = [form for form in _candidates(place, originals) if _unrelated(originals, form)]
            for form in rng.sample(fitting, len(fitting)):
                yield place.replaced(form.word)


def knows(lang: str) -> bool:
    """Whether there are words for texts of the language."""
    return base(lang) == LANGUAGE


def _candidates(place: Place, originals: list[WordForm]) -> list[WordForm]:
    if place.tag == "JJ":
        return _inflected(_QUALITIES, "JJ")
    if place.tag not in ("NN", "NNS"):
        return []
    person = any(lexicon().topic(form) == PERSONS for form in originals)
    words = _PERSONS if person else _STUFF if countable(place) is False else _THINGS
    return _inflected(words, place.tag)


def _unrelated(originals: list[WordForm], candidate: WordForm) -> bool:
    if any(variants(form.word, candidate.word) for form in originals):
        return False
    similarity = max(float(lexicon().similarity(form.word, [candidate.word])[0]) for form in originals)
    semantic = max(lexicon().semantic_similarity(form, candidate) for form in originals)
    return similarity < MOST_SIMILARITY and semantic < MOST_SEMANTIC_SIMILARITY


def _inflected(words: str, tag: str) -> list[WordForm]:
    base_tag = "JJ" if tag == "JJ" else "NN"
    lemmas = [form.lemma for word in words.split() for form in lexicon().forms(word, base_tag)[:1]]
    return [form for form in (lexicon().inflected(lemma, tag) for lemma in lemmas) if form is not None]
