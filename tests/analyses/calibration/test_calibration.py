"""Relations are run on a system as it is and with faults, and what they find is told with its threshold."""

from __future__ import annotations

import pytest

from concord.analyses.calibration.options import CalibrationTerms
from concord.api import Settings, calibrate, run, runs, write_thresholds
from concord.corpus import read
from concord.errors import UnknownName, UserError
from concord.runs.config import read_configuration
from concord.views.calibration import tables
from concord.views.tables import NONE


def calibrated(corpus, system, *relations, **terms):
    told = CalibrationTerms(**{"kinds": ("change_number", "drop_word", "lose_negation"), "rate": 1, **terms})
    more = {"workspace": corpus.with_name("w.sqlite"), "config": corpus.with_name("concord.toml")}
    return calibrate(corpus, relations=relations, system=system, to="es", terms=told, **more)


@pytest.mark.usefixtures("toy_languages")
def test_every_changed_number_is_found_by_literals_and_no_dropped_word(corpus, suffixes):
    (found,) = calibrated(corpus, suffixes, "literals").relations
    by_kind = {each.kind: each for each in found.kinds}
    assert (found.clean, found.flagged, found.threshold) == (6, 0, 0.0)
    assert (by_kind["change_number"].cases, by_kind["change_number"].recall, by_kind["change_number"].auc) == (5, 1, 1)
    assert (by_kind["drop_word"].cases, by_kind["drop_word"].found, by_kind["drop_word"].auc) == (6, 0, 0.5)
    assert by_kind["change_number"].blaming == 0


def test_of_a_fault_that_never_applies_nothing_is_said(corpus, suffixes):
    found = calibrated(corpus, suffixes, "literals")
    lost = found.relations[0].kinds[2]
    assert (lost.kind, lost.cases, lost.recall, lost.interval, lost.auc) == ("lose_negation", 0, None, None, None)
    assert tables(found)[1].rows[2] == ("lose_negation", "0", "0", NONE, NONE, NONE, NONE, NONE)


def test_a_relation_without_a_case_gets_no_threshold_and_says_so(corpus, suffixes):
    corpus.write_text("Rain fell.\nSnow fell.\n")
    found = calibrated(corpus, suffixes, "semmt", "literals")
    semmt, literals = found.relations
    assert (semmt.clean, semmt.threshold, semmt.value) == (0, None, None)
    assert "there is no clean case" in semmt.notes[0]
    assert literals.threshold == 0.0
    assert list(write_thresholds(found, corpus.with_name("made.toml"))) == ["literals"]


@pytest.mark.usefixtures("toy_languages")
def test_few_clean_cases_are_said_to_be_few(corpus, suffixes):
    assert (
        "6 clean cases are too few for 0.05 of them" in calibrated(corpus, suffixes, "literals").relations[0].notes[0]
    )
    assert calibrated(corpus, suffixes, "literals", accepted=0.5).relations[0].notes == []


@pytest.mark.usefixtures("toy_languages")
def test_the_system_is_sent_nothing_twice_and_what_was_run_is_not_run_again(corpus, suffixes):
    first = calibrated(corpus, suffixes, "rtt", "literals")
    assert len(suffixes.sent) == len(set(suffixes.sent))
    sent = len(suffixes.sent)
    again = calibrated(corpus, suffixes, "rtt", "literals", accepted=0.2)
    assert len(suffixes.sent) == sent
    assert len(runs(corpus.with_name("w.sqlite"))) == 2 * 4
    assert [each.kinds[0].run for each in again.relations] == [each.kinds[0].run for each in first.relations]
    more = calibrated(corpus, suffixes, "rtt", kinds=("copy_source",))
    assert len(runs(corpus.with_name("w.sqlite"))) == 2 * 4 + 1
    assert more.relations[0].kinds[0].cases == 6


def test_a_relation_that_blames_words_is_asked_whether_they_are_the_changed_ones(corpus, suffixes):
    (found,) = calibrated(corpus, suffixes, "transrepair,kinds=noun", kinds=("wrong_word",)).relations
    wrong = found.kinds[0]
    assert found.options == {"kinds": ("noun",)}
    assert 0 < wrong.blamed <= wrong.blaming == wrong.found <= wrong.cases


def test_of_explained_round_trips_only_the_way_back_can_be_blamed(corpus, suffixes, trip):
    (found,) = calibrated(corpus, suffixes, trip, kinds=("wrong_word",), rate=0.5).relations
    wrong = found.kinds[0]
    assert 0 < wrong.blamed <= wrong.blaming < wrong.found


