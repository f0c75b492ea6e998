"""The recommended set: what a run without `--relation` checks, and what is left out of it."""

from __future__ import annotations

import json

import pytest

from concord import api
from concord.errors import Missing, UserError
from concord.plugins import names
from concord.relations._recommended import SET, expanded, with_sane


def test_the_set_is_of_relations_that_there_are():
    assert set(SET) < set(names("relations"))


def test_a_member_that_is_named_stands_where_it_is_named():
    assert [*expanded(["recommended", "rtt"])] == [*SET, "rtt"]
    assert [*expanded(["rti,threshold=0.3", "recommended"])] == ["rti,threshold=0.3", "sane", "literals", "sit", "cat"]


def test_sane_comes_first_wherever_it_is_named():
    assert with_sane(["rtt"]) == ["sane", "rtt"]
    assert with_sane(["rtt", "sane"]) == ["sane", "rtt"]
    assert [*expanded(with_sane(["rtt", "recommended"]))] == ["sane", "rtt", "literals", "sit", "cat", "rti"]


def test_a_set_that_is_named_twice_is_run_once():
    assert expanded(["recommended", "recommended", "rtt", "rtt"]) == [*SET, "rtt"]


@pytest.mark.parametrize(
    "words",
    [
        ("try", "A cat.", "-s", "fake", "-r", "recommended,threshold=0.3"),
        ("run", "demo", "-s", "fake", "-r", "recommended,threshold=0.3"),
        ("relations", "recommended"),
    ],
)
def test_the_set_is_told_from_a_relation(concord, words):
    code, out, err = concord(*words)
    assert code != 0
    assert "'recommended' is a set of relations" in out + err
    with pytest.raises(UserError, match="is a set of relations"):
        api.check("recommended", ["A cat."], translator="fake", to="es")


@pytest.fixture
def german(tmp_path):
    (tmp_path / "c.txt").write_text("Das alte Haus steht am Fluss.\n")
    return {"corpus": str(tmp_path / "c.txt"), "source": "de", "systems": ["fake"], "to": ["es"]}


def test_what_a_language_cannot_have_is_left_out_with_one_note(german, tmp_path):
    summaries = api.run(**german, workspace=tmp_path / "w.sqlite")
    assert [summary.run.relation for summary in summaries] == ["sane", "literals"]
    assert "; cat, rti (none of the embedded parsers knows 'de'" in summaries[0].notes[0]
    assert [len(summary.notes) for summary in summaries] == [1, 0]
    assert summaries[0].notes[0].startswith("left out of the recommended set: sit (none of the embedded parsers")


def test_what_is_named_is_refused_where_it_cannot_work(german, tmp_path):
    with pytest.raises(UserError, match="parser"):
        api.run(**german, relations=["recommended", "rti"], workspace=tmp_path / "w.sqlite")


def test_a_parser_that_is_chosen_and_missing_is_not_passed_over(tmp_path, guest):
    lines = [
        "from concord.errors import Missing",
        "class Parser:",
        " def __init__(self):",
        "  raise Missing('it', 'pip')",
    ]
    broken = "\n".join(lines)
    guest("parsers", "absent", broken)
    settings = api.Settings(services={"parse": "absent"})
    with pytest.raises(Missing):
        api.run("demo", systems=["fake"], to=["es"], settings=settings, workspace=tmp_path / "w.sqlite")


def test_a_sentence_is_tried_by_the_set_and_what_is_left_out_is_said_once(concord):
    words = ("try", "Das alte Haus steht am Fluss.", "--from", "de", "-s", "fake")
    code, out, _ = concord(*words)
    assert code == 0
    assert out.splitlines()[-1].startswith("left out of the recommended set: sit (none of the embedded")
    assert "; cat, rti (none of the embedded parsers knows 'de'" in out
    tried = json.loads(concord(*words, "--json")[1])
    assert [result["relation"] for result in tried["relations"]] == ["sane", "literals"]
    assert list(tried["left_out"]) == ["sit", "cat", "rti"]


def test_what_can_be_parsed_but_has_no_substitutes_is_left_out_of_a_trial_too(concord):
    tried = json.loads(
        concord("try", "El puente viejo fue cerrado.", "--from", "es", "-t", "en", "-s", "fake", "--json")[1]
    )
    assert list(tried["left_out"]) == ["sit", "cat"]
    assert not any(result["error"] for result in tried["relations"])


def test_a_dry_run_and_a_plan_say_what_is_left_out(concord, german):
    note = "left out of the recommended set: sit (none of the embedded parsers knows 'de'"
    words = (german["corpus"], "--from", "de", "-t", "es")
    for command in (("run", *words, "-s", "fake", "--dry-run"), ("plan", *words)):
        assert f"note: {note}" in concord(*command)[2]
        assert note in concord(*command, "--json")[1]


def test_an_empty_answer_to_a_sentence_is_flagged(concord):
    tried = json.loads(concord("try", "The old bridge was closed.", "-s", "command:sed s/.*//", "--json")[1])
    assert tried["relations"][0]["rows"][0]["factors"] == {"failure": "empty"}


def test_a_trial_refuses_a_language_before_any_relation(concord):
    code, out, err = concord("try", "A cat sat there.", "-t", "xx-bad!", "-s", "fake")
    assert (code, out) == (2, "")
    assert err.startswith("error: 'xx-bad!' is not a language code")


def test_a_trial_says_once_that_the_workspace_cannot_be_read(concord, tmp_path):
    (tmp_path / "concord.sqlite").write_text("nonsense " * 100)
    code, out, err = concord("try", "A cat sat there.", "-s", "fake")
    assert (code, out) == (1, "")
    assert err.count("file is not a database") == 1


def test_a_sentence_is_judged_by_what_a_run_of_its_system_has_learnt(tmp_path):
    place = tmp_path / "w.sqlite"
    corpus = api.read("demo", "en", limit=40)
    (summary,) = api.run(corpus, relations=["cat"], systems=["fake"], to=["es"], workspace=place)
    worst = max(api.rows(place, [summary.run.id]), key=lambda row: row["suspicion"])
    (outcome,) = api.check("cat", [worst["text"]], translator="fake", to="es", workspace=place)
    assert max(case.suspicion for case in outcome.cases) == pytest.approx(worst["suspicion"])
    (alone,) = api.check("cat", [worst["text"]], translator="fake", to="es")
    assert max(case.suspicion for case in alone.cases) != pytest.approx(worst["suspicion"])
