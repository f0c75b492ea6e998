"""A small neural network that gives each word a suspicion; it is trained on labels of whole pairs only.

A pair is wrong if at least one of its words is: 1 - (1 - p1)(1 - p2)... By this noisy-or, the labels of pairs teach the
probabilities of words (Dietterich, Lathrop and Lozano-Pérez, "Solving the multiple instance problem", 1997). Training
and output are the same on every processor (`concord.arithmetic`): the output is stored and compared with thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concord.arithmetic import exp, log, product, tanh

HIDDEN = 16
ROUNDS = 40
BATCH = 256
STEP = 0.01
DECAY = 1e-3
BEGIN = -3.0
LEAST = 1e-6
Booleans = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bags:
    """The words of all pairs as rows of features; pair n has the rows from `starts[n]` to `starts[n + 1]`."""

    rows: Floats
    starts: Ints
    wrong: Booleans

    def subset(self, pairs: Ints) -> Bags:
        """The pairs with these indices, in this order."""
        sizes = self.starts[pairs + 1] - self.starts[pairs]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(self.starts[pairs] - starts[:-1], sizes) + np.arange(starts[-1])
        return Bags(self.rows[places], starts, self.wrong[pairs])

    def __len__(self) -> int:
        return len(self.wrong)


@dataclass(frozen=True, slots=True)
class Net:
    """The weights: features to hidden units, their thresholds, hidden units to the answer, its threshold."""

    weights: tuple[Floats, Floats, Floats, Floats]

    def __call__(self, rows: Floats) -> Floats:
        """How likely each word is wrong."""
        inward, thresholds, outward, threshold = self.weights
        return chance(_weighted(tanh(product(rows, inward) + thresholds), outward) + threshold)


def learn(bags: Bags, seed: int) -> Net:
    """Train a network from random initial weights with Adam (Kingma and Ba, ICLR 2015)."""
    rng = np.random.default_rng(seed)
    size = bags.rows.shape[1]
    inward = rng.normal(0, 1 / np.sqrt(size), (size, HIDDEN))
    weights = [inward, np.zeros(HIDDEN), rng.normal(0, 0.3, HIDDEN), np.array(BEGIN)]
    means, squares = ([np.zeros_like(weight) for weight in weights] for _ in range(2))
    step = 0
    for _ in range(ROUNDS):
        order = rng.permutation(len(bags))
        for start in range(0, len(order), BATCH):
            step += 1
            slopes = _slopes(weights, bags.subset(order[start : start + BATCH]))
            for number, slope in enumerate(slopes):
                means[number] = 0.9 * means[number] + 0.1 * slope
                squares[number] = 0.999 * squares[number] + 0.001 * slope * slope
                root = np.sqrt(squares[number] / (1 - 0.999**step)) + 1e-8
                weights[number] = weights[number] - STEP * means[number] / (1 - 0.9**step) / root
    return Net((weights[0], weights[1], weights[2], weights[3]))


def chance(odds: Floats) -> Floats:
    """The probability of which these are the log-odds."""
    return np.asarray(np.clip(1 / (1 + exp(-np.clip(odds, -30, 30))), LEAST, 1 - LEAST))


def log_odds(chances: Floats) -> Floats:
    return log(chances) - log(1 - chances)


def noisy_or(chances: Floats, starts: Ints) -> Floats:
    """How likely each pair is wrong, given how likely its words are."""
    return 1 - exp(_right(chances, starts))


def surprise(chances: Floats, wrong: Booleans) -> float:
    """The mean cross-entropy of the labels, given how likely each pair is wrong."""
    likely = np.clip(np.where(wrong, chances, 1 - chances), LEAST, 1.0)
    return float(-log(likely).mean())


def _right(chances: Floats, starts: Ints) -> Floats:
    """The logarithm of how likely each pair is right."""
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.asarray(np.bincount(owner, log(1 - chances), len(starts) - 1))


def _weighted(hidden: Floats, outward: Floats) -> Floats:
    return np.asarray(product(hidden, outward[:, None])[:, 0])


def _slopes(weights: list[Floats], bags: Bags) -> list[Floats]:
    """The gradient of the mean cross-entropy with the penalty for large weights."""
    inward, thresholds, outward, threshold = weights
    hidden = tanh(product(bags.rows, inward) + thresholds)
    chances = chance(_weighted(hidden, outward) + threshold)
    right = np.minimum(_right(chances, bags.starts), -LEAST)
    by_pair = np.where(bags.wrong, 1 / (exp(-right) - 1), -1.0)
    answer = -chances * np.repeat(by_pair, np.diff(bags.starts)) / len(bags)
    back = np.outer(answer, outward) * (1 - hidden * hidden)
    return [
        product(bags.rows.T, back) + DECAY * inward,
        back.sum(axis=0),
        product(answer, hidden) + DECAY * outward,
        np.asarray(answer.sum()),
    ]
