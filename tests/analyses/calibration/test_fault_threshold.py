"""The threshold is the smallest that flags no more clean cases than are accepted; what it finds is counted."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.analyses.calibration import sensitivity as module
from concord.analyses.calibration.sensitivity import STEP, FaultyCase, Levels, next_above, sensitivity, threshold_for

AT = Levels(0.5, 0.5)


def test_the_examples_of_the_documentation_hold():
    assert doctest.testmod(module).failed == 0


@given(st.lists(st.floats(0, 50), min_size=1, max_size=60), st.floats(0, 0.99))
def test_no_more_than_the_accepted_share_is_flagged_and_a_smaller_threshold_flags_more(clean, accepted):
    threshold = threshold_for(clean, accepted)
    assert sum(each > threshold for each in clean) <= accepted * len(clean) + 1e-6
    below = threshold - 2 * STEP
    assert sum(each > below for each in clean) > accepted * len(clean) - 1e-6


@pytest.mark.parametrize("share", [0.07, 0.29, 0.57])
def test_a_share_of_a_hundred_cases_is_that_many_cases(share):
    assert sum(each > threshold_for(range(100), share) for each in range(100)) == round(100 * share)


def test_without_accepted_alarms_the_highest_clean_suspicion_is_the_threshold():
    assert threshold_for([0.2, 0.7, 0.1], 0) == 0.7


def test_a_threshold_that_flags_what_equals_it_is_the_next_number():
    assert next_above(0.4) == 0.400001


def test_what_is_above_the_threshold_is_found_and_what_it_blames_counted():
    faulty = [FaultyCase(0.9, True), FaultyCase(0.6, False), FaultyCase(0.5, True), FaultyCase(0.1, True)]
    found = sensitivity("drop_word", 7, [0.0, 0.5], faulty, Levels(0.5, 0.7))
    assert (found.cases, found.found, found.recall, found.blamed, found.blamed_share) == (4, 2, 0.5, 1, 0.5)
    assert (found.found_in_force, found.recall_in_force) == (1, 0.25)
    assert found.auc == (2 + 2 + 1.5 + 1) / 8
    assert found.interval == pytest.approx((0.15, 0.85), abs=0.01)
    assert found.plain()["run"] == "7"


def test_a_relation_that_blames_no_words_has_no_share_of_right_blames():
    found = sensitivity("drop_word", 7, [0.0], [FaultyCase(0.9, None)], AT)
    assert (found.found, found.blaming, found.blamed_share) == (1, 0, None)


def test_what_cannot_be_held_against_the_fault_does_not_count_against_the_blames():
    found = sensitivity("drop_word", 7, [0.0], [FaultyCase(0.9, None), FaultyCase(0.8, True)], AT)
    assert (found.found, found.blaming, found.blamed_share) == (2, 1, 1.0)


def test_nothing_is_said_of_a_fault_that_never_occurred():
    found = sensitivity("drop_word", 7, [0.0], [], AT)
    assert (found.recall, found.interval, found.auc, found.blamed_share) == (None, None, None, None)
    assert found.recall_in_force is None
