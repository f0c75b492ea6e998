"""`concord sample`: a corpus out of a larger one."""

from __future__ import annotations

import bz2
import json

FAKE = ("--system", "fake", "--to", "es")


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


def test_a_dump_is_sampled_by_its_ending(concord, tmp_path):
    page = (
        "<page><title>Clock</title><ns>0</ns><id>7</id><revision><text>The '''clock''' in the old hall struck the"
        " [[hour]] twice this morning.</text></revision></page>"
    )
    (tmp_path / "dump.xml.bz2").write_bytes(bz2.compress(f"<mediawiki>{page}</mediawiki>".encode()))
    assert concord("sample", "dump.xml.bz2", "-o", "one.jsonl")[0] == 0
    row = json.loads((tmp_path / "one.jsonl").read_text())
    assert row["text"] == "The clock in the old hall struck the hour twice this morning."
    assert row["page"] == "Clock"


def test_nothing_to_sample_says_why(concord, tmp_path):
    (tmp_path / "short.txt").write_text("No.\nYes.\n")
    code, _, err = concord("sample", "short.txt")
    assert code == 2
    assert "2 sentences seen; dropped: " in err
    assert concord("sample", "missing.txt")[0] == 2
