"""The command line as a user meets it: what it prints, what it writes, how it ends."""

from __future__ import annotations

import bz2
import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from concord.engine import patience

FAKE = ("--system", "fake", "--to", "es")


def test_a_run_prints_counts_findings_and_what_to_type_next(concord):
    code, out, _ = concord("run", "demo", *FAKE, "-r", "rtt", "-r", "pivot,pivots=gl,eo")
    assert code == 0
    assert all(word in out for word in ("violated", "errors", "asked", "sent", "cached", "suspicion", "«"))
    assert "Workspace: concord.sqlite" in out
    assert "concord show 1,2" in out


def test_what_to_type_next_is_for_these_languages_and_this_workspace(concord, tmp_path):
    (tmp_path / "c.txt").write_text("Una casa.\nDos perros.\n")
    words = ("run", "c.txt", "--system", "fake", "--from", "es", "--to", "en", "--top", "0")
    out = concord(*words, "-w", "my work.sqlite")[1]
    steps = [line for line in out[out.index("Next:") :].splitlines() if line.startswith("  ")]
    assert len(steps) == 5
    assert all(" -w 'my work.sqlite'  " in line for line in steps)
    assert "run your.txt --system … --from es --to en -w" in out
    assert "-w" not in concord(*words)[1]


@pytest.mark.parametrize("command", [("run", "-s", "fake"), ("run", "-s", "fake", "--dry-run"), ("plan",)])
def test_an_error_about_an_option_of_the_file_names_the_file(concord, tmp_path, command):
    (tmp_path / "c.txt").write_text("One house.\n")
    (tmp_path / "concord.toml").write_text("[relations.rtt]\nthreshold = 3\n")
    code, _, err = concord(command[0], "c.txt", *command[1:], "-r", "rtt")
    assert code == 2
    assert "not 3" in err
    assert "(concord.toml has threshold = 3 for rtt; what the command says wins: --relation rtt,threshold=…)" in err
    code, _, err = concord(command[0], "c.txt", *command[1:], "-r", "rtt,threshold=4")
    assert code == 2
    assert "concord.toml has" not in err


def test_an_error_about_what_an_option_of_the_file_is_set_to_names_the_file(concord, tmp_path):
    (tmp_path / "concord.toml").write_text('[relations.rtt]\nmetric = "comet"\n')
    code, _, err = concord("run", "demo", "--limit", "2", *FAKE, "-r", "rtt")
    assert code == 2
    assert "(concord.toml has metric = comet for rtt; what the command says wins: --relation rtt,metric=…)" in err


def test_an_error_about_something_else_does_not_name_the_file(concord, tmp_path):
    (tmp_path / "concord.toml").write_text("[relations.rtt]\nthreshold = 0.3\n")
    for words in (("-s", "fake", "-t", "en"), ("-s", "nobody", "-t", "es")):
        code, _, err = concord("run", "demo", "-r", "rtt", *words)
        assert code == 2
        assert "concord.toml has" not in err


def test_a_library_that_a_configured_option_needs_is_not_the_commands_fault(concord, tmp_path, monkeypatch):
    from concord.metrics import embedding
    from concord.text import models

    monkeypatch.setattr(embedding, "_encoder", embedding._encoder.__wrapped__)  # another test may have loaded it
    found = models.importlib.util.find_spec
    monkeypatch.setattr(models.importlib.util, "find_spec", lambda name: None if name == "torch" else found(name))
    (tmp_path / "concord.toml").write_text('[relations.rtt]\nmetric = "embedding"\n')
    code, _, err = concord("run", "demo", "--limit", "2", *FAKE, "-r", "rtt")
    assert code == 2
    assert "torch is not installed. To install it: pip install 'concord-mt[semantic]' (concord.toml has metric" in err


def test_a_run_as_json_is_one_object_with_the_promised_fields(concord):
    code, out, _ = concord("run", "demo", *FAKE, "--json")
    made = json.loads(out)
    assert code == 0
    assert {"run", "signature", "cases", "violated", "errors", "translations", "seconds"} <= set(made)
    assert made["cases"] == 288
    assert made["translations"] == {"asked": 576, "sent": 576, "cached": 0}
    assert made["signature"].startswith("rtt|metric:chrf|threshold:0.4|comparison:paper|en-es|mt:fake@1")


