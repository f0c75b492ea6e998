"""Training of the alignment: expectation maximisation in both directions at once, with sparse priors.

Word translation alone comes first (Brown et al., "The mathematics of statistical machine translation",
Computational Linguistics 1993), then the chain of `_chain`. Both directions learn from the links on which they
agree (Liang, Taskar and Klein, "Alignment by agreement", NAACL 2006). Dirichlet priors, by variational Bayes, keep
rare words from translating everything (Riley and Gildea, "Improving the IBM alignment models using variational
Bayes", ACL 2012). All of it is the same on every processor (`concord.arithmetic`): each round would amplify the
least difference, and the outcome decides verdicts.
"""

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
class DirectionModel:
    """The parameters of one direction: translation probabilities by entry; those of unlinked words; those of jumps."""

    says: Floats
    unlinked: Floats
    jumps: Floats = field(default_factory=no_preference)


@dataclass(frozen=True, slots=True)
class CorpusCells:
    """Sentence pairs as cells: the entry (a pair of words) of every cell, and both words' positions in the corpus."""

    cells: PairCells
    entry: Ints | NDArray[np.int32]
    source_positions: Ints
    target_positions: Ints
    sources: Ints
    targets: Ints

    @staticmethod
    def of_pairs(pairs: Pairs, target_words: int) -> "tuple[CorpusCells, Ints]":
        """The cells, and the entries as `source word * target_words + target word` in order."""
        sources = flat(source for source, _ in pairs)
        targets = flat(target for _, target in pairs)
        cells = PairCells.of_pairs(pairs)
        source_positions, target_positions = word_positions(cells)
        word_pairs = sources[source_positions]
        word_pairs *= target_words
        word_pairs += targets[target_positions]
        keys, entry = _entries(word_pairs)
        return CorpusCells(cells, entry, source_positions, target_positions, sources, targets), keys


def _entries(keys: Ints) -> tuple[Ints, NDArray[np.int32]]:
    """The distinct keys in order, and the index of each key among them: as by `np.unique`, in half of its memory."""
    order = np.argsort(keys)
    keys = keys[order]
    new = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    entry = np.empty(len(keys), np.int32)
    entry[order] = np.cumsum(new, dtype=np.int32) - 1
    return keys[new], entry


def flat(rows: Iterable[Sequence[int]]) -> Ints:
    """All rows concatenated."""
    return np.fromiter((word for row in rows for word in row), np.int64)


def word_positions(cells: PairCells) -> tuple[Ints, Ints]:
    """For every cell the positions of its source word and of its target word among those of all pairs."""
    sources, targets = cells.lengths.T
    width = np.repeat(targets, sources)  # the number of cells of each source word, which are contiguous
    first = np.repeat(np.cumsum(targets) - targets, sources)
    start = np.cumsum(width) - width
    target_positions = np.repeat((first - start).astype(np.int32), width)
    target_positions += np.arange(len(cells), dtype=np.int32)
    return np.repeat(np.arange(len(width), dtype=np.int32), width), target_positions


@dataclass(frozen=True, slots=True)
class PairTable:
    """The source word, the target word and the prior count of every entry."""

    source: Ints
    target: Ints
    prior: Floats


def learn(corpus: CorpusCells, table: PairTable) -> tuple[DirectionModel, DirectionModel]:
    """The direction in which source words emit target words, and the other one."""
    directions = _initial(corpus, table)
    for _ in range(LEXICAL_ROUNDS):
        for hidden, direction in enumerate(directions):
            direction.says = _says(corpus, table, hidden, links_by_words(corpus, direction, hidden))
    for _ in range(CHAIN_ROUNDS):
        agreed, jumps = _agreement(corpus, directions)
        for hidden, direction in enumerate(directions):
            direction.says, direction.jumps = _says(corpus, table, hidden, agreed), jumps[hidden]
        del agreed  # as large as all cells; the next round does not need it
    return directions


