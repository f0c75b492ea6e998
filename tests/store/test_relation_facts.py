"""What a relation says of its cases stands in the record of its runs: rows are read alike when it is gone."""

from __future__ import annotations

import json
import math
import sqlite3
import sys

import pytest

from concord import api, plugins
from concord.errors import UserError
from concord.labels.queues import Samples
from concord.model import Case, Outcome, RelationFacts, Segment, Text
from concord.store import Workspace
from concord.store.case_keys import case_key
from concord.store.finding_filter import Filter
from concord.store.index import with_index
from concord.store.migration_facts import with_facts
from concord.store.migrations import STEPS
from concord.views.html import report
from concord.views.wording import judged

BEFORE = STEPS.index(with_facts)
SEMMT = {"metric": "h", "threshold": 0.4}
GUEST = '''"""Twice: a word that is said twice is translated alike."""
from concord.model import Case, Text, Traits
TRAITS = Traits(
    distinct=True, answered=("found",), thresholds=("most",), operator=">=", worse_when_higher=("words",)
)
async def check(x, translate, *, to, metric: str = "chrf", most: float = 0.5):
    there = await translate(x, to)
    parts = [Text(word, x.lang) for word in x.words.split()]
    answers = await translate.each(parts, to)
    return [
        Case(x, part, there, answer, (there, answer), 0.5, most, scores={"words": 1.0, "chrf": 0.5},
             factors={"found": answer.words}, operator=TRAITS.operator)
        for part, answer in zip(parts, answers)
    ]
'''
COMMANDS = [
    "runs", "show --by case --limit 50", "show --by case --json", "show",
    "show --by problem", "export -o -", "export -o - --format csv",
    "compare 2 5", "gate 5 --max 0.5 --no-worse-than 2", "thresholds", "evaluate --detectors", "label list",
]  # fmt: skip


def printed(concord, folder):
    found = {command: concord(*command.split()) for command in COMMANDS}
    with Workspace(folder / "concord.sqlite") as store:
        rows = list(store.rows([2, 3, 5]))
        keys = [case_key(store.run(row["run"]), as_case(row)).hex() for row in rows]
        assert keys == [row["case"] for row in rows]
        return found, store.tally(2), report.render(store, [2, 3, 5])


def as_case(row):
    texts = (Text(**row[role]) for role in ("source", "follow_up", "source_output", "follow_up_output"))
    compared = tuple(Text(**each) for each in row["compared"])
    steps = {role: Text(**each) for role, each in row["steps"].items()}
    return Case(*texts, compared, row["suspicion"], row["threshold"], steps, factors=row["factors"])


def test_runs_of_a_relation_that_is_gone_are_keyed_grouped_shown_and_exported_as_before(
    concord, guest, tmp_path, monkeypatch
):
    (tmp_path / "c.txt").write_text("one two one\ntwo three\n")
    guest("relations", "twice", GUEST)
    for system in ("fake", "faulty:fake,rate=0.5"):
        assert concord("run", "c.txt", "-s", system, "--to", "es", "-r", "twice", "-r", "rtt")[0] == 0
    before = printed(concord, tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if "package-of-twice" not in each])
    monkeypatch.delenv("PYTHONPATH")
    with pytest.raises(UserError, match="twice"):
        plugins.load("relations", "twice")
    assert printed(concord, tmp_path) == before
    found, tally, _ = before
    assert tally["cases"] == tally["flagged"] == 4, "a distinct relation counts what it asks once"
    shown = found["show --by case --limit 50"][1]
    assert "suspicion 0.5 ≥ threshold 0.5: flagged" in shown
    assert "words 1 (on the relation's own scale, higher is worse); chrf 0.5 (0…1, higher is better)" in shown
    row = next(row for row in json.loads(found["show --by case --json"][1])["rows"] if row["run"] == 2)
    assert (row["operator"], row["directions"]) == (">=", {"words": "higher-is-worse", "chrf": "lower-is-worse"})


