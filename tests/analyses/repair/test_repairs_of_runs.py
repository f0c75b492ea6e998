"""A run of transrepair is repaired from its workspace, without another translation."""

from __future__ import annotations

import sqlite3

import pytest

from concord.analyses.repair import _explaining
from concord.api.repair import repair
from concord.errors import UserError
from concord.model import ROLES, Text
from concord.store import Workspace


@pytest.mark.parametrize("by", ["agreement", "probability"])
def test_the_odd_translation_is_mended_after_its_mutants(workspace, by):
    made = repair(workspace, [1], by=by)[1]
    assert [offered.side for offered in made.offered] == ["source"]
    assert made.offered[0].after.words == "Twoez nursesez wereez dismissedez inez Madridez."
    assert made.offered[0].suspicion < 0.001


def test_the_test_to_pass_is_the_runs_own_with_what_it_had_learnt(workspace, tmp_path):
    glossary = tmp_path / "terms.tsv"
    glossary.write_text("were\tAsí\nin\tque\n")
    with Workspace(workspace, create=False) as store:
        run, rows = store.run(1), [row for row in store.rows([1]) if "case" in row]
        ours, told = (_explaining(store, run, [], file) for file in ("", str(glossary)))
        found = [ours(*(Text(row[role]["words"], row[role]["lang"]) for role in ROLES)) for row in rows]
        assert found == [row["suspicion"] for row in rows]
        assert max(found) > 0.3
        assert found != [told(*(Text(row[role]["words"], row[role]["lang"]) for role in ROLES)) for row in rows]


def test_a_text_that_is_too_long_to_be_compared_is_left_as_it_is(workspace, monkeypatch):
    monkeypatch.setattr("concord.analyses.repair.LONGEST_TEXT", 10)
    made = repair(workspace, [1])[1]
    assert not made.offered
    assert list(made.unrepaired) == ["not judged: a text has more than 10 characters"]


def test_the_latest_runs_that_can_be_repaired_are_taken_by_themselves(workspace):
    assert list(repair(workspace)) == [1, 2]


def test_a_run_of_another_relation_is_refused(workspace):
    with pytest.raises(UserError, match="repair is for runs of transrepair and cat"):
        repair(workspace, [3])


def test_a_system_that_tells_no_probabilities_is_refused(workspace):
    with pytest.raises(UserError, match="rank them by agreement"):
        repair(workspace, [2], by="probability")


def test_a_workspace_without_such_a_run_says_so(concord, tmp_path):
    (tmp_path / "corpus.txt").write_text("The cat sat.\n")
    assert concord("run", "corpus.txt", "-s", "fake", "-r", "rtt", "-t", "es")[0] == 0
    with pytest.raises(UserError, match="no run of transrepair or cat"):
        repair(tmp_path / "concord.sqlite")


def test_nothing_is_written_to_the_workspace(workspace):
    def content():
        with sqlite3.connect(workspace) as db:
            return list(db.iterdump())

    before = content()
    repair(workspace)
    assert content() == before
