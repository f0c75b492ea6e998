"""Sentence pairs as one array of cells, one for each pair of their words, cut into batches that fit matrices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CELLS_IN_A_BATCH = 200_000


@dataclass(frozen=True, slots=True)
class PaddedPairs:
    """Sentence pairs whose hidden sides are equally long; the other sides are padded to the longest.

    `cells[b, j, i]` is the cell of word j and hidden word i of pair b; `words[b, j]` is the word's position among
    those of all pairs. Padding is 0 in both, and False in `real`.
    """

    cells: Ints
    words: Ints
    real: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PairCells:
    """The positions of every sentence pair's cells: pair b begins at `starts[b]`, source word by source word."""

    lengths: Ints
    starts: Ints

    @staticmethod
    def of_pairs(pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> "PairCells":
        lengths = np.array([(len(source), len(target)) for source, target in pairs], np.int64).reshape(-1, 2)
        return PairCells(lengths, np.concatenate([[0], np.cumsum(lengths.prod(axis=1))]).astype(np.int64))

    def __len__(self) -> int:
        return int(self.starts[-1])

    def batches(self, hidden: int) -> Iterator[PaddedPairs]:
        """All pairs, by the length of their hidden side: 0 for the source, 1 for the target."""
        inside, outside = self.lengths[:, hidden], self.lengths[:, 1 - hidden]
        firsts = np.concatenate([[0], np.cumsum(outside)])
        used = np.flatnonzero((inside > 0) & (outside > 0))
        order = used[np.lexsort((outside[used], inside[used]))]
        for members in _cut(order, inside, outside):
            yield self._batch(members, hidden, firsts)

    def _batch(self, members: Ints, hidden: int, firsts: Ints) -> PaddedPairs:
        hidden_size = int(self.lengths[members[0], hidden])
        sizes = self.lengths[members, 1 - hidden]
        outer = np.arange(int(sizes.max()))
        real = outer < sizes[:, None]
        inner = np.arange(hidden_size)
        starts = self.starts[members][:, None, None]
        width = self.lengths[members, 1][:, None, None]
        row, column = (inner, outer[:, None]) if hidden == 0 else (outer[:, None], inner)
        cells = np.where(real[:, :, None], starts + row * width + column, 0)
        return PaddedPairs(cells, np.where(real, firsts[members][:, None] + outer, 0), real)


def _cut(order: Ints, inside: Ints, outside: Ints) -> Iterator[Ints]:
    """Cut the pairs into full batches, of equal lengths on the hidden side and similar ones on the other."""
    start = 0
    for end in range(1, len(order) + 1):
        if end < len(order):
            first, last = order[start], order[end]
            same = inside[first] == inside[last] and outside[last] <= 1.3 * outside[first] + 3
            if same and (end - start) * inside[last] * outside[last] < CELLS_IN_A_BATCH:
                continue
        yield order[start:end]
        start = end
