"""Each relation as a detector: what labels say of it, weighted where a queue drew them, next to trivial baselines."""

from __future__ import annotations

import math

import numpy as np
import pytest

from concord import api
from concord.errors import UserError
from concord.evaluating.decided import CENSUS, CHOSEN, QUEUE, Decided, Verdict
from concord.evaluating.measuring import best_threshold, held_out, ranked
from concord.model import Case, Outcome, Segment, Text
from concord.stats.wilson import wilson
from concord.store import Workspace
from concord.store.labels import Label, Labels, outputs_of
from concord.store.samples import Samples


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.sqlite"


@pytest.fixture
def run(path):
    """`run([0.1, 0.9])` makes a run with a case of that suspicion for each sentence."""

    def made(suspicions, *, relation="rtt", settings=None, system="mt", threshold=0.5, texts=None, langs=("en", "en")):
        facts = {"signature": f"{relation}|mt:{system}", "relation": relation, "system": system, "corpus": "c#1"}
        facts |= {"settings": settings or {"threshold": 0.5}, "source": "en", "target": "es", "seed": 1}
        with Workspace(path) as store:
            record = store.begin(facts)
            for at, suspicion in enumerate(suspicions):
                source, output = Text(f"sentence {at}", "en"), Text(f"frase {at}", "es")
                words = texts[at] if texts else (f"one two three {at}", f"one two three {at}")
                compared = tuple(Text(each, lang) for each, lang in zip(words, langs, strict=True))
                limit = threshold[at] if isinstance(threshold, list) else threshold
                case = Case(source, output, output, source, compared, suspicion, limit)
                store.add(record, [Outcome(Segment(f"s{at}", source, at), 0, [case])])
            store.finish(record)
        return record.id

    return made


@pytest.fixture
def label(path):
    """`label(1, {0: True})` says of the case of the first sentence of run 1 that it is a bug."""

    def said(run, bugs, annotator="ana"):
        with Workspace(path) as store:
            rows = {row["position"]: row for row in store.rows([run])}
            Labels(store).save(
                [
                    Label(rows[at]["case"], annotator, "error" if bug else "correct", outputs_of(rows[at]))
                    for at, bug in bugs.items()
                ]
            )

    return said


def one(path, runs=()):
    (found,) = api.detectors(path, runs).detectors
    return found


def test_where_every_case_is_labelled_the_measures_are_exact(path, run, label):
    run([0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1])
    label(1, {0: True, 1: True, 2: True, 3: False, 4: True, 5: False, 6: False, 7: False})
    found = one(path)
    measured = found.in_force.measured
    assert found.decided.basis == CENSUS
    assert (measured.precision.value, measured.precision.low, measured.precision.high) == (0.75, 0.75, 0.75)
    assert (measured.recall.value, measured.f.value) == (0.75, 0.75)
    assert (found.base_rate.value, found.base_rate.method) == (0.5, "exact")
    # Of 16 pairs of a bug and another case, the bug of 0.4 is below 0.6 alone.
    assert (found.area.value, found.area.low, found.area.high) == (15 / 16, 15 / 16, 15 / 16)
    assert (found.in_force.threshold, found.in_force.findings) == (0.5, 4)


def test_labels_of_flagged_cases_alone_tell_precision_and_not_recall(path, run, label):
    run([0.9, 0.8, 0.7, 0.6, 0.4, 0.3])
    label(1, {0: True, 1: True, 2: False})
    found = one(path)
    measured = found.in_force.measured
    assert found.decided.basis == CHOSEN
    assert (measured.precision.low, measured.precision.high) == pytest.approx(wilson(2, 3))
    assert measured.precision.method == "Wilson"
    assert (measured.recall, measured.f, found.base_rate, found.best, found.held_out) == (None,) * 5
    assert any("recall cannot be estimated" in note for note in found.notes)
    assert any(note.startswith("not weighted: 3 labels") for note in found.notes)


def test_labels_of_flagged_cases_say_nothing_of_what_a_lower_threshold_would_flag(path, run, label):
    run([0.9, 0.8, 0.7, 0.6, 0.4, 0.3])
    label(1, {0: True, 1: True, 2: False})
    found = one(path)
    assert found.at(0.75).measured.precision.value == 1
    assert (found.at(0.35).findings, found.at(0.35).measured.precision) == (5, None)
    assert {each["threshold"] >= 0.4 for each in found.curve() if not math.isnan(each["precision"])} == {True}


