"""The gate's result as builders read it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from concord import api

CHILDREN = {"failure", "skipped"}


@pytest.fixture
def suites(path, run, tmp_path):
    """The file of a gate over a run of these verdicts, read back."""

    def made(*words, limits=("0",), most=200, **facts):
        run(*words, **facts)
        api.gate(path, config=tmp_path / "none.toml", limits=limits, junit=tmp_path / "out.xml", most=most)
        return ET.parse(tmp_path / "out.xml").getroot()

    return made


def sound(root):
    """Whether everything is where JUnit's readers look for it, and the counts are those of what is there."""
    assert root.tag == "testsuites"
    for suite in root:
        assert suite.tag == "testsuite"
        cases = suite.findall("testcase")
        assert [each.tag for each in suite][len(cases) :] in ([], ["system-out"])
        assert int(suite.get("tests")) == len(cases)
        for kind, name in (("failure", "failures"), ("skipped", "skipped"), ("error", "errors")):
            assert int(suite.get(name)) == sum(case.find(kind) is not None for case in cases)
        assert all(case.get("name") and case.get("classname") and float(case.get("time")) >= 0 for case in cases)
        assert all({each.tag for each in case} <= CHILDREN and len(case) <= 1 for case in cases)
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    for name in ("tests", "failures", "errors", "skipped"):
        assert int(root.get(name)) == sum(int(suite.get(name)) for suite in root)
    return True


def test_a_rule_is_a_test_and_so_is_a_sentence_that_breaks_it(suites):
    root = suites("x.x")
    assert sound(root)
    assert (root.get("tests"), root.get("failures")) == ("4", "3")
    names = [case.get("name") for case in root.iter("testcase")]
    assert names == ["sane: rtt en→es", "limit: rtt en→es", "s0: sentence 0", "s2: sentence 2"]
    text = root[0][2].find("failure").text
    assert "Only the back-translation has “back”." in text
    assert "frase 0" in text


def test_why_a_run_is_judged_otherwise_stands_with_the_rule_and_in_the_suite(path, run, tmp_path):
    run("." * 12)
    run("x" * 12, settings={"threshold": 0.4})
    rules = {"limits": ["0"], "no_worse_than": "1", "junit": tmp_path / "out.xml"}
    api.gate(path, ["2"], config=tmp_path / "none.toml", **rules)
    root = ET.parse(tmp_path / "out.xml").getroot()
    assert sound(root)
    texts = {case.get("name"): case.findtext("failure", "") for case in root[0].findall("testcase")}
    same = "1 → 2: all answers are the same in both runs"
    assert same in texts["no worse: rtt en→es"]
    assert same not in texts["limit: rtt en→es"]
    assert "judged differently, by another threshold" in root[0].find("system-out").text


def test_a_rule_on_several_runs_has_a_suite_of_its_own_and_findings_stay_with_their_runs(path, run, tmp_path):
    for first, second, system in (("." * 12, "." * 12, "old"), ("x" * 6 + "." * 6, "." * 6 + "x" * 6, "new")):
        run(first, relation="rtt", system=system)
        run(second, relation="rti", system=system)
    api.gate(path, ["3,4"], config=tmp_path / "none.toml", no_worse_than="old", junit=tmp_path / "out.xml", most=2)
    root = ET.parse(tmp_path / "out.xml").getroot()
    assert sound(root)
    assert [suite.get("name") for suite in root] == [
        "concord.rtt,rti.en-es.new",
        "concord.rtt.en-es.new",
        "concord.rti.en-es.new",
    ]
    assert [suite.get("failures") for suite in root] == ["1", "2", "2"]
    assert [case.get("name") for case in root[0].findall("testcase")] == [
        "sane: rtt, rti en→es",
        "no worse: rtt, rti en→es",
    ]
    assert root[0].find("system-out").text.splitlines() == [
        line for suite in root[1:] for line in suite.find("system-out").text.splitlines()
    ]


def test_what_the_rules_bear_is_skipped_and_not_failed(suites):
    root = suites("x..", limits=["0.5"])
    assert sound(root)
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("3", "0", "1")


def test_sentences_are_bounded(suites):
    assert suites("xxxxxx", most=2).get("tests") == "4"


HOSTILE = "]]><script>&\"' \x00\x07\x1b\ufffe \U0001f600\u202e\n\tend"


def test_any_text_makes_a_file_that_can_be_read(suites):
    root = suites("xx", texts={0: HOSTILE, 1: "z" * 5000}, answers={0: HOSTILE}, system=HOSTILE)
    assert sound(root)
    assert any("<script>" in case.get("name") for case in root.iter("testcase"))
    assert all(len(case.get("name")) < 200 for case in root.iter("testcase"))


def test_runs_of_one_system_on_two_corpora_have_names_of_their_own(suites, run):
    run("x.", corpus="d#1")
    root = suites("x.")
    assert len(root) == 2
    assert sound(root)


def test_sentences_that_begin_alike_have_names_of_their_own(suites):
    texts = {number: "z" * 400 + str(number) for number in range(3)}
    assert sound(suites("xxx", texts=texts))
