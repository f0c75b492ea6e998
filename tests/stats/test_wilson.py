"""Wilson's interval against another implementation, and at its edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from concord.stats.wilson import wilson


@given(st.integers(1, 2000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_it_is_the_interval_of_scipy(counts):
    ours = wilson(*counts)
    theirs = binomtest(*counts).proportion_ci(0.95, method="wilson")
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_another_level_gives_another_width():
    narrow, wide = wilson(7, 9, 0.8), wilson(7, 9, 0.99)
    assert wide[0] < narrow[0] < 7 / 9 < narrow[1] < wide[1]


@given(st.integers(1, 10**9))
def test_all_and_none_reach_the_ends_exactly(total):
    assert wilson(0, total)[0] == 0.0
    assert wilson(total, total)[1] == 1.0


def test_without_observations_there_is_no_interval():
    assert wilson(0, 0) is None