def test_labels_of_a_queue_are_weighted_by_what_they_stand_for(path, run, label):
    run([0.9] * 20 + [0.1 + at / 1000 for at in range(60)])
    api.draw_queue(path, [1], name="q", size=16, seed=3)
    with Workspace(path) as store:
        places = Samples(store).places(Samples(store).named("q"))
    flagged = [each.position for each in places if each.band == 0]
    others = {band: [each.position for each in places if each.band == band] for band in (1, 2, 3)}
    assert [len(flagged), *map(len, others.values())] == [8, 2, 3, 3]
    bugs = {*flagged[:6], others[1][0], others[3][0]}
    label(1, {each.position: each.position in bugs for each in places})
    found = one(path)
    # Flagged cases stand for 20 / 8 each, the others for 20 / 2, 20 / 3 and 20 / 3.
    right, missed = 6 * 2.5, 10 + 20 / 3
    assert found.decided.basis == QUEUE
    assert found.in_force.measured.precision.value == pytest.approx(0.75)
    assert found.in_force.measured.recall.value == pytest.approx(right / (right + missed))
    assert found.base_rate.value == pytest.approx((right + missed) / 80)
    assert found.in_force.measured.recall.low < right / (right + missed) < found.in_force.measured.recall.high
    assert found.notes[0] == "weighted: 16 labels that 'q' drew, which speak for all cases of run 1"


def test_labels_that_nobody_drew_are_not_mixed_with_weighted_ones(path, run, label):
    run([0.9] * 20 + [0.1 + at / 1000 for at in range(60)])
    api.draw_queue(path, [1], name="q", size=16)
    with Workspace(path) as store:
        drawn = {each.position for each in Samples(store).places(Samples(store).named("q"))}
    label(1, {at: at % 2 == 0 for at in drawn})
    before = one(path)
    label(1, {at: True for at in range(80) if at not in drawn and at < 30})
    after = one(path)
    assert (after.in_force, after.base_rate, after.area) == (before.in_force, before.base_rate, before.area)
    others = sum(at not in drawn for at in range(30))
    assert f"{others} other labels are not used, as nobody drew their cases at random" in after.notes


def test_a_queue_of_which_a_stratum_was_never_looked_at_is_not_used(path, run, label):
    run([0.9] * 20 + [0.1 + at / 1000 for at in range(60)])
    api.draw_queue(path, [1], name="half <b>", size=16)
    with Workspace(path) as store:
        places = Samples(store).places(Samples(store).named("half <b>"))
    label(1, {each.position: True for each in places if each.band in (0, 1)})
    found = one(path)
    assert found.decided.basis == CHOSEN
    assert any("'half <b>' is not far enough" in note for note in found.notes)


def test_runs_that_no_queue_reaches_are_said_to_be_left_out(path, run, label):
    run([0.9, 0.8, 0.2, 0.1, 0.05], system="a")
    run([0.9, 0.8, 0.2, 0.1, 0.05], system="b")
    api.draw_queue(path, [1], name="q", size=5)
    label(1, {0: True, 1: False, 2: False, 3: True, 4: False})
    found = one(path)
    assert (found.decided.basis, list(found.decided.runs), [run.id for run in found.runs]) == (QUEUE, [1], [1, 2])
    assert any("no queue reaches run 2" in note for note in found.notes)


def test_what_people_do_not_agree_on_is_left_out_and_counted(path, run, label):
    run([0.9, 0.8, 0.2])
    label(1, {0: True, 1: True, 2: False})
    label(1, {1: False}, annotator="ben")
    found = one(path)
    assert len(found.decided) == 2
    assert "1 labelled cases are left out: people do not agree on them" in found.notes


def test_findings_at_a_threshold_are_counted_among_all_cases(path, run, label):
    run([at / 100 for at in range(100)])
    label(1, {95: True, 10: False})
    found = one(path)
    assert (found.at(0.75).findings, found.at(0.75).least) == (24, 0.76)
    assert (found.at(2).findings, found.at(2).least) == (0, None)
    assert found.at(0.75).measured.labelled == 1
    wanted = api.Wanted(violated=None, least=found.at(0.75).least)
    assert api.findings(path, wanted, patient=True).total == 24


def test_the_points_hold_the_threshold_in_force_and_agree_with_each_other(path, run, label):
    run([at / 100 for at in range(100)], settings={"threshold": 0.555}, threshold=0.555)
    label(1, {at: at > 40 for at in range(0, 100, 7)})
    points = api.threshold_points(path, of=1)
    at = [each.threshold for each in points]
    assert at == sorted(at)
    assert 0.555 in at
    findings = [each.findings for each in points]
    assert findings == sorted(findings, reverse=True)
    found = one(path)
    for point, quick in zip(points, found.curve(), strict=True):
        for name in ("precision", "recall", "f"):
            exact = getattr(point.measured, name)
            assert quick[name] == pytest.approx(exact.value) if exact else math.isnan(quick[name])