def _agreement(
    corpus: CorpusCells, directions: tuple[DirectionModel, DirectionModel]
) -> tuple[Floats, tuple[Floats, Floats]]:
    """The geometric mean of both directions' link probabilities, and the expected jumps of either."""
    links, jumps = links_by_chain(corpus, directions[0], 0)
    links_back, jumps_back = links_by_chain(corpus, directions[1], 1)
    links *= links_back
    return np.sqrt(links, out=links), (jumps, jumps_back)


def _initial(corpus: CorpusCells, table: PairTable) -> tuple[DirectionModel, DirectionModel]:
    directions = []
    for words, occurrences in ((table.target, corpus.targets), (table.source, corpus.sources)):
        counts = np.bincount(occurrences, minlength=int(words.max(initial=-1)) + 1)
        frequencies = counts / max(counts.sum(), 1)
        directions.append(DirectionModel((1.0 + 100 * table.prior) / len(counts), frequencies))
    return directions[0], directions[1]


def _sides(corpus: CorpusCells, hidden: int) -> tuple[Ints, Ints]:
    """Of the emitted side: the position of the word of each cell, and the word at each position."""
    return (corpus.target_positions, corpus.targets) if hidden == 0 else (corpus.source_positions, corpus.sources)


def links_by_words(corpus: CorpusCells, direction: DirectionModel, hidden: int) -> Floats:
    """The probability that each cell is a link, by the words alone."""
    position, words = _sides(corpus, hidden)
    probability = direction.says[corpus.entry]
    hidden_size = np.repeat(corpus.cells.lengths[:, hidden], corpus.cells.lengths[:, 1 - hidden])
    total = np.bincount(position, probability, len(words)) / np.maximum(hidden_size, 1)
    total = (1 - UNLINKED) * total + UNLINKED * direction.unlinked[words]
    probability *= 1 - UNLINKED
    probability /= (np.maximum(hidden_size, 1) * np.maximum(total, 1e-300))[position]
    return probability


def links_by_chain(corpus: CorpusCells, direction: DirectionModel, hidden: int) -> tuple[Floats, Floats]:
    """The probability that each cell is a link, by words and their order, and the probabilities of jumps."""
    _, words = _sides(corpus, hidden)
    links = np.zeros(len(corpus.cells))
    jumps = np.full(2 * FARTHEST + 1, JUMP_PRIOR)
    for batch in corpus.cells.batches(hidden):
        emission = (1 - UNLINKED) * direction.says[corpus.entry[batch.cells]]
        unlinked = UNLINKED * direction.unlinked[words[batch.words]]
        in_batch, jumped = expected(emission, unlinked, direction.jumps, batch.real.astype(np.float64))
        links[batch.cells[batch.real]] = in_batch[batch.real]
        jumps += jumped
    return links, jumps / jumps.sum()


def _says(corpus: CorpusCells, table: PairTable, hidden: int, links: Floats) -> Floats:
    """The translation probability of each entry, given the link probabilities of cells."""
    hidden_words = (table.source, table.target)[hidden]
    counts = np.bincount(corpus.entry, links, len(table.prior)) + table.prior
    total = np.asarray(np.bincount(hidden_words, counts), np.float64)
    return np.asarray(_exp_digamma(counts) / _exp_digamma(total)[hidden_words])


def _exp_digamma(x: Floats) -> Floats:
    """The exponential of the digamma function of positive numbers."""
    # A strip fits into the processor's cache, since every step runs through all of it.
    return np.concatenate([_exp_digamma_strip(x[start : start + _STRIP]) for start in range(0, max(len(x), 1), _STRIP)])


def _exp_digamma_strip(x: Floats) -> Floats:
    """The same by the recurrence of the digamma function, eight steps, and then by its series."""
    y = x + 8
    square = 1 / (y * y)
    less = 0.5 / y + square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    # 1/x + ... + 1/(x + 7), the first and the last together, the second and the last but one, and so on.
    pair = x * (y - 1)
    less += (x + y - 1) * (1 / pair + 1 / (pair + 6) + 1 / (pair + 10) + 1 / (pair + 12))
    return np.asarray(y * exp(-less))
