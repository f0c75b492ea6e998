"""No gate passes a system that does not translate."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import concord
from concord import api
from concord.bounds import judgeable
from concord.errors import NotJudged, UserError
from concord.store import Workspace
from concord.store.insane_answers import insane_answers


@pytest.fixture
def gate(path, tmp_path):
    """The gate, with a rule that holds in any case unless others are asked for."""

    def held(runs=(), config=tmp_path / "none.toml", **rules):
        return api.gate(path, runs, config=config, **(rules or {"max_errors": 1.0}))

    return held


def sane(gate):
    return [(check.runs, check.relations, check.value, check.passed) for check in gate.checks if check.rule == "sane"]


def broken(gate):
    return {(check.rule, check.value) for check in gate.checks if not check.passed}


def test_up_to_a_twentieth_of_the_sentences_may_fail_and_no_more(run, gate):
    run("x" + "." * 19, relation="sane")
    run("xx" + "." * 18, relation="sane", corpus="d#1")
    found = gate()
    assert sane(found) == [([1], ["sane"], "1 (5.0%)", True), ([2], ["sane"], "2 (10.0%)", False)]
    assert [(check.limit, check.n) for check in found.checks if check.rule == "sane"] == [("5 %", 20)] * 2
    assert not found.passed


def test_the_limit_is_raised_by_an_option_or_by_the_configuration(run, gate, tmp_path):
    run("xx..", relation="sane")
    config = tmp_path / "concord.toml"
    config.write_text("[gate]\nmax_insane = 0.5\nmax_errors = 1\n")
    assert gate(config=config, limits=["3"]).passed
    assert gate(limits=["3"], max_insane=0.5).passed
    assert not gate(config=config, limits=["3"], max_insane=0.4).passed
    with pytest.raises(UserError, match="max_insane is a share from 0 to 1"):
        gate(max_insane=5.0)


def test_it_is_rule_enough_where_its_share_is_given(run, gate, tmp_path):
    run("x...", relation="sane")
    assert not gate(max_insane=0.0).passed
    config = tmp_path / "concord.toml"
    config.write_text("[gate]\nmax_insane = 0.25\n")
    assert gate(config=config, max_insane=None).passed


def test_a_run_of_sane_that_was_not_named_is_the_evidence(run, gate):
    run("xxxx", relation="sane")
    run("....")
    found = gate(["2"], limits=["rtt=0"])
    assert sane(found) == [([1], ["sane"], "4 (100.0%)", False)]
    assert [(each.row["run"], each.breaks) for each in found.findings] == [(1, ["sane"])] * 4


def test_the_latest_run_that_finished_counts(run, gate):
    run("xxxx", relation="sane")
    run("....", relation="sane")
    run("xx", relation="sane", finished=False)
    run("....")
    assert sane(gate(["4"])) == [([2], ["sane"], "0 (0.0%)", True)]


@pytest.mark.parametrize("facts", [{"version": "2"}, {"system": "b"}, {"corpus": "d#1"}, {"target": "ca"}])
def test_what_another_version_direction_or_corpus_has_says_nothing(run, gate, facts):
    run("....", relation="sane", **facts)
    run("cc..")
    assert sane(gate(["2"])) == [([2], ["rtt"], "2 (50.0%)", False)]


def test_without_a_run_of_sane_the_cases_count_that_are_not_judged_for_an_answer(run, gate):
    # Three of five sentences; those without a case and those with an error say nothing.
    run("cc...-e")
    run("c.c..-e", relation="rti")
    assert sane(gate()) == [([1, 2], ["rtt", "rti"], "3 (60.0%)", False)]


def test_an_answer_that_was_cut_is_one_that_other_relations_do_not_judge(path, run):
    with pytest.raises(NotJudged) as error:
        judgeable("short", "long " * 3000)
    run("..cc")
    with Workspace(path) as store, store.writing() as db:
        db.execute("UPDATE checks SET error = ? WHERE error IS NOT NULL", (str(error.value),))
    with Workspace(path) as store:
        (found,) = insane_answers(store, store.runs())
    assert (found.sentences, found.failing, found.kind) == (4, 2, "length")


def test_a_text_that_is_too_long_is_no_failing_answer(path, run, gate):
    run("..cc")
    with Workspace(path) as store, store.writing() as db:
        db.execute("UPDATE checks SET error = 'not judged: the text has 9 characters' WHERE error IS NOT NULL")
    assert sane(gate()) == [([1], ["rtt"], "0 (0.0%)", True)]


def test_of_repetitions_more_than_half_must_fail(run, gate):
    run("xx..", "x...", "x..x", relation="sane")
    assert sane(gate()) == [([1], ["sane"], "1 (25.0%)", False)]


def test_accepted_findings_do_not_hide_it(path, run, gate, tmp_path):
    run("xxx.", relation="sane")
    run("....")
    file = tmp_path / "ok.jsonl"
    assert api.accept(path, ["2"], accepted=file)[1:] == (3, 3)
    found = gate(["2"], limits=["0"], no_new=True, accepted=str(file))
    assert broken(found) == {("sane", "3 (75.0%)")}


# -- a later version that copies -------------------------------------------------------------------


@pytest.fixture
def versions(run):
    """Two versions of a system on forty sentences; of the later one, the first answers are copies."""

    def made(copies, *, before="." * 40, baseline=True):
        if baseline:
            run("." * 40, relation="sane")
        run(before, version="1")
        run("x" * copies + "." * (40 - copies), relation="sane", version="2")
        run("c" * copies + before[copies:], version="2")

    return made


@pytest.mark.parametrize("runs", [(["3,4"], "1,2"), (["4"], "2"), ((), "1,2"), ((), "2")])
def test_a_later_version_that_copies_fails_every_rule_that_compares(versions, gate, runs):
    versions(40)
    named, before = runs
    found = gate(named, no_worse_than=before, no_new=True, limits=["5%"])
    assert broken(found) == {
        ("sane", "40 (100.0%)"),
        ("limit", "40 (100.0%)"),
        ("no new", "40 new"),
        ("no worse", "+40 −0, p <0.001"),
        ("judged", "no case"),
    }
    assert {check.rule: check.runs for check in found.checks if not check.passed}["no new"] == [3]


def test_a_sentence_that_others_do_not_judge_for_its_answer_is_worse_and_does_not_drop_out(versions, gate):
    # Two of the six copies were flagged before: they are no better for it.
    versions(6, before="xx" + "." * 38)
    for named, before in ((["3,4"], "1,2"), (["4"], "2")):
        found = gate(named, no_worse_than=before)
        (test,) = found.joint
        assert (test.sentences, test.worse, test.better) == (40, 6, 0)
        tested = {each.relation: each.tested for each in test.relations}
        assert (tested["sane"].sentences, tested["sane"].newly_flagged) == (40, 6)
        assert (tested["rtt"].sentences, tested["rtt"].newly_flagged, tested["rtt"].no_longer_flagged) == (34, 0, 0)
        assert ("no worse", "+6 −0, p 0.031") in broken(found)


def test_few_copies_are_new_findings_and_no_other_rule_fails(versions, gate):
    versions(2)
    assert broken(gate(["4"], no_worse_than="2", no_new=True)) == {("no new", "2 new")}


def test_earlier_runs_without_sane_are_compared_by_the_other_relations(versions, gate):
    versions(1, baseline=False)
    found = gate(["3"], no_worse_than="1")
    assert found.passed
    assert [each.relation for each in found.joint[0].relations] == ["rtt"]


def test_the_same_answers_under_another_threshold_have_one_run_of_sane(run, gate):
    run("....", relation="sane")
    run("....")
    run("....", settings={"threshold": 0.4})
    for named in (["3"], ()):
        found = gate(named, no_worse_than="2")
        assert (found.passed, [check.runs for check in found.checks if check.rule == "sane"]) == (True, [[1]])


def test_the_rule_is_a_test_of_the_junit_file_with_its_sentences(path, run, tmp_path):
    run("xx..", relation="sane")
    run("....")
    rules = {"limits": ["rtt=0"], "junit": tmp_path / "out.xml"}
    api.gate(path, ["2"], config=tmp_path / "none.toml", **rules)
    suites = {suite.get("name"): suite for suite in ET.parse(tmp_path / "out.xml").getroot()}
    first, *sentences = suites["concord.sane.en-es.mt"].findall("testcase")
    assert first.get("name") == "sane: sane en→es"
    assert first.find("failure").get("message") == "2 (50.0%), where the limit is 5 % (n = 4)"
    assert [case.find("failure").get("type") for case in sentences] == ["sane", "sane"]


def test_json_has_the_rule_as_it_has_the_others(run, gate):
    run("x.", relation="sane")
    assert gate().plain()["checks"][0] == {
        "rule": "sane",
        "runs": [1],
        "relations": ["sane"],
        "system": "mt",
        "source_lang": "en",
        "target_lang": "es",
        "value": "1 (50.0%)",
        "limit": "5 %",
        "n": 2,
        "passed": False,
    }


# -- a real run ------------------------------------------------------------------------------------


@pytest.mark.parametrize("relations", [["rtt"], ["sane", "rtt"]])
def test_a_program_that_returns_its_input_fails_whether_sane_was_run_or_not(path, tmp_path, relations):
    corpus = tmp_path / "c.txt"
    corpus.write_text("The dog sleeps in the garden.\nNobody saw the train this morning.\n")
    concord.run(corpus, relations=relations, systems=["command:cat"], to=["es"], workspace=path)
    found = api.gate(path, config=tmp_path / "none.toml", max_errors=1.0)
    assert ("sane", "2 (100.0%)") in broken(found)
    with Workspace(path) as store:
        assert [answers.kind for answers in insane_answers(store, store.runs())] == ["copy"]
