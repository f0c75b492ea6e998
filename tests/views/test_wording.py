"""Verdicts are put into words that are true."""

from __future__ import annotations

import pytest

from concord.model import FLAGS
from concord.relations._protocol import load_relation
from concord.views.wording import judged, scales, value_text


@pytest.mark.parametrize(
    ("suspicion", "operator", "threshold", "said"),
    [
        (0.5, ">", 0.4, "suspicion 0.5 > threshold 0.4: flagged"),
        (0.4, ">", 0.4, "suspicion 0.4 ≤ threshold 0.4: not flagged"),
        (0.4, ">=", 0.4, "suspicion 0.4 ≥ threshold 0.4: flagged"),
        (0.3, ">=", 0.4, "suspicion 0.3 < threshold 0.4: not flagged"),
        (0.40000001, ">", 0.4, "suspicion 0.40000001 > threshold 0.4: flagged"),
        (2.0, ">", 1.0, "suspicion 2 > threshold 1: flagged"),
    ],
)
def test_a_threshold_that_is_flagged_itself_is_said_to_be(suspicion, operator, threshold, said):
    row = {"suspicion": suspicion, "operator": operator, "threshold": threshold}
    assert judged(row | {"flagged": FLAGS[operator](suspicion, threshold)}) == said


def test_words_to_blame_are_told_one_after_the_other():
    blamed = [
        {"word": "escuela", "of": "school", "instead": "escolar", "why": "mistranslation", "suspicion": 0.52857},
        {"word": "13", "why": "number", "suspicion": 0.2},
    ]
    assert value_text(blamed) == "escuela for school not escolar: mistranslation 0.529; 13: number 0.2"


def test_a_probability_is_told_from_similarities_and_from_scales_of_a_relations_own():
    scores = {"chrf": 0.9, "paper": 2.0, "probability": 0.3}
    told = scales(scores, load_relation("rtt").facts({}).directions(scores))
    assert told == {
        "0…1, higher is better": [("chrf", "0.9")],
        "on the relation's own scale, higher is worse": [("paper", "2")],
        "0…1, higher is worse": [("probability", "0.3")],
    }


def test_a_relation_says_which_of_its_scores_are_worse_when_higher():
    assert scales({"distance": 3.0}, load_relation("sit").facts({}).directions(["distance"])) == {
        "on the relation's own scale, higher is worse": [("distance", "3")]
    }
    assert scales({"distance": 3.0}, {}) == {"on the relation's own scale": [("distance", "3")]}
