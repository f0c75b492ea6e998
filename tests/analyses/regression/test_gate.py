"""Rules held against runs."""

from __future__ import annotations

import json

import pytest

from concord import api
from concord.analyses.regression import accepted_findings as file
from concord.analyses.regression.gate_rules import Limit, limit
from concord.errors import UnknownName, UserError
from concord.stats.wilson import wilson


@pytest.fixture
def gate(path, tmp_path):
    """The gate, without a configuration unless one is named."""

    def held(runs=(), config=tmp_path / "none.toml", **rules):
        return api.gate(path, runs, config=config, **rules)

    return held


@pytest.fixture
def accept(path, tmp_path):
    def accepted(runs=(), **how):
        return api.accept(path, runs, accepted=tmp_path / "accepted.jsonl", **how)

    return accepted


def others(gate):
    """The checks without those of the rule that always holds, which has a section below."""
    return [check for check in gate.checks if check.rule != "sane"]


def told(gate):
    return [(check.rule, check.value, check.passed) for check in others(gate)]


def test_a_share_up_to_the_limit_passes(run, gate):
    run("x...")
    assert gate(limits=["rtt=0.25"]).passed
    assert told(gate(limits=["rtt=0.24"])) == [("limit", "1 (25.0%)", False)]
    assert others(gate(limits=["rtt=25%"]))[0].limit == "25 %"


def test_a_whole_number_is_a_number_of_cases(run, gate):
    run("xx..")
    assert gate(limits=["rtt=2"]).passed
    assert told(gate(limits=["1"])) == [("limit", "2 cases", False)]


@pytest.mark.parametrize(
    ("value", "most", "share"),
    [(3, 3, False), ("0", 0, False), (0.0, 0, True), (1e-05, 1e-05, True), ("1.0", 1, True), (" 2.5 %", 0.025, True)],
)
def test_a_limit_says_by_how_it_is_written_whether_it_is_a_share(value, most, share):
    assert limit("rti", value) == Limit("rti", most, share)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.1, 1.5, True, None, "", "1e3", "a%"])
def test_nothing_else_is_a_limit(value):
    with pytest.raises(UserError, match="is not a share"):
        limit("rti", value)


def test_the_limit_of_a_relation_goes_before_that_of_each(run, gate):
    run("xx..", relation="rtt")
    run("xx..", relation="rti")
    assert [check.limit for check in others(gate(limits=["0.1", "rti=0.9"]))] == ["10 %", "90 %"]


def test_the_upper_end_of_the_interval_is_held_against_a_share(run, gate):
    run("x" + "." * 99)
    end = wilson(1, 100)[1]
    assert gate(limits=["rtt=0.02"]).passed
    found = gate(limits=["rtt=0.02"], upper=True)
    assert told(found) == [("limit (upper end)", f"1 (1.0%), at most {end:.1%}", False)]
    assert gate(limits=["rtt=0.06"], upper=True).passed


def test_errors_have_a_limit_of_their_own(run, gate):
    run("e...")
    assert gate(max_errors=0.25).passed
    assert told(gate(max_errors=0.2)) == [("errors", "1 (25.0%)", False)]


def test_an_unfinished_run_and_one_without_cases_do_not_pass(run, gate):
    run("....", finished=False)
    assert ("finished", "not finished", False) in told(gate(max_errors=1.0))
    run("----", relation="rti")
    assert ("judged", "no case", False) in told(gate(["2"], max_errors=1.0))


def test_of_a_set_a_relation_that_found_nothing_to_test_does_not_fail_the_others(run, gate):
    run("....", relation="sane")
    run("----", relation="sit")
    assert ("judged", "no case", False) in told(gate(max_errors=0.0))
    run("....", relation="rti")
    found = gate(max_errors=0.0)
    assert found.passed
    assert "run 2 says nothing: sit found nothing to test" in found.notes
    run("---e", relation="cat")
    assert ("judged", "no case", False) in told(gate(max_errors=1.0))


def test_a_run_is_worse_if_chance_does_not_explain_it(run, gate):
    run("." * 12)
    run("x" * 5 + "." * 7, version="2")
    run("x" * 6 + "." * 6, version="3")
    assert told(gate(["2"], no_worse_than="1")) == [("no worse", "+5 −0, p 0.062", True)]
    assert told(gate(["3"], no_worse_than="1")) == [("no worse", "+6 −0, p 0.031", False)]
    assert gate(["3"], no_worse_than="1", alpha=0.01).passed
    assert gate(["3"], no_worse_than="1", min_difference=0.6).passed
    assert not gate(["3"], no_worse_than="1", min_difference=0.5).passed