def test_run_again_it_sends_nothing(concord):
    concord("run", "demo", *FAKE)
    made = json.loads(concord("run", "demo", *FAKE, "--json")[1])
    assert (made["run"], made["translations"]["sent"], made["translations"]["cached"]) == ("2", 0, 576)


def test_fresh_asks_everything_again_once_per_command(concord):
    concord("run", "demo", *FAKE, "--limit", "20")
    relations = ("-r", "rtt", "-r", "rtt,metric=bleu")
    made = json.loads(concord("run", "demo", *FAKE, "--limit", "20", *relations, "--fresh", "--json")[1])
    assert [run["translations"]["sent"] for run in made["runs"]] == [40, 0]
    assert "~1" in made["signature"]


def test_fresh_is_not_held_up_by_another_command_that_never_finished(concord):
    assert concord("run", "demo", *FAKE, "--limit", "5", "--fresh", "-r", "pivot")[0] == 2
    sent = [
        json.loads(concord("run", "demo", *FAKE, "--limit", "20", "--fresh", "--json")[1])["translations"]["sent"]
        for _ in range(2)
    ]
    assert sent == [40, 40]


def test_a_run_that_cannot_work_leaves_no_trace_and_sends_nothing(concord):
    for relation in ("pivot", "pivot,pivots=englsh", "pivot,pivots=es"):
        assert concord("run", "demo", *FAKE, "-r", "rtt", "-r", relation)[0] == 2
    assert json.loads(concord("runs", "--json")[1]) == {"rows": []}


def test_every_run_is_listed_with_its_signature(concord):
    concord("run", "demo", *FAKE, "--limit", "2", "-r", "rtt", "-r", "rtt,metric=bleu")
    first, second = json.loads(concord("runs", "--json")[1])["rows"]
    assert first["signature"].startswith("rtt|metric:chrf|")
    assert second["signature"].startswith("rtt|metric:bleu|")
    assert "metric:bleu" in concord("runs")[1]
    assert len(json.loads(concord("show", "--json")[1])["runs"]) == 2


def test_a_dry_run_tells_what_would_be_sent_and_sends_nothing(concord, tmp_path):
    words = ("run", "demo", *FAKE, "-r", "rtt", "-r", "pivot,pivots=gl", "--limit", "20")
    before = json.loads(concord(*words, "--dry-run", "--price", "20", "--json")[1])
    assert not (tmp_path / "concord.sqlite").exists()
    made = json.loads(concord(*words, "--json")[1])
    assert made["translations"]["sent"] == before["texts"] == 80
    assert [row["texts"] for row in before["rows"]] == [40, 40]
    assert before["costs"] == {"": pytest.approx(before["characters"] * 20 / 1_000_000)}
    again = json.loads(concord(*words, "--dry-run", "--json")[1])
    assert (again["texts"], again["costs"]) == (0, {})
    fresh = json.loads(concord(*words, "--dry-run", "--fresh", "--json")[1])
    assert fresh["texts"] == before["texts"]
    assert "Nothing was sent" in concord(*words, "--dry-run")[1]


def test_a_budget_ends_the_run_cleanly_and_a_larger_one_continues_it(concord):
    words = ("run", "demo", "-s", "command:cat,batch=5", "-t", "es", "--limit", "40")
    code, out, err = concord(*words, "--max-chars", "1000", "--json")
    assert code == 1
    assert "larger --max-chars" in err
    assert "larger --max-chars" in json.loads(out)["error"]
    made = json.loads(concord(*words, "--json")[1])
    assert (made["run"], made["cases"], made["errors"]) == ("1", 40, 0)
    assert made["translations"]["sent"] == 80
    assert "--price" in concord(*words, "--max-cost", "1", "--fresh")[2]


def test_a_plan_writes_the_texts_for_a_system_that_cannot_be_called(concord, tmp_path):
    words = ("demo", "-s", "files:x", "-t", "es", "-r", "rtt")
    code, out, _ = concord("plan", *words)
    assert code == 0
    assert "288 texts to translate: x/en-es.txt" in out
    assert len((tmp_path / "x" / "en-es.txt").read_text().splitlines()) == 288
    for asked, made in (("en-es.txt", "en-es.translated.txt"), ("es-en.txt", "es-en.translated.txt")):
        (tmp_path / "x" / made).write_text((tmp_path / "x" / asked).read_text())
        rows = json.loads(concord("plan", *words, "--json")[1])["rows"]
    assert rows == []
    assert "Nothing is missing" in concord("plan", *words)[1]
    assert json.loads(concord("run", *words, "--json")[1])["errors"] == 0
    assert "files:FOLDER" in concord("plan", "demo", "-s", "apertium")[2]


