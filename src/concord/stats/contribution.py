"""What each relation contributes: the mean score of every combination of relations that hold, and what one more adds.

Combinations are sets of bits. The contribution of a relation is the mean, over the combinations without it, of the
difference that adding it makes; a combination that does not occur both with it and without it says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from concord.blas import one_blas_thread
from concord.stats.bootstrap_sentences import Floats, Integers, SentenceDraws, ends

one_blas_thread()


@dataclass(frozen=True, slots=True)
class Held:
    """Which relations held (`bits`), how it scored, and the sentence it belongs to, with a weight."""

    bits: Integers
    score: Floats
    sentence: Integers
    weight: Floats


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """A mean, or a difference of means, with its interval; NaN where there is none. `n` is the weight behind it.

    What a single sentence shows has no interval: drawn again, it would always show the same.
    """

    mean: float
    lower: float
    upper: float
    n: float


@dataclass(frozen=True, slots=True)
class Contribution:
    """Mean scores by combination and by how many relations hold, and what each relation adds.

    The `n` of what a relation adds is the number of combinations that it could be added to.
    """

    combinations: list[MeanInterval]
    by_number: list[MeanInterval]
    added: list[MeanInterval]


def contribution(held: Held, relations: int, draws: SentenceDraws, level: float = 0.95) -> Contribution:
    """The means over all sentences, with intervals by drawing sentences anew."""
    table = _Table(held, relations, draws.sentences)
    mean, weight = table.of(np.ones((1, draws.sentences)))
    lower, upper = (
        np.where(table.alone, np.nan, end) for end in ends(draws.drawn(lambda weights: table.of(weights)[0]), level)
    )
    made = [MeanInterval(*map(float, each)) for each in zip(mean[0], lower, upper, weight[0], strict=True)]
    first, second = 2**relations, 2**relations + relations + 1
    return Contribution(made[:first], made[first:second], made[second:])


class _Table:
    """Scores and weights by sentence and combination, and by sentence and number of relations that hold."""

    def __init__(self, held: Held, relations: int, sentences: int) -> None:
        size = 2**relations
        known = np.isfinite(held.score)
        place = (held.sentence * size + held.bits)[known]
        weight, score = held.weight[known], held.score[known]
        count = np.bincount(place, weight, minlength=sentences * size).reshape(sentences, size)
        total = np.bincount(place, weight * score, minlength=sentences * size).reshape(sentences, size)
        numbers = [bits.bit_count() for bits in range(size)]
        grouped = np.eye(relations + 1)[numbers]
        self._count, self._total = (np.hstack([each, each @ grouped]) for each in (count, total))
        there = set(np.flatnonzero(count.sum(axis=0)).tolist())
        pairs = [[(bits, bits | 1 << r) for bits in range(size) if not bits >> r & 1] for r in range(relations)]
        self._pairs = [[pair for pair in each if there.issuperset(pair)] for each in pairs]
        lone = (self._count > 0).sum(axis=0) < 2
        self.alone = np.append(lone, [any(lone[bits] for pair in each for bits in pair) for each in self._pairs])

    def of(self, weights: Floats) -> tuple[Floats, Floats]:
        """The means of combinations and numbers, and what is added, for each draw; and the weight behind each.

        A draw that lacks a combination does not tell what is added: without it, the mean would be of other things.
        """
        count, total = weights @ self._count, weights @ self._total
        means = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
        added = [np.full(len(means), np.nan) for _ in self._pairs]
        for relation, pairs in enumerate(self._pairs):
            if pairs:
                without, together = np.array(pairs).T
                added[relation] = (means[:, together] - means[:, without]).mean(axis=1)
        said = [np.full(len(means), float(len(pairs))) for pairs in self._pairs]
        return np.column_stack([means, *added]), np.column_stack([count, *said])
