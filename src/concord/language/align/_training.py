"""Learning to align: expectation maximisation in both directions at once, with sparse priors.

Word translation alone comes first (Brown et al., "The mathematics of statistical machine translation",
Computational Linguistics 1993), then the chain of `_chain`. Both directions learn from the links on which they
agree (Liang, Taskar and Klein, "Alignment by agreement", NAACL 2006). Dirichlet priors, by variational Bayes, keep
rare words from being said by everything (Riley and Gildea, "Improving the IBM alignment models using variational
Bayes", ACL 2012). All of it is the same on every processor (`concord.arithmetic`): round after round, the learning
would make more of the least difference, and its outcome decides verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from concord.arithmetic import exp
from concord.language.align._cells import Floats, Ints, PairCells
from concord.language.align._chain import FARTHEST, expected, no_preference

LEXICAL_ROUNDS = 5
CHAIN_ROUNDS = 5
PRIOR = 0.1
UNLINKED = 0.02
JUMP_PRIOR = 1.0
_STRIP = 2048

Pairs = Sequence[tuple[Sequence[int], Sequence[int]]]


@dataclass(slots=True)
class Way:
    """What is known in one direction: how hidden words say words, by entry; what nothing says; how far one jumps."""

    says: Floats
    unlinked: Floats
    jumps: Floats = field(default_factory=no_preference)


@dataclass(frozen=True, slots=True)
class Seen:
    """Sentence pairs as cells: the entry (a pair of words) of every cell, and both words' places in the corpus."""

    cells: PairCells
    entry: Ints | NDArray[np.int32]
    source_place: Ints
    target_place: Ints
    sources: Ints
    targets: Ints

    @staticmethod
    def of(pairs: Pairs, target_words: int) -> tuple[Seen, Ints]:
        """The cells, and the entries as `source word * target_words + target word` in order."""
        sources = flat(source for source, _ in pairs)
        targets = flat(target for _, target in pairs)
        cells = PairCells.of(pairs)
        source_place, target_place = places(cells)
        spelt = sources[source_place]
        spelt *= target_words
        spelt += targets[target_place]
        keys, entry = _entries(spelt)
        return Seen(cells, entry, source_place, target_place, sources, targets), keys


def _entries(spelt: Ints) -> tuple[Ints, NDArray[np.int32]]:
    """The different values in order, and which of them each is: as `np.unique` has it, in half of its memory."""
    order = np.argsort(spelt)
    spelt = spelt[order]
    new = np.append(True, spelt[1:] != spelt[:-1])[: len(spelt)]
    entry = np.empty(len(spelt), np.int32)
    entry[order] = np.cumsum(new, dtype=np.int32) - 1
    return spelt[new], entry


def flat(rows: Iterable[Sequence[int]]) -> Ints:
    """All rows behind each other."""
    return np.fromiter((word for row in rows for word in row), np.int64)


def places(cells: PairCells) -> tuple[Ints, Ints]:
    """For every cell the place of its source word and of its target word among those of all pairs."""
    sources, targets = cells.lengths.T
    width = np.repeat(targets, sources)  # of each source word the cells, which are next to each other
    first = np.repeat(np.cumsum(targets) - targets, sources)
    start = np.cumsum(width) - width
    target_place = np.repeat((first - start).astype(np.int32), width)
    target_place += np.arange(len(cells), dtype=np.int32)
    return np.repeat(np.arange(len(width), dtype=np.int32), width), target_place


@dataclass(frozen=True, slots=True)
class PairTable:
    """The entries: which source word and which target word, and how often they are expected beforehand."""

    source: Ints
    target: Ints
    prior: Floats


def learn(seen: Seen, table: PairTable) -> tuple[Way, Way]:
    """The direction in which source words say target words, and the other one."""
    ways = _started(seen, table)
    for _ in range(LEXICAL_ROUNDS):
        for hidden, way in enumerate(ways):
            way.says = _says(seen, table, hidden, links_by_words(seen, way, hidden))
    for _ in range(CHAIN_ROUNDS):
        agreed, jumps = _agreed(seen, ways)
        for hidden, way in enumerate(ways):
            way.says, way.jumps = _says(seen, table, hidden, agreed), jumps[hidden]
        del agreed  # as large as all cells, of which the next round needs none
    return ways


