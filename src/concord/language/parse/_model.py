"""The parser proper: it turns the words of sentences into tags, labelled spans and their probabilities.

The trees are the same on every processor and in every batch: where a decision is so close that the last digits of the
probabilities could change it, the sentence is parsed again with arithmetic that is the same everywhere.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.language.parse._chart import CELLS, CLOSE, WORTH, Bracket, Numbers, best_trees, contested
from concord.language.parse._network import Network, Scores, odds, posts, short_buffer
from concord.language.parse._pieces import CodedSentence, Pieces
from concord.language.parse._steps import Steps
from concord.language.parse._weights import Floats, Weights

JOINT = "+"
"""Phrases over the same words are one label of the network: `S+VP`."""
LEAST_CHANCE = 0.05
"""Phrases less probable than this are left out of `Parsed.chances`."""
LIMITS = (LEAST_CHANCE, *(tenth / 10 for tenth in range(1, 10)))
"""Whether a phrase is at least this probable is the same on every processor; this is not ensured for other limits."""
_CLOSE_TAGS = 2e-4
"""As `CLOSE`, for the scores of tags, which differ between processors by up to 2e-5."""

_SURE = np.float32(1 - LEAST_CHANCE + 0.001)
"""A span that is no phrase with at least this probability has no likely phrase; the margin is for rounded sums."""
_LIMITS = np.array(LIMITS, np.float32)
_MIDDLES = (_LIMITS[:-1] + _LIMITS[1:]) / 2
_BATCH = 512

_Chance = tuple[str, int, int, float]


class Parsed(NamedTuple):
    """A parsed sentence, by the indices of its words: phrases in preorder, and all phrases that are likely."""

    tags: list[str]
    phrases: list[tuple[str, int, int]]
    chances: list[_Chance]


class _Reading(NamedTuple):
    """The network's judgement of a sentence: its tags, and for every span the best label with its probability.

    `close` says that a tag, a label or whether a phrase is likely enough might be otherwise on another processor.
    """

    tags: list[int]
    likely: Floats
    labels: Numbers
    chances: list[_Chance]
    close: bool


class ParserModel:
    """A network with its vocabulary, labels and tags."""

    def __init__(self, weights: Weights) -> None:
        self.digest = weights.digest
        self._pieces = Pieces(weights.vocabulary)
        self._network = Network(weights)
        self._same = self._network.same
        self._tags = weights.tags
        self._chains = [label.split(JOINT) for label in weights.labels]
        self._single = sorted({label for chain in self._chains[1:] for label in chain})
        holds = [[label in chain for label in self._single] for chain in self._chains]
        self._holds = np.array(holds, np.float32)

    def parsed(self, sentences: Sequence[Sequence[str]]) -> Iterator[Parsed]:
        """The best tree of every sentence, in order; it does not depend on the other sentences."""
        coded = [self._pieces.code(words) for words in sentences]
        by_number: dict[int, Parsed] = {}
        # Sentences of one length are next to each other, so that they are computed together.
        order = sorted(range(len(coded)), key=lambda number: (len(coded[number].first), len(coded[number].pieces)))
        with short_buffer():
            for batch in _batches(order, coded):
                by_number.update(self._parsed(batch, [coded[number] for number in batch]))
        return (by_number[number] for number in range(len(coded)))

    def _parsed(self, numbers: Sequence[int], batch: Sequence[CodedSentence]) -> Iterator[tuple[int, Parsed]]:
        read = self._read(self._network, batch)
        trees = _trees(read)
        for index, sentence in self._reread(batch, read, trees).items():
            read[index], (trees[index],) = sentence, _trees([sentence])
        for number, sentence, brackets in zip(numbers, read, trees, strict=True):
            phrases = [(label, start, end) for start, end, chain in brackets for label in self._chains[chain]]
            yield number, Parsed([self._tags[tag] for tag in sentence.tags], phrases, sentence.chances)

    def _reread(
        self, batch: Sequence[CodedSentence], read: Sequence[_Reading], trees: Sequence[Sequence[Bracket]]
    ) -> dict[int, _Reading]:
        """Sentences with a close decision, by their indices, read in steps that are the same on every processor."""
        close = [
            index
            for index, (sentence, brackets) in enumerate(zip(read, trees, strict=True))
            if sentence.close or contested(sentence.likely, len(sentence.tags), brackets)
        ]
        return dict(zip(close, self._read(self._same, [batch[index] for index in close]), strict=True)) if close else {}

    def _read(self, network: Network, batch: Sequence[CodedSentence]) -> list[_Reading]:
        read: list[_Reading] = []
        for count, run in groupby(network.words(batch), key=len):
            alike = list(run)
            for start in range(0, len(alike), most := max(1, CELLS // count**2)):
                read += self._readings(network.scores(np.stack(alike[start : start + most])), count - 2, network.steps)
        return read

    def _readings(self, scores: Scores, words: int, steps: Steps) -> Iterator[_Reading]:
        close: NDArray[np.bool_] = np.any(_lead(scores.tags) < _CLOSE_TAGS, axis=1)
        shares = odds(scores.spans, steps)
        total: Floats = np.einsum("nsl->ns", shares)
        # Most spans are surely no phrase, which is label 0, and nothing more is computed for them.
        unsure = shares[:, :, 0] < _SURE * total
        # The last of the spans from the first word on is the sentence, which is always a phrase.
        unsure[:, words - 1] = True
        probabilities = shares[unsure] / total[unsure][:, None]
        best = probabilities[:, 1:].argmax(1) + 1
        labels, likely = np.zeros(total.shape, np.intp), np.zeros(total.shape, np.float32)
        labels[unsure], likely[unsure] = best, probabilities[np.arange(len(probabilities)), best]
        # A phrase is as probable as all the labels together that it is a part of.
        single_probabilities = np.minimum(steps.product(probabilities, self._holds), np.float32(1))
        sentences, spans = np.nonzero(unsure)
        bracketed = (likely[unsure] > WORTH - CLOSE) | (spans == words - 1)
        doubtful = (bracketed & (_lead(probabilities[:, 1:]) < CLOSE)) | (np.abs(likely[unsure] - WORTH) < CLOSE)
        close[sentences[doubtful | _near_a_limit(single_probabilities).any(1)]] = True
        return map(
            _Reading,
            scores.tags.argmax(2).tolist(),
            likely,
            labels,
            self._chances(single_probabilities, unsure, words),
            close,
        )

    def _chances(self, likely: Floats, unsure: NDArray[np.bool_], words: int) -> list[list[_Chance]]:
        """The likely phrases of every sentence; `likely` has a row for each span that is unsure."""
        row, label = np.nonzero(likely >= LEAST_CHANCE)
        (sentences, spans), (first, last) = np.nonzero(unsure), posts(words + 1)
        span = spans[row]
        columns = (sentences[row], label, first[span], last[span], likely[row, label])
        chances: list[list[_Chance]] = [[] for _ in unsure]
        for sentence, number, start, end, chance in zip(*(column.tolist() for column in columns), strict=True):
            chances[sentence].append((self._single[number], start, end, chance))
        return chances


def _trees(read: Sequence[_Reading]) -> list[list[Bracket]]:
    return best_trees(
        [sentence.likely for sentence in read],
        [sentence.labels for sentence in read],
        [len(sentence.tags) for sentence in read],
    )


def _lead(values: Floats) -> Floats:
    """How far the greatest value of each row is ahead of the next."""
    if values.shape[-1] < 2:
        return np.full(values.shape[:-1], np.inf, np.float32)
    ordered = np.partition(values, -2)
    return np.asarray(ordered[..., -1] - ordered[..., -2])


def _near_a_limit(likely: Floats) -> NDArray[np.bool_]:
    """Which probabilities are close to one of `LIMITS`."""
    after = np.searchsorted(_MIDDLES, likely)
    return np.asarray(np.abs(likely - _LIMITS[after]) < CLOSE)


def _batches(order: Sequence[int], coded: Sequence[CodedSentence]) -> Iterator[list[int]]:
    """Sentences that together have about `_BATCH` pieces: enough to keep the matrices busy."""
    batch: list[int] = []
    pieces = 0
    for number in order:
        batch.append(number)
        pieces += len(coded[number].pieces)
        if pieces >= _BATCH:
            yield batch
            batch, pieces = [], 0
    if batch:
        yield batch
