"""Each relation as a detector: what labels say of it, weighted where a queue drew them, next to trivial baselines."""

from __future__ import annotations

import math

import pytest

from concord import api
from concord.analyses.detection.ground_truth import CENSUS, CHOSEN, QUEUE
from concord.errors import UserError
from concord.labels.queues import Samples
from concord.stats.wilson import wilson
from concord.store import Workspace


def test_where_every_case_is_labelled_the_measures_are_exact(run, label, one):
    run([0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1])
    label(1, {0: True, 1: True, 2: True, 3: False, 4: True, 5: False, 6: False, 7: False})
    found = one()
    measured = found.in_force.measured
    assert found.decided.basis == CENSUS
    assert (measured.precision.value, measured.precision.low, measured.precision.high) == (0.75, 0.75, 0.75)
    assert (measured.recall.value, measured.f.value) == (0.75, 0.75)
    assert (found.base_rate.value, found.base_rate.method) == (0.5, "exact")
    # Of 16 pairs of a bug and another case, the bug of 0.4 is below 0.6 alone.
    assert (found.area.value, found.area.low, found.area.high) == (15 / 16, 15 / 16, 15 / 16)
    assert (found.in_force.threshold, found.in_force.flagged) == (0.5, 4)


def test_labels_of_flagged_cases_alone_tell_precision_and_not_recall(run, label, one):
    run([0.9, 0.8, 0.7, 0.6, 0.4, 0.3])
    label(1, {0: True, 1: True, 2: False})
    found = one()
    measured = found.in_force.measured
    assert found.decided.basis == CHOSEN
    assert (measured.precision.low, measured.precision.high) == pytest.approx(wilson(2, 3))
    assert measured.precision.method == "Wilson"
    assert (measured.recall, measured.f, found.base_rate, found.best, found.held_out) == (None,) * 5
    assert any("recall cannot be estimated" in note for note in found.notes)
    assert any(note.startswith("not weighted: 3 labels") for note in found.notes)


def test_labels_of_flagged_cases_say_nothing_of_what_a_lower_threshold_would_flag(run, label, one):
    run([0.9, 0.8, 0.7, 0.6, 0.4, 0.3])
    label(1, {0: True, 1: True, 2: False})
    found = one()
    assert found.effect(0.75).measured.precision.value == 1
    assert (found.effect(0.35).flagged, found.effect(0.35).measured.precision) == (5, None)
    assert {each["threshold"] >= 0.4 for each in found.curve() if not math.isnan(each["precision"])} == {True}


def test_labels_of_a_queue_are_weighted_by_what_they_stand_for(path, run, label, one):
    run([0.9] * 20 + [0.1 + at / 1000 for at in range(60)])
    api.draw_queue(path, [1], name="q", size=16, seed=3)
    with Workspace(path) as store:
        places = Samples(store).places(Samples(store).get("q"))
    flagged = [each.position for each in places if each.band == 0]
    others = {band: [each.position for each in places if each.band == band] for band in (1, 2, 3)}
    assert [len(flagged), *map(len, others.values())] == [8, 2, 3, 3]
    bugs = {*flagged[:6], others[1][0], others[3][0]}
    label(1, {each.position: each.position in bugs for each in places})
    found = one()
    # Flagged cases stand for 20 / 8 each, the others for 20 / 2, 20 / 3 and 20 / 3.
    right, missed = 6 * 2.5, 10 + 20 / 3
    assert found.decided.basis == QUEUE
    assert found.in_force.measured.precision.value == pytest.approx(0.75)
    assert found.in_force.measured.recall.value == pytest.approx(right / (right + missed))
    assert found.base_rate.value == pytest.approx((right + missed) / 80)
    assert found.in_force.measured.recall.low < right / (right + missed) < found.in_force.measured.recall.high
    assert found.notes[0] == "weighted: 16 labels that 'q' drew, which speak for all cases of run 1"


def test_labels_that_nobody_drew_are_not_mixed_with_weighted_ones(path, run, label, one):
    run([0.9] * 20 + [0.1 + at / 1000 for at in range(60)])
    api.draw_queue(path, [1], name="q", size=16)
    with Workspace(path) as store:
        drawn = {each.position for each in Samples(store).places(Samples(store).get("q"))}
    label(1, {at: at % 2 == 0 for at in drawn})
    before = one()
    label(1, {at: True for at in range(80) if at not in drawn and at < 30})
    after = one()
    assert (after.in_force, after.base_rate, after.area) == (before.in_force, before.base_rate, before.area)
    others = sum(at not in drawn for at in range(30))
    assert f"{others} other labels are not used, as nobody drew their cases at random" in after.notes


def test_a_queue_of_which_a_stratum_was_never_looked_at_is_not_used(path, run, label, one):
    run([0.9] * 20 + [0.1 + at / 1000 for at in range(60)])
    api.draw_queue(path, [1], name="half <b>", size=16)
    with Workspace(path) as store:
        places = Samples(store).places(Samples(store).get("half <b>"))
    label(1, {each.position: True for each in places if each.band in (0, 1)})
    found = one()
    assert found.decided.basis == CHOSEN
    assert any("'half <b>' is not far enough" in note for note in found.notes)


