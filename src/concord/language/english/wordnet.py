"""WordNet's meanings: the senses of lemmas, their broader meanings, and the semantic similarity of two lemmas."""

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.intp]


class Groups:
    """Rows grouped by an integer key, in arrays; a group becomes a list when it is first asked for."""

    def __init__(self, keys: NDArray[Any], rows: NDArray[Any], size: int) -> None:
        order = np.argsort(keys, kind="stable")
        self._rows = rows[order]
        self._starts = np.searchsorted(keys[order], np.arange(size + 1))
        self._cached: dict[int, list[Any]] = {}

    def __getitem__(self, key: int) -> list[Any]:
        rows = self._cached.get(key)
        if rows is None:
            rows = self._cached[key] = self._rows[self._starts[key] : self._starts[key + 1]].tolist()
        return rows

    def sizes(self, keys: NDArray[Any]) -> Numbers:
        """The number of rows of each key."""
        return np.asarray(self._starts[keys + 1] - self._starts[keys])

    def rows_of(self, keys: NDArray[Any]) -> tuple[NDArray[Any], Numbers]:
        """The rows of several keys, one after the other, and where those of each begin."""
        sizes = self.sizes(keys)
        ends = np.cumsum(sizes)
        begins = ends - sizes
        return self._rows[np.arange(sizes.sum()) + np.repeat(self._starts[keys] - begins, sizes)], begins


def above(parents: Groups, count: int) -> Groups:
    """For each meaning, itself and all its hypernyms; computed for all meanings together, one level at a time."""
    # A pair of meanings is one number, no wider than it must be, so that pairs are sorted and looked up quickly.
    number = np.min_scalar_type(count * count)
    every = new = (np.arange(count) * (count + 1)).astype(number)
    while len(new):
        low, high = np.divmod(new, count)
        broader, _ = parents.rows_of(high)
        reached = np.sort(np.repeat(low, parents.sizes(high)) * count + broader.astype(number))
        # Some meanings of adjectives are broader than each other, so nothing may climb in circles.
        is_known = every[np.searchsorted(every, reached).clip(max=len(every) - 1)] == reached
        is_known[1:] |= reached[1:] == reached[:-1]
        new = reached[~is_known]
        every = np.sort(np.concatenate([every, new]))
    low, high = np.divmod(every, count)
    return Groups(low, high.astype(np.int32), count)


class Meanings:
    """Senses by lemma. Lemmas and meanings are numbers."""

    def __init__(self, data: Mapping[str, NDArray[Any]]) -> None:
        self._data, self._lemmas = data, len(data["lemmas"])
        self._information: list[int] = data["information"].tolist()
        self._information_array = data["information"].astype(np.int32)
        self._marked = np.zeros_like(self._information_array)
        self._lock = Lock()

    @cached_property
    def senses(self) -> Groups:
        """By lemma: meaning and share of each sense."""
        rows = self._data["senses"]
        return Groups(rows[:, 0], rows[:, 1:], self._lemmas)

    @cached_property
    def parents(self) -> Groups:
        """By meaning: the directly broader ones."""
        rows = self._data["parents"]
        return Groups(rows[:, 0], rows[:, 1], len(self._information))

    @cached_property
    def opposites(self) -> Groups:
        """By lemma: the lemmas that mean the opposite."""
        rows = self._data["opposites"]
        return Groups(rows[:, 0], rows[:, 1], self._lemmas)

    @cached_property
    def plainness(self) -> NDArray[np.float64]:
        """By lemma: how much of its use is in its commonest sense; 0 to 1."""
        plainness = np.zeros(self._lemmas)
        rows = self._data["senses"]
        np.maximum.at(plainness, rows[:, 0], rows[:, 2] / 100)
        return plainness

    @cached_property
    def topics(self) -> NDArray[np.int64]:
        """By lemma: what it is mostly about, as WordNet sorts meanings; -1 for one without a sense."""
        rows, of_meaning = self._data["senses"], self._data["topics"]
        shares = np.zeros((self._lemmas, int(of_meaning.max()) + 1), np.int16)
        np.add.at(shares, (rows[:, 0], of_meaning[rows[:, 1]]), rows[:, 2])
        topics = np.asarray(shares.argmax(axis=1))
        topics[self.senses.sizes(np.arange(self._lemmas)) == 0] = -1
        return topics

    def similarity(self, first: int, second: int) -> float:
        """The semantic similarity of two lemmas over all their senses, weighted by use; 0 to 1.

        Two senses share the information content of their lowest common hypernym: Lin, "An Information-Theoretic
        Definition of Similarity", ICML 1998.
        """
        total, others = 0.0, [(math.sqrt(share / 100), sense) for sense, share in self.senses[second]]
        for sense, share in self.senses[first]:
            total += share / 100 * max([weight * self._common(sense, other) for weight, other in others], default=0.0)
        return min(total, 1.0)

    def similarities(self, lemma: int, lemmas: NDArray[Any]) -> NDArray[np.float64]:
        """The similarity of a lemma with each of many, in arrays; for a single one that would be slower."""
        similarities = np.zeros(len(lemmas))
        with_senses = np.flatnonzero(self.senses.sizes(lemmas))
        if len(with_senses):
            # Threads share the lexicon, but `_marked` can serve only one of them at a time.
            with self._lock:
                similarities[with_senses] = self._similarities(lemma, lemmas[with_senses])
        return similarities

    def kind(self, first: int, second: int) -> str:
        """How two lemmas are related: synonym, antonym, co-hyponym, or merely similar."""
        if second in self.opposites[first]:
            return "antonym"
        first_senses, second_senses = ({sense for sense, _ in self.senses[lemma]} for lemma in (first, second))
        if first_senses & second_senses:
            return "synonym"
        return "co-hyponym" if self._parents_of(first_senses) & self._parents_of(second_senses) else "similar"

    def _similarities(self, lemma: int, lemmas: NDArray[Any]) -> NDArray[np.float64]:
        senses, of_lemma = self.senses.rows_of(lemmas)
        meanings, parts = senses[:, 0], np.sqrt(senses[:, 1] / 100)
        above, of_meaning = self._above.rows_of(meanings)
        information, total = self._information_array, np.zeros(len(lemmas))
        for sense, share in self.senses[lemma]:
            broader = self._above[sense]
            self._marked[broader] = information[broader]
            shared = np.maximum.reduceat(self._marked[above], of_meaning)
            self._marked[broader] = 0
            sum_of_both = np.maximum(information[meanings] + information[sense], 1)
            common = np.where(meanings == sense, 1.0, 2.0 * shared / sum_of_both)
            total += share / 100 * np.maximum.reduceat(parts * common, of_lemma)
        return np.minimum(total, 1.0)

    def _parents_of(self, senses: Iterable[int]) -> set[int]:
        return {parent for sense in senses for parent in self.parents[sense]}

    def _common(self, first: int, second: int) -> float:
        if first == second:
            return 1.0
        information, broader = self._information, set(self._above[first]).intersection(self._above[second])
        total = information[first] + information[second]
        return 2 * max((information[sense] for sense in broader), default=0) / total if total else 0.0

    @cached_property
    def _above(self) -> Groups:
        return above(self.parents, len(self._information))
