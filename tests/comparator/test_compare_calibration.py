"""A suspicion is told as a probability: by labelled pairs, rising with the suspicion, and never certain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.comparator import compare
from concord.comparator.probability import POINTS, probability
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


def test_a_case_keeps_the_probability_beside_its_suspicion(aligned):
    source, outputs = Text("the dog sees 7 red house", "en"), ("el perro ve 7 casa rojo", "el perro ve 7 casa verde")
    one, other = (Text(words, "es") for words in outputs)
    found = compare(source, source, one, other, aligned)
    case = judged(Case(source, source, one, other, (one, other), 0.0, 0.5), found, None)
    assert case.scores["probability"] == found.probability == probability(found.suspicion)
    assert case.suspicion == found.suspicion > 0.5 > found.probability
