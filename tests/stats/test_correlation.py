"""Correlations of paired scores, their p-values and intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from concord.stats.correlation import correlate

HUMAN = [3, 2, 2, 1, 3, 0, 1, 2, 3, 1]
SCORES = [0.9, 0.6, 0.7, 0.3, 0.8, 0.2, 0.5, 0.4, 0.95, 0.1]


def named(*arguments, **options):
    return {each.method: each for each in correlate(*arguments, **options)}


def test_coefficients_and_p_values_are_those_of_scipy():
    found = named(HUMAN, SCORES)
    for name, expected in (("pearson", pearsonr), ("spearman", spearmanr), ("kendall", kendalltau)):
        assert (found[name].r, found[name].p) == pytest.approx(tuple(expected(HUMAN, SCORES)))
        assert found[name].n == 10


def test_pearsons_interval_is_fishers():
    expected = pearsonr(HUMAN, SCORES).confidence_interval(0.9)
    found = named(HUMAN, SCORES, level=0.9)["pearson"]
    assert (found.lower, found.upper) == pytest.approx((expected.low, expected.high))


def test_the_intervals_of_ranks_have_errors_of_their_own():
    found = named(HUMAN, SCORES)
    for name, error in (
        ("spearman", math.sqrt((1 + found["spearman"].r ** 2 / 2) / 7)),
        ("kendall", math.sqrt(0.437 / 6)),
    ):
        middle = math.atanh(found[name].r)
        expected = [math.tanh(middle + side * 1.959963985 * error) for side in (-1, 1)]
        assert [found[name].lower, found[name].upper] == pytest.approx(expected)


def test_pairs_with_a_gap_are_left_out():
    assert named([*HUMAN, math.nan, 2], [*SCORES, 0.5, math.inf]) == named(HUMAN, SCORES)


@pytest.mark.parametrize(("x", "y"), [([], []), ([1, 2], [2, 1]), ([1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6])])
def test_there_is_no_coefficient_without_variation(x, y):
    for each in correlate(x, y):
        assert np.isnan([each.r, each.p, each.lower, each.upper]).all()


def test_perfect_agreement_has_an_interval_of_a_point():
    for each in correlate(range(8), range(8)):
        assert (each.r, each.lower, each.upper) == pytest.approx((1, 1, 1))
