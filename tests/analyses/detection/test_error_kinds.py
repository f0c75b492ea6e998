"""Bugs by kind of error, and the way there judged alone (Cao et al. 2021, table 4 and section 4.1)."""

from __future__ import annotations

import numpy as np
import pytest

from concord import api
from concord.analyses.detection.error_kinds import found_by_kind
from concord.analyses.detection.labelled_rows import labelled_runs, read_labelled
from concord.errors import UnknownName, UserError
from concord.labels.labels import Label, Labels
from concord.model import System
from concord.stats.detection import Score
from concord.stats.detection_gains import ThresholdedScore
from concord.store import Workspace
from concord.store.label_rows import outputs_of
from concord.views.detection.tables import tables

TABLE = """\
label,score,other,type,trip
bug,0.1,0.9,order; under-translation,FW
bug,0.2,0.1,incorrect order,both
bug,0.8,0.2,under-translation,BW
bug,0.3,0.3,,
correct,0.9,0.8,,
correct,0.7,0.9,,
correct,0.6,0.7,,BW
"""


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "labelled.csv"
    file.write_text(TABLE)
    return file


def terms(**more):
    return api.EvaluationTerms(resamples=5, **more)


def test_each_kind_counts_its_bugs_and_those_that_each_score_flags(table):
    found = api.evaluate(table, terms(kinds="type"))
    by_kind = {row.kind: (row.bugs, dict(row.found)) for row in found.kinds}
    assert by_kind == {
        "under-translation": (2, {"score": 1, "other": 1}),
        "incorrect order": (1, {"score": 1, "other": 1}),
        "order": (1, {"score": 1, "other": 0}),
    }
    assert found.plain()["kinds"][0]["kind"] == "under-translation"
    rows = next(table for table in tables(found) if "by kind" in table.title).rows
    assert rows == [
        ("under-translation", "2", "1", "1"),
        ("– incorrect order", "1", "1", "1"),
        ("order", "1", "1", "0"),
    ]


def test_without_kinds_there_is_no_such_table(table):
    found = api.evaluate(table, terms())
    assert not found.kinds
    assert not any("by kind" in table.title for table in tables(found))


def test_concords_kinds_stand_below_their_categories():
    score = ThresholdedScore(Score("s", np.zeros(3)), 0.5)
    kinds = [frozenset({"incorrect semantics"}), frozenset({"unclear logic", "zeal"}), frozenset({"over-translation"})]
    found = found_by_kind(kinds, np.array([True, True, False]), [score])
    assert [row.kind for row in found] == ["unclear logic", "incorrect semantics", "zeal"]


def test_each_bug_is_looked_at_once_however_many_kinds_there_are():
    class Counted(frozenset):
        looks = 0

        def __iter__(self):
            Counted.looks += 1
            return super().__iter__()

        def __contains__(self, kind):
            Counted.looks += 1
            return super().__contains__(kind)

    kinds = [Counted({f"kind {row}"}) for row in range(50)]
    score = ThresholdedScore(Score("s", np.zeros(50)), 0.5)
    assert [row.bugs for row in found_by_kind(kinds, np.ones(50, dtype=bool), [score])] == [1] * 50
    assert Counted.looks == 50


def test_a_wrong_way_back_is_left_out_and_a_wrong_way_there_counts(table):
    rows = read_labelled(table, scores=["score"], kinds="type", forward="trip")
    assert rows.bug.tolist() == [True, True, False, False]
    assert rows.scores[0].values.tolist() == [0.1, 0.2, 0.9, 0.7]
    assert rows.kinds[0] == {"order", "under-translation"}
    assert rows.notes[-2:] == [
        "2 rows left out: only the way back is wrong",
        "1 row left out: which way is wrong is not said",
    ]


def test_a_column_that_is_missing_is_named(table):
    with pytest.raises(UnknownName, match="trips"):
        read_labelled(table, forward="trips")


class Echo(System):
    id = "echo"

    async def translate(self, texts, source, target):
        return [text.replace("three", "four") if target == "en" else text for text in texts]


@pytest.fixture
def run(tmp_path):
    lines = ["At least three dogs barked.", "No cat slept in the house.", "Both birds sang well.", "Only one left."]
    (tmp_path / "c.txt").write_text("\n".join(lines) + "\n")
    place = tmp_path / "w.sqlite"
    api.run(tmp_path / "c.txt", relations=["semmt"], systems=[Echo()], to=["es"], workspace=place)
    with Workspace(place) as store:
        rows = [row for row in store.rows([store.runs()[-1].id]) if "case" in row]
        said = [
            {
                "verdict": "error",
                "wrong": "source output",
                "categories": ("unclear logic",),
                "kinds": ("incorrect order",),
            },
            {"verdict": "error", "wrong": "follow-up output", "categories": ("over-translation",)},
            {"verdict": "correct"},
            {"verdict": "correct"},
        ]
        Labels(store).save(
            Label(row["case"], "ana", outputs=outputs_of(row), **facts) for row, facts in zip(rows, said, strict=True)
        )
    return place


@pytest.mark.usefixtures("toy_languages")
def test_labels_of_runs_have_kinds_and_the_side_that_is_wrong(run):
    with Workspace(run) as store:
        number = store.runs()[-1].id
        every, forward = labelled_runs(store, [number]), labelled_runs(store, [number], forward=True)
    assert every.kinds[:2] == [{"unclear logic", "incorrect order"}, {"over-translation"}]
    assert (every.bug.tolist(), forward.bug.tolist()) == ([True, True, False, False], [True, False, False])
    assert "1 row left out: only the way back is wrong" in forward.notes
    with pytest.raises(UserError, match="leave out --kinds"):
        api.evaluate([number], terms(kinds="type"), workspace=run)
