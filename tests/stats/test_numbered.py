"""Observations that are numbers give the cells and rankings of the same observations in a table of texts."""

from __future__ import annotations

import numpy as np
import pytest

from concord.stats import table
from concord.stats.analysis import analyse
from concord.stats.cells import count_cells
from concord.stats.linear import LinearModel
from concord.stats.marginal_means import Margins
from concord.stats.ranking import Draws, rank
from concord.stats.table import Numbered, in_order_of_appearance


@pytest.fixture
def values():
    """Eleven systems, of which one has nothing, two relations and forty sentences, with gaps."""
    rng = np.random.default_rng(4)
    made = (rng.random((2, 11, 40)) < np.linspace(0.2, 0.9, 11)[:, None]).astype(float)
    made[rng.random(made.shape) < 0.2] = np.nan
    made[:, 3] = np.nan
    return made


@pytest.fixture
def numbers(values):
    relation, system, sentence = np.nonzero(np.isfinite(values))
    return values[np.isfinite(values)], {"system": system, "relation": relation}, sentence


def test_the_ranking_is_that_of_a_table(numbers):
    scores, factors, sentence = numbers
    rows = [
        {"score": score, "system": str(system), "relation": str(relation), "sentence": str(place)}
        for score, system, relation, place in zip(scores, *factors.values(), sentence, strict=True)
    ]
    wanted = analyse(rows, "score", ["system", "relation"], cluster="sentence", resamples=100, seed=5).ranking
    cells = count_cells(Numbered(scores, factors, sentence))
    assert rank(Margins(LinearModel(cells), {}), "system", Draws(cells, 100, 5)) == wanted["system"]


def test_cells_do_not_depend_on_how_the_numbers_are_cut(numbers, monkeypatch):
    whole = count_cells(Numbered(*numbers))
    monkeypatch.setattr(table, "_PIECE", 7)
    cut = count_cells(Numbered(*numbers))
    assert cut.levels == whole.levels
    assert np.array_equal(cut.n, whole.n)
    assert cut.mean == pytest.approx(whole.mean)


def test_names_are_numbered_as_they_appear():
    numbers, firsts = in_order_of_appearance(np.array([7, 3, 7, 9, 3]))
    assert numbers.tolist() == [0, 1, 0, 2, 1]
    assert firsts.tolist() == [0, 1, 3]
