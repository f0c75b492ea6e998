"""One SQLite file keeps every run, case and paid-for translation."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from concord import api
from concord.errors import StoreError, UserError
from concord.model import Case, Noted, Outcome, Segment, Text
from concord.store import Spent, Workspace
from concord.store.case_keys import case_key

PAIR = ("en", "es")


def case(words="hello", suspicion=0.5, **more):
    source, there, back = Text(words, "en"), Text(words.upper(), "es"), Text(words, "en")
    return Case(source, there, there, back, (source, back), suspicion, 0.4, **more)


def outcome(position=0, cases=(), **more):
    return Outcome(
        Segment(f"s{position}", Text(f"sentence {position}", "en"), position, "news"), cases=list(cases), **more
    )


def test_a_translation_is_recalled_by_system_version_direction_and_text(workspace):
    workspace.remember("fake", "1", PAIR, ["hello"], ["hola"])
    assert workspace.recall("fake", "1", PAIR, ["hello", "bye"]) == ["hola", None]
    assert workspace.recall("fake", "2", PAIR, ["hello"]) == [None]
    assert workspace.recall("real", "1", PAIR, ["hello"]) == [None]
    assert workspace.recall("fake", "1", ("es", "en"), ["hello"]) == [None]


@pytest.mark.parametrize(
    "text", ["", "a\x00b", "\u202eabc", "😀" * 1000, "'; DROP TABLE runs; --", "a\nb\tc", "x" * 100_000]
)
def test_any_text_comes_back_as_it_was(workspace, text):
    workspace.remember("fake", "1", PAIR, [text], [text + "!"])
    assert workspace.recall("fake", "1", PAIR, [text]) == [text + "!"]


def test_a_remark_on_an_answer_is_kept(workspace):
    workspace.remember("faulty", "1", PAIR, ["a", "b"], [Noted("x", {"fault": "drop_word", "clean": "x y"}), "z"])
    (note,) = workspace.notes()
    assert (note["text"], note["fault"], note["clean"]) == ("a", "drop_word", "x y")


def test_an_epoch_is_renewed_per_system(workspace):
    assert workspace.epoch("hosted") == 0
    assert workspace.epoch("hosted", renew=True) == 1
    assert (workspace.epoch("hosted"), workspace.epoch("other")) == (1, 0)


def test_rows_come_back_in_corpus_order_with_errors_in_their_place(workspace, facts):
    run = workspace.begin(facts())
    workspace.add(run, [outcome(2, [case("c")]), outcome(0, [case("a"), case("b")]), outcome(1, error="no answer")])
    rows = list(workspace.rows([run.id]))
    assert [(row["position"], row.get("number"), row["error"]) for row in rows] == [
        (0, 0, None),
        (0, 1, None),
        (1, None, "no answer"),
        (2, 0, None),
    ]
    assert rows[0]["source"] == {"words": "a", "lang": "en"}
    assert rows[0]["flagged"] is True
    assert workspace.tally(run.id) == {"checks": 3, "bare": 0, "cases": 3, "flagged": 3, "not_judged": 0, "errors": 1}


def test_the_reasons_why_nothing_was_tested_are_counted(workspace, facts):
    run, other = workspace.begin(facts()), workspace.begin(facts())
    reasons = ("", "no noun; it has verbs", "no noun; it has names")
    bare = [outcome(position, untested=reason) for position, reason in enumerate(reasons)]
    workspace.add(run, [*bare, outcome(3, [case()]), outcome(4, error="no answer")])
    workspace.add(other, [outcome(0, untested="no verb")])
    assert workspace.untested(run.id) == {"no noun": 2, "": 1}
    assert workspace.tally(run.id)["bare"] == 3


def test_a_result_takes_the_place_of_an_earlier_error(workspace, facts):
    run = workspace.begin(facts())
    workspace.add(run, [outcome(0, error="no answer")])
    assert not workspace.is_checked(run.id, 0, 0)
    workspace.add(run, [outcome(0, [case()])])
    assert workspace.is_checked(run.id, 0, 0)
    assert workspace.tally(run.id) == {"checks": 1, "bare": 0, "cases": 1, "flagged": 1, "not_judged": 0, "errors": 0}


def test_an_unfinished_run_is_found_by_its_signature_and_a_finished_one_is_not(workspace, facts):
    run = workspace.begin(facts())
    assert workspace.unfinished("rtt|en-es").id == run.id
    workspace.finish(run)
    assert workspace.unfinished("rtt|en-es") is None


def test_what_a_run_took_adds_up_over_its_stretches(workspace, facts):
    run = workspace.begin(facts())
    workspace.add(run, [], spent=Spent(run.id, asked=3, sent=2, cached=1, seconds=0.5))
    workspace.remember("fake", "1", PAIR, ["a"], ["b"], spent=Spent(run.id, asked=1, sent=0, cached=1, seconds=0.25))
    again = workspace.run(run.id)
    assert (again.asked, again.sent, again.cached, again.seconds) == (4, 2, 2, 0.75)


def test_the_worst_cases_go_by_rank_within_their_run(workspace, facts):
    first, second = workspace.begin(facts()), workspace.begin(facts("pivot"))
    workspace.add(first, [outcome(i, [case(f"a{i}", suspicion=10 + i)]) for i in range(3)])
    workspace.add(second, [outcome(i, [case(f"b{i}", suspicion=i / 10)]) for i in range(3)])
    worst = api.worst(workspace.path, [first.id, second.id], 4)
    assert [(row["rank"], row["source"]["words"]) for row in worst] == [(1, "a2"), (1, "b2"), (2, "a1"), (2, "b1")]


def test_the_same_case_twice_is_shown_once(workspace, facts):
    run = workspace.begin(facts())
    workspace.add(run, [outcome(0, [case("twin")]), outcome(1, [case("twin")]), outcome(2, [case("other", 0.1)])])
    assert [row["source"]["words"] for row in api.worst(workspace.path, [run.id], 10)] == ["twin", "other"]


def test_a_case_keeps_its_key_when_threshold_or_answers_change(workspace, facts):
    run = workspace.begin(facts())
    other = workspace.begin(facts(settings={"metric": "chrf", "threshold": 0.9}))
    there, back = Text("otra", "es"), Text("another", "en")
    changed = Case(Text("hello", "en"), there, there, back, (Text("hello", "en"), back), 0.9, 0.9)
    assert case_key(run, case("hello")) == case_key(other, changed)
    assert case_key(run, case("hello")) != case_key(run, case("bye"))
    bleu = workspace.begin(facts(settings={"metric": "bleu", "threshold": 0.4}))
    assert case_key(run, case("hello")) != case_key(bleu, case("hello"))


def test_only_one_process_writes_runs(tmp_path):
    with Workspace(tmp_path / "w.sqlite") as first, Workspace(tmp_path / "w.sqlite") as second:
        first.claim()
        with pytest.raises(StoreError, match="another run is writing"):
            second.claim()
    with Workspace(tmp_path / "w.sqlite") as third:
        third.claim()


def test_a_file_that_is_no_workspace_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("remember the milk\n" * 100)
    with pytest.raises(StoreError, match="not a Concord workspace"):
        Workspace(path)
    assert path.read_text() == "remember the milk\n" * 100


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("version", [0, 1])
def test_another_programs_database_is_refused_and_left_alone(tmp_path, create, version):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE photos (name TEXT)")
        other.execute(f"PRAGMA user_version = {version}")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="the database of another program"):
        Workspace(path, create=create)
    assert path.read_bytes() == before


def test_damage_in_the_middle_is_said_plainly(tmp_path, facts):
    path = tmp_path / "w.sqlite"
    with Workspace(path) as made:
        run = made.begin(facts())
        made.add(run, [outcome(i, [case(f"text {i}" * 50)]) for i in range(200)])
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4)
        file.write(b"\xff" * (size // 2))
    with pytest.raises(StoreError, match="damaged"), Workspace(path, create=False) as hurt:
        list(hurt.rows([run.id]))


def test_a_workspace_in_a_folder_that_cannot_be_written_can_be_read(tmp_path, monkeypatch, facts):
    with Workspace(tmp_path / "w.sqlite") as made:
        run = made.begin(facts())
        made.add(run, [outcome(0, [case()])])
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with Workspace(tmp_path / "w.sqlite", create=False) as opened:
        assert len(list(opened.rows([run.id]))) == 1


def test_a_lock_that_cannot_be_made_is_said_plainly(tmp_path):
    (tmp_path / "w.sqlite-lock").mkdir()
    with Workspace(tmp_path / "w.sqlite") as made, pytest.raises(StoreError, match="cannot be locked"):
        made.claim()


def test_a_missing_folder_or_file_is_said_plainly(tmp_path):
    with pytest.raises(UserError, match="does not exist"):
        Workspace(tmp_path / "nowhere" / "w.sqlite")
    with pytest.raises(UserError, match="there is no workspace"):
        Workspace(tmp_path / "w.sqlite", create=False)
    assert not (tmp_path / "w.sqlite").exists()


def test_a_workspace_of_a_newer_concord_is_refused(tmp_path):
    with Workspace(tmp_path / "w.sqlite") as made:
        made._db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer Concord"):
        Workspace(tmp_path / "w.sqlite")


def test_a_full_disk_is_a_clear_error_and_loses_nothing_that_was_stored(tmp_path):
    program = """
        import resource, signal, sys
        from concord.errors import StoreError
        from concord.store import Spent, Workspace
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        stored = 0
        with Workspace(sys.argv[1]) as workspace:
            try:
                while True:
                    workspace.remember("fake", "1", ("en", "es"), [f"text {stored} " + "x" * 1000], ["y"])
                    stored += 1
            except StoreError as error:
                print(stored, error)
    """
    made = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "w.sqlite")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    stored, said = made.stdout.split(" ", 1)
    assert "run the same command again" in said
    assert int(stored) > 20
    with Workspace(tmp_path / "w.sqlite") as workspace:
        texts = [f"text {i} " + "x" * 1000 for i in range(int(stored))]
        assert workspace.recall("fake", "1", PAIR, texts) == ["y"] * int(stored)


def test_the_body_of_a_case_is_plain_json(workspace, facts):
    run = workspace.begin(facts())
    workspace.add(run, [outcome(0, [case(scores={"chrf": 0.5}, factors={"pivot": "ca"}, evidence={"missing": ["x"]})])])
    (packed,) = workspace._db.execute("SELECT body FROM cases").fetchone()
    assert json.loads(packed)["evidence"] == {"missing": ["x"]}


def test_a_month_counts_the_characters_of_one_provider_under_any_options(tmp_path):
    moments = iter(["2026-10-31T23:59:59", "2026-11-01T00:00:00", "2026-11-02", "2026-11-03", "2026-11-04", "2026-12"])
    with Workspace(tmp_path / "w.sqlite", clock=lambda: next(moments)) as store:
        store.note_sent("deepl", 100)
        store.note_sent("deepl", 12)
        store.note_sent("deepl", -2)
        store.note_sent("another", 7)
        assert store.spent_this_month("deepl") == 10
        assert store.spent_this_month("deepl") == 0
