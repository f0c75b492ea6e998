"""`concord calibrate` as a user sees it."""

from __future__ import annotations

import json

import pytest

from concord.runs.config import read_configuration

COMMAND = ("calibrate", "demo", "-r", "literals", "-s", "fake,flaws=0", "--limit", "40", "--rate", "1")


def test_thresholds_what_is_found_and_the_lines_to_set_are_printed(concord):
    code, out, _ = concord(*COMMAND, "--kinds", "change_number,drop_word", "--kinds", "drop_word")
    lines = out.splitlines()
    assert code == 0
    assert lines[1] == "fake,flaws=0 en→es: at most 0.05 of clean cases flagged"
    assert [line.split() for line in lines[2:5]] == [
        ["relation", "threshold", "clean", "cases", "flagged", "share", "recall"],
        ["literals", "chosen", "0", "40", "1", "2.5%", "0.26"],
        ["literals", "now", "in", "force", "0.5", "40", "0", "0.0%", "0.25"],
    ]
    assert [line.split()[0] for line in lines[7:10]] == ["literals:", "fault", "change_number"]
    head = "In concord.toml, which `concord run` reads, this would be written (--write does it):"
    assert f"{head}\n[relations.literals]\nthreshold = 0" in out
    assert "the share of false alarms is at most" in out
    assert not read_configuration("concord.toml")


def test_written_thresholds_are_read_by_the_next_run(concord):
    code, out, _ = concord(*COMMAND, "--kinds", "drop_word", "--write")
    assert (code, out.splitlines()[-1]) == (0, "Written to concord.toml.")
    assert "For concord.toml, which `concord run` reads:\n" in out
    assert "would be" not in out
    assert read_configuration("concord.toml") == {"literals": {"threshold": 0.0}}


def test_programs_get_every_number(concord):
    code, out, _ = concord(*COMMAND, "--kinds", "change_number", "--false-alarms", "0.1", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["system"], found["target_lang"], found["false_alarms"], found["rate"]) == (
        "fake,flaws=0",
        "es",
        0.1,
        1,
    )
    (literals,) = found["relations"]
    assert (literals["relation"], literals["clean"], literals["option"]) == ("literals", 40, "threshold")
    assert literals["kinds"][0]["recall"] == literals["kinds"][0]["recall_in_force"] == literals["recall"] == 1
    assert literals["in_force"] == {"threshold": 0.5, "flagged": 0, "recall": 1}
    assert {"cases", "found", "interval", "auc", "blamed", "blamed_share"} <= literals["kinds"][0].keys()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--kinds", "typo"), "kind of fault to calibrate with 'typo'"),
        (("--false-alarms", "5"), "--false-alarms is a share from 0 to below 1, such as 0.05, not 5"),
        (("--rate", "2"), "--rate is the share of answers to spoil"),
        (("--kinds", ","), "name at least one kind of fault"),
    ],
)
def test_wrong_options_are_told_with_their_cure(concord, words, said):
    code, _, err = concord(*COMMAND, *words)
    assert code == 2
    assert said in err
