"""What is there: plug-ins with their options, the doctor, the demo and the help."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from concord import api

ALWAYS = '''
"""Always: every text is fine."""

async def check(x, translate, *, to):
    return []
'''


@pytest.mark.parametrize("command", ["relations", "translators", "metrics"])
def test_plugins_are_listed_with_their_options(concord, command):
    code, out, _ = concord(command)
    rows = json.loads(concord(command, "--json")[1])["rows"]
    assert code == 0
    assert all(row["name"] in out for row in rows)
    assert all({"name", "purpose", "options"} <= set(row) for row in rows)


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("relations rti", "max_words    integer     at least 2 "),
        ("relations rti", "relations rti:paper"),
        ("relations rti:paper", "Largest number of missing words that is not flagged."),
        ("translators command", "ARGUMENT   text "),
        ("translators openai", "OPENAI_API_KEY"),
        ("metrics chrf", "char_order  integer  from 0 to 20"),
    ],
)
def test_one_plugin_is_shown_with_its_documentation_and_what_its_options_mean(concord, words, printed):
    code, out, _ = concord(*words.split())
    row = json.loads(concord(*words.split(), "--json")[1])
    assert code == 0
    assert printed in out
    assert row["documentation"] in out
    assert all(option["help"] in out for option in row["options"])


def test_a_plugin_that_is_not_there_is_refused_with_the_nearest(concord):
    code, _, err = concord("metrics", "chrff")
    assert code == 2
    assert "there is no metric 'chrff'. Did you mean 'chrf'?" in err


def test_relations_are_listed_with_what_they_find_and_the_recommended_ones_first(concord):
    head, *lines = concord("relations")[1].splitlines()
    assert head.split()[:2] == ["relation", "what"]
    first = [line.split()[0] for line in lines[: len(api.SET)]]
    assert sorted(first) == sorted(api.SET)
    assert all(line.endswith("yes") for line in lines[: len(api.SET)])
    assert any(line.startswith("untranslated: not measured") for line in lines)
    assert max(map(len, [head, *lines[:-1]])) <= 120


def test_every_relation_says_what_it_finds_and_what_was_measured_of_it(concord):
    rows = json.loads(concord("relations", "--json")[1])["rows"]
    assert all(0 < len(row["finds"]) <= 66 for row in rows)
    shares = ("tested", "recall", "recall_at_5", "false_alarms")
    measured = [row["measured"] for row in rows if "unmeasured" not in row["measured"]]
    assert all(0 <= figures[share] <= 1 <= figures["texts"] for figures in measured for share in shares)
    assert {row["name"] for row in rows if row["recommended"]} == set(api.SET)


def test_a_guest_is_listed_by_its_purpose(concord, guest):
    guest("relations", "always", ALWAYS)
    (line,) = [line for line in concord("relations")[1].splitlines() if line.startswith("always")]
    assert line.split("  ")[-1].strip() == "–"
    assert "Always: every text is fine." in line


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


def test_injected_faults_can_be_listed(concord):
    faulty = "faulty:fake,flaws=0,kind=drop_word,rate=0.5,seed=3"
    concord("run", "demo", "--system", faulty, "--to", "es", "-r", "rtt", "--limit", "40")
    rows = json.loads(concord("faults", "--json")[1])["rows"]
    assert 20 < len(rows) < 60
    assert all(row["fault"] == "drop_word" and len(row["answer"]) < len(row["clean"]) for row in rows)


def test_the_help_is_there_at_once(tmp_path):
    slow = {"httpx2", "numpy", "sacrebleu", "rapidfuzz", "jinja2", "sqlite3", "asyncio"}
    code = "import sys; import concord.cli.commands; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not slow & loaded
