"""A whole evaluation: its numbers, its tables, its page."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree

import numpy as np
import pytest

from concord import api
from concord.analyses.detection.evaluation import evaluated
from concord.analyses.detection.labelled_rows import LabelledRows
from concord.analyses.detection.options import EvaluationTerms
from concord.errors import UnknownName, UserError
from concord.stats.detection import Score
from concord.views.detection.page import write_evaluation
from concord.views.detection.tables import tables

BUG = np.array([True, True, True, False, False, False] * 5)
GOOD = np.where(BUG, 0.2, 0.7)
NOISE = np.tile([0.1, 0.6, 0.7, 0.2, 0.8, 0.9], 5)
FEW = 50


def rows(*scores):
    return LabelledRows("rows", BUG, scores or (Score("good", GOOD), Score("noise", NOISE)))


def terms(**more):
    return EvaluationTerms(resamples=FEW, **more)


def test_best_and_mean_are_those_of_the_curve():
    found = evaluated(rows(), terms())
    good, noise = found.metrics
    assert (good.auc, good.best("f"), good.threshold("f")) == (1.0, 1.0, 0.2)
    # Nothing below 0.2, everything right from there to below 0.7, everything flagged from 0.7.
    assert good.mean("recall") == pytest.approx(81 / 101)
    assert good.mean("precision") == pytest.approx((50 + 31 / 2) / 101)
    assert noise.auc == pytest.approx(7 / 9)
    low, high = noise.intervals["f"]["best"]
    assert low <= noise.best("f") <= high


def test_a_perfect_score_gains_nothing_and_gives_what_another_misses():
    # At 0.1 the other one finds one bug of three without a false alarm.
    missing = np.tile([0.1, 0.9, 0.9, 0.2, 0.8, 0.9], 5)
    found = evaluated(rows(Score("good", GOOD), Score("missing", missing)), terms())
    gains = {(each.first, each.second): each for each in found.gains}
    assert [(each.name, each.bugs, each.unique) for each in found.alone] == [("good", 15, 10), ("missing", 5, 0)]
    assert (gains["good", "missing"].more_bugs, gains["good", "missing"].bugs) == (0, 15)
    assert (gains["missing", "good"].more_bugs, gains["missing", "good"].bugs) == (10, 15)
    assert found.together is not None
    assert (found.together.bugs, found.together.flagged, found.together.f_gain) == (15, 15, 0.0)


@pytest.mark.parametrize(
    ("way", "threshold", "bugs", "flagged"), [("product", 0.4, 3, 5), ("f", 0.6, 4, 7), ("accuracy", 0.1, 1, 1)]
)
def test_thresholds_of_combinations_are_chosen_as_told(way, threshold, bugs, flagged):
    bug = np.array([True] * 4 + [False] * 6)
    score = Score("x", np.array([0.1, 0.3, 0.4, 0.6, 0.2, 0.4, 0.5, 0.7, 0.7, 0.7]))
    found = evaluated(LabelledRows("rows", bug, [score, Score("y", bug * 1.0)]), terms(combine_at=way)).alone[0]
    # Of equals, the one that flags the fewest: 3 × 4 is 4 × 3, and seven rows are right at all three thresholds.
    assert (found.threshold, found.bugs, found.flagged) == (threshold, bugs, flagged)


def test_an_unknown_way_to_combine_is_refused_with_the_choices():
    with pytest.raises(UnknownName, match="product"):
        evaluated(rows(), terms(combine_at="best"))


def test_suspicion_is_not_combined_with_the_score_that_it_turns_round():
    gapped = np.where(np.arange(len(BUG)) < 3, np.nan, GOOD)
    for good in (GOOD, gapped):
        scores = Score("good", good), Score("suspicion", 1 - good, ">"), Score("noise", NOISE)
        found = evaluated(rows(*scores), terms())
        assert [each.score.name for each in found.metrics] == ["good", "suspicion", "noise"]
        assert {(each.first, each.second) for each in found.gains} == {("good", "noise"), ("noise", "good")}
        assert "suspicion is 1 − good, so it is not combined with others" in found.notes
        assert next(table for table in tables(found) if "More bugs found" in table.title).columns[1:] == (
            "good",
            "noise",
        )
    free = evaluated(rows(Score("good", GOOD), Score("suspicion", 1 - NOISE, ">")), terms())
    assert len(free.gains) == 2
    assert not free.notes


def test_one_score_is_combined_with_nothing():
    found = evaluated(rows(Score("good", GOOD)), terms())
    assert (found.alone, found.gains, found.together) == ([], [], None)


def test_the_ends_of_a_mixture_are_its_parts():
    found = evaluated(rows(), terms(mix="good, noise"))
    assert list(found.mix) == [step / 10 for step in range(11)]
    assert found.mix[1.0].auc == found.metrics[0].auc
    assert found.mix[0.0].mean("f") == found.metrics[1].mean("f")


@pytest.mark.parametrize(
    ("mix", "said"),
    [
        ("good", "two scores"),
        ("good,good", "two scores"),
        ("good,bad", "'bad'"),
        ("good,other", "worse when lower"),
        ("even,odd", "too few rows"),
    ],
)
def test_what_cannot_be_mixed_is_refused(mix, said):
    even = np.arange(len(BUG)) % 2 == 0
    halves = [Score("even", np.where(even, GOOD, np.nan)), Score("odd", np.where(even, np.nan, GOOD))]
    with pytest.raises(UserError, match=said):
        evaluated(rows(Score("good", GOOD), Score("other", NOISE, "≥"), *halves), terms(mix=mix))


def test_a_normalised_score_says_so_and_keeps_its_units():
    found = evaluated(rows(Score("far", 10 + 10 * GOOD)), terms(normalise=True))
    (far,) = found.metrics
    assert far.threshold("f") == pytest.approx(12)
    assert "normalised from 12…17" in tables(found)[0].rows[0][2]
    (plain,) = evaluated(rows(Score("far", 10 + 10 * GOOD)), terms()).metrics
    assert plain.score.scale is None
    assert (plain.curve.thresholds[0], plain.curve.thresholds[-1]) == (12.0, 17.0)


def test_missing_values_are_counted():
    some = np.where(np.arange(len(BUG)) < 3, np.nan, GOOD)
    found = evaluated(rows(Score("good", GOOD), Score("some", some)), terms())
    assert [(each.rows, each.missing) for each in found.metrics] == [(30, 0), (27, 3)]
    assert "missing" in tables(found)[0].columns
    assert {each.rows for each in found.gains} == {27}


def test_held_out_rows_are_judged_if_asked():
    assert all(each.held_out is None for each in evaluated(rows(), terms()).metrics)
    (good, _) = evaluated(rows(), terms(split=0.5)).metrics
    assert good.held_out is not None
    assert (good.held_out.f, good.held_out.rows) == (1.0, 14)
    folded = evaluated(rows(), terms(folds=3))
    assert folded.metrics[0].held_out is not None
    assert folded.metrics[0].held_out.rows == 30
    assert any("3 folds" in table.title for table in tables(folded))
    with pytest.raises(UserError, match="one of them"):
        evaluated(rows(), terms(split=0.5, folds=3))


def test_the_same_seed_gives_the_same_evaluation():
    first, second, other = (evaluated(rows(), terms(folds=3, seed=seed)).plain() for seed in (1, 1, 2))
    assert json.dumps(first) == json.dumps(second)
    assert first["metrics"][1]["auc_interval"] != other["metrics"][1]["auc_interval"]


def test_tables_tell_what_flagging_everything_would_do():
    found = tables(evaluated(rows(), terms()))
    assert "Flagging every row has F 0.667 and accuracy 0.500" in found[1].note
    assert all(len(row) == len(table.columns) for table in found for row in table.rows)


def test_scores_on_different_scales_stand_in_different_tables():
    found = tables(evaluated(rows(Score("good", GOOD), Score("count", np.rint(9 * NOISE), "≥")), terms()))
    assert sum("rows flagged and precision" in table.title for table in found) == 2


def test_a_folder_gets_a_page_pictures_and_every_point(tmp_path):
    hostile = "=<script>alert(1)</script>"
    found = evaluated(rows(Score(hostile, GOOD), Score("noise", NOISE)), terms(mix=f"{hostile},noise", folds=3))
    written = write_evaluation(found, tmp_path / "new" / "out")
    assert {path.name for path in written} >= {
        "index.html",
        "points.csv",
        "f.svg",
        "precision_by_flagged.svg",
        "mix.svg",
    }
    page = (tmp_path / "new" / "out" / "index.html").read_text()
    assert "<script>" not in page
    for path in written:
        if path.suffix == ".svg":
            ElementTree.fromstring(path.read_text())
    with (tmp_path / "new" / "out" / "points.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 101 * (2 + 11)
    assert lines[0]["score"].startswith("'=")
    assert lines[-1]["k"] == "1"
    at = next(line for line in lines if line["score"] == "noise" and line["threshold"] == "0.6")
    assert (at["flagged"], at["bugs"]) == ("15", "10")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be made"):
        api.write_evaluation(evaluated(rows(), terms()), tmp_path / "file" / "out")


def test_an_evaluation_is_of_one_file_or_of_runs(tmp_path):
    with pytest.raises(UserError, match="one file or of runs"):
        api.evaluate(["a.csv", "3"])
    with pytest.raises(UserError, match="at least one draw"):
        evaluated(rows(), EvaluationTerms(resamples=0))
