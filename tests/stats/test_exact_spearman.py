"""The exact p-value of few ranks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from concord.stats.correlation import exact_p


def test_five_in_perfect_order_are_one_chance_in_sixty():
    assert exact_p(np.arange(5.0), np.arange(5.0)) == pytest.approx(2 / 120)
    assert exact_p(np.arange(5.0), -np.arange(5.0)) == pytest.approx(2 / 120)


def test_three_pairs_prove_nothing():
    assert exact_p(np.array([1.0, 2, 3]), np.array([1.0, 2, 3])) == pytest.approx(1 / 3)


def test_with_ties_it_is_the_permutation_test():
    x, y = np.array([1.0, 2, 2, 3, 5, 4]), np.array([2.0, 1, 3, 3, 6, 4])
    how = stats.permutation_test((x,), lambda a: stats.spearmanr(a, y)[0], permutation_type="pairings")
    assert exact_p(x, y) == pytest.approx(how.pvalue)


def test_many_pairs_have_none():
    assert exact_p(np.arange(9.0), np.arange(9.0)) is None
    assert exact_p(np.arange(2.0), np.arange(2.0)) is None
