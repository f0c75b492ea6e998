"""Systems by how often relations hold, remembered."""

from __future__ import annotations

import pytest

from concord import api
from concord.analyses.quality.options import QualityTerms
from concord.api.regression import prepare
from concord.errors import UserError
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.index.location import index_path, locked


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.sqlite"


def fill(path, system, word, run=None, target="es"):
    facts = {"signature": "s", "relation": "rtt", "settings": {}, "system": system, "source": "en", "target": target}
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
    terms = QualityTerms(resamples=50)
    found = api.standings(path, terms=terms)
    wanted = api.quality(path, terms=terms).plain()
    assert found["tables"][0].pop("picture").startswith("<svg")
    assert found == wanted


def test_standings_are_remembered_until_a_run_changes(path, monkeypatch):
    fill(path, "a", "....")
    run = fill(path, "b", "xx..")
    terms = QualityTerms(resamples=20)
    assert rates(api.standings(path, terms=terms)) == {"a": 1.0, "b": 0.5}
    fill(path, "b", "xxx.", run)
    assert rates(api.standings(path, terms=terms)) == {"a": 1.0, "b": 0.25}
    monkeypatch.setattr("concord.analyses.quality.quality.quality", lambda *_: pytest.fail("made again"))
    assert rates(api.standings(path, terms=terms)) == {"a": 1.0, "b": 0.25}


def test_without_patience_large_runs_are_not_ranked_unless_they_were(path, monkeypatch):
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 3)
    fill(path, "a", "....")
    assert api.standings(path, patient=False) is None
    assert api.standings(path) is not None
    assert api.standings(path, patient=False) is not None


def test_what_is_prepared_is_there_without_patience(path, monkeypatch):
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 3)
    monkeypatch.setattr("concord.store.verdict_arrays.FEW", 3)
    fill(path, "a", "....")
    fill(path, "b", "xx..")
    assert api.compare_runs(path, "1", "2", patient=False) is None
    assert prepare(path)
    assert api.compare_runs(path, "1", "2", patient=False) is not None
    assert api.standings(path, patient=False) is not None


def test_why_large_runs_cannot_be_ranked_is_remembered_until_they_can(path, fill_with_errors, monkeypatch):
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 3)
    fill(path, "a", "....")
    failed = fill_with_errors("fr")
    assert api.standings(path, patient=False) is None
    assert prepare(path)
    with pytest.raises(UserError, match="run 2 \\(en→fr\\) has no case"):
        api.standings(path, patient=False)
    fill(path, "a", "x.", failed, "fr")
    assert prepare(path)
    assert [table["target_lang"] for table in api.standings(path, patient=False)["tables"]] == ["es", "fr"]


def test_a_run_that_finishes_is_no_longer_said_to_be_unfinished(path, begin):
    run = begin([Case(*[Text("text", "en")] * 4, (Text("text", "en"),) * 2, 0.1, 0.5)])
    terms = QualityTerms(resamples=20)
    assert any("did not finish" in note for note in api.standings(path, terms=terms)["notes"])
    with Workspace(path) as store:
        store.finish(store.run(run))
    assert not any("did not finish" in note for note in api.standings(path, terms=terms)["notes"])


def test_why_runs_cannot_be_ranked_is_said_anew_once_they_are_finished_or_the_workspace_is_moved(path, begin, tmp_path):
    run = begin([], "timeout")
    with pytest.raises(UserError, match=r"did not finish.*w\.sqlite"):
        api.standings(path)
    with Workspace(path) as store:
        store.finish(store.run(run))
    with pytest.raises(UserError) as refused:
        api.standings(path)
    assert "did not finish" not in str(refused.value)
    moved = tmp_path / "moved"
    moved.mkdir()
    for each in tmp_path.glob("w.sqlite*"):
        each.rename(moved / each.name)
    with pytest.raises(UserError, match=str(moved)):
        api.standings(moved / path.name)


def test_what_is_prepared_stays_when_the_index_catches_up(path, monkeypatch):
    fill(path, "a", "....")
    assert prepare(path)
    api.update_index(path)
    monkeypatch.setattr("concord.store.verdict_arrays.build", lambda *_: pytest.fail("made again"))
    assert prepare(path)


def test_preparing_says_if_another_process_kept_it_from_keeping_anything(path):
    fill(path, "a", "....")
    api.update_index(path)
    with locked(index_path(path)):
        assert not prepare(path)
    assert prepare(path)


def test_there_may_be_nothing_to_prepare(path, fill_with_errors):
    fill_with_errors()
    assert prepare(path)


@pytest.fixture
def fill_with_errors(path, begin):
    """`fill_with_errors()` makes a run whose only check failed, and gives its number."""

    def made(target="es"):
        run = begin([], "timeout", target)
        with Workspace(path) as store:
            store.finish(store.run(run))
        return run

    return made


@pytest.fixture
def begin(path):
    """`begin(cases)` makes a run with one check that does not finish, and gives its number."""

    def made(cases, error=None, target="es"):
        facts = {"signature": "s", "relation": "rtt", "settings": {}, "system": "a", "source": "en", "target": target}
        with Workspace(path) as store:
            record = store.begin(facts | {"corpus": "c#1", "seed": 1})
            store.add(record, [Outcome(Segment("0", Text("text", "en"), 9), 0, cases, error)])
            return record.id

    return made
