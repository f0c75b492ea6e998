"""`concord sample`: a corpus out of a larger one."""

from __future__ import annotations

import json

FAKE = ("--system", "fake", "--to", "es", "-r", "sane")


def test_a_sample_is_a_corpus_that_can_be_run(concord, tmp_path):
    sound = "\n".join(f"The old clock in the hall of house number {i} struck the hour." for i in range(50))
    (tmp_path / "book.txt").write_text(sound + "\nToo short.\n")
    code, out, _ = concord("sample", "book.txt", "-n", "10", "-o", "ten.jsonl")
    assert code == 0
    assert "10 of 51 sentences: ten.jsonl" in out
    made = json.loads(concord("sample", "book.txt", "-n", "10", "-o", "ten.jsonl", "--json")[1])
    assert made["sentences"] == 10
    assert sum(made["dropped"].values()) == 1
    assert json.loads(concord("run", "ten.jsonl", *FAKE, "--json")[1])["cases"] == 10


def test_nothing_to_sample_says_why(concord, tmp_path):
    (tmp_path / "short.txt").write_text("No.\nYes.\n")
    code, _, err = concord("sample", "short.txt")
    assert code == 2
    assert "2 sentences seen; dropped: " in err
    assert concord("sample", "missing.txt")[0] == 2
