"""Coefficients of draws are those of the drawn samples, and their intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from concord.stats import bootstrap_correlation
from concord.stats.bootstrap_correlation import METHODS, _Pairs, by_rows, drawn_pairs
from concord.stats.bootstrap_sentences import SentenceDraws

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def expected(x, y):
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return [np.nan] * 3
    return [SCIPY[method](x, y)[0] for method in METHODS]


grades = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)), min_size=3, max_size=12)


@given(grades)
def test_weighted_pairs_are_pairs_that_stand_there_so_often(rows):
    x, y, times = (np.array(each) for each in zip(*rows, strict=True))
    assume(times.sum() > 1)
    found = _Pairs(x / 4, y / 4, np.arange(len(times)), len(times)).coefficients(times[None, :].astype(float))
    np.testing.assert_allclose(found[0], expected(np.repeat(x, times), np.repeat(y, times)), atol=1e-9)


@given(grades)
def test_each_row_has_the_coefficients_of_its_pairs(rows):
    x, y, _ = (np.array(each, dtype=float) for each in zip(*rows, strict=True))
    found = by_rows(np.stack([x, y]), np.stack([y, y]))
    np.testing.assert_allclose(found, [expected(x, y), expected(y, y)], atol=1e-9)


def test_pairs_of_one_sentence_are_drawn_together():
    x, y, sentence = np.array([1.0, 5, 2, 4, 3]), np.array([2.0, 4, 4, 3, 1]), np.array([2, 0, 2, 0, 3])
    found = _Pairs(x, y, sentence, 5).coefficients(np.array([[2.0, 1, 1, 0, 0], [0, 3, 0, 0, 1]]))
    np.testing.assert_allclose(found[0], expected([1, 2, 5, 4, 5, 4], [2, 4, 4, 3, 4, 3]), atol=1e-12)
    assert np.isnan(found[1]).all()


def test_by_sentences_and_by_copies_tau_is_the_same(monkeypatch):
    rng = np.random.default_rng(3)
    given = rng.integers(9, size=80) / 9, rng.normal(size=80), rng.integers(30, size=80), 30
    weights = np.concatenate(list(SentenceDraws(30, 20, 1)))
    by_sentences = _Pairs(*given).coefficients(weights)
    monkeypatch.setattr(bootstrap_correlation, "_MOST_SENTENCES", 0)
    np.testing.assert_allclose(_Pairs(*given).coefficients(weights), by_sentences, atol=1e-12)


def test_a_row_with_a_gap_or_without_variation_has_no_coefficient():
    x = np.array([[1.0, 2, 3, 4], [1, np.nan, 3, 4], [2, 2, 2, 2], [0.1, 0.1, 0.1, 0.1]])
    found = by_rows(x, np.tile([1.0, 2, 4, 3], (4, 1)))
    assert np.isnan(found[1:]).all()
    assert found[0].tolist() == pytest.approx([0.8, 0.8, 2 / 3])


def test_the_interval_over_sentences_holds_the_truth_as_often_as_it_says():
    """Two systems share the difficulty of a sentence, so their pairs are far from independent."""
    rng = np.random.default_rng(11)
    truth, held, times = 0.5, 0, 200
    for seed in range(times):
        x, y = _with_correlation(rng, truth, sentences=40)
        ends = drawn_pairs(x.ravel(), y.ravel(), np.tile(np.arange(40), 2), SentenceDraws(40, 100, seed))
        lower, upper = ends["pearson"]
        held += lower <= truth <= upper
    assert 0.87 <= held / times <= 0.99


def _with_correlation(rng, truth, sentences):
    """Scores of two systems; half of their variance is that of the sentence, in both scores correlated alike."""
    shared, own = (rng.normal(size=(2, systems, sentences)) for systems in (1, 2))
    parts = [np.stack([a, truth * a + np.sqrt(1 - truth**2) * b]) for a, b in (shared, own)]
    return (parts[0] + parts[1]) / np.sqrt(2)
