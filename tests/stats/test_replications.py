"""The suggested number of replications is just enough."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from concord.errors import UserError
from concord.stats.analysis import analyse, replications


def width(n, sigma2, cells, averaged):
    return 2 * t.ppf(0.975, (n - 1) * cells) * math.sqrt(sigma2 / (n * averaged))


@given(st.floats(0.01, 3), st.floats(0.001, 2), st.integers(1, 200), st.integers(1, 20))
def test_it_is_enough_and_one_less_is_not(wanted, sigma2, cells, averaged):
    n = replications(wanted, sigma2, cells=cells, averaged=averaged)
    assert n >= 2
    assert width(n, sigma2, cells, averaged) <= wanted * (1 + 1e-9)
    assert n == 2 or width(n - 1, sigma2, cells, averaged) > wanted * (1 - 1e-9)


def test_two_hundred_replications_gave_the_intervals_of_the_2018_paper():
    wanted = 2 * t.ppf(0.975, 33_432) * 0.005303906
    assert replications(wanted, 1316.69 / 33_432, cells=168, averaged=7) in (200, 201)


def test_a_higher_level_needs_more():
    few, many = (replications(0.1, 0.04, cells=6, level=level) for level in (0.8, 0.99))
    assert few < many


@pytest.mark.parametrize(("wanted", "sigma2"), [(0, 1), (-1, 1), (math.nan, 1), (1, math.nan), (math.inf, 1)])
def test_impossible_wishes_are_refused(wanted, sigma2):
    with pytest.raises(UserError, match="no number of replications follows"):
        replications(wanted, sigma2, cells=4)


def test_an_analysis_suggests_a_number_for_each_factor(unbalanced):
    found = analyse(unbalanced, "score", ["system", "target"]).replications(0.5)
    assert found == {
        "system": replications(0.5, 0.44775, cells=6, averaged=2),
        "target": replications(0.5, 0.44775, cells=6, averaged=3),
    }
