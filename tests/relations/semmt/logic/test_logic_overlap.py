"""Quantities are compared as numbers."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.relations.semmt.logic.overlap import overlap

NUMBERS = st.integers(0, 3000) | st.integers(0, 400).map(lambda number: number / 8)
BOUNDS = st.tuples(NUMBERS, NUMBERS).map(sorted).map(tuple) | st.tuples(NUMBERS, st.just(inf))


@given(BOUNDS, BOUNDS)
def test_the_overlap_is_symmetric_and_nothing_only_where_no_number_is_shared(one, other):
    found = overlap(one, other)
    assert found == pytest.approx(overlap(other, one))
    assert 0 <= found <= 1
    assert one != other or found == 1
    assert (found == 0) == (max(one[0], other[0]) > min(one[1], other[1]))


@pytest.mark.parametrize(
    ("one", "other"), [((3, 25), (5, 25)), ((2, 9), (4, 30)), ((3, 3), (3, 4)), ((40, 70), (60, 99))]
)
def test_the_overlap_of_ranges_is_that_of_weighed_sets(one, other):
    ours, theirs = (set(range(low, high + 1)) for low, high in (one, other))

    def weight(numbers):
        return sum(1 / (n + 1) for n in numbers)

    assert overlap(one, other) == pytest.approx(weight(ours & theirs) / weight(ours | theirs))


@pytest.mark.parametrize("bound", [1, 2, 7, 50, 0.25, 3.5, 5_000_000])
def test_a_bound_that_is_ten_times_as_large_leaves_little(bound):
    for one, other in (
        ((bound, inf), (10 * bound, inf)),
        ((0, bound), (0, 10 * bound)),
        ((bound, 100 * bound), (10 * bound, 100 * bound)),
    ):
        assert overlap(one, other) < 0.28


def test_a_bound_that_is_off_by_one_leaves_most():
    assert overlap((7, inf), (8, inf)) > 0.8
    assert overlap((0, 20), (0, 19)) > 0.9


def test_of_a_share_the_whole_is_no_bound():
    assert overlap((1, 100), (10, 100), share=True) < 0.2


def test_about_as_many_are_nearly_as_many():
    assert overlap((270, 330), (300, 300)) == pytest.approx(0.9, abs=0.01)
    assert overlap((2.5, 2.5), (2.6, 2.6)) == 0
