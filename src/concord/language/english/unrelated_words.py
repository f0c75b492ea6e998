"""Words that mean something else altogether, to be put in the place of a word: plain ones that every translator knows.

A word of the list will do where the lexicon finds it neither similar nor akin to the one that it replaces; persons
stand for persons and things for things, what can be counted for what can be counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from concord.language.codes import base
from concord.language.english.lexicon import Lexicon, WordForm, lexicon, variants
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
COMPANY, KINSHIP = 0.3, 0.4
"""From here on two words keep similar company, or have too much of their meanings in common."""

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


def others(tree: Tree, leaf: Tree, rng: Random, *, known: Lexicon | None = None) -> Iterator[tuple[str, str]]:
    """English sentences with a word of another meaning in the place of one, and that word, in random order.

    None for a word that the lexicon does not know, or that is part of a name, a measure or a fixed expression.
    """
    known = known or lexicon()
    for place in places(Slot(tree, leaf.start, leaf.end, lang=LANGUAGE)):
        if fixed(place, known) or compound(place) or in_name(place) or measure(place) or takes_complement(place):
            continue
        originals = known.forms(place.word, place.tag)
        if originals:
            fitting = [
                candidate for candidate in _candidates(place, originals, known) if _far(originals, candidate, known)
            ]
            for form in rng.sample(fitting, len(fitting)):
                yield place.replaced(form.word)


def knows(lang: str) -> bool:
    """Whether there are words for texts of the language."""
    return base(lang) == LANGUAGE


def _candidates(place: Place, originals: list[WordForm], known: Lexicon) -> list[WordForm]:
    if place.tag == "JJ":
        return _listed(_QUALITIES, "JJ", known)
    if place.tag not in ("NN", "NNS"):
        return []
    person = any(known.topic(form) == PERSONS for form in originals)
    listed = _PERSONS if person else _STUFF if countable(place) is False else _THINGS
    return _listed(listed, place.tag, known)


def _far(originals: list[WordForm], other: WordForm, known: Lexicon) -> bool:
    if any(variants(form.word, other.word) for form in originals):
        return False
    near = max(float(known.similarity(form.word, [other.word])[0]) for form in originals)
    return near < COMPANY and max(known.kinship(form, other) for form in originals) < KINSHIP


def _listed(words: str, tag: str, known: Lexicon) -> list[WordForm]:
    base_tag = "JJ" if tag == "JJ" else "NN"
    lemmas = [form.lemma for word in words.split() for form in known.forms(word, base_tag)[:1]]
    return [form for form in (known.inflected(lemma, tag) for lemma in lemmas) if form is not None]
