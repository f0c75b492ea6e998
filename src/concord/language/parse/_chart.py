"""The best tree over scored spans, by the CKY algorithm, one diagonal of the charts at a time."""

from __future__ import annotations

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
"""How near to each other two probabilities have to be so that their order might be another one on another processor:
they differ by up to 7e-6 in sentences of 200 words."""

CELLS = 16_000
"""The cells of charts that are filled together."""
Numbers = NDArray[np.intp]

_NEVER = np.float32(-1e9)
_MANY = 6


class Bracket(NamedTuple):
    """A phrase over the words `start:end`, with the number of its label."""

    start: int
    end: int
    label: int


def best_trees(likely: Sequence[Floats], labels: Sequence[Numbers], words: Sequence[int]) -> list[list[Bracket]]:
    """For each of some sentences the phrases that do not cross and are most probable in sum, in preorder.

    The whole is always one. Of every span, in reading order, `labels` has the best, and `likely` how probable that
    is; a phrase counts as much as it is more than `WORTH`.
    """
    return [tree for run in _runs(words) for tree in _together(likely[run], labels[run], words[run])]


def contested(likely: Floats, words: int, chosen: Sequence[Bracket]) -> bool:
    """Whether phrases that were not chosen, since they cross others, are worth nearly as much as those."""
    worth = {span: float(likely[at]) - WORTH for at, span in _worthwhile(likely, words)}
    ours = [(each.start, each.end) for each in chosen if (each.start, each.end) in worth]
    left = [span for span in worth if span not in set(ours)]
    if len(left) > _MANY:
        return True
    for count in range(1, len(left) + 1):
        for others in combinations(left, count):
            lost = [span for span in ours if any(_cross(span, other) for other in others)]
            gain = sum(worth[other] for other in others) - sum(worth[span] for span in lost)
            if gain > -CLOSE * (count + len(lost)):
                return True
    return False


def _worthwhile(likely: Floats, words: int) -> Iterator[tuple[int, tuple[int, int]]]:
    start, end = posts(words + 1)
    for at in np.flatnonzero(likely > WORTH).tolist():
        yield at, (int(start[at]), int(end[at]))


def _cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


def _runs(words: Sequence[int]) -> Iterator[slice]:
    """Sentences next to each other whose charts, each as large as the largest, are not too much together."""
    start = longest = 0
    for at, count in enumerate(words):
        longest = max(longest, count)
        if at > start and (at - start + 1) * (longest + 1) ** 2 > CELLS:
            yield slice(start, at)
            start, longest = at, count
    yield slice(start, len(words))


def _together(likely: Sequence[Floats], labels: Sequence[Numbers], words: Sequence[int]) -> Iterator[list[Bracket]]:
    square = (len(words), max(words) + 1, max(words) + 1)
    named, gains = np.zeros(square, np.intp), np.zeros(square, np.float32)
    for at, count in enumerate(words):
        start, end = posts(count + 1)
        named[at, start, end], gains[at, start, end] = labels[at], likely[at] - np.float32(WORTH)
    # A span is made of those within it, so that what lies beyond a shorter sentence does not count.
    cuts = _splits(np.maximum(gains, 0), max(words))
    for at, count in enumerate(words):
        inside = np.s_[at, :count, : count + 1]
        yield _brackets(cuts[inside].tolist(), gains[inside].tolist(), named[inside].tolist(), count)


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


def _brackets(cuts: list[list[int]], worth: list[list[float]], named: list[list[int]], words: int) -> list[Bracket]:
    found, stack = [], [(0, words)]
    while stack:
        start, end = stack.pop()
        if worth[start][end] > 0 or end - start == words:
            found.append(Bracket(start, end, named[start][end]))
        if end - start > 1:
            middle = start + cuts[start][end - start]
            stack += [(middle, end), (start, middle)]
    return found
