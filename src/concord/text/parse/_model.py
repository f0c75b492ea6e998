"""The parser proper: words of sentences in; tags, labelled spans and their probabilities out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.text.cores import one_core
from concord.text.parse._chart import CELLS, Numbers, best_trees
from concord.text.parse._network import Network, Scores, odds, posts, short_buffer
from concord.text.parse._pieces import Coded, Pieces
from concord.text.parse._weights import Floats, Weights

JOINT = "+"
"""Phrases over the same words are one label of the network: `S+VP`."""
LEAST_CHANCE = 0.05
"""Phrases less probable than this are not told."""

_SURE = np.float32(1 - LEAST_CHANCE + 0.001)
"""How probable it must be that a span is no phrase so that none is told; a little more, since sums are rounded."""
_BATCH = 512

_Chance = tuple[str, int, int, float]


class Parsed(NamedTuple):
    """A sentence by the numbers of its words: phrases in preorder, and phrases that are likely."""

    tags: list[str]
    phrases: list[tuple[str, int, int]]
    chances: list[_Chance]


class _Read(NamedTuple):
    """What the network says of a sentence: its tags; of every span the best label and how likely that is."""

    tags: list[int]
    likely: Floats
    labels: Numbers
    chances: list[_Chance]


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
        with one_core(), short_buffer():
            for batch in _batches(order, coded):
                found.update(self._parsed(batch, [coded[at] for at in batch]))
        return (found[at] for at in range(len(coded)))

    def _parsed(self, numbers: Sequence[int], batch: Sequence[Coded]) -> Iterator[tuple[int, Parsed]]:
        read: list[_Read] = []
        for count, run in groupby(self._network.words(batch), key=len):
            alike = list(run)
            for at in range(0, len(alike), most := max(1, CELLS // count**2)):
                read += self._read(self._network.scores(np.stack(alike[at : at + most])), count - 2)
        words = [len(each.tags) for each in read]
        trees = best_trees([each.likely for each in read], [each.labels for each in read], words)
        for number, each, brackets in zip(numbers, read, trees, strict=True):
            phrases = [(label, start, end) for start, end, chain in brackets for label in self._chains[chain]]
            yield number, Parsed([self._tags[tag] for tag in each.tags], phrases, each.chances)

    def _read(self, scores: Scores, words: int) -> Iterator[_Read]:
        shares = odds(scores.spans)
        total: Floats = np.einsum("nsl->ns", shares)
        # Most spans are surely no phrase, which is label 0, and nothing more is asked about them.
        unsure = shares[:, :, 0] < _SURE * total
        # The last of the spans from the first word on is the sentence, which is always a phrase.
        unsure[:, words - 1] = True
        asked = shares[unsure] / total[unsure][:, None]
        best = asked[:, 1:].argmax(1) + 1
        labels, likely = np.zeros(total.shape, np.intp), np.zeros(total.shape, np.float32)
        labels[unsure], likely[unsure] = best, asked[np.arange(len(asked)), best]
        chances = self._chances(asked, unsure, words)
        return map(_Read, scores.tags.argmax(2).tolist(), likely, labels, chances)

    def _chances(self, likely: Floats, unsure: NDArray[np.bool_], words: int) -> list[list[_Chance]]:
        """Of every sentence the phrases that are likely; `likely` has a row for each span that is unsure."""
        # A phrase is as probable as all the labels together that it is a part of.
        ends = np.cumsum(unsure.sum(1))[:-1]
        # Each sentence by itself: in a product this small, how many rows there are can change the last bits.
        summed = np.concatenate([some @ self._holds for some in np.split(likely, ends)])
        likely = np.minimum(summed, np.float32(1))
        row, label = np.nonzero(likely >= LEAST_CHANCE)
        (sentences, spans), (first, last) = np.nonzero(unsure), posts(words + 1)
        span = spans[row]
        columns = (sentences[row], label, first[span], last[span], likely[row, label])
        told: list[list[_Chance]] = [[] for _ in unsure]
        for sentence, number, start, end, chance in zip(*(each.tolist() for each in columns), strict=True):
            told[sentence].append((self._single[number], start, end, chance))
        return told


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
