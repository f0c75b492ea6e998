"""Systems by how often relations hold, remembered."""

from __future__ import annotations

import pytest

from concord import api
from concord.correlating.terms import Terms
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.sqlite"


def fill(path, system, word, run=None):
    facts = {"signature": "s", "relation": "rtt", "settings": {}, "system": system, "source": "en", "target": "es"}
    with Workspace(path) as store:
        record = store.begin(facts | {"corpus": "c#1", "seed": 1}) if run is None else store.run(run)
        for position, verdict in enumerate(word):
            text = Text(f"text {position}", "en")
            case = Case(text, text, text, text, (text, text), 0.9 if verdict == "x" else 0.1, 0.5)
            store.add(record, [Outcome(Segment(str(position), text, position), 0, [case])])
        store.finish(record)
        return record.id


def rates(found):
    return {row["system"]: row["mean"]["rate"] for row in found["tables"][0]["standings"]}


def test_standings_are_those_of_quality(path):
    fill(path, "a", "....")
    fill(path, "b", "xx..")
    terms = Terms(resamples=50)
    found = api.standings(path, terms=terms)
    wanted = api.quality(path, terms=terms).plain()
    assert found["tables"][0].pop("picture").startswith("<svg")
    assert found == wanted


def test_standings_are_remembered_until_a_run_changes(path, monkeypatch):
    fill(path, "a", "....")
    run = fill(path, "b", "xx..")
    terms = Terms(resamples=20)
    assert rates(api.standings(path, terms=terms)) == {"a": 1.0, "b": 0.5}
    fill(path, "b", "xxx.", run)
    assert rates(api.standings(path, terms=terms)) == {"a": 1.0, "b": 0.25}
    monkeypatch.setattr("concord.correlating.quality.quality", lambda *_: pytest.fail("made again"))
    assert rates(api.standings(path, terms=terms)) == {"a": 1.0, "b": 0.25}


def test_without_patience_large_runs_are_not_ranked_unless_they_were(path, monkeypatch):
    monkeypatch.setattr("concord.api.comparing.SMALL", 3)
    fill(path, "a", "....")
    assert api.standings(path, patient=False) is None
    assert api.standings(path) is not None
    assert api.standings(path, patient=False) is not None
