"""Areas under curves and best thresholds, weighted by what a label stands for."""

from __future__ import annotations

import numpy as np
import pytest

from concord.analyses.detection.ground_truth import CHOSEN, QUEUE, AgreedVerdict, Decided
from concord.analyses.detection.measures import best_threshold, held_out, ranked


class Run:
    corpus = "c"


def decided(bug, score, weight=None, stratum=None, basis=QUEUE, threshold=0.5):
    verdicts = [
        AgreedVerdict(Run(), (at, 0, 0), value, bool(value > threshold), 0, bool(wrong))
        for at, (wrong, value) in enumerate(zip(bug, score, strict=True))
    ]
    weights = np.ones(len(bug)) if weight is None else np.array(weight, dtype=float)
    strata = np.zeros(len(bug), dtype=np.int64) if stratum is None else np.array(stratum)
    return Decided(basis, [1], verdicts, weights, strata)


def test_a_weighted_area_is_that_of_all_weighted_pairs():
    chance = np.random.default_rng(5)
    bug, score = chance.random(40) < 0.4, chance.integers(0, 6, 40) / 5
    stratum = chance.integers(0, 3, 40)
    weight = np.array([1.0, 4.0, 9.0])[stratum]
    won = whole = 0.0
    for i in np.flatnonzero(bug):
        for j in np.flatnonzero(~bug):
            whole += weight[i] * weight[j]
            won += weight[i] * weight[j] * ((score[i] > score[j]) + (score[i] == score[j]) / 2)
    found = ranked(decided(bug, score, weight, stratum), score)
    assert found.value == pytest.approx(won / whole)
    assert 0 < found.low < found.value < found.high < 1


def test_the_interval_of_an_area_holds_the_truth_about_as_often_as_it_says():
    chance = np.random.default_rng(7)
    hits = 0
    for _ in range(200):
        bug = np.arange(120) < 40
        score = chance.normal(bug * 1.0)
        found = ranked(decided(bug, score, np.full(120, 1000.0)), score)
        # Two normal curves one standard deviation apart.
        hits += found.low <= 0.7602 <= found.high
    assert 180 <= hits <= 200


def test_the_interval_of_a_weighted_area_does_not_take_strata_without_a_found_bug_for_free_of_bugs():
    chance = np.random.default_rng(3)
    hits = 0
    for _ in range(100):
        score = chance.beta(1.2, 4, 1000)
        bug = chance.random(1000) < 0.05 + 0.6 * score
        pairs = score[bug][:, None] - score[~bug]
        order = np.argsort(-score)
        strata = [order[score[order] > 0.5], *np.array_split(order[score[order] <= 0.5], 3)]
        drawn = [chance.choice(each, min(len(each), 20 if band == 0 else 7), False) for band, each in enumerate(strata)]
        weight = np.repeat(
            [len(all_) / len(some) for all_, some in zip(strata, drawn, strict=True)], list(map(len, drawn))
        )
        rows, stratum = np.concatenate(drawn), np.repeat(range(4), list(map(len, drawn)))
        found = ranked(decided(bug[rows], score[rows], weight, stratum), score[rows])
        hits += found.low <= (pairs > 0).mean() <= found.high
    assert hits >= 88


@pytest.mark.parametrize("labels", [1, 3])
def test_the_interval_of_an_area_in_many_small_strata_lies_around_it_and_holds_the_truth(labels):
    """Six runs with a stratum of flagged cases and three of others, and few labels in each."""
    chance = np.random.default_rng(9)
    sizes = np.array([130, 290, 290, 290] * 6)
    stratum = np.repeat(np.arange(24), sizes)
    score = np.array([0.6, 0.4, 0.2, 0.0])[stratum % 4] + chance.random(len(stratum)) / 10
    bug = chance.random(len(stratum)) < np.array([0.6, 0.2, 0.12, 0.08])[stratum % 4]
    truth = (score[bug][:, None] > score[~bug]).mean()
    hits = inside = 0
    for _ in range(60):
        rows = np.concatenate([chance.choice(np.flatnonzero(stratum == at), labels, replace=False) for at in range(24)])
        known = decided(bug[rows], score[rows], sizes[stratum[rows]] / labels, stratum[rows])
        found = ranked(known, score[rows])
        hits += found.low <= truth <= found.high
        inside += found.low < found.value < found.high
    assert hits >= 50
    assert inside >= 57


def test_a_perfect_ranking_of_few_cases_is_not_sure():
    found = ranked(decided([0, 0, 1], [0.1, 0.2, 0.3], [9, 9, 9]), np.array([0.1, 0.2, 0.3]))
    assert (found.value, found.high) == (1, 1)
    assert found.low < 0.9


def test_the_best_threshold_is_a_short_number_between_two_cases():
    assert best_threshold(decided([0, 0, 1, 1], [0.1, 0.41, 0.63, 0.9]), ">") == 0.5
    assert best_threshold(decided([0, 0, 1, 1], [0, 1, 3, 4]), ">") == 1
    assert best_threshold(decided([0, 1], [0.5, 0.5]), ">") is None
    assert best_threshold(decided([1, 0], [0.9, 0.8], basis=CHOSEN), ">") is None


def test_the_best_threshold_goes_by_weights():
    bug, score = [1, 0, 1, 0], [0.9, 0.7, 0.6, 0.1]
    assert 0.1 < best_threshold(decided(bug, score), ">") < 0.6
    # Now what is correct at 0.7 stands for fifty others.
    assert 0.7 < best_threshold(decided(bug, score, [1, 50, 1, 1], [0, 1, 2, 3]), ">") < 0.9


def test_thresholds_of_other_sentences_find_what_is_separated_and_not_what_is_luck():
    bug = [at % 2 for at in range(40)]
    apart = np.array([0.9 if each else 0.1 for each in bug])
    found = held_out(decided(bug, apart), apart)
    assert (found.precision.value, found.recall.value, found.f.value) == (1, 1, 1)
    alone = np.linspace(0, 1, 4)
    assert held_out(decided([0, 1, 0, 1], alone), alone) is None
