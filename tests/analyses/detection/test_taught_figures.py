"""Figures that rest on labels which have taught the comparison are said to do so."""

from __future__ import annotations

import json

import pytest

from concord.store import Workspace
from concord.store.comparators import Comparator, Comparators

SUSPICIONS = [0.9, 0.8, 0.7, 0.2, 0.1, 0.1]
KEPT = Comparator("rtt", ("en", "es"), b"learnt", 0.8125, 0.7, 60, 20)
NOTE = (
    f"the labels that these figures rest on have taught {KEPT.name}, as far as they were among the 60 labelled cases of"
    " rtt en→es that it learnt from, and flatter it: on cases that it had not seen its AUC was 0.812"
)
COMMANDS = [("evaluate",), ("tune",), ("evaluate", "--detectors")]


@pytest.fixture
def figures(path, run, label, concord):
    """What a command says of a labelled run that was judged by this comparison."""

    def said(command, by, *more):
        number = run(SUSPICIONS, by=by)
        label(number, {at: suspicion > 0.5 for at, suspicion in enumerate(SUSPICIONS)})
        code, out, err = concord(*command, str(number), "--workspace", str(path), *more)
        assert code == 0
        return out, err

    return said


@pytest.fixture
def kept(path):
    """A workspace whose comparator labels have taught."""
    with Workspace(path) as store:
        Comparators(store).keep(KEPT)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_by_what_labels_have_taught_has_a_note_with_the_area_on_unseen_cases(figures, command):
    assert figures(command, f"concord@3+{KEPT.name}")[1].count(NOTE) == 1


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("by", ["", "concord@3", "concord@3+fitted@00000000"])
def test_a_run_by_the_rule_or_by_an_earlier_comparator_has_none(figures, command, by):
    assert "have taught" not in figures(command, by)[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_forgotten_is_not_told(figures, command):
    assert "have taught" not in figures(command, f"concord@3+{KEPT.name}")[1]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("command", COMMANDS[:2])
def test_the_note_is_in_the_json_object_too(figures, command):
    assert NOTE in json.loads(figures(command, f"concord@3+{KEPT.name}", "--json")[0])["notes"]
