"""A suspicion is told as a probability: by labelled pairs, rising with the suspicion, and never certain."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.comparator import compare
from concord.comparator.probability import POINTS, STEPS, fitted, probability
from concord.model import Case, Text
from concord.relations._judgement import judged

shares = st.floats(0, 1)


@given(shares, shares)
def test_what_is_more_suspicious_is_never_less_probable(one, other):
    low, high = sorted((one, other))
    assert 0 < probability(low) <= probability(high) < 1


def test_a_pair_without_a_difference_is_all_but_certainly_right_and_the_worst_are_mostly_wrong():
    assert probability(0.0) < 0.01 < 0.5 < probability(1.0)


def test_the_points_are_given_back_and_what_lies_between_is_between():
    assert [probability(suspicion) for suspicion, _ in POINTS] == [share for _, share in POINTS]
    assert probability(0.25, [(0.2, 0.1), (0.3, 0.3)]) == pytest.approx(0.2)
    assert len(POINTS) <= STEPS


def test_the_shares_of_steps_are_pooled_where_they_fall():
    suspicions = np.array([0.01, 0.01, 0.11, 0.11, 0.16, 0.16, 0.96, 0.98])
    wrong = np.array([False, False, True, True, True, False, True, True])
    assert fitted(suspicions, wrong) == [(0.01, 0.0), (0.135, 0.75), (0.97, 1.0)]


@given(st.lists(st.tuples(shares, st.booleans()), min_size=1, max_size=60))
def test_fitted_points_rise_and_keep_the_share_of_wrong_pairs(pairs):
    points = fitted(np.array([each for each, _ in pairs]), np.array([wrong for _, wrong in pairs]))
    assert [place for place, _ in points] == sorted(place for place, _ in points)
    assert all(one[1] < other[1] for one, other in pairwise(points))
    shares = [share for _, share in points]
    assert min(shares) - 1e-4 <= np.mean([wrong for _, wrong in pairs]) <= max(shares) + 1e-4


def test_a_case_keeps_the_probability_beside_its_suspicion(aligned):
    source, outputs = Text("the dog sees 7 red house", "en"), ("el perro ve 7 casa rojo", "el perro ve 7 casa verde")
    one, other = (Text(words, "es") for words in outputs)
    found = compare(source, source, one, other, aligned)
    case = judged(Case(source, source, one, other, (one, other), 0.0, 0.5), found, None)
    assert case.scores["probability"] == found.probability == probability(found.suspicion)
    assert case.suspicion == found.suspicion > 0.5 > found.probability
