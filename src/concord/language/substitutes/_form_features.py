"""Facts about all forms with one tag, in arrays: only facts that do not depend on the sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.language.english.lexicon import TAGS, Lexicon, Shelf
from concord.language.stopwords import stop_words
from concord.language.substitutes._slot import LIGHT, TIMES, VERBS

UNFIT = ("function word", "measure", "part of speech")
"""Why a form is never a substitute; of several reasons the first is counted."""
USUAL, USUAL_VERB = 0.5, 0.3
"""The least proportion of a spelling's use as the part of speech in question; verbs are often nouns too."""
PERSONS = 18
"""A topic of WordNet."""
NEVER = 1e6


class Facts(NamedTuple):
    """One row per form: `lemma` is the number of its word, `unfit` that of a reason from 1 on, or 0.

    `plural` says how many times rarer the plural of a noun is than its singular.
    """

    lemma: NDArray[Any]
    capital: NDArray[Any]
    rank: NDArray[Any]
    unfit: NDArray[Any]
    person: NDArray[Any]
    frames: NDArray[Any]
    plural: NDArray[Any]

    def take(self, rows: NDArray[np.intp]) -> Facts:
        """The facts of these rows alone."""
        return Facts(*(column[rows] for column in self))


@lru_cache(maxsize=len(TAGS))
def facts(lexicon: Lexicon, tag: str) -> Facts:
    """The facts of all forms under a tag, in the order of the lexicon's shelf."""
    shelf = lexicon.shelf(tag)
    return Facts(
        lexicon.lemma_words[shelf.lemmas],
        lexicon.capital[shelf.words],
        lexicon.ranks[shelf.words],
        _unfit(lexicon, shelf),
        lexicon.meanings.topics[shelf.lemmas] == PERSONS,
        lexicon.all_frames[shelf.lemmas],
        _plural(lexicon, shelf),
    )


def _unfit(lexicon: Lexicon, shelf: Shelf) -> NDArray[Any]:
    light, stopped = lexicon.numbers(LIGHT.get(shelf.tag[0], ())), lexicon.numbers(stop_words("en"))
    serving = np.isin(lexicon.lemma_words[shelf.lemmas], light) | np.isin(shelf.words, stopped)
    measuring = np.isin(shelf.words, lexicon.numbers(TIMES))
    unusual = shelf.shares < (USUAL_VERB if shelf.tag in VERBS else USUAL)
    return np.select([serving, measuring, unusual], [1, 2, 3]).astype(np.int8)


def _plural(lexicon: Lexicon, shelf: Shelf) -> NDArray[Any]:
    if shelf.tag != "NN":
        return np.full(len(shelf.words), NEVER)
    many = lexicon.shelf("NNS")
    ranks = np.full(len(lexicon.lemma_words), np.inf)
    np.minimum.at(ranks, many.lemmas, lexicon.ranks[many.words])
    return np.asarray(np.minimum((1 + ranks[shelf.lemmas]) / (1 + lexicon.ranks[shelf.words]), NEVER))
