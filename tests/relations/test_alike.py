"""Claims that differ only in how many are compared as numbers."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.automata import similarity
from concord.relations._alike import alike, overlap

NUMBERS = st.integers(0, 30)
BOUNDS = st.tuples(NUMBERS, NUMBERS).map(sorted).map(tuple) | st.tuples(NUMBERS, st.just(inf))


def test_at_least_three_is_not_nearly_three():
    assert similarity("X{3,}", "X{3,3}").d > 0.9
    assert alike("X{3,}", "X{3,3}").d < 0.1


def test_a_few_and_several_overlap():
    assert 0.6 < alike("X{3,25}", "X{5,25}").d < 1


def test_most_and_a_majority_are_nearly_the_same():
    found = alike("X{51,99}", "X{51,100}")
    assert 0.9 < found.d < 1
    assert not found.equal
    assert found.h == pytest.approx((found.r + found.d) / 2)


def test_several_differences_multiply():
    one = alike("(X{3,25})(Y{2,})", "(X{5,25})(Y{2,})").d
    assert alike("(X{3,25})(Y{2,25})", "(X{5,25})(Y{2,25})").d == pytest.approx(one)
    assert alike("(X{3,25})(Y{3,25})", "(X{5,25})(Y{5,25})").d == pytest.approx(one**2)


def test_what_has_no_count_is_one():
    assert alike("X{2,2}", "X").d == 0
    assert alike("X{1,2}", "X").d == pytest.approx((1 / 2) / (1 / 2 + 1 / 3))


def test_other_differences_are_left_to_the_languages():
    for left, right in (("~(X)", "X"), ("X|Y", "XY"), (".*X.*", "X")):
        assert alike(left, right) == similarity(left, right)
    assert alike("X{3,}", "X{3,3}", measure="paper") == similarity("X{3,}", "X{3,3}", measure="paper")


def test_equal_languages_are_equal_however_they_are_written():
    assert alike("X{1,}", "X+").d == 1
    assert alike("(X|X){2,2}", "XX").equal


@given(BOUNDS, BOUNDS)
def test_the_overlap_is_a_jaccard_index(one, other):
    found = overlap(one, other)
    assert found == overlap(other, one)
    assert 0 <= found <= 1
    assert (found == 1) == (one == other)
    assert (found == 0) == (max(one[0], other[0]) > min(one[1], other[1]))


@given(NUMBERS, NUMBERS)
def test_the_overlap_of_ranges_is_that_of_weighed_sets(low, high):
    low, high = sorted((low, high))
    one, other = set(range(low, high + 1)), set(range(high + 3))

    def weight(numbers):
        return sum(1 / (n + 1) for n in numbers)

    assert overlap((low, high), (0, high + 2)) == pytest.approx(weight(one & other) / weight(one | other))