def _agreed(seen: Seen, ways: tuple[Way, Way]) -> tuple[Floats, tuple[Floats, Floats]]:
    """How likely both directions together think that each cell is a link, and how often either expects each jump."""
    one, jumps = links_by_chain(seen, ways[0], 0)
    other, jumps_back = links_by_chain(seen, ways[1], 1)
    one *= other
    return np.sqrt(one, out=one), (jumps, jumps_back)


def _started(seen: Seen, table: PairTable) -> tuple[Way, Way]:
    ways = []
    for said, words in ((table.target, seen.targets), (table.source, seen.sources)):
        counts = np.bincount(words, minlength=int(said.max(initial=-1)) + 1)
        share = counts / max(counts.sum(), 1)
        ways.append(Way((1.0 + 100 * table.prior) / len(counts), share))
    return ways[0], ways[1]


def _sides(seen: Seen, hidden: int) -> tuple[Ints, Ints]:
    """The places, in all cells, of the words that are said, and the words at all such places."""
    return (seen.target_place, seen.targets) if hidden == 0 else (seen.source_place, seen.sources)


def links_by_words(seen: Seen, way: Way, hidden: int) -> Floats:
    """How likely each cell is a link, words alone considered."""
    place, words = _sides(seen, hidden)
    said = way.says[seen.entry]
    hidden_size = np.repeat(seen.cells.lengths[:, hidden], seen.cells.lengths[:, 1 - hidden])
    total = np.bincount(place, said, len(words)) / np.maximum(hidden_size, 1)
    total = (1 - UNLINKED) * total + UNLINKED * way.unlinked[words]
    said *= 1 - UNLINKED
    said /= (np.maximum(hidden_size, 1) * np.maximum(total, 1e-300))[place]
    return said


def links_by_chain(seen: Seen, way: Way, hidden: int) -> tuple[Floats, Floats]:
    """How likely each cell is a link, the order of words considered, and how often each jump is expected."""
    _, words = _sides(seen, hidden)
    links = np.zeros(len(seen.cells))
    jumps = np.full(2 * FARTHEST + 1, JUMP_PRIOR)
    for batch in seen.cells.batches(hidden):
        said = (1 - UNLINKED) * way.says[seen.entry[batch.cells]]
        unlinked = UNLINKED * way.unlinked[words[batch.words]]
        found = expected(said, unlinked, way.jumps, batch.real.astype(np.float64))
        links[batch.cells[batch.real]] = found.links[batch.real]
        jumps += found.jumps
    return links, jumps / jumps.sum()


def _says(seen: Seen, table: PairTable, hidden: int, links: Floats) -> Floats:
    """How likely each entry's hidden word says the other one, given how likely cells are links."""
    saying = (table.source, table.target)[hidden]
    counts = np.bincount(seen.entry, links, len(table.prior)) + table.prior
    total = np.asarray(np.bincount(saying, counts), np.float64)
    return np.asarray(_exp_digamma(counts) / _exp_digamma(total)[saying])


def _exp_digamma(x: Floats) -> Floats:
    """The exponential of the digamma function of positive numbers."""
    # So many at a time as the processor has at hand, since every step runs through all of them.
    return np.concatenate([_of_strip(x[at : at + _STRIP]) for at in range(0, max(len(x), 1), _STRIP)])


def _of_strip(x: Floats) -> Floats:
    """By its recurrence, eight steps, and from there on by its series."""
    y = x + 8
    square = 1 / (y * y)
    less = 0.5 / y + square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    # 1/x + ... + 1/(x + 7), the first and the last together, the second and the last but one, and so on.
    pair = x * (y - 1)
    less += (x + y - 1) * (1 / pair + 1 / (pair + 6) + 1 / (pair + 10) + 1 / (pair + 12))
    return np.asarray(y * exp(-less))
