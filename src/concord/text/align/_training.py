"""Learning to align: expectation maximisation in both directions at once, with sparse priors.

Word translation alone comes first (Brown et al., "The mathematics of statistical machine translation",
Computational Linguistics 1993), then the chain of `_chain`. Both directions learn from the links on which they
agree (Liang, Taskar and Klein, "Alignment by agreement", NAACL 2006). Dirichlet priors, by variational Bayes, keep
rare words from being said by everything (Riley and Gildea, "Improving the IBM alignment models using variational
Bayes", ACL 2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import digamma

from concord.text.align._cells import Cells, Floats, Ints
from concord.text.align._chain import FARTHEST, expected, no_preference

LEXICAL_ROUNDS = 5
CHAIN_ROUNDS = 5
PRIOR = 0.1
UNLINKED = 0.02
JUMP_PRIOR = 1.0

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

    cells: Cells
    entry: Ints
    source_place: Ints
    target_place: Ints
    sources: Ints
    targets: Ints

    @staticmethod
    def of(pairs: Pairs, target_words: int) -> tuple[Seen, Ints]:
        """The cells, and the entries as `source word * target_words + target word` in order."""
        sources = flat(source for source, _ in pairs)
        targets = flat(target for _, target in pairs)
        cells = Cells.of(pairs)
        source_place, target_place = places(cells)
        keys, entry = np.unique(sources[source_place] * target_words + targets[target_place], return_inverse=True)
        return Seen(cells, entry.astype(np.int32), source_place, target_place, sources, targets), keys


def flat(rows: Iterable[Sequence[int]]) -> Ints:
    """All rows behind each other."""
    return np.fromiter((word for row in rows for word in row), np.int64)


def places(cells: Cells) -> tuple[Ints, Ints]:
    """For every cell the place of its source word and of its target word among those of all pairs."""
    pair = np.repeat(np.arange(len(cells.lengths)), cells.lengths.prod(axis=1))
    within = np.arange(len(cells)) - cells.starts[pair]
    width = cells.lengths[pair, 1]
    firsts = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(cells.lengths, axis=0)])
    return (
        (firsts[pair, 0] + within // width).astype(np.int32),
        (firsts[pair, 1] + within % width).astype(np.int32),
    )


@dataclass(frozen=True, slots=True)
class Table:
    """The entries: which source word and which target word, and how often they are expected beforehand."""

    source: Ints
    target: Ints
    prior: Floats


def learn(seen: Seen, table: Table) -> tuple[Way, Way]:
    """The direction in which source words say target words, and the other one."""
    ways = _started(seen, table)
    for _ in range(LEXICAL_ROUNDS):
        for hidden, way in enumerate(ways):
            way.says = _says(seen, table, hidden, links_by_words(seen, way, hidden))
    for _ in range(CHAIN_ROUNDS):
        (one, jumps), (other, jumps_back) = (links_by_chain(seen, way, hidden) for hidden, way in enumerate(ways))
        agreed = np.sqrt(one * other)
        ways[0].jumps, ways[1].jumps = jumps, jumps_back
        for hidden, way in enumerate(ways):
            way.says = _says(seen, table, hidden, agreed)
    return ways


def _started(seen: Seen, table: Table) -> tuple[Way, Way]:
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
    return np.asarray((1 - UNLINKED) * said / (np.maximum(hidden_size, 1) * np.maximum(total, 1e-300))[place])


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


def _says(seen: Seen, table: Table, hidden: int, links: Floats) -> Floats:
    """How likely each entry's hidden word says the other one, given how likely cells are links."""
    saying = (table.source, table.target)[hidden]
    counts = np.bincount(seen.entry, links, len(table.prior)) + table.prior
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(digamma(counts) - digamma(np.bincount(saying, counts))[saying]))
