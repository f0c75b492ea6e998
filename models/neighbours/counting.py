"""Counts which words stand side by side, by word and by class of words, and packs what is worth keeping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from concord.language.english.lexicon import Lexicon
from concord.language.substitutes._neighbours import END, START, spelt

CLASSES = 64
ROUNDS = 12
COMMON = 10
"""How often a word must occur for its being a neighbour to say anything."""
TWICE = 2
"""Pairs that occur once are left out: they are most of the table, and say little that their classes do not."""
ENOUGH = 50
"""Uses of a word beyond which it weighs no more in its class."""


@dataclass(slots=True)
class Counts:
    """Words, and words with the next one."""

    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, sentences: Iterable[list[str]]) -> None:
        for sentence in sentences:
            marked = [START, *map(spelt, sentence), END]
            self.words.update(marked)
            self.pairs.update(pairwise(marked))


def table(counts: Counts, known: Lexicon) -> dict[str, np.ndarray]:
    """The arrays of the file, by name."""
    first = {word.lower(): row for row, word in reversed(list(enumerate(known._words)))}
    beside = [word for word, count in sorted(counts.words.items()) if count >= COMMON]
    words = [*beside, *sorted(set(first) - set(beside))]
    found = _classes(known._vectors, np.array([counts.words[word.lower()] for word in known._words]))
    classes = np.array([found[first[word]] if word in first else CLASSES for word in words], np.uint8)
    numbers = {word: number for number, word in enumerate(words)}
    before, after = _by_class(counts, numbers, classes, len(beside))
    kept = sorted((numbers[one], numbers[other], count) for (one, other), count in _worth(counts, numbers, first))
    return {
        "words": np.frombuffer("\n".join(words).encode(), np.uint8),
        "counts": np.array([counts.words[word] for word in words], np.uint32),
        "classes": classes,
        "before": before,
        "after": after,
        "starts": np.searchsorted([one for one, _, _ in kept], np.arange(len(words) + 1)).astype(np.uint32),
        "nexts": np.array([other for _, other, _ in kept], np.uint16),
        "pairs": np.array([min(count, 65_535) for _, _, count in kept], np.uint16),
        "total": np.array(counts.words.total(), np.uint32),
        "of_class": np.bincount(
            [classes[numbers[word]] if word in numbers else CLASSES for word in counts.words],
            list(counts.words.values()),
            CLASSES + 1,
        ).astype(np.uint32),
    }


def _worth(counts: Counts, numbers: dict[str, int], known: dict[str, int]) -> list[tuple[tuple[str, str], int]]:
    """Pairs of two words that have a number, of which one may be replaced."""
    return [
        ((one, other), count)
        for (one, other), count in counts.pairs.items()
        if count >= TWICE and one in numbers and other in numbers and (one in known or other in known)
    ]


def _by_class(
    counts: Counts, numbers: dict[str, int], classes: np.ndarray, beside: int
) -> tuple[np.ndarray, np.ndarray]:
    """How often each common word stands before, and after, words of each class; pairs that occur once count too."""
    before, after = np.zeros((2, beside, CLASSES + 1), np.uint32)
    for (one, other), count in counts.pairs.items():
        left, right = numbers.get(one, len(classes)), numbers.get(other, len(classes))
        if left < beside:
            before[left, classes[right] if right < len(classes) else CLASSES] += count
        if right < beside:
            after[right, classes[left] if left < len(classes) else CLASSES] += count
    return before, after


def _classes(vectors: np.ndarray, uses: np.ndarray) -> np.ndarray:
    """Words that keep similar company, in as many classes: k-means on the sphere, from words drawn by their use."""
    draw = np.random.default_rng(0)
    centres = vectors[draw.choice(len(vectors), CLASSES, replace=False, p=(uses + 1) / (uses + 1).sum())]
    weighted = vectors * np.minimum(uses + 1, ENOUGH)[:, None]
    for _ in range(ROUNDS):
        nearest = (vectors @ centres.T).argmax(1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, weighted)
        length = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(length > 0, sums / np.maximum(length, 1e-9), centres).astype(np.float32)
    return (vectors @ centres.T).argmax(1)