def test_a_relation_that_flags_its_threshold_itself_is_counted_so(path, run, label):
    run([0.3, 0.4, 0.5], relation="semmt", threshold=math.nextafter(0.4, 0), settings={"threshold": 0.4})
    label(1, {0: False, 1: True})
    found = one(path)
    assert (found.in_force.threshold, found.judged.rule, found.in_force.findings) == (0.4, "≥", 2)
    assert found.at(0.4) == found.in_force


def test_cases_with_different_thresholds_have_no_single_one_in_force(path, run, label):
    run([0.3, 0.6], threshold=[0.2, 0.7])
    label(1, {0: True, 1: False})
    found = one(path)
    assert (found.in_force.threshold, found.in_force.findings, found.in_force.measured.precision.value) == (None, 1, 1)
    assert any("different thresholds" in note for note in found.notes)


def test_suspicions_that_count_have_whole_thresholds(path, run):
    run([0, 3, 7], relation="literals", settings={"threshold": 0.5})
    assert one(path).thresholds() == [0, 0.5, 1, 2, 3, 4, 5, 6, 7]


def test_labels_of_one_kind_say_so(path, run, label):
    run([0.9, 0.1, 0.2])
    label(1, {0: True, 1: True})
    found = one(path)
    assert (found.area, found.best, found.held_out, found.baselines) == (None, None, None, [])
    assert any(note.startswith("every labelled case is a bug") for note in found.notes)


def test_detectors_of_one_relation_are_named_by_what_tells_them_apart(path, run):
    run([0.9], settings={"threshold": 0.5, "metric": "chrf", "comparison": "paper"})
    run([0.9], settings={"threshold": 0.5, "metric": "bleu", "comparison": "paper"})
    run([0.9], relation="rti", settings={"threshold": 0.5})
    run([0.9], relation="rti", settings={"threshold": 0.5}, system="other")
    found = api.detectors(path).detectors
    assert [each.name for each in found] == ["rtt,metric=chrf", "rtt,metric=bleu", "rti"]
    assert [[run.id for run in each.runs] for each in found] == [[1], [2], [3, 4]]


def test_a_detector_is_named_by_any_of_its_runs_and_an_unknown_one_is_an_error(path, run):
    run([0.9], system="a")
    run([0.9], system="b")
    assert api.detectors(path).named(2).id == 1
    with pytest.raises(UserError, match="no detector here has run 9"):
        api.threshold_points(path, of=9)


def test_a_workspace_without_runs_has_no_detectors(path):
    Workspace(path).close()
    found = api.detectors(path)
    assert (found.detectors, found.overlaps, found.named(None), api.threshold_points(path)) == ([], [], None, [])


# -- what is remembered -----------------------------------------------------------------------------


def test_what_is_remembered_is_forgotten_with_every_label_and_every_word_taken_back(path, run, label):
    run([0.9, 0.8, 0.2])
    label(1, {0: True, 2: False})
    before = one(path)
    assert one(path) is before
    label(1, {0: False})
    assert one(path).bugs == 0
    api.undo_label(path, "ana")
    assert one(path).bugs == 1
    label(1, {1: True})
    assert len(one(path).decided) == 3


def test_what_is_remembered_is_forgotten_with_a_queue_and_with_a_changed_run(path, run, label):
    run([0.9, 0.8, 0.7, 0.3, 0.2, 0.1])
    label(1, {0: True, 1: False, 3: False, 4: True, 5: False})
    assert one(path).decided.basis == CHOSEN
    api.draw_queue(path, [1], name="q", size=6)
    assert one(path).decided.basis == QUEUE
    api.forget_queue(path, "q")
    assert one(path).decided.basis == CHOSEN
    with Workspace(path) as store:
        text = Text("one more", "en")
        case = Case(text, text, text, text, (text, text), 0.9, 0.5)
        store.add(store.run(1), [Outcome(Segment("s9", text, 9), 0, [case])])
    assert one(path).in_force.findings == 4


def test_other_runs_are_offered_though_detectors_are_remembered(path, run):
    run([0.9])
    api.detectors(path, [1])
    run([0.9], relation="rti")
    found = api.detectors(path, [1])
    assert ([run.id for run in found.offered], len(found.detectors)) == ([1, 2], 1)


