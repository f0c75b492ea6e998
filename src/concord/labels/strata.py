"""The strata of a run's cases, each in a random order that the seed determines.

A stratum is the flagged cases of a run, or one of three bands of its unflagged ones, from the most to the least
suspicious. The same case occurring twice in a run counts once, where it occurs first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.errors import UserError
from concord.plural import plural
from concord.signature import digest
from concord.store.index import Index, with_index
from concord.store.index.columns import BAD, FIRST, Columns
from concord.store.queries import flagged_sql
from concord.store.workspace import Workspace

FLAGGED = 0
BANDS = 3
"""The number of bands of unflagged cases."""
FEWEST = 2
"""Fewer cases of a stratum do not allow an estimate of their variance."""

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """A stratum: the places of its cases (position, repetition, number) in random order, and random keys for sorting.

    `band` is 0 for the flagged cases, 1 for the most suspicious of the others and 3 for the least.
    """

    run: int
    band: int
    places: Array
    mixed: Array

    @property
    def population(self) -> int:
        return len(self.places)


def frames(workspace: Workspace, run: int, seed: int) -> list[Frame]:
    """The strata of a run that are not empty."""
    places, suspicion, flagged, key = _indexed(workspace, run) or _scanned(workspace, run)
    order = np.lexsort((*places.T[::-1], -suspicion))
    unflagged = order[~flagged[order]]
    strata = []
    for band, members in enumerate([order[flagged[order]], *np.array_split(unflagged, BANDS)]):
        members = members[np.argsort(_numbers(key[members], f"draw|{seed}|{run}"), kind="stable")]
        if len(members):
            strata.append(Frame(run, band, places[members], _numbers(key[members], f"mix|{seed}|{run}")))
    return strata


def sizes(strata: Sequence[tuple[int, int]], size: int, flagged: float) -> list[int]:
    """How many cases to draw from each stratum, given as (band, population); `flagged` is the part of flagged ones.

    Flagged strata share their cases equally, as far as they have enough, and so do unflagged ones. If one kind has too
    few cases, the other makes up for it.

    >>> sizes([(0, 50), (1, 300), (2, 300), (3, 300)], 100, 0.5)
    [50, 16, 17, 17]
    """
    everything = sum(population for _, population in strata)
    least = sum(min(FEWEST, population) for _, population in strata)
    if size < min(least, everything):
        cases, all_strata = plural(size, "case is", "cases are"), plural(len(strata), "stratum", "strata")
        raise UserError(f"{cases} too few for {all_strata} (run, and how suspicious). Ask for {least}")
    size = min(size, everything)
    kinds = [[i for i, (band, _) in enumerate(strata) if (band == FLAGGED) is kind] for kind in (True, False)]
    ranges = [(sum(min(FEWEST, strata[i][1]) for i in kind), sum(strata[i][1] for i in kind)) for kind in kinds]
    unflagged = _within(size - _within(-int(-size * flagged // 1), *ranges[0]), *ranges[1])
    counts = [0] * len(strata)
    for kind, total in zip(kinds, (size - unflagged, unflagged), strict=True):
        for stratum, part in zip(kind, _even(total, [strata[i][1] for i in kind]), strict=True):
            counts[stratum] = part
    return counts


def _within(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


def _even(total: int, populations: Sequence[int]) -> list[int]:
    """Equal parts of a total, none larger than its population."""
    parts = [0] * len(populations)
    for dealt, stratum in enumerate(sorted(range(len(populations)), key=populations.__getitem__)):
        parts[stratum] = min(populations[stratum], total // (len(populations) - dealt))
        total -= parts[stratum]
    return parts


_Cases = tuple[Array, Array, Array, Array]
"""The places of the cases, their suspicion, whether they are flagged, and the first half of their keys."""


def _indexed(workspace: Workspace, run: int) -> _Cases | None:
    """The cases of a run from the index; None if the index is not up to date."""

    def ask(index: Index) -> _Cases | None:
        if index.update([run], patient=False):
            return None
        with index.reading():  # somebody may be indexing the run anew between one column and the next
            columns = index.columns(run)
            return None if columns is None else _firsts(columns)

    return with_index(workspace, ask)


def _firsts(columns: Columns) -> _Cases:
    first = np.flatnonzero(columns["flags"] & FIRST)
    key = np.empty(len(columns), dtype=np.uint64)
    key[columns["by_key"]] = columns["keys"]
    places = np.stack([columns[name][first].astype(np.int64) for name in ("position", "repetition", "number")])
    flagged = (columns["flags"][first] & BAD) > 0
    return places.T, columns["suspicion"][first], flagged, key[first]


def _scanned(workspace: Workspace, run: int) -> _Cases:
    flagged_if = flagged_sql([workspace.run(run)])
    query = (
        f"SELECT position, repetition, number, suspicion, {flagged_if}, key FROM cases WHERE run = ?"
        " AND typeof(suspicion) = 'real' AND typeof(threshold) = 'real' AND typeof(key) = 'blob' AND length(key) = 16"
        " AND typeof(position) || typeof(repetition) || typeof(number) = 'integerintegerinteger'"
        " ORDER BY position, repetition, number"
    )
    *numbers, suspicions, bad, keys = list(zip(*workspace.many(query, (run,)), strict=True)) or [()] * 6
    places = np.array(numbers, dtype=np.int64).T
    high, low = np.frombuffer(b"".join(keys), dtype=">u8").astype(np.uint64).reshape(-1, 2).T
    order = np.lexsort((low, high))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (high[order][1:] != high[order][:-1]) | (low[order][1:] != low[order][:-1])
    first = np.sort(order[new])
    suspicion, flagged = np.array(suspicions, dtype=np.float64), np.array(bad, dtype=bool)
    return places[first], suspicion[first], flagged[first], high[first]


def _numbers(key: Array, salt: str) -> Array:
    """A random number for each key and salt (the finaliser of SplitMix64, Steele et al. 2014)."""
    value: Array = key ^ np.frombuffer(digest(salt, size=8), dtype=">u8").astype(np.uint64)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value ^= value >> np.uint64(31)
    return value
