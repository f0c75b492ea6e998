"""Meanings: the senses of lemmas, what they fall under, and how much two lemmas have in common; from WordNet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.intp]
_Broader = tuple[tuple[int, ...], frozenset[int]]


class Groups:
    """The rows that belong to each number, in arrays and not in a hundred thousand small lists, but for those met."""

    def __init__(self, keys: NDArray[Any], rows: NDArray[Any], size: int) -> None:
        order = np.argsort(keys, kind="stable")
        self._rows = rows[order]
        self._starts = np.searchsorted(keys[order], np.arange(size + 1))
        self._met: dict[int, list[Any]] = {}

    def __getitem__(self, key: int) -> list[Any]:
        found = self._met.get(key)
        if found is None:
            found = self._met[key] = self._rows[self._starts[key] : self._starts[key + 1]].tolist()
        return found

    def sizes(self, keys: NDArray[Any]) -> Numbers:
        """How many rows each of some numbers has."""
        return np.asarray(self._starts[keys + 1] - self._starts[keys])

    def of(self, keys: NDArray[Any]) -> tuple[NDArray[Any], Numbers]:
        """The rows of several numbers, one after the other, and where those of each begin."""
        sizes = self.sizes(keys)
        ends = np.cumsum(sizes)
        begins = ends - sizes
        return self._rows[np.arange(sizes.sum()) + np.repeat(self._starts[keys] - begins, sizes)], begins


def above(parents: Groups, count: int) -> Groups:
    """Of each meaning itself and all broader ones: all climb at once, a step at a time."""
    # A pair of meanings is one number, no wider than it must be, so that pairs are sorted and looked up quickly.
    number = np.min_scalar_type(count * count)
    every = new = (np.arange(count) * (count + 1)).astype(number)
    while len(new):
        low, high = np.divmod(new, count)
        broader, _ = parents.of(high)
        reached = np.sort(np.repeat(low, parents.sizes(high)) * count + broader.astype(number))
        # Some meanings of adjectives are broader than each other, so nothing may climb in circles.
        known = every[np.searchsorted(every, reached).clip(max=len(every) - 1)] == reached
        known[1:] |= reached[1:] == reached[:-1]
        new = reached[~known]
        every = np.sort(np.concatenate([every, new]))
    low, high = np.divmod(every, count)
    return Groups(low, high.astype(np.int32), count)


class Meanings:
    """Senses by lemma. Lemmas and meanings are numbers; what a lemma means does not depend on how it is spelt."""

    def __init__(self, data: Mapping[str, NDArray[Any]]) -> None:
        self._data, self._lemmas = data, len(data["lemmas"])
        self._information: list[int] = data["information"].tolist()
        self._said = data["information"].astype(np.int32)
        self._marked = np.zeros_like(self._said)
        self._sorted: dict[int, _Broader] = {}
        self._lock = Lock()

    @cached_property
    def senses(self) -> Groups:
        """By lemma: meaning and share of each sense."""
        rows = self._data["senses"]
        return Groups(rows[:, 0], rows[:, 1:], self._lemmas)

    @cached_property
    def parents(self) -> Groups:
        """By meaning: those directly broader."""
        rows = self._data["parents"]
        return Groups(rows[:, 0], rows[:, 1], len(self._information))

    @cached_property
    def opposites(self) -> Groups:
        """By lemma: those that mean the opposite."""
        rows = self._data["opposites"]
        return Groups(rows[:, 0], rows[:, 1], self._lemmas)

    @cached_property
    def plainness(self) -> NDArray[np.float64]:
        """By lemma: how much of its use is in its commonest sense; 0 to 1."""
        made = np.zeros(self._lemmas)
        rows = self._data["senses"]
        np.maximum.at(made, rows[:, 0], rows[:, 2] / 100)
        return made

    @cached_property
    def topics(self) -> NDArray[np.int64]:
        """By lemma: what it is mostly about, as WordNet sorts meanings; -1 for one without a sense."""
        rows, of_meaning = self._data["senses"], self._data["topics"]
        shares = np.zeros((self._lemmas, int(of_meaning.max()) + 1), np.int16)
        np.add.at(shares, (rows[:, 0], of_meaning[rows[:, 1]]), rows[:, 2])
        made = np.asarray(shares.argmax(axis=1))
        made[self.senses.sizes(np.arange(self._lemmas)) == 0] = -1
        return made

    def kinship(self, one: int, other: int) -> float:
        """How much two lemmas have in common over all their senses, each as far as it is used; 0 to 1.

        Two senses have in common what their narrowest common broader meaning says: Lin, "An
        Information-Theoretic Definition of Similarity", ICML 1998.
        """
        total, theirs = 0.0, [(math.sqrt(share / 100), sense) for sense, share in self.senses[other]]
        for sense, share in self.senses[one]:
            total += share / 100 * max([part * self._common(sense, each) for part, each in theirs], default=0.0)
        return min(total, 1.0)

    def kinships(self, one: int, others: NDArray[Any]) -> NDArray[np.float64]:
        """The kinship of a lemma with each of many: in arrays, which for a single one would be the slower way."""
        found = np.zeros(len(others))
        lemmas = np.flatnonzero(self.senses.sizes(others))
        if len(lemmas):
            # Threads share the lexicon, but what is marked belongs to one of them.
            with self._lock:
                found[lemmas] = self._with_senses(one, others[lemmas])
        return found

    def kind(self, one: int, other: int) -> str:
        """How two lemmas are related: synonym, antonym, co-hyponym, or merely similar."""
        if other in self.opposites[one]:
            return "antonym"
        senses, others = ({sense for sense, _ in self.senses[lemma]} for lemma in (one, other))
        if senses & others:
            return "synonym"
        return "co-hyponym" if self._parents_of(senses) & self._parents_of(others) else "similar"

    def _with_senses(self, one: int, others: NDArray[Any]) -> NDArray[np.float64]:
        senses, of_lemma = self.senses.of(others)
        meanings, parts = senses[:, 0], np.sqrt(senses[:, 1] / 100)
        above, of_meaning = self._above.of(meanings)
        said, total = self._said, np.zeros(len(others))
        for sense, share in self.senses[one]:
            ours = self._above[sense]
            self._marked[ours] = said[ours]
            shared = np.maximum.reduceat(self._marked[above], of_meaning)
            self._marked[ours] = 0
            both = np.maximum(said[meanings] + said[sense], 1)
            common = np.where(meanings == sense, 1.0, 2.0 * shared / both)
            total += share / 100 * np.maximum.reduceat(parts * common, of_lemma)
        return np.minimum(total, 1.0)

    def _parents_of(self, senses: Iterable[int]) -> set[int]:
        return {parent for sense in senses for parent in self.parents[sense]}

    def _common(self, one: int, other: int) -> float:
        if one == other:
            return 1.0
        said, (_, ours), (theirs, _) = self._information, self._broader(one), self._broader(other)
        total = said[one] + said[other]
        shared = next((said[each] for each in theirs if each in ours), 0)
        return 2 * shared / total if total else 0.0

    def _broader(self, sense: int) -> _Broader:
        """The meaning and all broader ones, those that say most first."""
        known = self._sorted.get(sense)
        if known is None:
            said, every = self._information, self._above[sense]
            known = self._sorted[sense] = tuple(sorted(every, key=lambda each: -said[each])), frozenset(every)
        return known

    @cached_property
    def _above(self) -> Groups:
        return above(self.parents, len(self._information))
