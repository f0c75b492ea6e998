"""The best tree over scored spans, by the CKY algorithm, one diagonal of the charts at a time."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.language.parse._network import posts
from concord.language.parse._weights import Floats

WORTH = 0.4
"""How probable a phrase must be to be worth a bracket. Less than a half: a tree that keeps a phrase it is not
sure of loses less than one that leaves it out, since phrases that would cross it are left out anyway."""

CLOSE = 2e-5
"""Two probabilities nearer than this may have the opposite order on another processor: the same probability differs
between processors by up to 7e-6 in sentences of 200 words."""

CELLS = 16_000
"""The most cells of charts that are filled together."""
Numbers = NDArray[np.intp]

_NEVER = np.float32(-1e9)
_MANY = 6


class Bracket(NamedTuple):
    """A phrase over the words `start:end`, with the number of its label."""

    start: int
    end: int
    label: int


def best_trees(likely: Sequence[Floats], labels: Sequence[Numbers], words: Sequence[int]) -> list[list[Bracket]]:
    """The best tree of each sentence: phrases that do not cross and are most probable in sum, in preorder.

    The whole sentence is always a phrase. For every span, in reading order, `labels` has the best label and `likely`
    its probability; a phrase counts by how far its probability exceeds `WORTH`.
    """
    return [tree for run in _chart_groups(words) for tree in _group_trees(likely[run], labels[run], words[run])]


def contested(likely: Floats, words: int, brackets: Sequence[Bracket]) -> bool:
    """Whether phrases that were rejected, since they cross brackets, are worth nearly as much as those."""
    likely_enough = likely > WORTH
    starts, ends = (post[likely_enough].tolist() for post in posts(words + 1))
    gains = [float(probability) - WORTH for probability in likely[likely_enough]]
    worth = dict(zip(zip(starts, ends, strict=True), gains, strict=True))
    bracketed = [(bracket.start, bracket.end) for bracket in brackets if (bracket.start, bracket.end) in worth]
    rejected = [span for span in worth if span not in set(bracketed)]
    if len(rejected) > _MANY:
        return True
    for count in range(1, len(rejected) + 1):
        for rivals in combinations(rejected, count):
            crossed = [span for span in bracketed if any(_cross(span, rival) for rival in rivals)]
            gain = sum(worth[rival] for rival in rivals) - sum(worth[span] for span in crossed)
            if gain > -CLOSE * (count + len(crossed)):
                return True
    return False


def _cross(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] < second[0] < first[1] < second[1] or second[0] < first[0] < second[1] < first[1]


def _chart_groups(words: Sequence[int]) -> Iterator[slice]:
    """Slices of consecutive sentences whose charts, all as large as the largest, have at most `CELLS` cells."""
    start = longest = 0
    for index, count in enumerate(words):
        longest = max(longest, count)
        if index > start and (index - start + 1) * (longest + 1) ** 2 > CELLS:
            yield slice(start, index)
            start, longest = index, count
    yield slice(start, len(words))


def _group_trees(likely: Sequence[Floats], labels: Sequence[Numbers], words: Sequence[int]) -> Iterator[list[Bracket]]:
    square = (len(words), max(words) + 1, max(words) + 1)
    label_chart, gains = np.zeros(square, np.intp), np.zeros(square, np.float32)
    for index, count in enumerate(words):
        start, end = posts(count + 1)
        label_chart[index, start, end], gains[index, start, end] = labels[index], likely[index] - np.float32(WORTH)
    # A span is made of those within it, so that cells beyond the end of a shorter sentence do not count.
    cuts = _splits(np.maximum(gains, 0), max(words))
    for index, count in enumerate(words):
        inside = np.s_[index, :count, : count + 1]
        yield _brackets(cuts[inside].tolist(), gains[inside].tolist(), label_chart[inside].tolist(), count)


def _splits(value: Floats, words: int) -> Numbers:
    """Where each span of each sentence is best cut in two: the length of its left part, by first post and length."""
    # The same sums by first post and length, and by last post and length, so that a diagonal is a slice of each.
    by_start = np.full(value.shape, _NEVER, np.float32)
    by_end = np.full(value.shape, _NEVER, np.float32)
    split = np.zeros(value.shape, np.intp)
    for length in range(1, words + 1):
        sums = value.diagonal(length, 1, 2)
        if length > 1:
            parts = by_start[:, : words - length + 1, 1:length] + by_end[:, length:, length - 1 : 0 : -1]
            np.add(parts.argmax(2), 1, out=split[:, : words - length + 1, length])
            sums = sums + parts.max(2)
        by_start[:, : words - length + 1, length] = sums
        by_end[:, length:, length] = sums
    return split


def _brackets(cuts: list[list[int]], worth: list[list[float]], labels: list[list[int]], words: int) -> list[Bracket]:
    brackets, stack = [], [(0, words)]
    while stack:
        start, end = stack.pop()
        if worth[start][end] > 0 or end - start == words:
            brackets.append(Bracket(start, end, labels[start][end]))
        if end - start > 1:
            middle = start + cuts[start][end - start]
            stack += [(middle, end), (start, middle)]
    return brackets
