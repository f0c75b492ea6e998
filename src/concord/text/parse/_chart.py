"""The best tree over scored spans, by the CKY algorithm, one diagonal of the charts at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.text.parse._network import posts
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


def best_trees(likely: Floats, words: int) -> list[list[Bracket]]:
    """For each of some sentences the phrases that do not cross and are most probable in sum, in preorder.

    The whole is always one. `likely` are probabilities (sentence, span, label) in reading order, label 0 meaning "no
    phrase"; a phrase counts as much as its best label is more probable than `WORTH`.
    """
    label = likely[:, :, 1:].argmax(2) + 1
    gain = np.take_along_axis(likely, label[:, :, None], 2)[:, :, 0] - np.float32(WORTH)
    start, end = posts(words + 1)
    square = (len(likely), words + 1, words + 1)
    labels, gains = np.zeros(square, np.intp), np.zeros(square, np.float32)
    labels[:, start, end], gains[:, start, end] = label, gain
    cuts = _splits(np.maximum(gains, 0), words)
    return [_brackets(*each, words) for each in zip(cuts.tolist(), gains.tolist(), labels.tolist(), strict=True)]


def _splits(value: Floats, words: int) -> NDArray[np.intp]:
    """Where each span of each sentence is best cut in two, as the length of its left part."""
    # The same sums by first post and length, and by last post and length, so that a diagonal is a slice of each.
    by_start = np.full(value.shape, _NEVER, np.float32)
    by_end = np.full(value.shape, _NEVER, np.float32)
    split = np.zeros(value.shape, np.intp)
    rows = np.arange(words + 1)
    for length in range(1, words + 1):
        start = rows[: words - length + 1]
        sums = value.diagonal(length, 1, 2)
        if length > 1:
            parts = by_start[:, : words - length + 1, 1:length] + by_end[:, length:, length - 1 : 0 : -1]
            split[:, start, start + length] = parts.argmax(2) + 1
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
            middle = start + cuts[start][end]
            stack += [(middle, end), (start, middle)]
    return found
