"""The studentised range against another implementation and printed tables."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.special import ndtr, stdtr
from scipy.stats import studentized_range

from concord.stats.tukey import adjusted, tail

Q = np.array([0.0, 0.01, 0.5, 1, 2, 3, 4, 5, 7, 10])


@pytest.mark.parametrize("df", [1, 2, 5, 30, 1000, np.inf])
@pytest.mark.parametrize("means", [3, 9, 56])
def test_tails_agree_with_scipy(means, df):
    assert tail(Q, means, df) == pytest.approx(studentized_range.sf(Q, means, df), abs=1e-7)


@pytest.mark.parametrize(
    ("means", "df", "q"),
    [(2, 10, 3.151), (3, 10, 3.877), (4, 20, 3.958), (5, 5, 5.673), (10, 120, 4.560), (20, 60, 5.241)],
)
def test_printed_critical_values_have_a_tail_of_five_percent(means, df, q):
    assert tail(np.array([q]), means, df) == pytest.approx([0.05], abs=5e-5)


@pytest.mark.parametrize("means", [101, 200, 500, 1000])
def test_tails_of_many_means_are_those_of_a_fine_integral(means):
    for q in (3.0, 5.0, 6.0, 7.0):
        z = np.linspace(-12, q + 12, 100_001)
        density = means * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        within = np.trapezoid(density * (ndtr(z) - ndtr(z - q)) ** (means - 1), z)
        assert tail(np.array([q]), means, np.inf) == pytest.approx([1 - within], abs=1e-7)


def test_memory_does_not_grow_with_pairs_times_nodes():
    q = np.linspace(0, 10, 30_000)
    tracemalloc.start()
    found = tail(q, 9, 2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Some 800 nodes for each q would be 190 MB, several times over.
    assert peak < 100_000_000
    assert found[[0, 20_000]] == pytest.approx([tail(q[[i]], 9, 2)[0] for i in (0, 20_000)], rel=1e-12)


@pytest.mark.parametrize("df", [1, 4, 60, 5_000_000])
def test_two_means_are_students_t(df):
    t = np.array([-30.0, -3.0, -0.1, 0.0, 1.5, 6.0])
    assert adjusted(t, 2, df) == pytest.approx(2 * stdtr(df, -np.abs(t)), rel=1e-5, abs=1e-12)


def test_one_mean_differs_from_nothing():
    assert adjusted(np.array([5.0]), 1, 10).tolist() == [1.0]


def test_what_is_beyond_the_table_is_impossible_by_chance():
    assert tail(np.array([1e3, np.inf]), 8, 1000) == pytest.approx([0, 0], abs=1e-12)


def test_what_was_not_computed_stays_unknown():
    assert np.isnan(adjusted(np.array([np.nan]), 3, 10)).all()
