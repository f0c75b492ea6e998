"""Comparing runs, and the gate, as a user asks for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

WORDS = ["dog", "cat", "bird", "horse", "fish", "wolf", "bear", "goat"]


@pytest.fixture
def concord(concord, tmp_path):
    """The program after runs 1 (sane) and 2 (rtt) of a system on eight sentences, and 3 and 4 of one that loses six."""
    (tmp_path / "c.txt").write_text("".join(f"The {word} sleeps here.\n" for word in WORDS))
    for name, lost in {"good": 1, "poor": 7}.items():
        rows = []
        for number, word in enumerate(WORDS):
            there = f"El {word} duerme aquí." if number >= lost else f"El zzz {number}."
            rows += [("en", "es", f"The {word} sleeps here.", there)]
            rows += [("es", "en", there, f"The {word} sleeps here." if number >= lost else f"Qqq {number}")]
        (tmp_path / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    systems = ["-s", "table:good.tsv", "-s", "table:poor.tsv"]
    assert concord("run", "c.txt", *systems, "-t", "es", "-r", "rtt", "--top", "0")[0] == 0
    return concord


def test_two_runs_are_compared_in_tables_with_the_worst_first(concord):
    code, out, err = concord("compare", "2", "4", "--limit", "2")
    assert code == 0
    assert "2 → 4  rtt en→es        8              6            0              1              1      0" in out
    assert "p (Holm)" in out
    assert "0.031" in out
    assert "rtt en→es, newly failing, the most suspicious first:" in out
    assert out.count("back-translation after [en]") == 2
    assert "Traceback" not in err


def test_systems_are_compared_by_name(concord):
    systems = [json.loads(concord("show", str(run), "--json")[1])["runs"][0]["system"] for run in (2, 4)]
    found = json.loads(concord("compare", *systems, "--json")[1])
    assert [(row["before"]["run"], row["after"]["run"]) for row in found["rows"]] == [(1, 3), (2, 4)]


def test_a_system_that_was_not_run_is_told_with_those_that_were(concord):
    code, _, err = concord("compare", "1", "bad")
    assert (code, "'bad' is neither a run nor a system" in err) == (2, True)
    assert "Systems: table:good.tsv, table:poor.tsv" in err


def test_a_run_is_not_compared_with_itself(concord):
    assert "both sides are the same: run 2 (rtt en→es" in concord("compare", "2", "2")[2]


def test_a_comparison_is_one_json_object(concord):
    code, out, _ = concord("compare", "2", "4", "--list", "still failing", "--json")
    (row,) = json.loads(out, parse_constant=pytest.fail)["rows"]
    assert code == 0
    assert row["parts"][0]["cases"]["newly_failing"] == 6
    assert row["parts"][0]["sentences"]["p"] == pytest.approx(2 / 2**6)
    assert [each["after"]["text"] for each in row["listed"]] == ["The dog sleeps here."]


def test_the_gate_fails_with_exit_code_3_and_says_which_rule_by_how_much(concord):
    code, out, _ = concord("gate", "4", "--max", "rtt=0.5", "--no-worse-than", "2", "--no-new")
    assert code == 3
    assert "FAILED  limit" in out
    assert "7 (87.5%)" in out
    assert "+6 −0, p 0.031" in out
    assert "6 new" in out
    assert out.rstrip().endswith("Gate failed: 3 of 5 rules do not hold. 7 findings break them.")


def test_several_relations_are_decided_together_and_a_table_says_where(concord):
    systems = ["-s", "table:good.tsv", "-s", "table:poor.tsv"]
    assert concord("run", "c.txt", *systems, "-t", "es", "-r", "literals", "--top", "0")[0] == 0
    code, out, _ = concord("gate", "4,8", "--no-worse-than", "2,6")
    assert code == 3
    assert "FAILED  no worse  7,4,8  sane, rtt, literals en→es  +6 −0, p 0.031" in out
    assert "Where, by relation" in out
    assert "2 → 4  rtt en→es               8              6                  0" in out
    assert "6 → 8  literals en→es          8              5                  0" in out
    assert out.rstrip().endswith("Gate failed: 1 of 2 rules does not hold. 6 findings break them.")
    assert "All relations together" in concord("compare", "2,6", "4,8")[1]
    assert "All relations together" not in concord("compare", "2", "4")[1]


def test_a_finding_in_the_junit_file_has_each_text_once(concord, tmp_path):
    assert concord("gate", "4", "--max", "0", "--junit", str(tmp_path / "gate.xml"))[0] == 3
    written = (tmp_path / "gate.xml").read_text()
    assert "back-translation [en]: " in written
    assert "variant [es]: " not in written


def test_the_gate_passes_with_exit_code_0(concord):
    code, out, _ = concord("gate", "2", "--max", "rtt=20%", "--max-errors", "0")
    assert (code, "Gate passed: 4 of 4 rules hold." in out) == (0, True)


def test_the_gate_is_one_json_object_whatever_its_verdict(concord):
    code, out, _ = concord("gate", "4", "--max", "0", "--json")
    found = json.loads(out)
    assert (code, found["passed"], [check["rule"] for check in found["checks"]]) == (
        3,
        False,
        ["sane", "limit", "limit"],
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["gate", "4", "--max", "0"], 3),
        (["gate", "4", "--max", "0", "--json"], 3),
        (["gate", "4", "--max", "8"], 0),
        (["gate", "9", "--max", "0", "--json"], 2),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_the_verdict_holds_when_nobody_reads_it(concord, tmp_path, words, code, unbuffered):
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "concord.cli", *words]
    with open(writing, "wb") as output:
        ended = subprocess.run(command, cwd=tmp_path, env=environment, stdout=output, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == code
    assert "BrokenPipe" not in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["gate"],
        ["gate", "--max", "rtii=1"],
        ["gate", "9", "--max", "1"],
        ["gate", "--max", "1", "--config", "nowhere.toml"],
        ["gate", "--accept"],
        ["compare", "1"],
        ["compare", "1", "1"],
        ["compare", "1", "2", "--list", "new"],
    ],
)
def test_wrong_usage_is_exit_code_2_in_one_line(concord, words):
    code, out, err = concord(*words)
    assert code == 2
    assert out == ""
    assert "Traceback" not in err


def test_accepted_findings_let_the_gate_pass_and_stand_in_a_file(concord, tmp_path):
    code, out, _ = concord("gate", "4", "--accept", "--accepted", "ok.jsonl", "--reason", "old system")
    assert (code, out) == (0, "7 cases accepted, 7 in all: ok.jsonl\n")
    assert len((tmp_path / "ok.jsonl").read_text().splitlines()) == 7
    code, out, err = concord("gate", "4", "--max", "0", "--no-new", "--accepted", "ok.jsonl")
    assert code == 0
    assert "7 accepted cases count for nothing" in err


def test_the_table_of_the_configuration_is_enough(concord, tmp_path):
    (tmp_path / "concord.toml").write_text("[gate]\nno_worse_than = 2\n[gate.max]\nrtt = 0.1\n")
    code, out, _ = concord("gate")
    assert code == 3
    assert "Gate failed: 2 of 4 rules do not hold." in out


def test_the_result_is_written_for_builders(concord, tmp_path):
    code, out, _ = concord("gate", "4", "--max", "0", "--junit", "gate.xml", "--limit", "3")
    assert (code, "Written: gate.xml" in out) == (3, True)
    assert ET.parse(tmp_path / "gate.xml").getroot().get("tests") == "6"
    code, _, err = concord("gate", "4", "--max", "0", "--junit", "concord.sqlite")
    assert (code, "the workspace itself" in err) == (2, True)


def test_a_gate_that_fails_by_the_judgement_alone_says_so(concord):
    lenient = ("run", "c.txt", "-s", "table:poor.tsv", "-t", "es", "-r", "rtt,threshold=1", "--top", "0")
    assert concord(*lenient)[0] == 0
    code, _, err = concord("gate", "4", "--no-worse-than", "6")
    assert code == 3
    assert "note: 6 → 4: all answers are the same in both runs\n" in err
    assert "cases have the same answers: they are judged differently, by another threshold\n" in err
    assert "judged differently" in concord("gate", "4", "--no-worse-than", "6", "--json")[1]
