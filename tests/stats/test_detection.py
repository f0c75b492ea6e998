"""Detection measures: worked by hand, in scikit-learn's definitions, and what must hold for any rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from concord.stats.detection import MEASURES, Score, any_of, auc, bugs_among, counts, curve, grid, mixed

VALUES = np.array([0.1, 0.2, 0.35, 0.4, 0.8, 0.9])
BUG = np.array([True, True, False, True, False, False])

ROWS = st.lists(st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans()), min_size=2, max_size=40)
RULES = st.sampled_from(["≤", "≥", ">"])


def arrays(rows):
    values, bug = np.array([value for value, _ in rows]), np.array([label for _, label in rows])
    assume(bug.any() and not bug.all())
    return values, bug


@pytest.mark.parametrize(
    ("threshold", "flagged", "accuracy", "precision", "recall", "f"),
    [
        (0.0, 0, 3 / 6, 0.0, 0.0, 0.0),
        (0.2, 2, 5 / 6, 1.0, 2 / 3, 0.8),
        (0.4, 4, 5 / 6, 3 / 4, 1.0, 6 / 7),
        (1.0, 6, 3 / 6, 1 / 2, 1.0, 2 / 3),
    ],
)
def test_measures_at_a_threshold_are_those_worked_by_hand(threshold, flagged, accuracy, precision, recall, f):
    found = curve(Score("x", VALUES), BUG, np.array([threshold])).counts
    assert found.flagged.tolist() == [flagged]
    assert [float(found.measure(each)[0]) for each in MEASURES] == pytest.approx([accuracy, precision, recall, f])


def test_means_over_thresholds_count_those_that_flag_nothing_as_nought():
    found = curve(Score("x", VALUES), BUG, np.array([0.0, 0.2, 0.4, 1.0])).counts
    assert found.precision.mean() == pytest.approx((0 + 1 + 3 / 4 + 1 / 2) / 4)
    assert found.f.mean() == pytest.approx((0 + 0.8 + 6 / 7 + 2 / 3) / 4)


def test_the_best_threshold_is_the_first_of_those_that_are_equal():
    found = curve(Score("x", VALUES), BUG)
    assert found.thresholds[found.best("f")] == 0.4
    assert found.thresholds[found.best("accuracy")] == 0.2
    assert found.thresholds[found.best("product")] == 0.2


@pytest.mark.parametrize(
    ("values", "bug", "rule", "area"),
    [
        (VALUES, BUG, "≤", 8 / 9),
        ([0.5, 0.5, 0.2, 0.7], [True, False, True, False], "≤", 3.5 / 4),
        ([0.1, 0.4, 0.35, 0.8], [False, False, True, True], "≥", 3 / 4),
        ([0.1, 0.4, 0.35, 0.8], [False, False, True, True], "≤", 1 / 4),
        ([3, 3, 3], [True, False, True], ">", 1 / 2),
    ],
)
def test_the_area_is_that_worked_by_hand(values, bug, rule, area):
    assert auc(Score("x", np.array(values, dtype=float), rule), np.array(bug)) == pytest.approx(area)


@pytest.mark.parametrize(("rule", "flagged"), [("≤", [1, 1, 0]), ("≥", [0, 1, 1]), (">", [0, 0, 1])])
def test_a_score_on_the_threshold_is_flagged_as_the_rule_says(rule, flagged):
    assert Score("x", np.array([0.4, 0.5, 0.6]), rule).flags(0.5).tolist() == [bool(each) for each in flagged]


@given(ROWS, RULES)
def test_a_curve_counts_what_flags_would(rows, rule):
    values, bug = arrays(rows)
    score = Score("x", values, rule)
    found = curve(score, bug)
    for place in range(0, len(found.thresholds), 5):
        once = counts(score.flags(found.thresholds[place]), bug)
        assert (int(once.tp), int(once.fp)) == (found.counts.tp[place], found.counts.fp[place])


@given(ROWS, RULES)
def test_from_threshold_to_threshold_more_is_flagged_and_found(rows, rule):
    found = curve(Score("x", *arrays(rows)[:1], rule), arrays(rows)[1]).counts
    assert (np.diff(found.flagged) >= 0).all()
    assert (np.diff(found.recall) >= 0).all()


@given(st.lists(st.booleans(), min_size=2), RULES)
def test_a_perfect_score_has_area_one_and_finds_all_without_a_false_alarm(labels, rule):
    bug = np.array(labels)
    assume(bug.any() and not bug.all())
    score = Score("x", np.where(bug, 0.25, 0.75) if rule == "≤" else np.where(bug, 0.75, 0.25), rule)
    assert auc(score, bug) == 1.0
    assert curve(score, bug).counts.f.max() == 1.0


@given(ROWS)
def test_turning_a_score_round_mirrors_everything(rows):
    values, bug = arrays(rows)
    one, other = Score("x", values), Score("x", 1 - values, "≥")
    assert auc(one, bug) == pytest.approx(auc(other, bug))
    assert auc(one, bug) == pytest.approx(1 - auc(Score("x", values, "≥"), bug))
    assert auc(one, bug) == pytest.approx(1 - auc(one, ~bug))
    at = np.array([0.125, 0.475, 0.875])
    mirrored = curve(other, bug, 1 - at).counts
    assert curve(one, bug, at).counts.tp.tolist() == mirrored.tp.tolist()


@given(ROWS, ROWS, st.floats(0, 1), st.floats(0, 1))
def test_a_combination_finds_no_less_than_its_parts(rows, others, first, second):
    size = min(len(rows), len(others))
    values, bug = arrays(rows[:size])
    flags = [values <= first, np.array([value for value, _ in others[:size]]) <= second]
    together = counts(any_of(flags), bug).recall
    assert all(together >= counts(each, bug).recall for each in flags)


@given(ROWS, RULES)
def test_missing_scores_are_left_out_of_all_counts(rows, rule):
    values, bug = arrays(rows)
    more = Score("x", np.append(values, [np.nan, np.nan]), rule)
    longer = np.append(bug, [True, False])
    assert curve(more, longer).counts.f.tolist() == curve(Score("x", values, rule), bug).counts.f.tolist()
    assert auc(more, longer) == auc(Score("x", values, rule), bug)
    assert not more.flags(0.5)[-2:].any()


def test_normalising_stretches_and_tells_the_way_back():
    score = Score("x", np.array([2.0, 4.0, np.nan, 10.0])).normalised()
    assert score.values[[0, 1, 3]].tolist() == [0.0, 0.25, 1.0]
    assert (score.scale, score.own(0.25)) == ((2.0, 10.0), 4.0)
    assert Score("x", np.array([3.0, 3.0])).normalised().values.tolist() == [0.0, 0.0]
    assert Score("x", VALUES).own(0.25) == 0.25


@pytest.mark.parametrize(
    ("values", "first", "last", "size"),
    [([0.2, 0.7], 0, 1, 101), ([0, 3, 17], 0, 17, 18), ([-1.5, 2.5], -1.5, 2.5, 101), ([0, 1000], 0, 1000, 101)],
)
def test_thresholds_suit_the_scale(values, first, last, size):
    found = grid(Score("x", np.array(values, dtype=float)))
    assert (found[0], found[-1], len(found)) == (first, last, size)


def test_rows_that_tie_share_the_bugs_among_them():
    score = Score("x", np.array([0.1, 0.5, 0.5, 0.5, 0.5, 0.9]))
    bug = np.array([True, True, False, False, False, True])
    assert [bugs_among(score, bug, n) for n in (0, 1, 3, 5, 6)] == [0, 1, 1.5, 2, 3]


def test_a_mixture_is_weighed_and_its_ends_are_its_parts():
    first, second = Score("a", np.array([0.2, 0.6])), Score("b", np.array([1.0, 0.0]))
    assert mixed(first, second, 0.25).values == pytest.approx([0.8, 0.15])
    assert mixed(first, second, 1.0).values.tolist() == first.values.tolist()
    assert mixed(first, second, 0.0).values.tolist() == second.values.tolist()
