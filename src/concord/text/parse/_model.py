"""The parser proper: words of sentences in; tags, labelled spans and their probabilities out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from concord.text.parse._chart import best_tree
from concord.text.parse._cores import one_core
from concord.text.parse._network import Network, Scores
from concord.text.parse._pieces import Coded, Pieces
from concord.text.parse._weights import Floats, Weights

JOINT = "+"
"""Phrases over the same words are one label of the network: `S+VP`."""
LEAST_CHANCE = 0.05
"""Phrases less probable than this are not told."""

_BATCH = 512


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
        """The best tree of every sentence, in order."""
        coded = [self._pieces.code(words) for words in sentences]
        for batch in _batches(coded):
            # Those of one length next to each other, so that they are done together.
            order = sorted(range(len(batch)), key=lambda at: len(batch[at].pieces))
            found: dict[int, Parsed] = {}
            with one_core():
                for at, scores in zip(order, self._network.scores([batch[at] for at in order]), strict=True):
                    found[at] = self._best(scores, len(batch[at].first) - 2)
            yield from (found[at] for at in range(len(batch)))

    def _best(self, scores: Scores, words: int) -> Parsed:
        tags = [self._tags[number] for number in scores.tags.argmax(1).tolist()]
        likely = np.exp(scores.spans - scores.spans.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        phrases = [
            (label, start, end) for start, end, number in best_tree(likely, words) for label in self._chains[number]
        ]
        return Parsed(tags, phrases, self._chances(likely, words))

    def _chances(self, likely: Floats, words: int) -> list[tuple[str, int, int, float]]:
        # A phrase is as probable as all the labels together that it is a part of.
        likely = likely @ self._holds
        span, label = np.nonzero(likely >= LEAST_CHANCE)
        starts, ends = np.triu_indices(words + 1, 1)
        found = zip(
            label.tolist(), starts[span].tolist(), ends[span].tolist(), likely[span, label].tolist(), strict=True
        )
        return [(self._single[number], start, end, min(1.0, chance)) for number, start, end, chance in found]


def _batches(sentences: Sequence[Coded]) -> Iterator[list[Coded]]:
    """Sentences next to each other that together have about `_BATCH` pieces: enough to keep the matrices busy."""
    batch: list[Coded] = []
    pieces = 0
    for each in sentences:
        batch.append(each)
        pieces += len(each.pieces)
        if pieces >= _BATCH:
            yield batch
            batch, pieces = [], 0
    if batch:
        yield batch
