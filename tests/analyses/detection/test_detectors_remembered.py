"""What is remembered of detectors is forgotten with whatever it was made from."""

from __future__ import annotations

from concord import api
from concord.analyses.detection.ground_truth import CHOSEN, QUEUE
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace


def test_what_is_remembered_is_forgotten_with_every_label_and_every_word_taken_back(path, run, label, one):
    run([0.9, 0.8, 0.2])
    label(1, {0: True, 2: False})
    before = one()
    assert one() is before
    label(1, {0: False})
    assert one().bugs == 0
    api.undo_label(path, "ana")
    assert one().bugs == 1
    label(1, {1: True})
    assert len(one().decided) == 3


def test_what_is_remembered_is_forgotten_with_a_queue_and_with_a_changed_run(path, run, label, one):
    run([0.9, 0.8, 0.7, 0.3, 0.2, 0.1])
    label(1, {0: True, 1: False, 3: False, 4: True, 5: False})
    assert one().decided.basis == CHOSEN
    api.draw_queue(path, [1], name="q", size=6)
    assert one().decided.basis == QUEUE
    api.forget_queue(path, "q")
    assert one().decided.basis == CHOSEN
    with Workspace(path) as store:
        text = Text("one more", "en")
        case = Case(text, text, text, text, (text, text), 0.9, 0.5)
        store.add(store.run(1), [Outcome(Segment("s9", text, 9), 0, [case])])
    assert one().in_force.flagged == 4


def test_other_runs_are_offered_though_detectors_are_remembered(path, run):
    run([0.9])
    api.detectors(path, [1])
    run([0.9], relation="rti")
    found = api.detectors(path, [1])
    assert ([run.id for run in found.offered], len(found.detectors)) == ([1, 2], 1)
