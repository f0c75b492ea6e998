"""Fitting a word alignment to sentence pairs, with dictionary entries as further pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from concord.language.align._cells import Floats, Ints
from concord.language.align._training import PRIOR, PairTable, Seen, Way, learn
from concord.language.align.model import LONGEST, Langs, Model, Words, form

KEPT = 1e-6
ALIKE_PRIOR = 0.5


def fit(
    pairs: Sequence[tuple[Words, Words]],
    *,
    glosses: Sequence[tuple[Words, Words]] = (),
    langs: Langs = ("", ""),
) -> Model:
    """The alignment of sentence pairs, given as the words of either side.

    `glosses` are pairs as well, of a word or an expression and its translation; those whose words do not occur are
    left out. `langs` are the languages of both sides, by which words are stemmed. Pairs with more than
    `LONGEST` words on a side teach nothing. Nothing is left to chance: equal pairs make equal models, in any order.
    """
    formed = sorted(_formed(pair, langs) for pair in pairs if max(map(len, pair)) <= LONGEST)
    source_numbers = _numbered([word for source, _ in formed for word in source])
    target_numbers = _numbered([word for _, target in formed for word in target])
    known = sorted(_formed(pair, langs) for pair in glosses)
    known = [(a, b) for a, b in known if set(a) <= source_numbers.keys() and set(b) <= target_numbers.keys()]
    numbered = [
        ([source_numbers[word] for word in source], [target_numbers[word] for word in target])
        for source, target in formed + known
    ]
    seen, keys = Seen.of(numbered, len(target_numbers) + 1)
    del formed, known, numbered  # what is learnt from is in arrays now
    source, target = np.divmod(keys, len(target_numbers) + 1)
    words = tuple(source_numbers), tuple(target_numbers)
    ways = learn(seen, PairTable(source, target, _prior(words, source, target)))
    kept = np.flatnonzero(np.maximum(ways[0].says, ways[1].says) > KEPT)
    one, other = (Way(way.says[kept], way.unlinked, way.jumps) for way in ways)
    return Model(langs, *words, keys[kept], (one, other))


def _formed(pair: tuple[Words, Words], langs: Langs) -> tuple[list[str], list[str]]:
    source, target = pair
    return [form(word, langs[0]) for word in source], [form(word, langs[1]) for word in target]


def _numbered(words: Sequence[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(sorted(set(words)))}


def _prior(words: tuple[Words, Words], source: Ints, target: Ints) -> Floats:
    """Words that are spelt alike, such as numbers and names, are expected to translate each other."""
    known = {word: number for number, word in enumerate(words[1])}
    alike = np.array([known.get(word, -1) for word in words[0]], np.int64)
    return np.where(alike[source] == target, ALIKE_PRIOR, PRIOR)
