"""Thresholds chosen on some rows and judged on others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.stats.detection import Score
from concord.stats.detection_held_out import folds, held_out, split

BUG = np.array([True] * 10 + [False] * 30)


@given(st.integers(0, 100), st.sampled_from([0.1, 0.25, 0.5, 0.9]))
def test_a_split_keeps_the_share_of_bugs(seed, share):
    ((choosing, judging),) = split(BUG, share, seed)
    assert sorted([*choosing, *judging]) == list(range(40))
    assert (BUG[choosing].sum(), (~BUG[choosing]).sum()) == (round(10 * share), round(30 * share))


@given(st.integers(0, 100), st.integers(2, 10))
def test_folds_judge_each_row_once(seed, number):
    parts = folds(BUG, number, seed)
    assert sorted(row for _, judging in parts for row in judging) == list(range(40))
    assert all(not set(choosing) & set(judging) for choosing, judging in parts)
    assert all(BUG[judging].any() and not BUG[judging].all() for _, judging in parts)


def test_the_seed_decides():
    assert split(BUG, 0.5, 1)[0][0].tolist() == split(BUG, 0.5, 1)[0][0].tolist()
    assert split(BUG, 0.5, 1)[0][0].tolist() != split(BUG, 0.5, 2)[0][0].tolist()


@pytest.mark.parametrize("call", [lambda: split(BUG, 1.0, 1), lambda: split(BUG, 0, 1), lambda: folds(BUG, 1, 1)])
def test_parts_that_are_none_are_refused(call):
    with pytest.raises(UserError):
        call()
    with pytest.raises(UserError, match="from 2 to 10"):
        folds(BUG, 11, 1)


def test_the_threshold_comes_from_the_other_rows():
    values = np.array([0.1, 0.3, 0.9, 0.9, 0.5, 0.6, 0.55, 0.9])
    bug = np.array([True, True, False, False, True, True, False, False])
    parts = [(np.arange(4), np.arange(4, 8))]
    found = held_out(Score("x", values), bug, parts)
    # Chosen: 0.3, which is perfect there; here it flags nothing.
    assert found is not None
    assert (list(found.thresholds), found.chosen_f) == ([0.3], 1.0)
    assert (found.rows, found.bugs, found.flagged, found.f, found.precision_interval) == (4, 2, 0, 0.0, None)
    assert found.accuracy == 0.5
    back = held_out(Score("x", values), bug, [(parts[0][1], parts[0][0])])
    assert back is not None
    assert (list(back.thresholds), back.found, back.flagged, back.accuracy) == ([0.6], 2, 2, 1.0)


def test_a_normalised_score_is_stretched_by_the_choosing_rows_alone():
    values = np.array([0.0, 10.0, 2.0, 100.0])
    bug = np.array([True, False, True, False])
    found = held_out(Score("x", values).normalised(), bug, [(np.array([0, 1]), np.array([2, 3]))])
    assert found is not None
    # The best of 0, 0.1, … 10 that spares the correct row there is 0 in its own units.
    assert list(found.thresholds) == [0.0]
    assert (found.found, found.flagged) == (0, 0)


def test_without_bugs_in_a_part_there_is_no_judgement():
    values, bug = np.array([0.1, 0.2, 0.3]), np.array([True, False, False])
    assert held_out(Score("x", values), bug, [(np.array([0, 1]), np.array([2]))]) is None
