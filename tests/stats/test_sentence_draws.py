"""Draws of sentences: repeatable, whole sentences, and passed over where a number is undefined."""

from __future__ import annotations

import numpy as np
import pytest

from concord.stats.bootstrap_sentences import SentenceDraws, ends, means, wider_ends


def test_a_draw_takes_as_many_sentences_as_there_are_and_a_seed_repeats_it():
    first, again = (np.concatenate(list(SentenceDraws(7, 50, 3))) for _ in range(2))
    assert (first.sum(axis=1) == 7).all()
    assert (first == again).all()
    assert (np.concatenate(list(SentenceDraws(7, 50, 4))) != first).any()


def test_many_sentences_are_drawn_in_blocks():
    blocks = list(SentenceDraws(900_000, 5, 1))
    assert [len(block) for block in blocks] == [2, 2, 1]


def test_a_mean_is_of_what_is_known_and_undefined_without_any():
    values = np.array([[1.0, np.nan, 4.0], [np.nan, 5.0, np.nan]])
    found = means(values, np.array([[1.0, 1, 1], [2, 0, 1], [1, 0, 0]]))
    np.testing.assert_allclose(found, [[2.5, 5.0], [2.0, np.nan], [1.0, np.nan]])


def test_the_ends_are_quantiles_of_the_defined_draws():
    drawn = np.column_stack([np.arange(101.0), np.full(101, np.nan)])
    drawn[0, 0] = np.nan
    lower, upper = ends(drawn, 0.9)
    assert (lower[0], upper[0]) == pytest.approx((5.95, 95.05))
    assert np.isnan([lower[1], upper[1]]).all()


def test_the_wider_ends_reach_as_far_as_what_was_observed_lies_off_the_draws():
    drawn = np.linspace(0, 1, 1001)[:, None]
    middle = wider_ends(drawn, np.array([0.5]))
    assert np.ravel(middle) == pytest.approx([0.025, 0.975], abs=1e-3)
    above = wider_ends(drawn, np.array([0.95]))
    assert np.ravel(above)[0] == pytest.approx(0.025, abs=1e-3)
    assert np.ravel(above)[1] > 0.999


def test_the_interval_of_a_rate_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(5)
    held, times = 0, 300
    for seed in range(times):
        # Five repetitions of each sentence, which has a chance of its own.
        rates = rng.binomial(5, rng.beta(2, 2, size=80)) / 5
        lower, upper = ends(SentenceDraws(80, 200, seed).drawn(lambda weights, own=rates: means(own, weights)))
        held += float(lower) <= 0.5 <= float(upper)
    assert 0.9 <= held / times <= 0.99
