"""What relations contribute: means of combinations by hand, and what is left out."""

from __future__ import annotations

import numpy as np
import pytest

from concord.stats.bootstrap_sentences import SentenceDraws
from concord.stats.contribution import HeldRelations, contribution


def made(rows, relations, sentences, resamples=20):
    bits, score, sentence, weight = (np.array(each) for each in zip(*rows, strict=True))
    held = HeldRelations(bits, score.astype(float), sentence, weight.astype(float))
    return contribution(held, relations, SentenceDraws(sentences, resamples, 1))


def test_means_and_contributions_by_hand():
    """Bits 1 and 2: none has 0.2; the first alone 0.5 and 0.7; the second alone 0.3; both 0.9."""
    rows = [(0, 0.2, 0, 1), (1, 0.5, 1, 1), (1, 0.7, 2, 1), (2, 0.3, 3, 1), (3, 0.9, 4, 1)]
    found = made(rows, 2, 5)
    assert [each.mean for each in found.combinations] == pytest.approx([0.2, 0.6, 0.3, 0.9])
    assert [each.mean for each in found.by_number] == pytest.approx([0.2, 0.5, 0.9])
    assert [each.n for each in found.by_number] == [1, 3, 1]
    assert [each.mean for each in found.added] == pytest.approx([((0.6 - 0.2) + (0.9 - 0.3)) / 2, 0.2])
    assert [each.n for each in found.added] == [2, 2]


def test_repetitions_of_a_sentence_share_its_weight():
    rows = [(1, 0.8, 0, 0.5), (0, 0.8, 0, 0.5), (0, 0.2, 1, 1)]
    found = made(rows, 1, 2)
    assert [each.mean for each in found.by_number] == pytest.approx([(0.4 + 0.2) / 1.5, 0.8])
    assert [each.n for each in found.by_number] == [1.5, 0.5]


def test_a_combination_that_never_occurs_has_no_mean_and_adds_nothing():
    found = made([(0, 0.2, 0, 1), (1, 0.5, 1, 1)], 2, 2)
    assert np.isnan([found.combinations[2].mean, found.combinations[3].mean, found.added[1].mean]).all()
    assert found.added[1].n == 0
    assert (found.added[0].mean, found.added[0].n) == (pytest.approx(0.3), 1)


def test_what_has_no_score_is_left_out():
    found = made([(0, 0.2, 0, 1), (0, np.nan, 1, 1)], 1, 2)
    assert (found.by_number[0].mean, found.by_number[0].n) == (pytest.approx(0.2), 1)


def test_what_one_sentence_shows_has_no_interval():
    found = made([(0, 0.2, 0, 1), (1, 0.5, 1, 1), (1, 0.7, 2, 1), (1, 0.9, 3, 1)], 1, 4, resamples=100)
    assert np.isnan([found.by_number[0].lower, found.by_number[0].upper]).all()
    assert np.isnan([found.added[0].lower, found.added[0].upper]).all()
    assert 0.5 <= found.by_number[1].lower < 0.7 < found.by_number[1].upper <= 0.9


def test_the_interval_of_a_contribution_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(2)
    held, times = 0, 150
    for seed in range(times):
        bits, sentence = rng.integers(4, size=300), np.repeat(np.arange(100), 3)
        hard = rng.normal(size=100)[sentence]
        score = 0.4 * (bits & 1) + 0.1 * (bits >> 1) + hard + rng.normal(size=300)
        given = HeldRelations(bits, score, sentence, np.ones(300))
        added = contribution(given, 2, SentenceDraws(100, 200, seed)).added[0]
        held += added.lower <= 0.4 <= added.upper
    assert 0.88 <= held / times <= 0.99