@pytest.fixture
def older(tmp_path, monkeypatch, facts, columns_of_today):
    """A workspace of before the step, with runs of SemMT (thresholds are the next smaller numbers), rti and another."""
    path = tmp_path / "old.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr("concord.store.migrations.STEPS", STEPS[:BEFORE])
        with Workspace(path) as store:
            for relation, threshold in (("semmt", math.nextafter(0.4, 0)), ("rti", 0.4), ("gone", 0.4)):
                told = facts(relation, settings=SEMMT, notes=["so"])
                told.pop("facts", None)
                run = store.begin(told)
                for at, suspicion in enumerate((0.3, 0.4, 0.4)):
                    text, there = Text("a dog", "en"), Text(f"perro {at}", "es")
                    scores = {"chrf": 0.5, "paper": 1.0}
                    case = Case(text, text, there, there, (text, there), suspicion, threshold, scores=scores)
                    with columns_of_today(store):
                        store.add(run, [Outcome(Segment(f"s{at}", text, at), cases=[case])])
                store.finish(run)
            with_index(store, lambda index: index.update())
    return path


def test_an_older_workspace_says_of_its_rows_what_it_said(older):
    with sqlite3.connect(older) as db:
        keys = db.execute("SELECT hex(key) FROM cases").fetchall()
    db.close()
    with Workspace(older) as store:
        semmt, rti, gone = (store.run(run) for run in (1, 2, 3))
        assert [run.facts.operator for run in (semmt, rti, gone)] == [">=", ">", ">"]
        assert [run.facts.known for run in (semmt, rti, gone)] == [True, True, False]
        assert rti.facts.distinct
        assert store._db.execute("SELECT hex(key) FROM cases").fetchall() == keys
        assert {row["threshold"] for row in store.rows([1, 2, 3])} == {0.4}
        assert [store.tally(run)["flagged"] for run in (1, 2, 3)] == [2, 0, 0]
        assert [store.tally(run)["cases"] for run in (1, 2, 3)] == [3, 1, 3]
        assert with_index(store, lambda index: index._stale(None)) == [1]
        assert [judged(row) for row in api.worst(older, [1], 9)] == ["suspicion 0.3 < threshold 0.4: not flagged"]
        assert [judged(row) for row in api.cases(older, Filter(runs=(1,))).rows] == [
            "suspicion 0.4 ≥ threshold 0.4: flagged"
        ]
        assert [row["directions"] for row in api.worst(older, [3], 1)] == [
            {"chrf": "lower-is-worse", "paper": "higher-is-worse"}
        ]
        assert [len(run.notes) for run in (semmt, rti, gone)] == [1, 1, 2]
        assert "was not installed" in gone.notes[1]
        assert Samples(store).draw("q", [1], size=2, seed=1).size == 1


def test_an_older_workspace_that_cannot_be_written_is_read_as_it_stands(older, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with Workspace(older, create=False) as store:
        assert [store.tally(run)["flagged"] for run in (1, 2, 3)] == [2, 0, 0]
        assert [store.tally(run)["cases"] for run in (1, 2, 3)] == [3, 1, 3]
        assert store.run(1).facts.operator == ">"


def test_a_run_without_the_facts_of_its_relation_is_not_taken_up_again(older):
    with Workspace(older) as store:
        with store.writing() as db:
            db.execute("UPDATE runs SET finished = NULL")
        assert store.unfinished("semmt|en-es").id == 1
        assert store.unfinished("gone|en-es") is None


@pytest.mark.parametrize(
    "threshold", [0.0, 0.4, 0.30000000000000004, math.inf, 1e-300], ids=["zero", "plain", "odd", "endless", "tiny"]
)
def test_a_threshold_that_nothing_was_hidden_in_stays_with_all_of_its_run(older, threshold):
    with sqlite3.connect(older) as db:
        db.execute("UPDATE cases SET threshold = ? WHERE run = 1 AND position = 0", (threshold,))
    db.close()
    with Workspace(older) as store:
        assert store.run(1).facts.operator == ">"
        assert [row["threshold"] for row in store.rows([1])] == [threshold, *[math.nextafter(0.4, 0)] * 2]


@pytest.mark.parametrize(
    "told", ['{"operator": "<"}', '{"operator": []}', '{"distinct": 1}', '{"answered": [1]}', '{"x": null}']
)
def test_facts_of_another_form_are_damage(older, told):
    with Workspace(older) as store:
        with store.writing() as db:
            db.execute("UPDATE runs SET facts = ? WHERE id = 1", (told,))
        assert "its facts are not of the right form" in store.run(1).notes[-1]
        assert store.run(1).facts == RelationFacts(known=False)