def test_what_a_comparison_notes_is_noted_by_the_gate(run, gate, path):
    run("." * 12)
    run("x" * 12, settings={"threshold": 0.4})
    found = gate(["2"], no_worse_than="1")
    assert not found.passed
    assert "1 → 2: all answers are the same in both runs" in found.notes
    assert any(note.endswith("they are judged differently, by another threshold") for note in found.notes)
    (compared,) = api.compare_runs(path, "1", "2").regressions
    assert found.notes == [f"1 → 2: {note}" for note in compared.notes]
    assert found.plain()["notes"] == found.notes
    assert not gate(["2"], limits=["0"]).notes


def test_a_run_that_is_better_passes(run, gate):
    run("x" * 12)
    run("." * 12)
    assert gate(["2"], no_worse_than="1").passed


def test_the_earlier_run_is_not_judged_itself_unless_it_is_named(run, gate):
    run("x" * 9, system="old")
    run("." * 9, system="new")
    assert [check.runs for check in others(gate(limits=["0"], no_worse_than="old"))] == [[2], [2]]
    assert not gate(["1"], limits=["0"]).passed


def test_a_run_without_a_counterpart_does_not_pass(run, gate):
    run("....")
    run("....")
    run("....", relation="rti")
    found = gate(["2", "3"], no_worse_than="1")
    assert told(found) == [("no worse", "no run to compare with", False), ("no worse", "+0 −0, p 1.000", True)]


def test_nothing_new_means_nothing_that_passed_or_was_not_there(run, gate):
    run("xx..")
    run("x.x.x", version="2")
    found = gate(["2"], no_worse_than="1", no_new=True)
    assert ("no new", "2 new", False) in told(found)
    assert [each.row["position"] for each in found.findings if each.breaks] == [2, 4]
    assert others(gate(["1"], no_worse_than="2", no_new=True))[0].value == "1 new"


def test_what_is_accepted_counts_for_nothing(run, gate, accept, tmp_path):
    run("xx..")
    path, new, every = accept(reason="known")
    assert (path, new, every) == (tmp_path / "accepted.jsonl", 2, 2)
    found = gate(limits=["0"], no_new=True, accepted=str(path))
    assert told(found) == [("limit", "0 cases", True), ("no new", "0 new", True)]
    assert (found.muted, found.changed) == (2, 0)
    run("xxx.")
    assert told(gate(no_new=True, accepted=str(path))) == [("no new", "1 new", False)]


def test_an_accepted_finding_counts_again_when_its_outputs_change(run, gate, accept):
    run("xx..")
    path, *_ = accept()
    run("xx..", answers={0: "otra"})
    found = gate(no_new=True, accepted=str(path))
    assert told(found) == [("no new", "1 new", False)]
    assert (found.muted, found.changed) == (1, 1)
    assert any("1 accepted case counts again" in note for note in found.notes)
    assert accept(reason="seen")[1:] == (1, 2)
    assert gate(no_new=True, accepted=str(path)).passed


def test_an_accepted_finding_that_is_fixed_is_told(run, gate, accept):
    run("xx..")
    path, *_ = accept()
    run("x...")
    assert any(
        note.startswith("1 accepted case is no finding any more")
        for note in gate(limits=["1"], accepted=str(path)).notes
    )


def test_what_is_accepted_makes_no_run_worse(run, gate, accept):
    run("." * 8)
    run("x" * 8, version="2")
    path, *_ = accept(["2"])
    assert not gate(["2"], no_worse_than="1").passed
    found = gate(["2"], no_worse_than="1", no_new=True, accepted=str(path))
    assert told(found) == [("no new", "0 new", True), ("no worse", "+0 −0, p 1.000", True)]


def test_cases_that_share_a_blamed_translation_are_one_finding_with_a_reason(run, gate):
    run("x..x", relation="rtt")
    run("xx..", relation="rti")
    found = gate(["1,2"], limits=["rti=0"])
    listed = [(each.row["position"], each.row["relation"], each.cases, each.breaks) for each in found.findings]
    assert listed == [(0, "rti", 2, ["limit"]), (1, "rti", 1, ["limit"]), (3, "rtt", 1, [])]
    assert found.breaking == 2
    assert found.plain()["findings"][0]["row"]["reason"] == "Only the back-translation has “back”."
    assert len(gate(["1,2"], limits=["rti=0"], most=1).findings) == 2
    assert gate(["1,2"], limits=["rti=0"], most=1).breaking == 2


def test_findings_that_break_a_rule_come_first(run, gate):
    run("x...")
    run("x..x")
    found = gate(["2"], limits=["0.9"], no_worse_than="1", no_new=True)
    assert [(each.row["position"], each.breaks) for each in found.findings] == [(3, ["no new"]), (0, [])]
    assert len(gate(["2"], limits=["0"], most=1).findings) == 1