def test_several_runs_are_added_up_and_can_be_selected_again(concord):
    made = json.loads(concord("run", "demo", *FAKE, "--to", "ca", "-r", "rtt", "--limit", "5", "--json")[1])
    assert (made["run"], made["cases"], len(made["runs"])) == ("1,2", 10, 2)
    shown = json.loads(concord("show", made["run"], "--json")[1])
    assert [run["target_lang"] for run in shown["runs"]] == ["es", "ca"]
    assert {row["rank"] for row in shown["rows"]} == {1, 2, 3, 4, 5}


def test_export_writes_every_row_in_three_formats(concord, tmp_path):
    import pyarrow.parquet as pq

    concord("run", "demo", *FAKE, "--limit", "30")
    for name in ("rows.jsonl", "rows.csv", "rows.parquet"):
        assert concord("export", "-o", name) == (0, f"30 rows: {name}\n", "")
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    with (tmp_path / "rows.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    parquet = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    assert [row["position"] for row in lines] == list(range(30))
    for a, b, c in zip(lines, table, parquet, strict=True):
        assert a["source"]["words"] == b["source"] == c["source"]
        assert a["suspicion"] == float(b["suspicion"]) == c["suspicion"]
    assert json.loads(concord("export", "--json")[1])["rows"] == lines


def test_export_to_stdout_is_jsonl(concord):
    concord("run", "demo", *FAKE, "--limit", "3")
    assert len(concord("export")[1].splitlines()) == 3


def test_a_report_is_a_page_that_needs_nothing_else(concord, tmp_path):
    concord("run", "demo", *FAKE, "--limit", "30", "--report", "r.html")
    page = (tmp_path / "r.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "src=" not in page
    assert "http:" not in page.replace("http://www.w3.org", "")
    assert "https:" not in page
    assert concord("report")[0] == 0
    assert (tmp_path / "report.html").exists()


def test_stdin_is_a_corpus(concord, tmp_path):
    made = subprocess.run(
        [sys.executable, "-m", "concord.cli", "run", "-", *FAKE, "--json"],
        input=b"One line.\n\nAnother line.\n",
        capture_output=True,
        cwd=tmp_path,
        check=True,
    )
    assert json.loads(made.stdout)["cases"] == 2
    assert b"1 empty line is skipped (2)" in made.stderr


@pytest.mark.parametrize(
    "words", [("export",), ("export", "--json"), ("export", "--format", "csv"), ("show", "--json")]
)
def test_a_reader_that_has_gone_is_nothing_wrong(concord, tmp_path, words):
    concord("run", "demo", *FAKE, "--top", "0")
    command = [sys.executable, "-m", "concord.cli", *words]
    child = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert (child.wait(), said) == (0, b"")


TRY = ("try", "The old stone bridge was closed.", "-r", "rtt")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("both", [False, True], ids=["stdout", "stdout and stderr"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((*TRY, "-s", "fake"), 0),
        ((*TRY, "-s", "fake", "--json"), 0),
        ((*TRY, "-s", "command:false"), 0),  # as `run` and `judge`: whoever has gone wants no verdict
        (("run", "one.txt", "-s", "command:false"), 0),
        ((*TRY, "-s", "nonsense"), 2),
        (("run", "one.txt", "-s", "nonsense"), 2),
    ],
)
def test_trying_ends_like_other_commands_when_nobody_reads_it(tmp_path, words, code, both, unbuffered):
    (tmp_path / "one.txt").write_text("Hello there.\n")
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "concord.cli", *words]
    with open(writing, "wb") as output:
        errors = output if both else subprocess.PIPE
        ended = subprocess.run(command, cwd=tmp_path, env=environment, stdout=output, stderr=errors, text=True)
    assert ended.returncode == code
    assert "Traceback" not in (ended.stderr or "")
    assert "Broken" not in (ended.stderr or "")


def test_trying_shows_its_first_line_to_whoever_wants_no_more(tmp_path):
    command = [sys.executable, "-m", "concord.cli", *TRY, "-s", "fake"]
    child = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert [child.stdout.readline(), child.stdout.readline()] == [b"\n", b"rtt: 1 case\n"]
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert child.wait() == 0
    assert b"Traceback" not in said


def test_references_are_kept_beside_the_rows(concord, tmp_path):
    (tmp_path / "en.txt").write_text("One.\nTwo.\n")
    (tmp_path / "es.txt").write_text("Uno.\nDos.\n")
    concord("run", "en.txt", *FAKE, "--reference", "es.txt")
    assert [row["reference"] for row in json.loads(concord("export", "--json")[1])["rows"]] == ["Uno.", "Dos."]


@pytest.mark.parametrize("command", ["relations", "translators", "metrics"])
def test_plugins_are_listed_with_their_options(concord, command):
    code, out, _ = concord(command)
    rows = json.loads(concord(command, "--json")[1])["rows"]
    assert code == 0
    assert all(row["name"] in out for row in rows)
    assert all({"name", "purpose", "options"} <= set(row) for row in rows)


def test_the_doctor_knows_what_works_and_what_would_help(concord):
    rows = json.loads(concord("doctor", "--json")[1])["rows"]
    assert {"Python", "Apertium", "relations", "translators", "metrics"} <= {row["what"] for row in rows}
    assert all(row["ok"] or row["fix"] for row in rows)
    assert concord("doctor")[0] == 0
    fixes = [row["fix"] for row in rows if "pip install" in row["fix"]]
    assert all(fix.count("pip install") == 1 for fix in fixes)


def test_the_doctor_names_the_command_where_apertium_is_missing(concord, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    row = next(row for row in json.loads(concord("doctor", "--json")[1])["rows"] if row["what"] == "Apertium")
    assert not row["ok"]
    assert "apt-get install apertium apertium-eng-spa" in row["fix"]


def test_the_demo_without_apertium_says_so_and_tests_the_fake_system(concord, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    code, out, err = concord("demo")
    assert code == 0
    (line,) = err.splitlines()
    assert all(part in line for part in ("Apertium cannot be tested here", "fake", "apt-get install apertium"))
    assert "fake" in out
    assert (tmp_path / "report.html").exists()


def test_judging_needs_no_translator(concord, tmp_path):
    rows = "rtt,en,es,Hello world,Hola mundo,Hello world\nrtt,en,es,Hello world,Adiós,Bye\nrtt,en,es,Hello,,x\n"
    (tmp_path / "p.csv").write_text("relation,source_lang,target_lang,source,translation,follow_up_output\n" + rows)
    same, lost, empty = json.loads(concord("judge", "p.csv", "--json")[1])["rows"]
    assert (same["suspicion"], same["violated"], lost["violated"]) == (0, False, True)
    assert empty["error"] == "empty: translation"
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
    assert "0 of 1 pair violated" in out
    assert "the file has 2 different texts with a translation" in err
    assert json.loads(concord(*words, "--json")[1])["notes"] == err.strip().splitlines()


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
    assert "ours.tsv, line 2: 'perro' stands alone. A line has two or more synonyms" in err


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_judging_fails_if_no_pair_can_be_judged(concord, tmp_path, as_json):
    head, good, bad = "source,source_output,follow_up_output\n", "Hello,Hola,Hello\n", "Hello,,Hello\n"
    codes = []
    for lines in (good, good + bad, bad):
        (tmp_path / "p.csv").write_text(head + lines)
        words = ("judge", "p.csv", "-r", "rtt", "--from", "en", "--to", "es")
        codes.append(concord(*words, *as_json)[0])
    assert codes == [0, 0, 1]


@pytest.mark.parametrize("command", ["run", "judge", "regex"])
def test_the_help_says_when_a_command_fails(concord, command):
    assert "The exit code is 1 if " in " ".join(concord(command, "--help")[1].split())


def test_injected_faults_can_be_listed(concord):
    faulty = "faulty:fake,flaws=0,kind=drop_word,rate=0.5,seed=3"
    concord("run", "demo", "--system", faulty, "--to", "es", "--limit", "40")
    rows = json.loads(concord("faults", "--json")[1])["rows"]
    assert 20 < len(rows) < 60
    assert all(row["fault"] == "drop_word" and len(row["answer"]) < len(row["clean"]) for row in rows)


WRONG = [
    (("run", "demo", "-r", "rtii", *FAKE), "there is no relation 'rtii'. Did you mean 'rti'? Known: cat, "),
    (("run", "demo", "-r", "rtt,metric=blue", *FAKE), "there is no metric 'blue'. Did you mean 'bleu'?"),
    (("run", "demo", "--system", "fakee", "--to", "es"), "there is no translator 'fakee'. Did you mean 'fake'?"),
    (("run", "demo", "--system", "apertium", "--to", "zh"), "en-zh"),
    (("run", "demo", "--system", "fake", "--to", "english"), "english"),
    (("run", "nothing.txt", *FAKE), "there is no file nothing.txt"),
    (("run", "demo", *FAKE, "-w", "no/where.sqlite"), "does not exist"),
    (("run", "demo", *FAKE, "--timeout", "0"), "more than 0 seconds"),
    (("run", "demo", *FAKE, "-r", "pivot"), "no pivot language is known between en and es"),
    (("run", "demo", "--system", "apertium", "--to", "es", "-r", "pivot,pivots=ca,fr"), "en-fr"),
    (("run", "demo", "--system", "fake", "--to", "en"), "goes nowhere"),
    (("run", "", *FAKE), "the name of the corpus is empty"),
    (("run", "demo", "--system", "apy:http://127.0.0.1:99999", "--to", "es"), "is not the address of a server"),
    (("show",), "there is no workspace concord.sqlite"),
    (("judge", "nothing.csv"), "there is no file nothing.csv"),
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


@pytest.mark.parametrize(
    ("program", "said"),
    [("true", "0 of 1 lines"), ("sed s/.*//", "empty answer"), ("sh -c 'cat; echo more'", "2 of 1 lines")],
)
def test_a_program_that_answers_badly_gives_error_rows(concord, tmp_path, program, said):
    (tmp_path / "c.txt").write_text("One.\nTwo.\nThree.\n")
    code, out, _ = concord("run", "c.txt", "--system", f"command:{program}", "--to", "es", "--json")
    assert (code, json.loads(out)["errors"]) == (1, 3)
    rows = json.loads(concord("show", "--errors", "--json")[1])["rows"]
    assert len(rows) == 3
    assert all(said in row["error"] for row in rows)


def test_a_program_that_answers_only_the_first_line_is_asked_line_by_line(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One.\nTwo.\nThree.\n")
    made = json.loads(concord("run", "c.txt", "--system", "command:head -n 1", "--to", "es", "--json")[1])
    assert (made["cases"], made["errors"]) == (3, 0)


def test_a_program_that_crashes_gives_rows_with_its_last_words(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One.\n")
    crash = "command:sh -c 'echo out of memory >&2; exit 3'"
    made = json.loads(concord("run", "c.txt", "--system", crash, "--to", "es", "--json")[1])
    assert made["errors"] == 1
    assert "out of memory" in json.loads(concord("show", "--errors", "--json")[1])["rows"][0]["error"]


def test_a_program_that_hangs_is_given_up(concord, tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "PATIENCE_AT_FIRST", 2.0)
    (tmp_path / "c.txt").write_text("One.\nTwo.\n")
    code, out, _ = concord("run", "c.txt", "--system", "command:sleep 1000", "--to", "es", "--timeout", "0.3", "--json")
    assert code == 1
    assert "gave no answer within 0.3 s" in json.loads(out)["error"]


def test_a_run_with_errors_says_so_with_the_first_and_where_to_see_them(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One.\nTwo.\n")
    code, out, _ = concord("run", "c.txt", "--system", "command:grep One", "--to", "es")
    assert code == 0
    assert "1 row has an error. The first, in row 2: " in out
    assert "--errors" in out


def test_an_error_is_a_json_object_too(concord):
    code, out, err = concord("run", "nothing.txt", *FAKE, "--json")
    assert (code, json.loads(out)) == (2, {"error": "there is no file nothing.txt."})
    assert err == "error: there is no file nothing.txt.\n"


def test_the_workspace_is_not_overwritten_by_what_is_made_from_it(concord):
    concord("run", "demo", *FAKE, "--limit", "2")
    for command in ("report", "export"):
        code, _, err = concord(command, "-o", "concord.sqlite", *(("--format", "csv") if command == "export" else ()))
        assert code == 2
        assert "is the workspace itself" in err
    assert concord("show")[0] == 0


def test_a_device_is_written_to_and_not_replaced(concord):
    concord("run", "demo", *FAKE, "--limit", "2")
    assert concord("report", "-o", "/dev/null")[0] == 0
    assert concord("export", "-o", "/dev/null", "--format", "csv")[0] == 0
    assert os.stat("/dev/null").st_rdev == os.makedev(1, 3)
    code, _, err = concord("export", "-o", "/dev/full", "--format", "csv")
    assert code == 1
    assert "No space left" in err


def test_the_same_thing_named_twice_is_run_once(concord):
    made = json.loads(
        concord(
            "run",
            "demo",
            "-s",
            "fake",
            "-t",
            "pt_BR",
            "-t",
            "PT-br",
            "-r",
            "rtt",
            "-r",
            "rtt",
            "--limit",
            "2",
            "--json",
        )[1]
    )
    assert len(made["runs"]) == 1


ODD = [
    "\x00nul",
    "\x1b[31mred\x07",
    "👩‍👩‍👧 family",
    "שלום עולם",
    "\u202eevil",
    "<script>alert(1)</script>",
    "x" * 100_000,
    "​",
    "…",
]


def test_odd_texts_cost_no_more_than_their_own_row(concord, tmp_path):
    (tmp_path / "odd.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in ["Fine.", *ODD]))
    made = json.loads(concord("run", "odd.jsonl", *FAKE, "--json", "--report", "r.html")[1])
    assert made["cases"] + made["errors"] == 1 + len(ODD)
    assert made["errors"] <= 2
    assert "<script>alert" not in (tmp_path / "r.html").read_text()
    code, out, _ = concord("show", "--limit", "20")
    assert code == 0
    assert "\x1b[31m" not in out
    assert "\u202e" not in out


def test_the_help_is_there_at_once(tmp_path):
    slow = {"httpx", "numpy", "sacrebleu", "rapidfuzz", "jinja2", "sqlite3", "asyncio"}
    code = "import sys; from concord import cli; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not slow & loaded


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_cleanly_and_the_same_command_goes_on(tmp_path, workers):
    (tmp_path / "c.txt").write_text("".join(f"Sentence number {i}.\n" for i in range(120)))
    slow = "command:sh -c 'sleep 0.1; cat',batch=10"
    words = [sys.executable, "-m", "concord.cli", "run", "c.txt", "--system", slow, "--to", "es", "--json"]
    words += ["--workers", workers]
    child = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not _stored(tmp_path / "concord.sqlite") and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    assert "Run the same command again to continue" in err
    stored = _stored(tmp_path / "concord.sqlite")
    made = json.loads(subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
    assert (made["run"], made["cases"]) == ("1", 120)
    assert made["translations"]["sent"] == 240, "nothing that was answered before Ctrl-C is sent again"
    assert 0 < stored < 240


def _stored(path: os.PathLike[str]) -> int:
    import sqlite3

    if not os.path.exists(path):
        return 0
    try:
        with sqlite3.connect(path) as db:
            return db.execute("SELECT count(*) FROM translations").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()


def test_the_first_system_named_is_the_baseline(concord):
    systems = ("-s", "fake", "-s", "faulty:fake,kind=drop_word,rate=1")
    _, out, _ = concord("run", "demo", "--limit", "20", *systems, "--json")
    row = json.loads(out)["against_baseline"][0]
    assert (row["baseline"], row["segments"], row["no_longer_violated"]) == ("fake", 20, 0)
    assert row["newly_violated"] > 0
    assert "newly violated" in concord("show", "--limit", "1")[1]


def test_a_month_that_is_used_up_ends_the_run_cleanly(concord, tmp_path):
    plan = tmp_path / "plan.toml"
    command = ("run", "demo", "--limit", "60", "-s", str(plan))
    plan.write_text('translator = "fake"\n[limits]\nper_month = 3000\ntexts = 4\n')
    for _ in range(2):
        code, _, err = concord(*command)
        assert code == 1
        assert "3,000 characters a month" in err
    plan.write_text('translator = "fake"\n[limits]\nper_month = 300000\ntexts = 4\n')
    assert concord(*command)[0] == 0


EXPERIMENT = """
systems = ["fake", "faulty:fake,kind=drop_word,rate=0.5"]
targets = ["es", "ca"]
pivots = ["es", "ca", "gl"]
replications = 12
"""


def test_an_experiment_is_run_analysed_and_reported(concord, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    code, out, _ = concord("experiment", "run", "small.toml", "--dry-run", "--json")
    assert (code, json.loads(out)["rows"][0]["system"]) == (0, "fake")
    assert not (tmp_path / "concord.sqlite").exists()
    code, out, _ = concord("experiment", "run", "small.toml")
    assert code == 0
    assert "concord experiment analyse small.toml" in out
    code, out, _ = concord("experiment", "analyse", "small.toml", "--width", "0.1")
    assert code == 0
    assert "Means by system within each target" in out
    assert "Replications for intervals of width 0.1" in out
    made = json.loads(concord("experiment", "analyse", "small.toml", "--json")[1])
    assert made["n"] == 2 * 4 * 12
    code, out, _ = concord("experiment", "report", "small.toml", "--charts", "charts")
    assert code == 0
    assert "<svg" in (tmp_path / "experiment.html").read_text()
    assert (tmp_path / "charts" / "residuals.svg").exists()


def test_an_experiment_that_a_budget_ends_keeps_what_it_has(concord, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text('translator = "fake"\n[limits]\ntexts = 4\nin_flight = 1\n')
    text = EXPERIMENT.replace('"fake", "faulty:fake,kind=drop_word,rate=0.5"', '"one.toml", "two.toml"')
    (tmp_path / "small.toml").write_text(text)
    code, _, err = concord("experiment", "run", "small.toml", "--max-chars", "14000")
    assert code == 1
    assert "--max-chars" in err
    made = json.loads(concord("experiment", "analyse", "small.toml", "--json")[1])
    assert 0 < made["n"] < 96
    assert any("not finished" in note for note in made["notes"])
    assert concord("experiment", "run", "small.toml")[0] == 0
    assert json.loads(concord("experiment", "analyse", "small.toml", "--json")[1])["n"] == 96


def test_any_table_can_be_analysed(concord, tmp_path):
    rows = [f"{s},{t},{i % 5 + (s == 'b')}" for s in "ab" for t in "xyz" for i in range(10)]
    (tmp_path / "t.csv").write_text("system,target,score\n" + "\n".join(rows) + "\n")
    words = ("analyse", "t.csv", "--response", "score", "--factor", "system", "--factor", "target")
    code, out, _ = concord(*words)
    assert code == 0
    assert "Means by system" in out
    made = json.loads(concord(*words, "--json")[1])
    assert (made["n"], made["residual_df"]) == (60, 54)
    assert concord("analyse", "t.csv", "--response", "scor", "--factor", "system")[0] == 2


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


@pytest.mark.parametrize("words", [("run", "--limit", "0"), ("experiment", "run"), ("nosuch",), ("analyse", "t.csv")])
def test_wrong_usage_is_an_object_too(concord, words):
    code, out, err = concord(*words, "--json")
    assert code == 2
    assert json.loads(out)["error"]
    assert err


def test_a_system_that_only_fails_makes_the_command_fail(concord, tmp_path):
    (tmp_path / "c.txt").write_text("One house.\nTwo dogs.\n")
    (tmp_path / "t.tsv").write_text("en\tfr\tnothing\trien\nen\tes\tnothing\tnada\nes\ten\tnada\tnothing\n")
    code, out, _ = concord("run", "c.txt", "-s", "fake", "-s", "table:t.tsv", "-t", "es")
    assert code == 1
    assert "rows have an error" in out


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


def test_half_a_budget_buys_about_half_of_every_path(concord, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT.replace("replications = 12", "replications = 60"))
    whole = json.loads(concord("experiment", "run", "small.toml", "--dry-run", "--json")[1])["characters"]
    assert concord("experiment", "run", "small.toml", "--max-chars", str(whole // 2))[0] == 1
    counts = Counter(row["factors"]["path"] for row in map(json.loads, concord("export")[1].splitlines()))
    assert len(counts) == 4
    assert min(counts.values()) > 20
    assert max(counts.values()) < 2 * min(counts.values())
