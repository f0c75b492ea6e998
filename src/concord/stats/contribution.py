"""What each relation contributes: the mean score of every combination of relations that hold, and what one more adds.

Combinations are sets of bits. The contribution of a relation is the mean, over the combinations without it, of the
difference that adding it makes; a combination that does not occur both with it and without it says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from concord.stats.sentence_draws import Floats, Integers, SentenceDraws, ends


@dataclass(frozen=True, slots=True)
class Held:
    """Which relations held (`bits`), how it scored, and the sentence it belongs to, with a weight."""

    bits: Integers
    score: Floats
    sentence: Integers
    weight: Floats


@dataclass(frozen=True, slots=True)
class Mean:
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

    combinations: list[Mean]
    by_number: list[Mean]
    added: list[Mean]


def contribution(held: Held, relations: int, draws: SentenceDraws, level: float = 0.95) -> Contribution:
    """The means over all sentences, with intervals by drawing sentences anew."""
    table = _Table(held, relations, draws.sentences)
    mean, weight = table.of(np.ones((1, draws.sentences)))
    lower, upper = (
        np.where(table.alone, np.nan, each) for each in ends(draws.drawn(lambda weights: table.of(weights)[0]), level)
    )
    made = [Mean(*map(float, each)) for each in zip(mean[0], lower, upper, weight[0], strict=True)]
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
        self.alone = np.append((self._count > 0).sum(axis=0) < 2, np.zeros(relations, dtype=bool))
        self._without = [np.array([bits for bits in range(size) if not bits >> r & 1]) for r in range(relations)]

    def of(self, weights: Floats) -> tuple[Floats, Floats]:
        """The means of combinations and numbers, and what is added, for each draw; and the weight behind each."""
        count, total = weights @ self._count, weights @ self._total
        means = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
        steps = [means[:, w | 1 << r] - means[:, w] for r, w in enumerate(self._without)]
        said = [np.isfinite(each).sum(axis=1) for each in steps]
        sums = [np.nansum(each, axis=1) for each in steps]
        added = [np.divide(a, n, out=np.full_like(a, np.nan), where=n > 0) for a, n in zip(sums, said, strict=True)]
        return np.column_stack([means, *added]), np.column_stack([count, *said])