# -- baselines --------------------------------------------------------------------------------------


def test_the_baselines_are_of_the_texts_that_are_compared(path, run, label):
    same, changed = ("red cat sat there", "red cat sat there"), ("red cat sat there", "red dog sat there")
    run([0.1, 0.2, 0.9, 0.8], texts=[same, changed, changed, same])
    label(1, {0: False, 1: True, 2: True, 3: False})
    found = one(path)
    areas = {each.name: each.area.value for each in found.baselines}
    assert areas == {"LCS ratio": 1, "missing units": 1, "chrF": 1}
    # Of four pairs the detector itself has 0.2 over 0.1 and 0.9 over both.
    assert found.area.value == 0.75


def test_texts_in_different_languages_have_no_trivial_baseline(path, run, label):
    run([0.1, 0.9], langs=("en", "es"))
    label(1, {0: False, 1: True})
    found = one(path)
    assert found.baselines == []
    assert any("different languages" in note for note in found.notes)


def test_a_part_is_not_compared_with_a_whole_by_its_letters(path, run, label):
    run([0.1, 0.9], texts=[("cat", "the red cat sat there"), ("dog", "the red cat sat there")])
    label(1, {0: False, 1: True})
    assert [each.name for each in one(path).baselines] == ["LCS ratio", "missing units"]


def test_a_detector_is_not_its_own_baseline(path, run, label):
    run([0.0, 0.25], texts=[("a b c d", "a b c d"), ("a b c d", "a b x d")])
    label(1, {0: False, 1: True})
    found = one(path)
    assert "LCS ratio" not in [each.name for each in found.baselines]
    assert "LCS ratio is what this detector itself measures" in found.notes


# -- areas and thresholds ---------------------------------------------------------------------------


class Run:
    corpus = "c"


def decided(bug, score, weight=None, stratum=None, basis=QUEUE, threshold=0.5):
    verdicts = [
        Verdict(Run(), (at, 0, 0), value, threshold, 0, bool(wrong))
        for at, (wrong, value) in enumerate(zip(bug, score, strict=True))
    ]
    weights = np.ones(len(bug)) if weight is None else np.array(weight, dtype=float)
    strata = np.zeros(len(bug), dtype=np.int64) if stratum is None else np.array(stratum)
    return Decided(basis, [1], verdicts, weights, strata)


def test_a_weighted_area_is_that_of_all_weighted_pairs():
    chance = np.random.default_rng(5)
    bug, score = chance.random(40) < 0.4, chance.integers(0, 6, 40) / 5
    stratum = chance.integers(0, 3, 40)
    weight = np.array([1.0, 4.0, 9.0])[stratum]
    won = whole = 0.0
    for i in np.flatnonzero(bug):
        for j in np.flatnonzero(~bug):
            whole += weight[i] * weight[j]
            won += weight[i] * weight[j] * ((score[i] > score[j]) + (score[i] == score[j]) / 2)
    found = ranked(decided(bug, score, weight, stratum), score)
    assert found.value == pytest.approx(won / whole)
    assert 0 < found.low < found.value < found.high < 1


def test_the_interval_of_an_area_holds_the_truth_about_as_often_as_it_says():
    chance = np.random.default_rng(7)
    hits = 0
    for _ in range(200):
        bug = np.arange(120) < 40
        score = chance.normal(bug * 1.0)
        found = ranked(decided(bug, score, np.full(120, 1000.0)), score)
        # Two normal curves one standard deviation apart.
        hits += found.low <= 0.7602 <= found.high
    assert 180 <= hits <= 200


def test_the_interval_of_a_weighted_area_does_not_take_strata_without_a_found_bug_for_free_of_bugs():
    chance = np.random.default_rng(3)
    hits = 0
    for _ in range(100):
        score = chance.beta(1.2, 4, 1000)
        bug = chance.random(1000) < 0.05 + 0.6 * score
        pairs = score[bug][:, None] - score[~bug]
        order = np.argsort(-score)
        strata = [order[score[order] > 0.5], *np.array_split(order[score[order] <= 0.5], 3)]
        drawn = [chance.choice(each, min(len(each), 20 if band == 0 else 7), False) for band, each in enumerate(strata)]
        weight = np.repeat(
            [len(all_) / len(some) for all_, some in zip(strata, drawn, strict=True)], list(map(len, drawn))
        )
        rows, stratum = np.concatenate(drawn), np.repeat(range(4), list(map(len, drawn)))
        found = ranked(decided(bug[rows], score[rows], weight, stratum), score[rows])
        hits += found.low <= (pairs > 0).mean() <= found.high
    assert hits >= 88


