"""A workspace whose keys still hold what came out gets the keys of today, and loses nothing that was said."""

from __future__ import annotations

import json

import pytest

from concord.labels.labels import Label, Labels
from concord.labels.queues import Samples
from concord.model import Case, Outcome, Segment, Text
from concord.signature import digest
from concord.store import Workspace
from concord.store.case_keys import case_key
from concord.store.index import with_index
from concord.store.label_rows import outputs_of
from concord.store.migration_case_keys import without_answers
from concord.store.migrations import STEPS

BEFORE = STEPS.index(without_answers)
SETTINGS = {
    "literals": {"threshold": 0.5, "terms": ""},
    "semmt": {"metric": "h", "threshold": 0.4, "baselines": ["bleu", "chrf"]},
    "rtt": {"metric": "chrf", "threshold": 0.4},
}


def old_key(run, case):
    """The key as it was: with every factor."""
    settings = json.dumps(run.question, sort_keys=True)
    produced = (case.source_output, *case.steps.values())
    inputs = (case.source,) if case.follow_up in produced else (case.source, case.follow_up)
    texts = [part for text in inputs for part in (text.lang, text.words)]
    where = (run.system, run.source, run.target)
    return digest(run.relation, settings, *where, json.dumps(case.factors, sort_keys=True), *texts)


def literal(words, output, kind):
    text, answer = Text(words, "en"), Text(output, "es")
    return Case(text, text, answer, answer, (text, answer), 1.0, 0.5, factors={"literals": kind})


def trip(words, back, way="text", test="original"):
    text, there, again = Text(words, "en"), Text("ida", "es"), Text(back, "en")
    steps = {"intermediate": there, "back translation": again}
    factors = {"read as": way, "test": test}
    return Case(text, there, there, again, (text, again), 0.5, 0.4, steps=steps, factors=factors)


RUNS = {
    "literals": [[literal("I have 3 «dogs».", "Tengo.", "number")], [literal("I have 4.", "Tengo 4.", "none")]],
    "semmt": [[trip("at least 3", "at 3"), trip("no less than 3", "3", test="mutant")]],
    "rtt": [[trip("hello", "hallo")]],
}


def add(workspace, facts, relation, found):
    told = facts(relation, settings=SETTINGS[relation])
    run = workspace.begin({name: each for name, each in told.items() if workspace.has("runs", name)})
    outcomes = [Outcome(Segment(f"s{at}", Text(f"t{at}", "en"), at), cases=each) for at, each in enumerate(found)]
    workspace.add(run, outcomes)
    return run


def say(row, verdict="error", who="ana"):
    return Label(row["case"], who, verdict, outputs_of(row))


@pytest.fixture
def older(tmp_path, monkeypatch, facts, columns_of_today):
    """A workspace of before the step, with three runs; yields it open, and how to open it as it is today."""
    path = tmp_path / "old.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr("concord.store.migrations.STEPS", STEPS[:BEFORE])
        patch.setattr("concord.store.runs.case_key", old_key)
        with Workspace(path) as workspace:
            with columns_of_today(workspace):
                for relation, found in RUNS.items():
                    add(workspace, facts, relation, found)
            yield workspace, lambda: (patch.undo(), Workspace(path))[1]


def test_every_case_has_the_key_that_it_would_get_today(older):
    before, today = older
    old = [row["case"] for row in before.rows([1, 2, 3])]
    with today() as workspace:
        new = [row["case"] for row in workspace.rows([1, 2, 3])]
        cases = [(workspace.run(run), case) for run, name in enumerate(RUNS, 1) for each in RUNS[name] for case in each]
        assert new == [case_key(*each).hex() for each in cases]
        assert [a == b for a, b in zip(old, new, strict=True)] == [False] * 4 + [True]


def test_what_was_said_holds_and_is_found_by_a_later_run_with_other_answers(older, facts):
    before, today = older
    rows = list(before.rows([1, 2, 3]))
    Labels(before).save([say(row) for row in rows])
    with today() as workspace:
        said = Labels(workspace).of_runs([1, 2, 3])
        assert sorted(said) == sorted(row["case"] for row in workspace.rows([1, 2, 3]))
        assert all(each.outputs == outputs_of(row) for row in workspace.rows([1, 2, 3]) for each in said[row["case"]])
        later = add(workspace, facts, "literals", [[literal("I have 3 «dogs».", "Tengo 3 perros.", "none")]])
        (row,) = workspace.rows([later.id])
        (label,) = Labels(workspace).of_runs([later.id])[row["case"]]
        assert label.outputs != outputs_of(row)


def test_what_was_said_before_can_still_be_taken_back(older):
    before, today = older
    (row, *_) = before.rows([1])
    Labels(before).save([say(row)])
    Labels(before).save([say(row, "correct")])
    with today() as workspace:
        (row, *_) = workspace.rows([1])
        (undone,) = Labels(workspace).undo("ana")
        assert (undone.label.verdict, undone.before.verdict) == ("correct", "error")
        assert [each.verdict for each in Labels(workspace).of_case(row["case"])] == ["error"]


def test_of_two_words_on_the_same_outputs_the_later_holds(older, facts, columns_of_today):
    before, today = older
    with columns_of_today(before):
        again = add(before, facts, "literals", [[literal("I have 3 «dogs».", "Tengo.", "none")]])
    (first, *_), (second,) = before.rows([1]), before.rows([again.id])
    assert first["case"] != second["case"]
    Labels(before).save([say(first), say(first, who="ben")])
    Labels(before).save([say(second, "correct")])
    with today() as workspace:
        (row,) = workspace.rows([again.id])
        said = {each.annotator: each.verdict for each in Labels(workspace).of_case(row["case"])}
        assert said == {"ana": "correct", "ben": "error"}
        assert len(Labels(workspace).of_case(row["case"])) == 2


def test_a_queue_goes_on_with_its_cases(older):
    before, today = older
    Samples(before).draw("q", [1, 2, 3], size=5, seed=1)
    (row, *_) = before.rows([1])
    Labels(before).save([say(row)])
    with today() as workspace:
        samples = Samples(workspace)
        queue = samples.get("q")
        assert all(samples.row(place) for place in samples.places(queue))
        assert samples.labelled(queue, "ana") == 1


def test_what_is_kept_beside_the_workspace_is_made_anew(older):
    before, today = older
    assert with_index(before, lambda index: index.update()) == []
    with today() as workspace:
        assert with_index(workspace, lambda index: index._stale(None)) == [1, 2]


def test_a_case_whose_key_was_made_otherwise_is_left_as_it_is(older):
    before, today = older
    strange = bytes(range(16))
    with before.writing() as db:
        db.execute("UPDATE cases SET key = ? WHERE run = 1 AND position = 0", (strange,))
    with today() as workspace:
        first, second = (row["case"] for row in workspace.rows([1]))
        assert first == strange.hex()
        assert second == case_key(workspace.run(1), RUNS["literals"][1][0]).hex()
