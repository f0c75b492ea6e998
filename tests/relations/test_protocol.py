"""What relations say of themselves: which options judge cases, and so do not change what a case is."""

from __future__ import annotations

import re

import pytest

from concord import plugins
from concord.errors import UserError
from concord.model import Case, Outcome, RelationFacts, Segment, Text
from concord.relations._protocol import load_relation
from concord.store import Workspace

TOLERANCES = {"tolerance_sentence": 0.1, "tolerance_phrase": 0.2, "tolerance_word": 0.3}


def test_a_relation_names_its_own_thresholds():
    assert set(load_relation("mgmt").facts({}).thresholds) == {*TOLERANCES}
    assert load_relation("rtt").facts({}).thresholds == ("threshold",)


def test_what_is_asked_does_not_depend_on_them():
    assert load_relation("mgmt").facts({}).without_thresholds({"unit": "words", **TOLERANCES}) == {"unit": "words"}
    told = {"metric": "chrf", "threshold": 0.4, "tolerance_word": 1}
    assert load_relation("rtt").facts({}).without_thresholds(told) == {"metric": "chrf", "tolerance_word": 1}


def test_of_several_those_that_judge_depend_on_the_options():
    paper = {"granularities": ["word", "phrase"], **TOLERANCES}
    assert load_relation("mgmt").facts(paper).judging == ("tolerance_phrase", "tolerance_word")
    assert load_relation("rtt").facts({"metric": "chrf", "threshold": 0.4}).judging == ("threshold",)
    assert (load_relation("mgmt").deciding(), load_relation("rtt").deciding()) == ({"granularities"}, frozenset())


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
    said = (
        load_relation("sit")
        .facts({})
        .directions(["distance", "paper", "probability", "chrf", "bleu:variant=paper", "depth"])
    )
    higher, lower = "higher-is-worse", "lower-is-worse"
    assert said == dict.fromkeys(("distance", "paper", "probability"), higher) | {
        "chrf": lower,
        "bleu:variant=paper": lower,
    }
    assert RelationFacts().directions(["distance", "chrf"]) == {}


def test_an_operator_that_is_none_is_refused(guest):
    guest(
        "relations",
        "odd",
        "from concord.model import Traits\nTRAITS = Traits(operator='<')\n"
        "async def check(x, translate, *, to): return []",
    )
    with pytest.raises(UserError, match=r"cannot be '<'\. Choose one of: >, >="):
        load_relation("odd").facts({})


def test_a_form_that_a_relation_does_not_have_is_refused():
    for name, message in (
        ("rti:papr", r"Choose rti or rti:paper"),
        ("rti:", "Choose rti or rti:paper"),
        ("rtt:paper", "rtt, which has no other form"),
    ):
        with pytest.raises(UserError, match=message):
            load_relation(name)


def test_the_published_form_may_have_defaults_of_its_own():
    for name, count in (("sit", 5), ("sit:paper", 50), ("sit:paper,count=3", 3)):
        assert plugins.settings("relations", plugins.parse("relations", name))["count"] == count


def test_the_published_form_fixes_its_options_and_the_comparator_hides_those_of_the_paper():
    ours, published = ({option.name for option in load_relation(name).options} for name in ("rti", "rti:paper"))
    assert published == {"d", "max_words", "min_content", "trees"}
    assert ours == {"phrases", "max_words", "min_content", "at_least", "trees", "threshold"}
    assert load_relation("rti:paper").arguments({"d": 1})["match"] == "exact"
    assert load_relation("rti").arguments({"threshold": 0.4, "trees": True})["match"] == "auto"
    assert "threshold" not in load_relation("rti").arguments({"threshold": 0.4})


@pytest.mark.parametrize(
    ("relation", "refusal"),
    [
        ("rtt,threshold=abc", "rtt: threshold cannot be 'abc'"),
        ("rtt,threshold=1.01", "rtt: threshold cannot be '1.01': a number from 0 to 1 is expected"),
        ("pivot,metrics=", "at least one metric"),
        ("rti,max_words=1", "max_words cannot be '1': a number of at least 2 is expected"),
        ("rti,at_least=0.25", "one of 0.05, 0.1"),
        ("rti,phrases=", "rti: phrases cannot be '': at least one value is expected"),
        ("rti:paper,d=-1", "rti:paper: d cannot be '-1': a number of at least 0"),
        ("rti:paper,match=lemma", "no option of rti:paper 'match'"),
        ("mgmt,granularities=", "at least one value"),
        ("mgmt,candidates=0", "a number of at least 1"),
        ("mgmt,tolerance_word=2", "a number from 0 to 1"),
        ("sit,top=0", "a number of at least 1"),
        ("sit:paper,threshold=-1", "a number of at least 0"),
        ("transrepair,similarity=1.5", "a number from 0 to 1"),
        ("cat,kinds=nouns", "Choose one of: noun, name"),
        ("patinv,ways=", "at least one value"),
        ("semmt,threshold=0", "a number above 0 and at most 1"),
        ("semmt,mutants=3", "a number from 0 to 2"),
        ("literals,threshold=-1", "a number of at least 0"),
    ],
)
def test_an_option_that_cannot_work_is_refused_before_anything_is_sent(relation, refusal):
    with pytest.raises(UserError, match=re.escape(refusal)):
        plugins.parse("relations", relation)


def test_every_option_of_every_relation_is_explained_and_no_relation_has_more_than_ten():
    for name in plugins.names("relations"):
        options = load_relation(name).options
        assert len(options) <= 10, name
        assert [option.name for option in options if not option.help] == [], name


def test_two_contents_of_a_phrase_contradict_each_other():
    with pytest.raises(UserError, match="min_content is at most max_words, 10, not 50"):
        load_relation("rti").plan("en", "zh", lambda *_: (), {"max_words": 10, "min_content": 50})
