"""The overview puts together only what can stand for one thing: one corpus, and runs that are whole."""

from __future__ import annotations

import pytest

from concord import api
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace


@pytest.fixture
def add(tmp_path):
    """Add a run of these verdicts, `x` for flagged, to the workspace; gives its path."""
    path = tmp_path / "w.sqlite"

    def added(verdicts, corpus="news", *, finished=True, **settings):
        facts = {"signature": "s", "relation": "rtt", "settings": settings, "system": "a", "seed": 1}
        with Workspace(path) as store:
            run = store.begin(facts | {"source": "en", "target": "es", "corpus": corpus})
            for position, verdict in enumerate(verdicts):
                text = Text(f"text {position}", "en")
                case = Case(text, text, text, text, (text, text), float(verdict == "x"), 0.5)
                store.add(run, [Outcome(Segment(str(position), text, position), 0, [case])])
            if finished:
                store.finish(run)
        return path

    return added


def cells(path):
    return [
        (cell.corpus, cell.finished, list(cell.runs), cell.cases, cell.flagged) for cell in api.overview(path).cells
    ]


def test_corpora_are_not_pooled_and_options_on_one_corpus_are(add):
    add("xx..")
    add("x...", metric="chrf")
    path = add("xxxx", "law")
    assert cells(path) == [("news", True, [1, 2], 8, 3), ("law", True, [3], 4, 4)]


def test_a_run_that_is_not_finished_stands_beside_the_last_that_is(add):
    add("....")
    add("xx..")
    add("x", finished=False)
    path = add("xxx.", metric="chrf")
    assert cells(path) == [("news", True, [2, 4], 8, 5), ("news", False, [3], 1, 1)]


def test_a_run_that_was_given_up_is_forgotten_when_a_later_one_is_finished(add):
    add("x", finished=False)
    assert cells(add("....")) == [("news", True, [2], 4, 0)]
