"""No text and no answer, however long, keeps a command busy: each ends soon, small, and as a row that says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from concord.errors import NotJudged
from concord.metrics import similarity
from concord.model import Metric, Text

DASHES = "The cat sat " + "1-" * 400_000 + " on it."
SECONDS, MEGABYTES = 5, 300


MEASURED = f"""
import json, resource, subprocess, sys
limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, ({4 * SECONDS}, {4 * SECONDS}))
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=limit)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, done.stdout, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""A small process of its own starts the command: the peak of a child begins with that of its parent. What freezes is
killed, so that the test fails instead of waiting for it."""


def run_in_child(folder: Path, *words: str, codes: tuple[int, ...] = (0, 1)) -> str:
    """Run a command in another process, and hold it to its processor time and its memory; gives what it printed."""
    call = [sys.executable, "-c", MEASURED, sys.executable, "-m", "concord.cli", *words]
    told = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=True).stdout
    code, printed, seconds, kilobytes = json.loads(told)
    assert code in codes, printed
    assert seconds < SECONDS
    assert kilobytes < MEGABYTES * 1024
    return printed


@pytest.mark.parametrize("relation", ["literals", "semmt"])
def test_a_line_of_800_000_characters_is_a_row_that_says_so(tmp_path, relation):
    (tmp_path / "dash.txt").write_text(DASHES + "\n")
    run_in_child(tmp_path, "run", "dash.txt", "-r", relation, "-s", "fake", "-t", "es", "--top", "0")
    said = run_in_child(tmp_path, "show", "--errors")
    assert "not judged: the text has 800,019 characters" in said
    assert "It begins: “The cat sat 1-1-" in said
    assert len(said) < 2_000


@pytest.mark.parametrize("relation", ["literals", "semmt"])
def test_an_answer_of_3_mb_to_a_short_sentence_is_shown_as_what_it_is(tmp_path, relation):
    program = tmp_path / "mt"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfor line in sys.stdin:\n    print('1-' * 1_500_000, flush=True)\n"
    )
    program.chmod(0o755)
    command = ("run", "demo", "--limit", "1", "-r", relation, "-s", "command:./mt", "-t", "es", "--top", "0")
    run_in_child(tmp_path, *command)
    said = run_in_child(tmp_path, "show", "--errors")
    assert "not judged: the answer to “The city council voted 7 to 4" in said
    assert "cut at 11,980 characters, 20 × 99 + 10,000. It begins: “1-1-1-" in said
    assert len(said) < 2_000
    # From the workspace it is the same row, and nobody is asked.
    sane, again = json.loads(run_in_child(tmp_path, *command, "--json"))["runs"]
    assert (sane["flagged"], again["not_judged"], again["errors"]) == (1, 1, 0)
    assert again["translations"] == {"asked": 1, "sent": 0, "cached": 1}


def test_a_long_pair_is_not_judged(concord, tmp_path):
    rows = [{"source": "3 cats", "translation": translation} for translation in ("3 gatos", DASHES)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, _ = concord("judge", "pairs.jsonl", "-r", "literals", "--from", "en", "--to", "es", "--json")
    short, long = json.loads(out)["rows"]
    assert (code, short["flagged"]) == (0, False)
    assert long["error"].startswith("not judged: translation has 800,019 characters; at most 20,000 are compared")


def test_a_long_sentence_is_not_read_as_an_expression(tmp_path):
    (tmp_path / "texts.txt").write_text(f"lines with at least 3 dogs\n{DASHES}\n")
    rows = run_in_child(tmp_path, "regex", "texts.txt", "--json").splitlines()
    assert "not judged: the text has 800,019 characters" in "".join(rows)


def test_a_long_text_is_neither_planned_nor_paid_for(concord, tmp_path):
    (tmp_path / "texts.txt").write_text(f"3 cats\n{DASHES}\n")
    corpus = ("texts.txt", "-r", "literals", "-t", "es")
    assert "1 text to translate" in concord("plan", *corpus, "-s", "files:exchange")[1]
    assert (tmp_path / "exchange" / "en-es.txt").read_text() == "3 cats\n"
    estimate = json.loads(concord("run", *corpus, "-s", "fake", "--dry-run", "--json")[1])
    assert (estimate["texts"], estimate["characters"]) == (1, 6)


@pytest.mark.parametrize("key", ["a" + ".a" * 20_000, "'a'" + " . 'a'" * 20_000], ids=["bare", "quoted"])
@pytest.mark.parametrize("words", [("-s", "t.toml"), ("-s", "fake", "--config", "t.toml")], ids=" ".join)
def test_a_dotted_key_is_refused_before_it_takes_gigabytes(tmp_path, words, key):
    (tmp_path / "t.toml").write_text(f'translator = "fake"\n{key} = 1\n')
    said = run_in_child(tmp_path, "run", "demo", *words, codes=(2,))
    assert said == "error: t.toml is not read: tables or lists lie in each other more than 20 deep\n"


HOSTILE_LINES = {
    "brackets": "(" * 19_999,
    "number words": "twenty " * 2_800,
    "placeholders": "%s{0}" * 4_000,
    "digits": "1 " * 9_999,
}


@pytest.mark.parametrize("words", HOSTILE_LINES.values(), ids=HOSTILE_LINES)
@pytest.mark.parametrize("relation", ["rti", "mgmt"])
def test_a_line_of_thousands_of_words_or_marks_is_not_parsed(tmp_path, relation, words):
    (tmp_path / "texts.txt").write_text(words + "\n")
    run_in_child(tmp_path, "run", "texts.txt", "-r", relation, "-s", "fake", "-t", "es", "--top", "0")
    if relation == "rti":
        said = run_in_child(tmp_path, "show", "--errors")
        assert "words and marks; at most 1,000 are parsed. It begins: “" in said
    else:
        run_in_child(tmp_path, "export", "2", "-o", "rows.jsonl")
        (row,) = (tmp_path / "rows.jsonl").read_text().splitlines()
        untested = "the text has more than 200 words and marks"
        assert json.loads(row)["evidence"]["untested"] == {"phrase": untested, "word": untested}


def test_a_text_of_a_thousand_words_is_still_parsed(tmp_path):
    (tmp_path / "texts.txt").write_text("The old cat of the small house sat down. " * 100 + "\n")
    run_in_child(tmp_path, "run", "texts.txt", "-r", "rti", "-s", "fake", "-t", "es", "--top", "0")
    assert "not judged:" not in run_in_child(tmp_path, "show", "--errors")


@pytest.mark.parametrize("metric", ["tree_paths", "dependency"])
def test_a_metric_of_trees_parses_as_much_as_a_relation(metric):
    long, short = Text("(" * 19_999, "en"), Text("The cat sat.", "en")
    with pytest.raises(NotJudged, match="at most 1,000 are parsed"):
        similarity(Metric(metric), long, short)


@pytest.mark.parametrize("relation", ["transrepair", "cat", "semmt", "literals"])
def test_a_number_of_thousands_of_digits_is_no_internal_error(concord, tmp_path, relation):
    digits = "9" * 5_000
    lines = [digits, f"There are {digits} dogs.", f"It cost {digits}.50 euros.", f"It weighs 0.{digits} tonnes."]
    (tmp_path / "texts.txt").write_text("\n".join(lines) + "\n")
    code, out, _ = concord("run", "texts.txt", "-r", relation, "-s", "fake", "-t", "es", "--json")
    assert (code, json.loads(out)["runs"][0]["errors"]) == (0, 0)


def test_a_line_without_end_has_no_phrases_to_list(tmp_path):
    (tmp_path / "texts.txt").write_text("(" * 19_999 + "\nThe old cat of the small house sat down.\n")
    rows = json.loads(run_in_child(tmp_path, "phrases", "texts.txt", "-r", "rti", "--from", "en", "--json"))["rows"]
    assert rows[0]["error"].startswith("not judged: the text has 19,999 words and marks; at most 1,000 are parsed")
    assert rows[1]["phrase"] == "The old cat of the small house"
