"""`concord run` from the outside: what is printed, sent, continued and listed."""

from __future__ import annotations

import json
import subprocess
import sys

FAKE = ("--system", "fake", "--to", "es")


def test_a_run_prints_counts_findings_and_what_to_type_next(concord):
    system = ("--system", "faulty:fake,rate=0.5", "--to", "es")
    code, out, _ = concord("run", "demo", *system, "-r", "rtt", "-r", "pivot,pivots=gl,eo")
    assert code == 0
    assert all(word in out for word in ("flagged", "errors", "asked", "sent", "cached", "The text has “", "«"))
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


def test_a_run_as_json_is_one_object_with_the_promised_fields(concord):
    code, out, _ = concord("run", "demo", *FAKE, "--json")
    made = json.loads(out)
    assert code == 0
    assert {"run", "signature", "cases", "violated", "errors", "translations", "seconds"} <= set(made)
    assert made["cases"] == 288
    assert made["translations"] == {"asked": 576, "sent": 576, "cached": 0}
    assert made["signature"].startswith("rtt|metric:chrf|threshold:0.4|en-es|mt:fake@1")


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


def test_several_runs_are_added_up_and_can_be_selected_again(concord):
    made = json.loads(concord("run", "demo", *FAKE, "--to", "ca", "-r", "rtt", "--limit", "5", "--json")[1])
    assert (made["run"], made["cases"], len(made["runs"])) == ("1,2", 10, 2)
    shown = json.loads(concord("show", made["run"], "--by", "case", "--json")[1])
    assert [run["target_lang"] for run in shown["runs"]] == ["es", "ca"]
    assert {row["rank"] for row in shown["rows"]} == {1, 2, 3, 4, 5}


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
    assert made["cases"] + made["not_judged"] + made["errors"] == 1 + len(ODD)
    assert made["errors"] <= 2
    assert "<script>alert" not in (tmp_path / "r.html").read_text()
    code, out, _ = concord("show", "--limit", "20")
    assert code == 0
    assert "\x1b[31m" not in out
    assert "\u202e" not in out


def test_the_first_system_named_is_the_baseline(concord):
    systems = ("-s", "fake", "-s", "faulty:fake,kind=drop_word,rate=1")
    _, out, _ = concord("run", "demo", "--limit", "20", *systems, "--json")
    row = json.loads(out)["against_baseline"][0]
    assert (row["baseline"], row["segments"], row["no_longer_violated"]) == ("fake", 20, 0)
    assert row["newly_violated"] > 0
    assert "newly flagged" in concord("show", "--limit", "1")[1]
