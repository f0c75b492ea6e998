"""Word alignment of a hypothesis with its reference in stages, as in METEOR (Banerjee and Lavie, 2005).

A stage says which words could be paired, and they are paired from the end. Words that one stage has paired are not
paired again by the next. Positions are counted from 0; `{4: 2}` pairs the fifth word of the hypothesis with the third
of the reference.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

Words = Mapping[int, str]
Options = dict[int, list[int]]
Stage = Callable[[Words, Words], Options]


def aligned(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> list[tuple[int, int]]:
    """The pairs that all stages make, in the order of the hypothesis."""
    pairs: dict[int, int] = {}
    for stage in stages:
        taken = set(pairs.values())
        left = {i: word for i, word in enumerate(hypothesis) if i not in pairs}
        free = {j: word for j, word in enumerate(reference) if j not in taken}
        pairs |= _greedy(stage(left, free))
    return sorted(pairs.items())


def chunks(pairs: Sequence[tuple[int, int]]) -> int:
    """The number of chunks: runs of pairs that are neighbours in both texts."""
    return len(pairs) - sum((i + 1, j + 1) == after for (i, j), after in pairwise(pairs))


def with_equal(key: Callable[[str], str]) -> Stage:
    """The stage that pairs words with the same key."""

    def stage(left: Words, free: Words) -> Options:
        positions = defaultdict(list)
        for j, word in free.items():
            positions[key(word)].append(j)
        return {i: positions[key(word)] for i, word in left.items() if key(word) in positions}

    return stage


def with_related(related: Callable[[str, str], bool]) -> Stage:
    """The stage that pairs related words; the relation need not be transitive."""

    def stage(left: Words, free: Words) -> Options:
        candidates = {i: [j for j, target in free.items() if related(word, target)] for i, word in left.items()}
        return {i: positions for i, positions in candidates.items() if positions}

    return stage


def _greedy(options: Options) -> dict[int, int]:
    """From the end of the hypothesis, each word with the last one of the reference that is still free, as NLTK does."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for i in sorted(options, reverse=True):
        positions = options[i]
        # Words with the same key share one list, so a position that is dropped here is not looked at again.
        while positions and positions[-1] in taken:
            positions.pop()
        if positions:
            pairs[i] = positions[-1]
            taken.add(positions[-1])
    return pairs
