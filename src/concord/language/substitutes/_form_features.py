"""Facts of all forms under a tag, in arrays: whatever is asked of a form wherever it is to stand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.language.english.lexicon import TAGS, Lexicon, Shelf
from concord.language.stopwords import stop_words
from concord.language.substitutes._function_words import LIGHT
from concord.language.substitutes._slot import TIMES, VERBS

UNFIT = ("function word", "measure", "part of speech")
"""Why a form stands nowhere; of several reasons the first is told."""
USUAL, USUAL_VERB = 0.5, 0.3
"""The least share of a spelling's use that is under the part of speech in question; verbs are often nouns too."""
PERSONS = 18
"""A topic of WordNet."""
NEVER = 1e6


class Facts(NamedTuple):
    """One row a form: `lemma` is the word's number, `unfit` that of a reason from 1 on, or 0.

    `plural` is how many times rarer the plural of a noun in the singular is.
    """

    lemma: NDArray[Any]
    capital: NDArray[Any]
    rank: NDArray[Any]
    unfit: NDArray[Any]
    person: NDArray[Any]
    frames: NDArray[Any]
    plural: NDArray[Any]

    def of(self, rows: NDArray[np.intp]) -> Facts:
        """Those of some forms."""
        return Facts(*(each[rows] for each in self))


@lru_cache(maxsize=len(TAGS))
def facts(known: Lexicon, tag: str) -> Facts:
    """Those of all forms under a tag, as they stand on the lexicon's shelf."""
    shelf = known.shelf(tag)
    return Facts(
        known.lemma_words[shelf.lemmas],
        known.capital[shelf.words],
        known.ranks[shelf.words],
        _unfit(known, shelf),
        known.meanings.topics[shelf.lemmas] == PERSONS,
        known.all_frames[shelf.lemmas],
        _plural(known, shelf),
    )


def _unfit(known: Lexicon, shelf: Shelf) -> NDArray[Any]:
    light = known.numbers(LIGHT.get(shelf.tag[0], ()))
    serving = np.isin(known.lemma_words[shelf.lemmas], light) | np.isin(shelf.words, known.numbers(stop_words("en")))
    measuring = np.isin(shelf.words, known.numbers(TIMES))
    unusual = shelf.shares < (USUAL_VERB if shelf.tag in VERBS else USUAL)
    return np.select([serving, measuring, unusual], [1, 2, 3]).astype(np.int8)


def _plural(known: Lexicon, shelf: Shelf) -> NDArray[Any]:
    if shelf.tag != "NN":
        return np.full(len(shelf.words), NEVER)
    many = known.shelf("NNS")
    ranks = np.full(len(known.lemma_words), np.inf)
    np.minimum.at(ranks, many.lemmas, known.ranks[many.words])
    return np.asarray(np.minimum((1 + ranks[shelf.lemmas]) / (1 + known.ranks[shelf.words]), NEVER))
