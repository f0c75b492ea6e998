"""What a second detector adds, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.stats.detection import Score
from concord.stats.detection_gains import ThresholdedScore, alone, gain, together

BUG = np.array([True, True, True, False, False, False])
FIRST = ThresholdedScore(Score("a", np.array([0.1, 0.6, 0.7, 0.2, 0.8, 0.9])), 0.2)
SECOND = ThresholdedScore(Score("b", np.array([0.9, 0.1, 0.8, 0.7, 0.2, 0.6])), 0.1)
GAPPED = ThresholdedScore(Score("c", np.array([0.1, np.nan, 0.1, 0.9, np.nan, 0.9])), 0.5)


def test_each_finds_some_and_some_that_no_other_finds():
    found = alone([FIRST, SECOND], BUG)
    assert [(each.flagged, each.bugs, each.unique) for each in found] == [(2, 1, 1), (1, 1, 1)]
    assert [each.unique for each in alone([FIRST, FIRST], BUG)] == [0, 0]


def test_a_gain_is_counted_as_found_and_as_paid_for():
    found = gain(FIRST, SECOND, BUG)
    # Together rows 1, 2 and 4: two bugs. The first alone, flagging three, would find rows 1 and 2 of the bugs too.
    assert (found.rows, found.flagged, found.bugs, found.more_bugs) == (6, 3, 2, 1)
    assert found.accuracy == pytest.approx(4 / 6 - 3 / 6)
    assert found.f == pytest.approx(4 / 6 - 2 / 5)
    assert found.at_equal_flagged == 0.0
    # The second alone would find row 2, and rows 5 and 6, which are none.
    assert gain(SECOND, FIRST, BUG).at_equal_flagged == 1.0


def test_a_pair_is_judged_on_rows_that_both_know():
    found = gain(FIRST, GAPPED, BUG)
    assert (found.rows, found.flagged, found.bugs, found.more_bugs) == (4, 3, 2, 1)


def test_all_together():
    found = together([FIRST, SECOND], BUG)
    assert (found.rows, found.flagged, found.bugs, found.all_bugs) == (6, 3, 2, 3)
    assert (found.precision, found.recall, found.f) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert found.f_gain == pytest.approx(2 / 3 - 1 / 2)


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 2, st.booleans()), min_size=1), st.integers(0, 9), st.integers(0, 9))
def test_combining_never_loses_a_bug(rows, one, other):
    bug = np.array([label for *_, label in rows])
    first, second = (
        ThresholdedScore(Score(name, np.array([float(row[place]) for row in rows])), threshold)
        for name, place, threshold in (("a", 0, one), ("b", 1, other))
    )
    assert gain(first, second, bug).more_bugs >= 0
    assert gain(first, first, bug).more_bugs == gain(first, first, bug).at_equal_flagged == 0
