"""Systems that are programs: what they answer badly, or not at all, is rows with errors."""

from __future__ import annotations

import json

import pytest

from concord.engine.batching import health


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("true", "true wrote 0 lines for 1 text, not one line for each text: it wrote no message"),
        ("sh -c 'cat; echo more; echo Lost >&2'", "sh wrote 2 lines for 1 text, not one line for each text: Lost"),
    ],
)
def test_a_program_that_answers_badly_gives_error_rows(concord, tmp_path, program, said):
    (tmp_path / "c.txt").write_text("One.\nTwo.\nThree.\n")
    code, out, _ = concord("run", "c.txt", "--system", f"command:{program}", "--to", "es", "-r", "sane", "--json")
    assert (code, json.loads(out)["errors"]) == (1, 3)
    rows = json.loads(concord("show", "--errors", "--json")[1])["rows"]
    assert len(rows) == 3
    assert all(said in row["error"] for row in rows)


def test_empty_answers_are_flagged_by_sane_and_not_judged_by_others(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One.\nTwo.\nThree.\n")
    both = ("-r", "sane", "-r", "rtt", "--system", "command:sed s/.*//", "--to", "es", "--json")
    code, out, _ = concord("run", "c.txt", *both)
    sane, rtt = json.loads(out)["runs"]
    assert (code, sane["flagged"], sane["not_judged"], sane["errors"]) == (0, 3, 0, 0)
    assert (rtt["cases"], rtt["not_judged"], rtt["errors"]) == (0, 3, 0)
    (row, *_) = json.loads(concord("show", "--errors", "--json")[1])["rows"]
    assert row["error"] == "not judged: the answer to “One.” is not sane (empty). The answer is empty."


def test_a_program_that_answers_only_the_first_line_is_asked_line_by_line(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One.\nTwo.\nThree.\n")
    made = json.loads(concord("run", "c.txt", "--system", "command:head -n 1", "-t", "es", "-r", "sane", "--json")[1])
    assert (made["cases"], made["errors"]) == (3, 0)


def test_a_program_that_crashes_gives_rows_with_its_last_words(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One.\n")
    crash = "command:sh -c 'echo out of memory >&2; exit 3'"
    made = json.loads(concord("run", "c.txt", "--system", crash, "--to", "es", "-r", "sane", "--json")[1])
    assert made["errors"] == 1
    assert "out of memory" in json.loads(concord("show", "--errors", "--json")[1])["rows"][0]["error"]


def test_a_program_that_hangs_is_given_up(concord, tmp_path, monkeypatch):
    monkeypatch.setattr(health, "PATIENCE_AT_FIRST", 2.0)
    (tmp_path / "c.txt").write_text("One.\nTwo.\n")
    code, out, _ = concord("run", "c.txt", "--system", "command:sleep 1000", "--to", "es", "--timeout", "0.3", "--json")
    assert code == 1
    assert "gave no answer within 0.3 s" in json.loads(out)["error"]


def test_a_run_with_errors_says_so_with_the_first_and_where_to_see_them(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One.\nTwo.\n")
    code, out, _ = concord("run", "c.txt", "--system", "command:grep One", "--to", "es", "-r", "sane")
    assert code == 0
    assert "1 row has an error. The first, in row 2: " in out
    assert "--errors" in out


def test_a_system_that_only_fails_makes_the_command_fail(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One house.\nTwo dogs.\n")
    (tmp_path / "t.tsv").write_text("en\tfr\tnothing\trien\nen\tes\tnothing\tnada\nes\ten\tnada\tnothing\n")
    code, out, _ = concord("run", "c.txt", "-s", "fake", "-s", "table:t.tsv", "-t", "es")
    assert code == 1
    assert "rows have an error" in out


def test_runs_that_finished_are_shown_when_a_later_system_ends_the_command(concord, tmp_path, monkeypatch):
    monkeypatch.setattr("concord.engine.batching.health.PATIENCE_AT_FIRST", 0.1)
    (tmp_path / "s.txt").write_text("Hello there.\n")
    silent = "openai,model=m,url=http://127.0.0.1:9/v1"
    code, out, err = concord("run", "s.txt", "-s", "fake", "-s", silent, "--to", "es")
    assert code == 1
    assert "1  fake    en→es" in out
    assert err.endswith("the same command goes on. Runs that finished are kept (concord runs)\n")
    assert "1  fake" not in concord("run", "s.txt", "-s", "fake", "-s", silent, "--to", "es", "--json")[1]


def test_a_program_that_says_a_key_is_not_quoted(concord, tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "canary-4411-aa")
    program = tmp_path / "dies"
    program.write_text('#!/bin/sh\necho "boom key=$SOME_API_KEY" >&2\nexit 7\n')
    program.chmod(0o755)
    (tmp_path / "c.txt").write_text("One.\n")
    concord("run", "c.txt", "-s", "command:./dies", "-t", "es")
    shown = concord("show", "--errors")
    assert "canary" not in "".join(shown[1:])
    assert not [file for file in tmp_path.glob("*.sqlite*") if b"canary" in file.read_bytes()]


@pytest.mark.parametrize(
    ("program", "cure"), [("./nofile", "the path"), ("nofile", "the spelling, or give its path, such as ./nofile")]
)
def test_a_program_that_does_not_exist_is_not_suggested(concord, program, cure):
    code, _, said = concord("run", "demo", "--limit", "1", "--system", f"command:{program}", "--to", "es")
    assert (code, said.splitlines()[-1]) == (2, f"error: there is no program '{program}'. Check {cure}")