@pytest.mark.parametrize("labels", [1, 3])
def test_the_interval_of_an_area_in_many_small_strata_lies_around_it_and_holds_the_truth(labels):
    """Six runs with a stratum of flagged cases and three of others, and few labels in each."""
    chance = np.random.default_rng(9)
    sizes = np.array([130, 290, 290, 290] * 6)
    stratum = np.repeat(np.arange(24), sizes)
    score = np.array([0.6, 0.4, 0.2, 0.0])[stratum % 4] + chance.random(len(stratum)) / 10
    bug = chance.random(len(stratum)) < np.array([0.6, 0.2, 0.12, 0.08])[stratum % 4]
    truth = (score[bug][:, None] > score[~bug]).mean()
    hits = inside = 0
    for _ in range(60):
        rows = np.concatenate([chance.choice(np.flatnonzero(stratum == at), labels, replace=False) for at in range(24)])
        known = decided(bug[rows], score[rows], sizes[stratum[rows]] / labels, stratum[rows])
        found = ranked(known, score[rows])
        hits += found.low <= truth <= found.high
        inside += found.low < found.value < found.high
    assert hits >= 50
    assert inside >= 57


def test_a_perfect_ranking_of_few_cases_is_not_sure():
    found = ranked(decided([0, 0, 1], [0.1, 0.2, 0.3], [9, 9, 9]), np.array([0.1, 0.2, 0.3]))
    assert (found.value, found.high) == (1, 1)
    assert found.low < 0.9


def test_the_best_threshold_is_a_short_number_between_two_cases():
    assert best_threshold(decided([0, 0, 1, 1], [0.1, 0.41, 0.63, 0.9]), ">") == 0.5
    assert best_threshold(decided([0, 0, 1, 1], [0, 1, 3, 4]), ">") == 1
    assert best_threshold(decided([0, 1], [0.5, 0.5]), ">") is None
    assert best_threshold(decided([1, 0], [0.9, 0.8], basis=CHOSEN), ">") is None


def test_the_best_threshold_goes_by_weights():
    bug, score = [1, 0, 1, 0], [0.9, 0.7, 0.6, 0.1]
    assert 0.1 < best_threshold(decided(bug, score), ">") < 0.6
    # Now what is correct at 0.7 stands for fifty others.
    assert 0.7 < best_threshold(decided(bug, score, [1, 50, 1, 1], [0, 1, 2, 3]), ">") < 0.9


def test_thresholds_of_other_sentences_find_what_is_separated_and_not_what_is_luck():
    bug = [at % 2 for at in range(40)]
    apart = np.array([0.9 if each else 0.1 for each in bug])
    found = held_out(decided(bug, apart), apart)
    assert (found.precision.value, found.recall.value, found.f.value) == (1, 1, 1)
    alone = np.linspace(0, 1, 4)
    assert held_out(decided([0, 1, 0, 1], alone), alone) is None


# -- keeping a threshold ----------------------------------------------------------------------------


def test_a_threshold_is_kept_as_tune_writes_it(path, run, tmp_path):
    run([0.9], settings={"metric": "bleu", "comparison": "paper", "threshold": 0.4})
    file = tmp_path / "concord.toml"
    file.write_text("[other]\nx = 1\n")
    made = api.keep_threshold(path, [1], 0.37, config=file)
    assert dict(made.options) == {"metric": "bleu", "threshold": 0.37}
    text = file.read_text()
    assert "[other]\nx = 1\n" in text
    assert "threshold = 0.37  # concord tune --at" in text


@pytest.mark.parametrize(("at", "why"), [(7.0, "cannot be used"), (math.nan, "is none"), (math.inf, "is none")])
def test_a_threshold_that_cannot_be_is_not_written(path, run, tmp_path, at, why):
    run([0.9], settings={"metric": "chrf", "comparison": "paper", "threshold": 0.4})
    with pytest.raises(UserError, match=why):
        api.keep_threshold(path, [1], at, config=tmp_path / "concord.toml")
    assert not (tmp_path / "concord.toml").exists()


def test_a_threshold_is_for_runs_of_one_scale(path, run, tmp_path):
    run([0.9])
    run([0.9], relation="rti")
    with pytest.raises(UserError, match="different scales"):
        api.keep_threshold(path, [1, 2], 0.3, config=tmp_path / "concord.toml")
