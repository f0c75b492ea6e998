"""Bootstrap intervals by counts against rows drawn one by one."""

from __future__ import annotations

import numpy as np
import pytest

from concord.stats.detection import Score, auc, curve
from concord.stats.detection_intervals import FINEST, auc_interval, intervals


def rows(size, decimals=2, seed=3):
    rng = np.random.default_rng(seed)
    bug = rng.random(size) < 0.5
    return Score("x", np.round(np.clip(rng.random(size) - 0.15 * bug, 0, 1), decimals)), bug


def test_drawing_counts_is_drawing_rows():
    score, bug = rows(100)
    found, rng = curve(score, bug), np.random.default_rng(7)
    best, mean, areas = [], [], []
    for _ in range(2000):
        drawn = rng.integers(0, len(bug), len(bug))
        f = curve(score.only(drawn), bug[drawn], found.thresholds).counts.f
        best.append(f.max())
        mean.append(f.mean())
        areas.append(auc(score.only(drawn), bug[drawn]))
    ours = intervals(found, 2000, 1)["f"]
    for interval, slow in ((ours["best"], best), (ours["mean"], mean), (auc_interval(score, bug, 2000, 1), areas)):
        assert interval == pytest.approx(np.quantile(slow, [0.025, 0.975]), abs=0.015)


def test_the_same_seed_gives_the_same_interval_and_another_level_another():
    score, bug = rows(60)
    assert auc_interval(score, bug, 200, 5) == auc_interval(score, bug, 200, 5)
    assert auc_interval(score, bug, 200, 5) != auc_interval(score, bug, 200, 6)
    narrow, wide = auc_interval(score, bug, 500, 5, 0.5), auc_interval(score, bug, 500, 5)
    assert wide[0] < narrow[0] < auc(score, bug) < narrow[1] < wide[1]


def test_grouping_many_values_does_not_move_the_interval():
    score, bug = rows(5 * FINEST, decimals=9)
    coarse = auc_interval(score, bug, 400, 2)
    assert coarse[0] < auc(score, bug) < coarse[1]
    # Hanley and McNeil's standard error for as many rows of each kind.
    area, half = auc(score, bug), len(bug) / 2
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    error = np.sqrt((area * (1 - area) + (half - 1) * (q1 + q2 - 2 * area**2)) / half**2)
    assert coarse[1] - coarse[0] == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_draws_that_tell_nothing_leave_everything_open():
    bug = np.array([True, False])
    found = {auc_interval(Score("x", np.array([0.0, 1.0])), bug, 1, seed) for seed in range(20)}
    assert found == {(0.0, 1.0), (1.0, 1.0)}


def test_a_perfect_score_has_an_interval_without_width():
    bug = np.array([True, False] * 10)
    assert auc_interval(Score("x", np.where(bug, 0.0, 1.0)), bug, 100, 1) == (1.0, 1.0)