def test_the_threshold_is_written_where_run_finds_it(corpus, suffixes):
    found = calibrated(corpus, suffixes, "rtt,metric=ter", accepted=0.4)
    file = corpus.with_name("concord.toml")
    write_thresholds(found, file)
    value = found.relations[0].value
    assert read_configuration(file) == {"rtt": {"metric": "ter", "threshold": value}}
    assert "clean cases are flagged" in file.read_text()
    more = {"workspace": corpus.with_name("other.sqlite"), "config": file}
    (summary,) = run(corpus, relations=["rtt"], systems=[suffixes], to=["es"], **more)
    assert (summary.run.settings["threshold"], summary.flagged) == (value, found.relations[0].flagged)
    again = calibrated(corpus, suffixes, "rtt,metric=ter", accepted=0.4)
    assert again.relations[0].kinds[0].found == found.relations[0].kinds[0].found
    assert again.relations[0].in_force == value != found.relations[0].in_force


def test_the_threshold_in_force_is_the_default_one_or_that_of_the_configuration(corpus, suffixes):
    (by_default,) = calibrated(corpus, suffixes, "rtt,metric=ter", accepted=0.4).relations
    corpus.with_name("concord.toml").write_text('[relations.rtt]\nmetric = "ter"\nthreshold = 0.0\n')
    (configured,) = calibrated(corpus, suffixes, "rtt,metric=ter", accepted=0.4).relations
    assert (by_default.in_force > 0, configured.in_force) == (True, 0.0)
    assert configured.threshold == by_default.threshold
    assert configured.run == by_default.run
    assert configured.flagged_in_force >= by_default.flagged_in_force
    assert configured.recall_in_force >= by_default.recall_in_force
    assert configured.plain()["in_force"]["flagged"] == configured.flagged_in_force


def test_a_relation_that_flags_what_is_at_its_threshold_is_told_the_next_number(corpus, suffixes):
    corpus.write_text("At least 3 horses ran.\nNot only dogs ran, but also 2 cats.\n")
    (found,) = calibrated(corpus, suffixes, "semmt").relations
    assert (found.clean, found.threshold, found.value) == (2, 0.0, 0.000001)


def test_rti_by_the_comparison_of_its_paper_is_told_d(corpus, suffixes):
    (found,) = calibrated(corpus, suffixes, "rti:paper", kinds=("drop_word",)).relations
    assert found.option == "d"


@pytest.mark.parametrize(
    ("relation", "terms", "said"),
    [
        ("literals", {"accepted": 1}, "--false-alarms is a share from 0 to below 1"),
        ("literals", {"rate": 0}, "--rate is the share of answers to spoil"),
        ("literals", {"kinds": ()}, "name at least one kind of fault: drop_word"),
        ("literals,threshold=0.5", {}, "a calibration chooses threshold itself. Leave it out of --relation literals"),
        ("mgmt", {}, "mgmt has several thresholds here"),
    ],
)
def test_what_cannot_be_calibrated_is_refused_with_its_cure(corpus, suffixes, relation, terms, said):
    with pytest.raises(UserError, match=said):
        calibrated(corpus, suffixes, relation, **terms)
    assert suffixes.sent == []


def test_faults_of_the_service_are_no_kinds_to_calibrate_with(corpus, suffixes):
    with pytest.raises(UnknownName, match="kind of fault to calibrate with 'delay'"):
        calibrated(corpus, suffixes, "literals", kinds=("delay",))


def test_a_relation_with_two_sets_of_options_is_not_written(corpus, suffixes):
    found = calibrated(corpus, suffixes, "rtt,metric=ter", "rtt,metric=chrf")
    with pytest.raises(UserError, match="one threshold for rtt"):
        write_thresholds(found, corpus.with_name("concord.toml"))
    assert not corpus.with_name("concord.toml").exists()


def test_a_budget_is_refused_before_anything_is_sent(corpus, suffixes):
    told = {"settings": Settings(max_characters=10), "workspace": corpus.with_name("w.sqlite")}
    with pytest.raises(UserError, match="Run the relations under it first"):
        calibrate(corpus, relations=["literals"], system=suffixes, to="es", **told)
    assert suffixes.sent == []


def test_several_samples_of_a_text_are_refused(corpus):
    with pytest.raises(UserError, match="one sample of a text, not 2"):
        calibrated(corpus, "openai,model=m,url=http://127.0.0.1:9/v1,temperature=1,samples=2", "literals")


def test_on_apertium_the_wrong_words_of_rti_are_found_and_blamed(tmp_path):
    found = calibrate(
        read("demo", "en", limit=30),
        relations=["rti"],
        system="apertium",
        to="es",
        terms=CalibrationTerms(kinds=("wrong_word",), rate=0.5),
        workspace=tmp_path / "w.sqlite",
        config=tmp_path / "concord.toml",
    )
    rti = found.relations[0]
    (wrong,) = rti.kinds
    assert rti.flagged <= 0.05 * rti.clean
    assert wrong.auc > 0.7
    assert wrong.blamed_share > 0.5
