"""The sign test against the binomial distribution of another implementation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from concord.stats.sign_test import holm, sign_test

COUNTS = st.integers(0, 400)


@given(COUNTS, COUNTS)
def test_it_is_the_exact_binomial_test(a, b):
    expected = binomtest(a, a + b).pvalue if a + b else 1.0
    assert sign_test(a, b) == pytest.approx(expected, rel=1e-8)


def test_a_hundred_thousand_sentences_are_no_trouble():
    assert sign_test(50_000, 51_000) == pytest.approx(binomtest(50_000, 101_000).pvalue, rel=1e-6)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_adjusting_keeps_the_order_and_never_helps(p_values):
    adjusted = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)
    assert not p_values or adjusted[order[0]] == pytest.approx(min(1.0, len(p_values) * p_values[order[0]]))
