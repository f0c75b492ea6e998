"""Fitting a word alignment to sentence pairs, with dictionary entries as further pairs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from concord.language.align._cells import Floats, Ints
from concord.language.align._training import PRIOR, CorpusCells, PairTable, learn
from concord.language.align.model import LONGEST, Langs, Model, Words, form

LEAST_PROBABILITY = 1e-6
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
    `LONGEST` words on a side are ignored. The fit is deterministic: equal pairs make equal models, in any order.
    """
    formed = sorted(_formed(pair, langs) for pair in pairs if max(map(len, pair)) <= LONGEST)
    source_numbers = _numbered([word for source, _ in formed for word in source])
    target_numbers = _numbered([word for _, target in formed for word in target])
    entries = sorted(_formed(pair, langs) for pair in glosses)
    entries = [(a, b) for a, b in entries if set(a) <= source_numbers.keys() and set(b) <= target_numbers.keys()]
    numbered = [
        ([source_numbers[word] for word in source], [target_numbers[word] for word in target])
        for source, target in formed + entries
    ]
    corpus, keys = CorpusCells.of_pairs(numbered, len(target_numbers) + 1)
    del formed, entries, numbered  # the arrays of `corpus` replace them
    source, target = np.divmod(keys, len(target_numbers) + 1)
    words = tuple(source_numbers), tuple(target_numbers)
    directions = learn(corpus, PairTable(source, target, _prior(words, source, target)))
    stored = np.flatnonzero(np.maximum(directions[0].says, directions[1].says) > LEAST_PROBABILITY)
    forward, backward = (replace(direction, says=direction.says[stored]) for direction in directions)
    return Model(langs, *words, keys[stored], (forward, backward))


def _formed(pair: tuple[Words, Words], langs: Langs) -> tuple[list[str], list[str]]:
    source, target = pair
    return [form(word, langs[0]) for word in source], [form(word, langs[1]) for word in target]


def _numbered(words: Sequence[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(sorted(set(words)))}


def _prior(words: tuple[Words, Words], source: Ints, target: Ints) -> Floats:
    """The prior of every entry; words that are spelt the same, such as numbers and names, have a higher one."""
    target_numbers = {word: number for number, word in enumerate(words[1])}
    alike = np.array([target_numbers.get(word, -1) for word in words[0]], np.int64)
    return np.where(alike[source] == target, ALIKE_PRIOR, PRIOR)
