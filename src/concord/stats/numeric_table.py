"""Observations that are numbers throughout: tables of millions of them need no texts on the way to their cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from concord.stats.cells import Floats, Integers
from concord.stats.table import Codes, ObservationTable, TablePiece

_PIECE = 50_000


class Numbered(ObservationTable):
    """Values, the level of each in every factor, and its cluster; a level or cluster is called by its number.

    Clusters count in the order of appearance, as in any table: the draws of a ranking go by it.
    """

    def __init__(self, values: Floats, factors: Mapping[str, Integers], clusters: Integers) -> None:
        super().__init__((), "value", list(factors), "cluster")
        self._values, self._levels = values, np.stack(list(factors.values()))
        self._clusters = in_order_of_appearance(clusters)[0]

    def __iter__(self) -> Iterator[TablePiece]:
        self.codes = {name: _codes(levels) for name, levels in zip(self.factors, self._levels, strict=True)}
        for first in range(0, len(self._values), _PIECE):
            part = slice(first, first + _PIECE)
            yield TablePiece(self._values[part], self._levels[:, part], self._clusters[part])


def in_order_of_appearance(names: Integers) -> tuple[Integers, Integers]:
    """Names of any kind made 0, 1, 2 …, whichever comes first; and where each of these comes first."""
    _, first, of = np.unique(names, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return number[of], first[order]


def _codes(levels: Integers) -> Codes:
    made = Codes()
    for number in range(int(levels.max(initial=-1)) + 1):
        _ = made[str(number)]
    return made
