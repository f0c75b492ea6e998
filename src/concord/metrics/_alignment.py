"""Which word of a hypothesis answers which of a reference, stage by stage, as METEOR (Banerjee and Lavie, 2005) has it.

A stage says which words could be paired, and pairs are made of them from the end. What one stage has paired, the next
leaves alone. Positions are counted from 0; `{4: 2}` pairs the fifth word of the hypothesis with the third of the
reference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

Words = Mapping[int, str]
Options = dict[int, list[int]]
Stage = Callable[[Words, Words], Options]


def aligned(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> list[tuple[int, int]]:
    """The pairs that all stages make, in the order of the hypothesis."""
    made: dict[int, int] = {}
    for stage in stages:
        taken = set(made.values())
        left = {i: word for i, word in enumerate(hypothesis) if i not in made}
        free = {j: word for j, word in enumerate(reference) if j not in taken}
        made |= _greedy(stage(left, free))
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


def _greedy(options: Options) -> dict[int, int]:
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
