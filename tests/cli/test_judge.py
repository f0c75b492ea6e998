"""`concord judge`: pairs that somebody else had translated."""

from __future__ import annotations

import json

import pytest


def test_judging_needs_no_translator(concord, tmp_path):
    rows = "rtt,en,es,Hello world,Hola mundo,Hello world\nrtt,en,es,Hello world,Adiós,Bye\nrtt,en,es,,Hola,x\n"
    (tmp_path / "p.csv").write_text("relation,source_lang,target_lang,source,translation,follow_up_output\n" + rows)
    same, lost, empty = json.loads(concord("judge", "p.csv", "--json")[1])["rows"]
    assert (same["suspicion"], same["flagged"], lost["flagged"]) == (0, False, True)
    assert empty["error"] == "empty: source"
    code, out, _ = concord("judge", "p.csv", "-r", "rtt,threshold=0.9")
    assert code == 0
    assert "1 could not be judged" in out
    code, _, err = concord("judge", "p.csv", "-r", "pivot")
    assert code == 2
    assert "pivot reads more than the file has: no column follow_up" in err


def test_judging_few_pairs_says_how_little_they_teach(concord, tmp_path):
    head = "source,follow_up,source_translation,follow_up_translation\n"
    (tmp_path / "p.csv").write_text(head + "a dog barks,a cat barks,un perro ladra,un gato ladra\n")
    words = ("judge", "p.csv", "-r", "transrepair", "--from", "en", "--to", "es")
    code, out, err = concord(*words)
    assert code == 0
    assert "0 of 1 pair flagged" in out
    assert "the file has 2 different texts with a translation" in err
    assert json.loads(concord(*words, "--json")[1])["notes"] == err.strip().splitlines()


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_judging_fails_if_no_pair_can_be_judged_not_even_by_sane(concord, tmp_path, as_json):
    head, good, bad = "source,source_output,follow_up_output\n", "Hello,Hola,Hello\n", ",Hola,Hello\n"
    copy = "The cat is black,The cat is black,The cat is black\n"
    codes = []
    for lines in (good, good + bad, copy, bad):
        (tmp_path / "p.csv").write_text(head + lines)
        words = ("judge", "p.csv", "-r", "rtt", "--from", "en", "--to", "es")
        codes.append(concord(*words, *as_json)[0])
    assert codes == [0, 0, 0, 1]


def test_judging_counts_what_is_flagged_not_judged_and_beyond_judging(concord, tmp_path):
    lines = [
        "The old bridge is closed,El puente viejo está cerrado,The old bridge is closed",
        "The old bridge is closed,El puente viejo está cerrado,Nothing of that",
        "The cat is black,The cat is black,The cat is black",
        "The cat is black,The cat is black,The black cat",
        "Two dogs sat there,,Two dogs sat there",
        ",Hola,Hello",
    ]
    (tmp_path / "p.csv").write_text("source,source_output,follow_up_output\n" + "\n".join(lines))
    code, out, _ = concord("judge", "p.csv", "-r", "rtt", "--from", "en", "--to", "es")
    assert code == 0
    assert "   4  sane      1.000  flagged: The answer is a copy of the text.\n" in out
    assert out.splitlines()[-1] == (
        "1 of 2 pairs flagged; 3 not judged; 2 answers flagged by sane (1 copy, 1 empty); 1 could not be judged"
    )