def test_runs_that_no_queue_reaches_are_said_to_be_left_out(path, run, label, one):
    run([0.9, 0.8, 0.2, 0.1, 0.05], system="a")
    run([0.9, 0.8, 0.2, 0.1, 0.05], system="b")
    api.draw_queue(path, [1], name="q", size=5)
    label(1, {0: True, 1: False, 2: False, 3: True, 4: False})
    found = one()
    assert (found.decided.basis, list(found.decided.runs), [run.id for run in found.runs]) == (QUEUE, [1], [1, 2])
    assert any("no queue reaches run 2" in note for note in found.notes)


def test_what_people_do_not_agree_on_is_left_out_and_counted(run, label, one):
    run([0.9, 0.8, 0.2])
    label(1, {0: True, 1: True, 2: False})
    label(1, {1: False}, annotator="ben")
    found = one()
    assert len(found.decided) == 2
    assert "1 labelled case is left out: people do not agree" in found.notes


def test_cases_flagged_at_a_threshold_are_counted_among_all_cases(path, run, label, one):
    run([at / 100 for at in range(100)])
    label(1, {95: True, 10: False})
    found = one()
    assert (found.effect(0.75).flagged, found.effect(0.75).least) == (24, 0.76)
    assert (found.effect(2).flagged, found.effect(2).least) == (0, None)
    assert found.effect(0.75).measured.labelled == 1
    wanted = api.Filter(flagged=None, least=found.effect(0.75).least)
    assert api.cases(path, wanted, patient=True).total == 24


def test_the_points_hold_the_threshold_in_force_and_agree_with_each_other(path, run, label, one):
    run([at / 100 for at in range(100)], settings={"threshold": 0.555}, threshold=0.555)
    label(1, {at: at > 40 for at in range(0, 100, 7)})
    points = list(api.detectors(path).find(1).points())
    at = [each.threshold for each in points]
    assert at == sorted(at)
    assert 0.555 in at
    flagged = [each.flagged for each in points]
    assert flagged == sorted(flagged, reverse=True)
    found = one()
    for point, quick in zip(points, found.curve(), strict=True):
        for name in ("precision", "recall", "f"):
            exact = getattr(point.measured, name)
            assert quick[name] == pytest.approx(exact.value) if exact else math.isnan(quick[name])


def test_a_relation_that_flags_its_threshold_itself_is_counted_so(run, label, one):
    run([0.3, 0.4, 0.5], relation="semmt", threshold=0.4, settings={"threshold": 0.4})
    label(1, {0: False, 1: True})
    found = one()
    assert (found.in_force.threshold, found.judged.rule, found.in_force.flagged) == (0.4, "≥", 2)
    assert found.effect(0.4) == found.in_force


def test_cases_with_different_thresholds_have_no_single_one_in_force(run, label, one):
    run([0.3, 0.6], threshold=[0.2, 0.7])
    label(1, {0: True, 1: False})
    found = one()
    assert (found.in_force.threshold, found.in_force.flagged, found.in_force.measured.precision.value) == (None, 1, 1)
    assert any("different thresholds" in note for note in found.notes)


def test_suspicions_that_count_have_whole_thresholds(run, one):
    run([0, 3, 7], relation="literals", settings={"threshold": 0.5})
    assert one().thresholds() == [0, 0.5, 1, 2, 3, 4, 5, 6, 7]


def test_labels_of_one_kind_say_so(run, label, one):
    run([0.9, 0.1, 0.2])
    label(1, {0: True, 1: True})
    found = one()
    assert (found.area, found.best, found.held_out, found.baselines) == (None, None, None, [])
    assert any(note.startswith("every labelled case is a bug") for note in found.notes)


def test_detectors_of_one_relation_are_named_by_what_tells_them_apart(path, run):
    run([0.9], settings={"threshold": 0.5, "metric": "chrf"})
    run([0.9], settings={"threshold": 0.5, "metric": "bleu"})
    run([0.9], relation="rti", settings={"threshold": 0.5})
    run([0.9], relation="rti", settings={"threshold": 0.5}, system="other")
    found = api.detectors(path).detectors
    assert [each.name for each in found] == ["rtt,metric=chrf", "rtt,metric=bleu", "rti"]
    assert [[run.id for run in each.runs] for each in found] == [[1], [2], [3, 4]]


def test_a_detector_is_named_by_any_of_its_runs_and_an_unknown_one_is_an_error(path, run):
    run([0.9], system="a")
    run([0.9], system="b")
    assert api.detectors(path).find(2).id == 1
    with pytest.raises(UserError, match="no detector here has run 9"):
        api.detectors(path).find(9)


def test_the_detector_that_is_chosen_where_none_is_named_has_a_threshold(path, run, label):
    run([0.9, 0.1], relation="sane", settings={})
    run([0.9])
    label(1, {0: True, 1: False})
    assert api.detectors(path).find(None).name == "rtt"


def test_a_workspace_without_runs_has_no_detectors(path):
    Workspace(path).close()
    found = api.detectors(path)
    assert (found.detectors, found.overlaps, found.find(None)) == ([], [], None)
