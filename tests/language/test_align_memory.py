"""Aligning takes memory for its cells a few times over, and what was learnt is held once."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concord.comparator import alignment
from concord.language.align import Model, _cells, fit
from concord.language.align._cells import PairCells
from concord.language.align._training import PRIOR, CorpusCells, PairTable, learn, word_positions
from concord.model import Text

WORDS = 400


def drawn(pairs, size=30, words=WORDS):
    """Pairs of sentences of numbered words."""
    rng = random.Random(1)
    return [tuple([rng.randrange(words) for _ in range(size)] for _ in range(2)) for _ in range(pairs)]


def spelt(pairs):
    return [tuple([f"w{word}" for word in side] for side in pair) for pair in pairs]


def peak(work):
    """The most bytes that are held at once during some work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_asking_how_likely_words_are_makes_no_second_table_of_them():
    model = fit(spelt(drawn(30)))
    assert len(model.keys) > 10_000
    assert peak(lambda: model.likely("w1", "w2")) < model.keys.nbytes


def test_pairs_become_cells_in_fifty_bytes_each():
    pairs = drawn(120)
    cells = sum(len(source) * len(target) for source, target in pairs)
    assert peak(lambda: CorpusCells.of_pairs(pairs, WORDS)) < 50 * cells


def test_learning_holds_three_numbers_of_a_cell_at_once(monkeypatch):
    monkeypatch.setattr(_cells, "CELLS_IN_A_BATCH", 3_000)
    few = 40  # so that the table of words is small beside the cells
    seen, keys = CorpusCells.of_pairs(drawn(120, words=few), few)
    table = PairTable(*np.divmod(keys, few), np.full(len(keys), PRIOR))
    assert peak(lambda: learn(seen, table)) < 3 * 8 * len(seen.cells)


def test_pairs_aligned_in_parts_are_aligned_as_if_at_once(monkeypatch):
    pairs = [(Text(" ".join(a), "en"), Text(" ".join(b), "es")) for a, b in spelt(drawn(7, size=6))]
    whole, probabilities, asked = alignment.align(pairs), Model.probabilities, []
    monkeypatch.setattr(alignment, "AT_ONCE", 3)
    monkeypatch.setattr(
        Model, "probabilities", lambda model, some: asked.append(len(some)) or probabilities(model, some)
    )
    parts = alignment.align(pairs)
    assert asked == [3, 3, 1]
    assert list(parts.sides) == list(whole.sides)
    for pair, side in whole.sides.items():
        assert (parts.sides[pair].says == side.says).all()
        assert (parts.sides[pair].says_back == side.says_back).all()


@given(st.lists(st.tuples(*[st.lists(st.integers(0, 4), max_size=5)] * 2), max_size=6))
def test_every_cell_knows_its_words_and_their_entry(pairs):
    seen, keys = CorpusCells.of_pairs(pairs, 5)
    said = [source * 5 + target for ours, theirs in pairs for source in ours for target in theirs]
    assert keys.tolist() == sorted(set(said))
    assert keys[seen.entry].tolist() == said
    assert (seen.sources[seen.source_positions] * 5 + seen.targets[seen.target_positions]).tolist() == said
    assert all(each.dtype == np.int32 for each in (seen.entry, *word_positions(PairCells.of_pairs(pairs))))
