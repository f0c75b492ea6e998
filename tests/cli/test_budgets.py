"""What would be sent, what may be spent, and what happens when it is spent."""

from __future__ import annotations

import json

import pytest

FAKE = ("--system", "fake", "--to", "es")


def test_a_dry_run_tells_what_would_be_sent_and_sends_nothing(concord, tmp_path):
    words = ("run", "demo", *FAKE, "-r", "rtt", "-r", "pivot,pivots=gl", "--limit", "20")
    before = json.loads(concord(*words, "--dry-run", "--price", "20", "--json")[1])
    assert not (tmp_path / "concord.sqlite").exists()
    made = json.loads(concord(*words, "--json")[1])
    assert made["translations"]["sent"] == before["texts"] == 80
    assert [row["texts"] for row in before["rows"]] == [20, 20, 40]
    assert before["costs"] == {"": pytest.approx(before["characters"] * 20 / 1_000_000)}
    again = json.loads(concord(*words, "--dry-run", "--json")[1])
    assert (again["texts"], again["costs"]) == (0, {})
    fresh = json.loads(concord(*words, "--dry-run", "--fresh", "--json")[1])
    assert fresh["texts"] == before["texts"]
    assert "Nothing was sent" in concord(*words, "--dry-run")[1]


def test_a_dry_run_counts_the_texts_that_are_only_learnt_from(concord, tmp_path):
    (tmp_path / "short.txt").write_text("Hi.\nYes.\nThe old bridge was closed on Monday.\n")
    words = ("run", "short.txt", "--from", "en", *FAKE, "-r", "cat")
    before = json.loads(concord(*words, "--dry-run", "--json")[1])
    made = json.loads(concord(*words, "--json")[1])
    assert made["translations"]["sent"] == before["texts"] > made["runs"][1]["cases"] > 0


def test_a_plan_has_them_too(concord, tmp_path):
    (tmp_path / "short.txt").write_text("Hi.\nYes.\nThe old bridge was closed on Monday.\n")
    assert concord("plan", "short.txt", "--from", "en", "-s", "files:x", "-t", "es", "-r", "cat")[0] == 0
    assert {"Hi.", "Yes."} < set((tmp_path / "x" / "en-es.txt").read_text().splitlines())


@pytest.mark.usefixtures("toy_languages")
def test_a_budget_ends_the_run_cleanly_and_a_larger_one_continues_it(concord):
    words = ("run", "demo", "-s", "command:cat,batch=5", "-t", "es", "-r", "rtt", "--limit", "40")
    code, out, err = concord(*words, "--max-chars", "1000", "--json")
    assert code == 1
    assert "larger --max-chars" in err
    assert "larger --max-chars" in json.loads(out)["error"]
    made = json.loads(concord(*words, "--json")[1])
    assert (made["run"], made["cases"], made["errors"]) == ("1,2", 80, 0)
    assert made["translations"]["sent"] == 80
    assert "--price" in concord(*words, "--max-cost", "1", "--fresh")[2]


@pytest.mark.usefixtures("toy_languages")
def test_a_plan_writes_the_texts_for_a_system_that_cannot_be_called(concord, tmp_path):
    words = ("demo", "-s", "files:x", "-t", "es", "-r", "rtt")
    code, out, _ = concord("plan", *words)
    assert code == 0
    assert "288 texts to translate: x/en-es.txt" in out
    assert len((tmp_path / "x" / "en-es.txt").read_text().splitlines()) == 288  # sane and rtt ask the same
    for asked, made in (("en-es.txt", "en-es.translated.txt"), ("es-en.txt", "es-en.translated.txt")):
        (tmp_path / "x" / made).write_text((tmp_path / "x" / asked).read_text())
        rows = json.loads(concord("plan", *words, "--json")[1])["rows"]
    assert rows == []
    assert "Nothing is missing" in concord("plan", *words)[1]
    assert json.loads(concord("run", *words, "--json")[1])["errors"] == 0
    assert "files:FOLDER" in concord("plan", "demo", "-s", "apertium")[2]


THROTTLING = """'Busy: throttles until a file says otherwise.'
from pathlib import Path

from concord.errors import Throttled
from concord.model import System


class Translator(System):
    id = "busy"

    async def translate(self, texts, source, target):
        if not Path("free").exists():
            raise Throttled("busy asks for patience (status 429)")
        return [text.upper() for text in texts]
"""


@pytest.mark.parametrize("given", ["option", "limit"])
def test_a_provider_that_only_throttles_is_told_about_and_given_up_and_the_same_command_goes_on(
    concord, guest, tmp_path, monkeypatch, given
):
    monkeypatch.setattr("concord.cli.output.WORTH_SAYING", 0.3)
    guest("translators", "busy", THROTTLING)
    (tmp_path / "busy.toml").write_text('translator = "busy"\n[limits]\nthrottled_for = 0.5\n')
    system = ("-s", "busy", "--throttled-for", "0.5") if given == "option" else ("-s", "busy.toml")
    code, _, err = concord("run", "demo", "--limit", "5", *system)
    assert code == 1
    word, error = err.splitlines()
    assert "sane: the provider has throttled every request for" in word
    assert "without one answer and without saying when to come back: busy asks for patience (status 429)" in error
    (tmp_path / "free").touch()
    assert concord("run", "demo", "--limit", "5", *system)[::2] == (0, "")


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
