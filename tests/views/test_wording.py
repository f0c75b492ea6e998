"""Verdicts are put into words that are true."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.runs.score_scales import limit
from concord.views.wording import judged, said, scales

BEFORE = math.nextafter(0.4, 0)


@pytest.mark.parametrize(
    ("suspicion", "threshold", "said"),
    [
        (0.5, 0.4, "suspicion 0.5 > threshold 0.4: violated"),
        (0.4, 0.4, "suspicion 0.4 ≤ threshold 0.4: not violated"),
        (0.4, BEFORE, "suspicion 0.4 ≥ threshold 0.4: violated"),
        (0.3, BEFORE, "suspicion 0.3 < threshold 0.4: not violated"),
        (0.40000001, 0.4, "suspicion 0.40000001 > threshold 0.4: violated"),
        (2.0, 1.0, "suspicion 2 > threshold 1: violated"),
    ],
)
def test_a_threshold_that_is_flagged_itself_is_said_to_be(suspicion, threshold, said):
    assert judged({"suspicion": suspicion, "threshold": threshold, "violated": suspicion > threshold}) == said


@given(st.floats(0, 1), st.floats(-2, 2))
def test_what_is_said_of_a_limit_decides_as_the_threshold_does(suspicion, threshold):
    shown, itself = limit(threshold)
    assert (suspicion >= shown if itself else suspicion > shown) == (suspicion > threshold)


def test_words_to_blame_are_told_one_after_the_other():
    blamed = [
        {"word": "escuela", "of": "school", "instead": "escolar", "why": "mistranslation", "suspicion": 0.52857},
        {"word": "13", "why": "number", "suspicion": 0.2},
    ]
    assert said(blamed) == "escuela for school not escolar: mistranslation 0.529; 13: number 0.2"


def test_a_probability_is_told_from_similarities_and_from_scales_of_a_relations_own():
    told = scales({"chrf": 0.9, "paper": 2.0, "probability": 0.3})
    assert told == {
        "0…1, higher is better": [("chrf", "0.9")],
        "on the relation's own scale, higher is worse": [("paper", "2")],
        "0…1, higher is worse": [("probability", "0.3")],
    }


def test_a_relation_says_which_of_its_scores_are_worse_when_higher():
    assert scales({"distance": 3.0}, "sit") == {"on the relation's own scale, higher is worse": [("distance", "3")]}
    assert scales({"distance": 3.0}, "gone") == {"on the relation's own scale": [("distance", "3")]}
