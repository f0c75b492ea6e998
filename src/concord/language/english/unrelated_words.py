"""Substitutes that mean something else altogether: plain words that every translator knows.

A word of the list replaces a word if the lexicon finds neither their vectors nor their meanings similar. A person
replaces a person and a thing a thing, a count noun a count noun and a mass noun a mass noun.
"""

from collections.abc import Iterator
from random import Random

from concord.language import word_tables
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
        return _inflected("qualities", "JJ")
    if place.tag not in ("NN", "NNS"):
        return []
    person = any(lexicon().topic(form) == PERSONS for form in originals)
    kind = "persons" if person else "stuff" if countable(place) is False else "things"
    return _inflected(kind, place.tag)


def _unrelated(originals: list[WordForm], candidate: WordForm) -> bool:
    if any(variants(form.word, candidate.word) for form in originals):
        return False
    similarity = max(float(lexicon().similarity(form.word, [candidate.word])[0]) for form in originals)
    semantic = max(lexicon().semantic_similarity(form, candidate) for form in originals)
    return similarity < MOST_SIMILARITY and semantic < MOST_SEMANTIC_SIMILARITY


def _inflected(kind: str, tag: str) -> list[WordForm]:
    words = word_tables(__file__)[kind].split()
    base_tag = "JJ" if tag == "JJ" else "NN"
    lemmas = [form.lemma for word in words for form in lexicon().forms(word, base_tag)[:1]]
    return [form for form in (lexicon().inflected(lemma, tag) for lemma in lemmas) if form is not None]
