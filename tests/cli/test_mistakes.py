"""A mistake is told with its cure, on one line or as an object, and by the exit code."""

from __future__ import annotations

import json

import pytest

FAKE = ("--system", "fake", "--to", "es", "-r", "rtt")


@pytest.mark.parametrize(
    "command",
    [
        ("run", "c.txt", "-r", "cat"),
        ("plan", "c.txt", "-r", "cat"),
        ("calibrate", "c.txt", "-r", "cat"),
        ("judge", "p.csv", "-r", "transrepair", "--from", "en", "--to", "es"),
    ],
    ids=lambda words: words[0],
)
def test_synonyms_that_cannot_be_read_are_said_before_anything_is_sent(concord, tmp_path, command):
    (tmp_path / "c.txt").write_text("The old dog sleeps.\n")
    head = "source,follow_up,source_translation,follow_up_translation\n"
    (tmp_path / "p.csv").write_text(head + "a dog barks,a cat barks,un perro ladra,un gato ladra\n")
    (tmp_path / "ours.tsv").write_text("casa\thogar\nperro\n")
    code, _, err = concord(*command, "--synonyms", "ours.tsv")
    assert code == 2
    assert "ours.tsv, line 2: 'perro' is the only word. A line has two or more synonyms" in err


@pytest.mark.parametrize("command", ["run", "judge", "regex"])
def test_the_help_says_when_a_command_fails(concord, command):
    assert "The exit code is 1 if " in " ".join(concord(command, "--help")[1].split())


WRONG = [
    (("run", "demo", "-r", "rtii", *FAKE), "there is no relation 'rtii'. Did you mean 'rti'? Known: cat, "),
    (("try", "A cat sat.", "-r", "rtii", "-s", "fake"), "there is no relation 'rtii'. Did you mean 'rti'?"),
    (("try", "A cat sat.", "-r", "rti,max=5", "-s", "fake"), "there is no option of rti 'max'"),
    (("run", "demo", "-r", "rtt,metric=blue", *FAKE), "there is no metric 'blue'. Did you mean 'bleu'?"),
    (("run", "demo", "--system", "fakee", "--to", "es"), "there is no translator 'fakee'. Did you mean 'fake'?"),
    (("run", "demo", "--system", "apertium", "--to", "zh"), "en-zh"),
    (("run", "demo", "--system", "fake", "--to", "english"), "english"),
    (("run", "nothing.txt", *FAKE), "there is no file nothing.txt"),
    (("run", "demo", *FAKE, "-w", "no/where.sqlite"), "does not exist"),
    (("run", "demo", *FAKE, "--timeout", "0"), "more than 0 seconds"),
    (("run", "demo", *FAKE, "-r", "pivot"), "no pivot language is known between en and es"),
    (("run", "demo", "--system", "apertium", "--to", "es", "-r", "pivot,pivots=ca,fr"), "en-fr"),
    (("run", "demo", "--system", "fake", "--to", "en"), "changes nothing"),
    (("run", "", *FAKE), "the name of the corpus is empty"),
    (("run", "demo", "--system", "apy:http://127.0.0.1:99999", "--to", "es"), "is not the address of a server"),
    (("run", "demo", *FAKE, "--glossary", "none.tsv"), "the glossary none.tsv cannot be read: No such file"),
    (("run", "demo", *FAKE, "--synonyms", "none.tsv"), "the file of synonyms none.tsv cannot be read: No such file"),
    (("run", "demo", *FAKE, "--parser", "spacey"), "there is no parser 'spacey'. Did you mean 'spacy'?"),
    (("run", "demo", *FAKE, "--encoder", "nope"), "there is no encoder 'nope'. Known: minilm, "),
    (("run", "demo", *FAKE, "--substitutes", "nope"), "there is no source of substitutes 'nope'. Known: lexicon, "),
    (("run", "demo", *FAKE, "--dictionaries", "freedct"), "there is no dictionary 'freedct'. Did you mean 'freedict'?"),
    (("run", "demo", *FAKE, "--format", "pdf"), "there is no format 'pdf'. Known: csv, "),
    (("plan", "demo", "--parser", "nope"), "there is no parser 'nope'"),
    (("calibrate", "demo", "-r", "literals", "-s", "fake", "--glossary", "none.tsv"), "the glossary none.tsv cannot"),
    (("regex", "demo", "--format", "pdf"), "there is no format 'pdf'. Known: csv, "),
    (("prevalence", "demo", "--format", "pdf"), "there is no format 'pdf'. Known: csv, "),
    (("judge", "nothing.csv", "--glossary", "none.tsv"), "the glossary none.tsv cannot be read"),
    (("show",), "there is no workspace concord.sqlite"),
    (("judge", "nothing.csv"), "there is no file nothing.csv"),
    (
        ("show", "--limit", "0"),
        "invalid value for '--limit': Input should be greater than or equal to 1, not '0'.",
    ),
    (("shwo",), "no such command 'shwo'. Did you mean 'show'? See: "),
    (("show", "-w", ""), "the name of the workspace is empty"),
    (("run", "demo", "--system", "openai", "--to", "es"), "openai must be told: model. Write: openai,model=…"),
]


@pytest.mark.parametrize(
    ("words", "said"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_a_mistake_is_one_line_with_the_cure_and_exit_2(concord, words, said):
    code, out, err = concord(*words)
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert said in err
    assert "Traceback" not in err


def test_what_exists_and_has_no_use_is_no_mistake(concord, tmp_path):
    (tmp_path / "words.tsv").write_text("dog\tperro\n")
    evidence = ("--glossary", "words.tsv", "--synonyms", "words.tsv", "--dictionaries", "freedict")
    services = ("--parser", "auto", "--encoder", "minilm", "--substitutes", "lexicon", "--format", "JSON lines")
    assert concord("run", "demo", *FAKE, "--limit", "2", *evidence, *services)[0] == 0


def test_an_unknown_run_or_format_is_said(concord):
    concord("run", "demo", *FAKE, "--limit", "2")
    assert "there is no run 7" in concord("show", "7")[2]
    assert "'x' is not a run" in concord("show", "x")[2]
    assert "'²' is not a run" in concord("show", "²")[2]
    assert "is not a run" in concord("show", "9" * 30)[2]
    assert "--output rows.jsonl" in concord("export", "--json", "-o", "rows.json")[2]
    assert "there is no export format 'xlsx'" in concord("export", "-o", "rows.xlsx")[2]


def test_a_damaged_workspace_is_exit_1(concord, tmp_path):
    (tmp_path / "concord.sqlite").write_text("not a database" * 100)
    code, _, err = concord("show")
    assert code == 1
    assert "choose another with --workspace" in err


def test_an_error_is_a_json_object_too(concord):
    code, out, err = concord("run", "nothing.txt", *FAKE, "--json")
    assert (code, json.loads(out)) == (2, {"error": "there is no file nothing.txt."})
    assert err == "error: there is no file nothing.txt.\n"


@pytest.mark.parametrize("words", [("run", "--limit", "0"), ("experiment", "run"), ("nosuch",), ("analyse", "t.csv")])
def test_wrong_usage_is_an_object_too(concord, words):
    code, out, err = concord(*words, "--json")
    assert code == 2
    assert json.loads(out)["error"]
    assert err
