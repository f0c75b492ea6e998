"""The parser proper: words of sentences in; tags, labelled spans and their probabilities out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from concord.text.parse._chart import best_trees
from concord.text.parse._cores import one_core
from concord.text.parse._network import Network, Scores, posts
from concord.text.parse._pieces import Coded, Pieces
from concord.text.parse._weights import Floats, Weights

JOINT = "+"
"""Phrases over the same words are one label of the network: `S+VP`."""
LEAST_CHANCE = 0.05
"""Phrases less probable than this are not told."""

_BATCH = 512
_SPANS = 16_000
"""The cells of charts that are filled together."""


class Parsed(NamedTuple):
    """A sentence by the numbers of its words: phrases in preorder, and phrases that are likely."""

    tags: list[str]
    phrases: list[tuple[str, int, int]]
    chances: list[tuple[str, int, int, float]]


class Model:
    """A network with its vocabulary, labels and tags."""

    def __init__(self, weights: Weights) -> None:
        self.digest = weights.digest
        self._pieces = Pieces(weights.vocabulary)
        self._network = Network(weights)
        self._tags = weights.tags
        self._chains = [label.split(JOINT) for label in weights.labels]
        self._single = sorted({label for chain in self._chains[1:] for label in chain})
        holds = [[label in chain for label in self._single] for chain in self._chains]
        self._holds = np.array(holds, np.float32)

    def parsed(self, sentences: Sequence[Sequence[str]]) -> Iterator[Parsed]:
        """The best tree of every sentence, in order; it does not depend on the other sentences."""
        coded = [self._pieces.code(words) for words in sentences]
        found: dict[int, Parsed] = {}
        # Those of one length next to each other, so that they are done together.
        order = sorted(range(len(coded)), key=lambda at: (len(coded[at].first), len(coded[at].pieces)))
        with one_core():
            for batch in _batches(order, coded):
                found.update(self._parsed(batch, [coded[at] for at in batch]))
        return (found[at] for at in range(len(coded)))

    def _parsed(self, numbers: Sequence[int], batch: Sequence[Coded]) -> Iterator[tuple[int, Parsed]]:
        rows = zip(numbers, self._network.words(batch), strict=True)
        for count, run in groupby(rows, key=lambda each: len(each[1])):
            alike = list(run)
            for at in range(0, len(alike), most := max(1, _SPANS // count**2)):
                some = alike[at : at + most]
                scores = self._network.scores(np.stack([words for _, words in some]))
                yield from zip((number for number, _ in some), self._best(scores, count - 2), strict=True)

    def _best(self, scores: Scores, words: int) -> Iterator[Parsed]:
        likely = np.exp(scores.spans - scores.spans.max(2, keepdims=True))
        likely /= likely.sum(2, keepdims=True)
        trees = best_trees(likely, words)
        for tags, brackets, chances in zip(scores.tags.argmax(2).tolist(), trees, likely, strict=True):
            phrases = [(label, start, end) for start, end, number in brackets for label in self._chains[number]]
            yield Parsed([self._tags[number] for number in tags], phrases, self._chances(chances, words))

    def _chances(self, likely: Floats, words: int) -> list[tuple[str, int, int, float]]:
        # A phrase is as probable as all the labels together that it is a part of.
        likely = likely @ self._holds
        span, label = np.nonzero(likely >= LEAST_CHANCE)
        starts, ends = posts(words + 1)
        found = zip(
            label.tolist(), starts[span].tolist(), ends[span].tolist(), likely[span, label].tolist(), strict=True
        )
        return [(self._single[number], start, end, min(1.0, chance)) for number, start, end, chance in found]


def _batches(order: Sequence[int], coded: Sequence[Coded]) -> Iterator[list[int]]:
    """Sentences that together have about `_BATCH` pieces: enough to keep the matrices busy."""
    batch: list[int] = []
    pieces = 0
    for at in order:
        batch.append(at)
        pieces += len(coded[at].pieces)
        if pieces >= _BATCH:
            yield batch
            batch, pieces = [], 0
    if batch:
        yield batch
