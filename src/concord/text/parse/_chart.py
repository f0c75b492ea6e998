"""The best tree over scored spans, by the CKY algorithm, one diagonal of the chart at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.text.parse._weights import Floats

WORTH = 0.4
"""How probable a phrase must be to be worth a bracket. Less than a half: a tree that keeps a phrase it is not
sure of loses less than one that leaves it out, since phrases that would cross it are left out anyway."""

_NEVER = np.float32(-1e9)


class Bracket(NamedTuple):
    """A phrase over the words `start:end`, with the number of its label."""

    start: int
    end: int
    label: int


def best_tree(likely: Floats, words: int) -> list[Bracket]:
    """The phrases that do not cross and are most probable in sum, in preorder; the whole is always one.

    `likely` are probabilities (span, label) in reading order, label 0 meaning "no phrase"; a phrase counts
    as much as its best label is more probable than `WORTH`.
    """
    label = likely[:, 1:].argmax(1) + 1
    gain = likely[np.arange(len(likely)), label] - np.float32(WORTH)
    posts = np.triu_indices(words + 1, 1)
    labels = np.zeros((words + 1, words + 1), np.intp)
    gains = np.zeros((words + 1, words + 1), np.float32)
    labels[posts], gains[posts] = label, gain
    return _brackets(_splits(np.maximum(gains, 0), words), gains, labels, words)


def _splits(value: Floats, words: int) -> NDArray[np.intp]:
    """Where each span is best cut in two, as the length of its left part."""
    # The same sums by first post and length, and by last post and length, so that a diagonal is a slice of each.
    by_start = np.full((words + 1, words + 1), _NEVER, np.float32)
    by_end = np.full((words + 1, words + 1), _NEVER, np.float32)
    split = np.zeros((words + 1, words + 1), np.intp)
    rows = np.arange(words + 1)
    for length in range(1, words + 1):
        start = rows[: words - length + 1]
        sums = value.diagonal(length)
        if length > 1:
            parts = by_start[: words - length + 1, 1:length] + by_end[length:, length - 1 : 0 : -1]
            cut = parts.argmax(1)
            split[start, start + length] = cut + 1
            sums = sums + parts[start, cut]
        by_start[start, length] = sums
        by_end[start + length, length] = sums
    return split


def _brackets(split: NDArray[np.intp], gains: Floats, labels: NDArray[np.intp], words: int) -> list[Bracket]:
    found, stack = [], [(0, words)]
    cuts, worth, named = split.tolist(), gains.tolist(), labels.tolist()
    while stack:
        start, end = stack.pop()
        if worth[start][end] > 0 or end - start == words:
            found.append(Bracket(start, end, named[start][end]))
        if end - start > 1:
            middle = start + cuts[start][end]
            stack += [(middle, end), (start, middle)]
    return found
