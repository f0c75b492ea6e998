"""What relations say of themselves: which options judge cases, and so do not change what a case is."""

from __future__ import annotations

import pytest

from concord.errors import UserError
from concord.model import Case, Outcome, RelationFacts, Segment, Text
from concord.relations._protocol import choosing, relation_facts
from concord.store import Workspace

TOLERANCES = {"tolerance_sentence": 0.1, "tolerance_phrase": 0.2, "tolerance_word": 0.3}


def test_a_relation_names_its_own_thresholds():
    assert set(relation_facts("mgmt").thresholds) == {*TOLERANCES, "threshold"}
    assert relation_facts("rtt").thresholds == RelationFacts().thresholds == ("threshold", "d")


def test_what_is_asked_does_not_depend_on_them():
    assert relation_facts("mgmt").without_thresholds({"unit": "words", **TOLERANCES}) == {"unit": "words"}
    told = {"metric": "chrf", "threshold": 0.4, "tolerance_word": 1}
    assert relation_facts("rtt").without_thresholds(told) == {"metric": "chrf", "tolerance_word": 1}


def test_of_several_those_that_judge_depend_on_the_options():
    paper = {"granularities": ["word", "phrase"], **TOLERANCES}
    assert relation_facts("mgmt", paper).judging == ("tolerance_phrase", "tolerance_word")
    ours = {"granularities": ["sentence", "word"], "comparison": "concord", "threshold": 0.5, **TOLERANCES}
    assert relation_facts("mgmt", ours).judging == ("threshold", "tolerance_sentence")
    assert relation_facts("rtt", {"metric": "chrf", "threshold": 0.4}).judging == ("threshold",)
    assert (choosing("mgmt"), choosing("rtt")) == ({"granularities"}, frozenset())


@pytest.mark.parametrize("name", TOLERANCES)
def test_a_case_is_the_same_with_another_tolerance(tmp_path, facts, name):
    x, y = Text("a dog", "en"), Text("un perro", "es")
    case = Case(x, x, y, y, (y, y), 0.2, 0.0, factors={"granularity": "word"})
    keys = set()
    with Workspace(tmp_path / "w.sqlite") as store:
        for tolerance in (0.0, 0.5):
            run = store.begin(facts("mgmt", settings={**TOLERANCES, name: tolerance}))
            store.add(run, [Outcome(Segment("s", x, 0), cases=[case])])
            keys |= {row["case"] for row in store.rows([run.id])}
    assert len(keys) == 1


def test_scores_are_worse_the_way_that_a_relation_says_and_metrics_are_similarities():
    said = relation_facts("sit").directions(["distance", "paper", "probability", "chrf", "bleu:variant=paper", "depth"])
    higher, lower = "higher-is-worse", "lower-is-worse"
    assert said == dict.fromkeys(("distance", "paper", "probability"), higher) | {
        "chrf": lower,
        "bleu:variant=paper": lower,
    }
    assert RelationFacts().directions(["distance", "chrf"]) == {}


def test_an_operator_that_is_none_is_refused(guest):
    guest("relations", "odd", "OPERATOR = '<'\nasync def check(x, translate, *, to): return []")
    with pytest.raises(UserError, match=r"cannot be '<'\. Choose one of: >, >="):
        relation_facts("odd")
