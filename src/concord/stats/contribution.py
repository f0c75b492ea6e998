"""The contribution of each relation: mean scores of all combinations of relations that hold, and what one more adds.

Combinations are bit sets. The contribution of a relation is the mean, over the combinations without it, of the
difference that adding it makes; a combination that does not occur both with it and without it does not count.
"""

from dataclasses import dataclass

import numpy as np

from concord.blas import one_blas_thread
from concord.stats.bootstrap_sentences import Floats, Integers, SentenceDraws, ends

one_blas_thread()


@dataclass(frozen=True, slots=True)
class HeldRelations:
    """Observations: which relations held (`bits`), the score, the sentence and the weight of each."""

    bits: Integers
    score: Floats
    sentence: Integers
    weight: Floats


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """A mean, or a difference of means, with its interval; NaN where there is none. `n` is its total weight.

    A mean of a single sentence has no interval: every draw of it would be the same.
    """

    mean: float
    lower: float
    upper: float
    n: float


@dataclass(frozen=True, slots=True)
class Contribution:
    """Mean scores by combination and by number of relations that hold, and the contribution of each relation.

    The `n` of a contribution is the number of combinations that the relation could be added to.
    """

    combinations: list[MeanInterval]
    by_number: list[MeanInterval]
    added: list[MeanInterval]


def contribution(
    observations: HeldRelations, relations: int, draws: SentenceDraws, level: float = 0.95
) -> Contribution:
    """The means over all sentences, with bootstrap intervals over sentences."""
    table = _Table(observations, relations, draws.sentences)
    mean, weight = table.averages(np.ones((1, draws.sentences)))
    drawn = draws.drawn(lambda weights: table.averages(weights)[0])
    lower, upper = (np.where(table.alone, np.nan, end) for end in ends(drawn, level))
    intervals = [MeanInterval(*map(float, columns)) for columns in zip(mean[0], lower, upper, weight[0], strict=True)]
    first, second = 2**relations, 2**relations + relations + 1
    return Contribution(intervals[:first], intervals[first:second], intervals[second:])


class _Table:
    """Scores and weights by sentence and combination, and by sentence and number of relations that hold."""

    def __init__(self, observations: HeldRelations, relations: int, sentences: int) -> None:
        size = 2**relations
        scored = np.isfinite(observations.score)
        cell = (observations.sentence * size + observations.bits)[scored]
        weight, score = observations.weight[scored], observations.score[scored]
        count = np.bincount(cell, weight, minlength=sentences * size).reshape(sentences, size)
        total = np.bincount(cell, weight * score, minlength=sentences * size).reshape(sentences, size)
        numbers = [bits.bit_count() for bits in range(size)]
        grouped = np.eye(relations + 1)[numbers]
        self._count, self._total = (np.hstack([table, table @ grouped]) for table in (count, total))
        occurring = set(np.flatnonzero(count.sum(axis=0)).tolist())
        pairs = [[(bits, bits | 1 << r) for bits in range(size) if not bits >> r & 1] for r in range(relations)]
        self._pairs = [[pair for pair in of_relation if occurring.issuperset(pair)] for of_relation in pairs]
        lone = (self._count > 0).sum(axis=0) < 2
        lacking = [any(lone[bits] for pair in of_relation for bits in pair) for of_relation in self._pairs]
        self.alone = np.append(lone, lacking)

    def averages(self, weights: Floats) -> tuple[Floats, Floats]:
        """The means of combinations and numbers and the contributions, for each draw; and the weight of each.

        A draw that lacks a combination has no contribution: the mean would be over other combinations.
        """
        count, total = weights @ self._count, weights @ self._total
        means = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
        added = [np.full(len(means), np.nan) for _ in self._pairs]
        for relation, pairs in enumerate(self._pairs):
            if pairs:
                without, together = np.array(pairs).T
                added[relation] = (means[:, together] - means[:, without]).mean(axis=1)
        pair_counts = [np.full(len(means), float(len(pairs))) for pairs in self._pairs]
        return np.column_stack([means, *added]), np.column_stack([count, *pair_counts])
