"""Which word of a hypothesis answers which of a reference, stage by stage, as METEOR (Banerjee and Lavie, 2005) has it.

A stage says which words could be paired, and a choice makes pairs of them. What one stage has paired, the next leaves
alone. Positions are counted from 0; `{4: 2}` pairs the fifth word of the hypothesis with the third of the reference.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

Words = Mapping[int, str]
Options = dict[int, list[int]]
Stage = Callable[[Words, Words], Options]
Choice = Callable[[Options, Mapping[int, int]], dict[int, int]]

BEAM = 64
"""How many unfinished alignments are kept; what is chosen is certain to be best as long as there are no more."""

_NOWHERE = -2


def aligned(
    hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage], choose: Choice
) -> list[tuple[int, int]]:
    """The pairs that all stages make, in the order of the hypothesis."""
    made: dict[int, int] = {}
    for stage in stages:
        taken = set(made.values())
        left = {i: word for i, word in enumerate(hypothesis) if i not in made}
        free = {j: word for j, word in enumerate(reference) if j not in taken}
        made |= choose(stage(left, free), made)
    return sorted(made.items())


def chunks(pairs: Sequence[tuple[int, int]]) -> int:
    """How many runs of neighbours in both texts the pairs make."""
    return len(pairs) - sum((i + 1, j + 1) == after for (i, j), after in pairwise(pairs))


def with_equal(key: Callable[[str], str]) -> Stage:
    """The stage of words that have the same key."""

    def stage(left: Words, free: Words) -> Options:
        places = defaultdict(list)
        for j, word in free.items():
            places[key(word)].append(j)
        return {i: places[key(word)] for i, word in left.items() if key(word) in places}

    return stage


def with_related(related: Callable[[str, str], bool]) -> Stage:
    """The stage of words that are related, which two that are related to a third need not be."""

    def stage(left: Words, free: Words) -> Options:
        found = {i: [j for j, other in free.items() if related(word, other)] for i, word in left.items()}
        return {i: places for i, places in found.items() if places}

    return stage


def greedy(options: Options, made: Mapping[int, int]) -> dict[int, int]:
    """From the end of the hypothesis, each word with the last one of the reference that is still free, as NLTK does."""
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for i in sorted(options, reverse=True):
        places = options[i]
        # Words with the same key share one list, so what is dropped here need not be passed over again.
        while places and places[-1] in taken:
            places.pop()
        if places:
            chosen[i] = places[-1]
            taken.add(places[-1])
    return chosen


def fewest_crossings(options: Options, made: Mapping[int, int]) -> dict[int, int]:
    """As many pairs as can be, then as few crossings as can be (with `made`, too), then as few chunks.

    Unfinished alignments grow word by word; those that have used the same words of the reference go on alike, so only
    the best of them is kept.
    """
    groups = _groups(options)
    seen: Counter[int] = Counter()
    states = {(0, _NOWHERE): _Value(0, 0, 0, None)}
    before = _NOWHERE
    for i in sorted({*options, *made}):
        grown: dict[tuple[int, int], _Value] = {}
        for (used, last), value in states.items():
            near = last if before == i - 1 else _NOWHERE
            places, skips = ([made[i]], None) if i in made else groups[i].ways(used, options[i], seen[groups[i].mask])
            for j in places:
                _keep(grown, (used | 1 << j, j), value.paired(i, j, (used >> j).bit_count(), j != near + 1))
            if skips is not None:
                _keep(grown, (used, _NOWHERE), value._replace(missed=value.missed + skips))
        if i in groups:
            seen[groups[i].mask] += 1
        best = heapq.nsmallest(BEAM, grown.items(), key=lambda each: each[1][:3])
        states, before = dict(best), i
    best_of_all = min(states.values(), key=lambda value: value[:3])
    return {i: j for i, j in best_of_all.pairs() if i in options}


class _Value(NamedTuple):
    """What an unfinished alignment has cost, the gravest first, and the pairs that led to it."""

    missed: int
    crossings: int
    chunks: int
    trail: Any

    def paired(self, i: int, j: int, crossed: int, opens: bool) -> _Value:
        return _Value(self.missed, self.crossings + crossed, self.chunks + opens, (self.trail, i, j))

    def pairs(self) -> Iterator[tuple[int, int]]:
        trail = self.trail
        while trail:
            trail, i, j = trail
            yield i, j


def _keep(grown: dict[tuple[int, int], _Value], key: tuple[int, int], value: _Value) -> None:
    known = grown.get(key)
    if known is None or value[:3] < known[:3]:
        grown[key] = value


class _Group(NamedTuple):
    """Words that compete for one another: `size` of the hypothesis, those of `mask` in the reference.

    `most` is how many pairs they can make; `complete` says that every word can have every other.
    """

    mask: int
    size: int
    most: int
    complete: bool

    def ways(self, used: int, places: Sequence[int], seen: int) -> tuple[Sequence[int], int | None]:
        """Where the next word of the group can go, and how many pairs are lost if it goes nowhere; None if it must."""
        mine = used & self.mask
        paired = mine.bit_count()
        if self.complete:
            # Two equal words never cross in the best alignment, as they could be exchanged.
            above = [j for j in places if j >= mine.bit_length()]
            open_places = above[: len(above) - max(0, self.most - paired - 1)]
        else:
            open_places = [j for j in places if not used >> j & 1]
        if seen - paired < self.size - self.most:
            return open_places, 0
        return open_places, None if open_places else 1


def _groups(options: Options) -> dict[int, _Group]:
    """The group of each word of the hypothesis."""
    apart: list[tuple[set[int], set[int]]] = []
    for i, places in options.items():
        words, targets = {i}, set(places)
        others = []
        for group in apart:
            if group[1].isdisjoint(targets):
                others.append(group)
            else:
                words |= group[0]
                targets |= group[1]
        apart = [*others, (words, targets)]
    return {i: group for words, targets in apart for group in [_group(words, targets, options)] for i in words}


def _group(words: set[int], targets: set[int], options: Options) -> _Group:
    complete = all(len(options[i]) == len(targets) for i in words)
    most = min(len(words), len(targets)) if complete else _most(words, options)
    return _Group(sum(1 << j for j in targets), len(words), most, complete)


def _most(words: set[int], options: Options) -> int:
    """How many pairs can be made at most, by augmenting paths (Kuhn, 1955)."""
    owners: dict[int, int] = {}

    def finds(i: int, tried: set[int]) -> bool:
        for j in options[i]:
            if j not in tried:
                tried.add(j)
                if j not in owners or finds(owners[j], tried):
                    owners[j] = i
                    return True
        return False

    return sum(finds(i, set()) for i in sorted(words))
