"""Which options judge cases, and so do not change what a case is."""

from __future__ import annotations

import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.thresholds import besides, choosing, judging, thresholds

TOLERANCES = {"tolerance_sentence": 0.1, "tolerance_phrase": 0.2, "tolerance_word": 0.3}


def test_a_relation_names_its_own_thresholds():
    assert thresholds("mgmt") == {*TOLERANCES, "threshold"}
    assert thresholds("rtt") == thresholds("not installed here") == {"threshold", "d"}


def test_what_is_asked_does_not_depend_on_them():
    assert besides("mgmt", {"unit": "words", **TOLERANCES}) == {"unit": "words"}
    assert besides("rtt", {"metric": "chrf", "threshold": 0.4, "tolerance_word": 1}) == {
        "metric": "chrf",
        "tolerance_word": 1,
    }


def test_of_several_those_that_judge_depend_on_the_options():
    assert judging("mgmt", {"granularities": ["word", "phrase"], **TOLERANCES}) == [
        "tolerance_phrase",
        "tolerance_word",
    ]
    ours = {"granularities": ["sentence", "word"], "comparison": "concord", "threshold": 0.5, **TOLERANCES}
    assert judging("mgmt", ours) == ["threshold", "tolerance_sentence"]
    assert judging("rtt", {"metric": "chrf", "threshold": 0.4}) == ["threshold"]
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