def test_the_configuration_has_rules_and_the_command_goes_before_it(run, gate, tmp_path):
    run("x...")
    config = tmp_path / "concord.toml"
    config.write_text('[gate]\nmax_errors = 0\n[gate.max]\nrtt = 0.1\n"*" = "50%"\n')
    assert told(gate(config=config)) == [("limit", "1 (25.0%)", False), ("errors", "0 (0.0%)", True)]
    assert gate(config=config, limits=["rtt=0.3"]).passed


def test_a_configured_limit_of_another_relation_is_told_for_named_runs_and_is_an_error_for_all(run, gate, tmp_path):
    run("....")
    config = tmp_path / "concord.toml"
    config.write_text("[gate.max]\nrtt = 0.1\nrti = 0.1\n")
    assert any("limit for rti is not asked" in note for note in gate(["1"], config=config).notes)
    with pytest.raises(UserError, match="a limit for rti, and no run of it"):
        gate(config=config)
    with pytest.raises(UserError, match="a limit for sit, and no run of it"):
        gate(["1"], limits=["sit=1"])


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({}, "a gate needs a rule"),
        ({"no_new": True}, "what is new is told by an earlier run"),
        ({"limits": ["rtt=1.5"]}, "is not a share"),
        ({"limits": ["rtt=-1"]}, "is not a share"),
        ({"limits": ["rtt=many"]}, "is not a share"),
        ({"limits": ["rtt="]}, "is not a share"),
        ({"limits": ["0"], "accepted": "nowhere.jsonl"}, "cannot be read"),
        ({"max_errors": 2.0}, "a share from 0 to 1"),
    ],
)
def test_what_makes_no_sense_is_one_line_with_a_cure(run, gate, rules, words):
    run("....")
    with pytest.raises(UserError, match=words):
        gate(**rules)


def test_a_relation_that_there_is_not_is_told_with_the_nearest(run, gate):
    run("....")
    with pytest.raises(UnknownName, match="Did you mean 'rti'"):
        gate(limits=["rtii=0.1"])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("[gate]\nno_knew = true", "Did you mean 'no_new'"),
        ("[gate]\nno_new = 1", "no_new = 1 is not true or false"),
        ("[gate]\nalpha = true", "alpha = True is not a number"),
        ("[gate]\nalpha = 2", "a share from 0 to 1"),
        ("[gate]\naccepted = 3", "not the name of a file"),
        ("[gate.max]\nrtt = true", "is not a share"),
        ("[gates]\nno_new = true", r"Did you mean \[gate\]"),
        ("gate = 3", "outside of all tables"),
    ],
)
def test_a_configuration_that_makes_no_sense_is_told(run, gate, tmp_path, table, words):
    run("....")
    config = tmp_path / "concord.toml"
    config.write_text(table)
    with pytest.raises(UserError, match=words):
        gate(config=config, limits=["0"])


# -- the file of accepted findings ---------------------------------------------------------------


def test_the_file_is_a_line_for_each_finding_in_an_order_that_stays(run, accept, tmp_path):
    run("xx.x")
    accept(reason="why not")
    before = (tmp_path / "accepted.jsonl").read_text()
    lines = [json.loads(line) for line in before.splitlines()]
    assert [line["text"] for line in lines] == ["sentence 0", "sentence 1", "sentence 3"]
    assert {line["reason"] for line in lines} == {"why not"}
    assert accept(reason="") == (tmp_path / "accepted.jsonl", 0, 3)
    assert (tmp_path / "accepted.jsonl").read_text() == before


def test_lines_of_other_systems_stay(run, accept, tmp_path):
    run("x.", system="a")
    accept(["1"], reason="first")
    run("x.", system="b")
    accept(["2"], reason="second")
    assert [each.reason for each in file.read(tmp_path / "accepted.jsonl")] == ["first", "second"]


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'"x"', b"{}", b'{"case": 3}', b'{"case": "zz", "outputs": "o"}', b"\xff", b'{"case": "' + b"0" * 32],
)
def test_a_line_that_is_not_a_finding_is_an_error_that_names_it(tmp_path, line):
    path = tmp_path / "accepted.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(UserError, match=r"line 1|not UTF-8"):
        file.read(path)


def test_strange_characters_and_long_texts_come_back(tmp_path, run, accept):
    run("x", texts={0: "a\u2028b\x85c\x1b[0m" + "é" * 500})
    accept(reason="line\u2028end \ud800")
    (found,) = file.read(tmp_path / "accepted.jsonl")
    assert len(found.text) <= file.LONGEST_TEXT
    assert "\x1b" not in found.text
    assert found.reason == "line\u2028end \ud800"


def test_the_file_is_never_the_workspace(run, path):
    run("x")
    with pytest.raises(UserError, match="the workspace itself"):
        api.accept(path, accepted=path)
