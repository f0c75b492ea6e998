"""`concord run` from the outside: what is printed, sent, continued and listed."""

from __future__ import annotations

import json
import subprocess
import sys

FAKE = ("--system", "fake", "--to", "es", "-r", "sane")


def test_a_run_prints_counts_findings_and_what_to_type_next(concord):
    system = ("--system", "faulty:fake,rate=0.5", "--to", "es")
    code, out, _ = concord("run", "demo", *system, "-r", "rtt", "-r", "pivot,pivots=gl,eo")
    assert code == 0
    assert all(word in out for word in ("flagged", "not judged", "errors", "The text has “", "«"))
    assert out.splitlines()[0].split()[-1] == "seconds"
    assert "cached" not in out
    assert "known already" not in out
    assert "Workspace: concord.sqlite" in out
    assert "concord show 1-3" in out
    assert out.index("errors") < out.index("A finding is") < out.index("more: --top") < out.index("Next:")
    assert "cached" in concord("run", "demo", *system, "-r", "rtt", "-v")[1]


def test_errors_come_before_the_notes_and_both_before_the_next_commands(concord):
    system = ("--system", "faulty:fake,kind=error,rate=0.2", "--to", "es")
    out = concord("run", "demo", *system, "-r", "pivot,pivots=gl", "--limit", "30")[1]
    note = "Notes:\n  -  pivot, run 2: there is only one pivot"
    assert out.index("an error. The first") < out.index(note) < out.index("Next:")


def test_two_systems_and_two_directions_end_in_few_notes(concord, monkeypatch, tmp_path):
    monkeypatch.setattr("concord.comparator.dictionaries.DICTD", tmp_path)
    systems = ("-s", "fake", "-s", "faulty:fake,rate=0.5", "--to", "es", "--to", "ca")
    relations = [word for name in ("sane", "literals", "rti", "cat", "pivot,pivots=gl") for word in ("-r", name)]
    out = concord("run", "demo", "--limit", "6", *systems, *relations)[1]
    lines = out[out.index("Notes:\n") : out.index("Workspace:")].splitlines()[1:]
    assert 3 <= len(lines) < 10
    assert "rti and cat, runs 3-4,8-9,13-14,18-19: no dictionary of FreeDict's for en→es and en→ca." in "\n".join(lines)
    runs = json.loads(concord("show", "--json")[1])["runs"]
    assert len(runs) == 20
    assert sum(len(run["notes"]) for run in runs) >= 12


def test_a_range_of_runs_is_shown(concord):
    for seed in "123":
        concord("run", "demo", *FAKE, "--limit", "5", "--seed", seed)
    assert (
        json.loads(concord("show", "2-9", "1", "--json")[1])["runs"]
        == json.loads(concord("show", "2,3,1", "--json")[1])["runs"]
    )
    assert "there is no run 7 in concord.sqlite. Runs: 1, 2, 3" in concord("show", "7-9")[2]


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
    assert {"run", "signature", "cases", "flagged", "errors", "translations", "seconds"} <= set(made)
    assert made["cases"] == 288
    assert made["translations"] == {"asked": 576, "sent": 288, "cached": 288}
    assert made["signature"].startswith("sane|en-es|mt:fake@1")


def test_run_again_it_sends_nothing(concord):
    concord("run", "demo", *FAKE)
    made = json.loads(concord("run", "demo", *FAKE, "--json")[1])
    assert (made["run"], made["translations"]["sent"], made["translations"]["cached"]) == ("2", 0, 576)


def test_fresh_asks_everything_again_once_per_command(concord):
    concord("run", "demo", *FAKE, "--limit", "20")
    relations = ("-r", "rtt", "-r", "rtt,metric=bleu")
    made = json.loads(concord("run", "demo", *FAKE, "--limit", "20", *relations, "--fresh", "--json")[1])
    assert [run["translations"]["sent"] for run in made["runs"]] == [20, 20, 0]
    assert "~1" in made["signature"]


def test_fresh_is_not_held_up_by_another_command_that_never_finished(concord):
    assert concord("run", "demo", *FAKE, "--limit", "5", "--fresh", "-r", "pivot")[0] == 2
    sent = [
        json.loads(concord("run", "demo", *FAKE, "--limit", "20", "--fresh", "--json")[1])["translations"]["sent"]
        for _ in range(2)
    ]
    assert sent == [20, 20]


def test_a_run_that_cannot_work_leaves_no_trace_and_sends_nothing(concord):
    for relation in ("pivot", "pivot,pivots=englsh", "pivot,pivots=es"):
        assert concord("run", "demo", *FAKE, "-r", "rtt", "-r", relation)[0] == 2
    assert json.loads(concord("runs", "--json")[1]) == {"rows": []}


def test_every_run_is_listed_with_its_signature(concord):
    concord("run", "demo", *FAKE, "--limit", "2", "-r", "rtt", "-r", "rtt,metric=bleu")
    _, first, second = json.loads(concord("runs", "--json")[1])["rows"]
    assert first["signature"].startswith("rtt|metric:chrf|")
    assert second["signature"].startswith("rtt|metric:bleu|")
    assert "metric:bleu" in concord("runs")[1]
    assert len(json.loads(concord("show", "--json")[1])["runs"]) == 3


def test_several_runs_are_added_up_and_can_be_selected_again(concord):
    made = json.loads(concord("run", "demo", *FAKE, "--to", "ca", "--limit", "5", "--json")[1])
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
            "sane",
            "-r",
            "sane",
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
    _, out, _ = concord("run", "demo", "--limit", "20", *systems, "-r", "rtt", "--json")
    (row,) = json.loads(out)["against_baseline"]
    assert (row["system_before"], row["sentences"], row["better"]) == ("fake", 20, 0)
    assert row["worse"] > 0
    assert "newly flagged" in concord("show", "--limit", "1")[1]
