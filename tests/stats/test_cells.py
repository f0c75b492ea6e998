"""Cells hold what a plain computation over all rows gives, however the rows are cut into pieces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import UserError
from concord.stats import cells as module
from concord.stats import table
from concord.stats.cells import count_cells
from concord.stats.table import ObservationTable

OBSERVATIONS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("1234"), st.floats(-1e3, 1e3)), min_size=1
)


def counted(rows):
    names = ("system", "target", "sentence", "score")
    return count_cells(
        ObservationTable([dict(zip(names, row, strict=True)) for row in rows], "score", names[:2], "sentence")
    )


def by_hand(rows):
    found = {}
    for system, target, _, score in rows:
        found.setdefault((system, target), []).append(score)
    return {cell: np.array(scores) for cell, scores in sorted(found.items())}


@settings(deadline=None)
@given(OBSERVATIONS, st.sampled_from([1, 3, 1000]))
def test_counts_means_and_squares_are_those_of_the_rows(rows, piece):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table, "_PIECE", piece)
        cells = counted(rows)
    expected = by_hand(rows)
    names = [(cells.levels["system"][i], cells.levels["target"][j]) for i, j in cells.index.tolist()]
    assert names == list(expected)
    assert cells.n.tolist() == [len(scores) for scores in expected.values()]
    assert cells.mean == pytest.approx([scores.mean() for scores in expected.values()], abs=1e-9)
    squares = [((scores - scores.mean()) ** 2).sum() for scores in expected.values()]
    assert cells.squares == pytest.approx(squares, rel=1e-9, abs=1e-6)


@settings(deadline=None)
@given(OBSERVATIONS, st.sampled_from([0, 2, 1000]))
def test_clusters_have_the_sums_of_their_rows(rows, worth_sorting):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table, "_PIECE", 3)
        patched.setattr(module, "_WORTH_SORTING", worth_sorting)
        cells = counted(rows)
    clusters = cells.clusters
    assert clusters.count == len({row[2] for row in rows})
    sums = np.zeros((clusters.count, len(cells.n)))
    sums[clusters.cluster, clusters.cell] = clusters.total + clusters.n * cells.centre
    assert sums.sum(axis=0) == pytest.approx(cells.n * cells.mean, abs=1e-6)
    by_sentence = {}
    for *_, sentence, score in rows:
        by_sentence[sentence] = by_sentence.get(sentence, 0) + score
    assert sums.sum(axis=1) == pytest.approx(list(by_sentence.values()), abs=1e-6)
    assert clusters.n.sum() == len(rows)


def test_a_large_mean_costs_no_digits():
    rows = [("a", "x", str(i), 1e9 + i % 2) for i in range(1000)]
    cells = counted(rows)
    assert cells.squares.tolist() == [pytest.approx(250, rel=1e-6)]
    assert cells.spread == pytest.approx(0.5)
    assert np.ptp(cells.clusters.total) == 1


def test_an_id_is_no_factor():
    rows = [{"score": 1.0, "system": f"sentence {i}"} for i in range(1001)]
    with pytest.raises(UserError, match=r"'system' has more than 1,000 levels \('sentence 0', .*Choose a column"):
        count_cells(ObservationTable(rows, "score", ["system"]))
