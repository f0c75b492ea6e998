"""Thresholds of suspicion for a wanted precision, or the best F."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.stats import best_threshold
from concord.stats.best_threshold import best_f, between, for_precision
from concord.stats.wilson import wilson

ROWS = st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=2, max_size=60)


def test_the_examples_hold():
    assert doctest.testmod(best_threshold).failed == 0


def test_the_best_f_is_that_worked_by_hand():
    suspicion = np.array([0.9, 0.8, 0.6, 0.5, 0.2, 0.1])
    bug = np.array([True, True, False, True, False, False])
    found = best_f(suspicion, bug)
    assert (found.flagged, found.found, found.f) == (4, 3, pytest.approx(6 / 7))
    assert 0.2 < found.threshold < 0.5


def test_counts_get_whole_thresholds():
    found = best_f(np.array([0.0, 1.0, 1.0, 2.0, 4.0]), np.array([False, False, False, True, True]))
    assert (found.threshold, found.precision, found.recall) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("values", [[0.0, 0.0, 0.25, 1.0], [0.0, 0.0, 1.0, 1.0]])
def test_shares_get_a_threshold_above_nought_where_what_is_spared_has_none(values):
    found = best_f(np.array(values), np.array([False, False, True, True]))
    assert 0 < found.threshold < values[2]
    assert (found.flagged, found.f) == (2, 1.0)


def test_a_precision_is_wanted_for_sure():
    suspicion = np.array([3.0] * 40 + [2.0] * 10 + [1.0] * 10 + [0.0] * 40)
    bug = np.array([True] * 40 + [True] * 9 + [False] + [True] * 2 + [False] * 8 + [False] * 40)
    found = for_precision(suspicion, bug, 0.85)
    # 49 of 50 are sure of 0.85, 51 of 60 are not, though they are 0.85.
    assert (found.threshold, found.found, found.flagged) == (1.0, 49, 50)
    assert found.interval == wilson(49, 50)
    assert for_precision(suspicion, bug, 0.73).flagged == 60


def test_a_precision_beyond_the_labels_is_refused_with_the_nearest():
    suspicion, bug = np.array([2.0, 2.0, 1.0, 0.0]), np.array([True, True, True, False])
    with pytest.raises(UserError, match=r"at 0 it is 1\.000 \(3 of 3\).*want no more than 0\.43"):
        for_precision(suspicion, bug, 0.9)


def test_without_differences_there_is_no_threshold():
    with pytest.raises(UserError, match="same suspicion"):
        best_f(np.array([1.0, 1.0]), np.array([True, False]))


@given(ROWS, st.sampled_from([1.0, 7.0, 13.0]))
def test_the_threshold_flags_what_it_says(rows, parts):
    suspicion = np.array([value / parts for value, _ in rows])
    bug = np.array([label for _, label in rows])
    assume(len(np.unique(suspicion)) > 1 and bug.any())
    found = best_f(suspicion, bug)
    flagged = suspicion > found.threshold
    assert (int(flagged.sum()), int((flagged & bug).sum())) == (found.flagged, found.found)
    assert 0 < found.flagged < len(rows)


@given(st.floats(-1e6, 1e6), st.floats(1e-9, 1e6))
def test_a_number_between_is_between(low, gap):
    high = low + gap
    assume(high > np.nextafter(low, high))
    assert low < between(low, high) < high
