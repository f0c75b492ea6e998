"""Detectors on the same sentences: what they flag together, and what combinations find."""

from __future__ import annotations

import pytest

from concord import api
from concord.analyses.detection.overlap import MOST
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.label_rows import outputs_of
from concord.views.detection.detector_charts import overlap_pictures
from concord.views.detection.detector_tables import overlap_tables


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.sqlite"


@pytest.fixture
def run(path):
    """`run("rtt", "x. -")`: a sentence each, flagged (x), not flagged (.), without a case (-)."""

    def made(relation, word, corpus="c#1", system="mt", times=1):
        facts = {"signature": f"{relation}|{corpus}", "relation": relation, "settings": {}, "system": system}
        with Workspace(path) as store:
            record = store.begin(facts | {"source": "en", "target": "es", "corpus": corpus, "seed": 1})
            for at, verdict in enumerate(word):
                text = Text(f"sentence {at}", "en")
                cases = [
                    Case(text, Text(f"{text.words} {n}", "en"), text, text, (text, text), _suspicion(verdict, n), 0.5)
                    for n in range(times)
                ]
                outcome = Outcome(Segment(f"s{at}", text, at), 0, [] if verdict == "-" else cases)
                store.add(record, [outcome])
            store.finish(record)
        return record.id

    return made


def _suspicion(verdict, number):
    """Of several cases of a flagged sentence the last one is."""
    return {"x": 0.9 - number / 10, ".": 0.2}[verdict] if verdict != "-" else 0.0


def label(path, run, bugs, wrong=""):
    with Workspace(path) as store:
        rows = {row["position"]: row for row in store.rows([run]) if "case" in row}
        said = [
            Label(rows[at]["case"], "a", "error" if bug else "correct", outputs_of(rows[at]), wrong=wrong)
            for at, bug in bugs
        ]
        Labels(store).save(said)


def regions(found, those=None):
    those = found.regions if those is None else those
    return {" ".join(found.names[at] for at in each.members): each.count for each in those}


def test_sentences_are_counted_by_exactly_who_flags_them(path, run):
    run("rtt", "xxx..x-.")
    run("rti", "xx.x.-x.")
    run("sit", "x...x---")
    (found,) = api.overlap(path)
    assert list(found.names) == ["rtt", "rti", "sit"]
    assert regions(found) == {"rtt rti sit": 1, "rtt rti": 1, "rtt": 2, "rti": 2, "sit": 1}
    assert (found.sentences, found.flagged) == (8, 7)


def test_a_sentence_is_flagged_by_any_of_its_cases_and_counted_once(path, run):
    run("rtt", "x.", times=3)
    run("rti", "x.")
    (found,) = api.overlap(path)
    assert regions(found) == {"rtt rti": 1}
    assert found.sentences == 2


def test_labels_confirm_and_clear_sentences_whichever_detector_they_belong_to(path, run):
    run("rtt", "xxx.")
    run("rti", "x..x")
    label(path, 1, [(0, False), (1, True), (2, False)])
    label(path, 2, [(0, True), (3, False)])
    (found,) = api.overlap(path)
    counts = {each.members: (each.count, each.confirmed, each.cleared) for each in found.regions}
    assert counts == {(0, 1): (1, 1, 0), (0,): (2, 1, 1), (1,): (1, 0, 1)}
    assert (found.labelled, found.bugs) == (4, 2)


def test_wrong_translations_are_counted_by_exactly_who_reports_them(path, run):
    """Figure 6 of He et al. (ICSE 2021): translations, of which a sentence may have several."""
    run("rtt", "xxx..")
    run("rti", "xx.x.")
    label(path, 1, [(0, True), (2, True), (3, True), (4, True)], wrong="source output")
    label(path, 2, [(0, True), (3, True)], wrong="both")
    (found,) = api.overlap(path)
    # Sentence 0 has two wrong translations, that of its variant too; sentence 3 is flagged by rti alone.
    assert regions(found, found.wrong) == {"rtt rti": 2, "rtt": 1, "rti": 2, "": 1}
    assert [row[1] for row in overlap_tables(found)[1].rows] == ["2", "2", "1", "1"]
    assert "rtt and rti alone: 2" in overlap_pictures(found)[1]
    assert found.plain()["wrong"][0]["members"] == ["rtt", "rti"]


def test_without_a_wrong_side_no_translation_is_known_to_be_wrong(path, run):
    run("rtt", "xx")
    run("rti", "x.")
    label(path, 1, [(0, True), (1, False)])
    (found,) = api.overlap(path)
    assert found.wrong == []
    assert len(overlap_pictures(found)) == 1


def test_combinations_flag_what_one_of_them_flags(path, run):
    run("rtt", "xx....")
    run("rti", "x.xx..")
    label(path, 1, [(0, True), (1, True), (2, True), (3, False), (4, True), (5, False)])
    (found,) = api.overlap(path)
    assert [(each.name, each.flagged, each.bugs, each.unique) for each in found.alone] == [
        ("rtt", 2, 2, 1),
        ("rti", 3, 2, 1),
    ]
    assert (found.together.flagged, found.together.bugs, found.together.all_bugs) == (4, 3, 4)
    assert (found.together.precision, found.together.recall) == (0.75, 0.75)
    gains = {(each.first, each.second): each.more_bugs for each in found.gains}
    assert gains == {("rtt", "rti"): 1, ("rti", "rtt"): 1}


def test_a_sentence_without_a_case_is_one_that_is_not_flagged(path, run):
    run("rtt", "x-.")
    run("rti", "-x.")
    label(path, 1, [(0, True), (2, False)])
    label(path, 2, [(1, True)])
    (found,) = api.overlap(path)
    assert found.together.rows == 3
    assert found.together.bugs == 2


def test_other_sentences_or_another_system_are_not_held_against_each_other(path, run):
    run("rtt", "x.")
    run("rti", "x.", corpus="d#1")
    run("sit", "x.", system="other")
    assert api.overlap(path) == []


def test_of_one_detector_the_latest_run_counts(path, run):
    run("rtt", "xx")
    run("rtt", "..")
    run("rti", "x.")
    (found,) = api.overlap(path, [1, 2, 3])
    assert list(found.runs) == [2, 3]
    assert regions(found) == {"rti": 1}


def test_of_very_many_detectors_the_first_are_compared(path, run):
    for number in range(MOST + 2):
        run(f"relation{number}", "x." if number % 2 else ".x")
    (found,) = api.overlap(path)
    assert len(found.names) == MOST
    assert sum(each.count for each in found.regions) == 2
    assert "only the first 12 of 14 detectors are compared" in found.notes


def test_a_combination_of_detectors_is_a_bar(path, run):
    run("rtt", "xx.")
    run("rti", "x..")
    (found,) = api.overlap(path)
    (drawn,) = overlap_pictures(found)
    assert "rtt alone: 1" in drawn
    assert "rtt and rti alone: 1" in drawn


def test_tables_and_plain_data_have_the_same_counts(path, run):
    run("rtt", "xx.")
    run("rti", "x..")
    label(path, 1, [(0, True), (2, False)])
    (found,) = api.overlap(path)
    first, bugs, gains = overlap_tables(found)
    assert [row[:2] for row in first.rows] == [("rtt", "1"), ("rtt + rti", "1")]
    assert bugs.rows[-1][:3] == ("any of them", "1", "1")
    assert gains.rows[0][0] == "rtt + rti"
    plain = found.plain()
    assert plain["regions"][1]["members"] == ["rtt", "rti"]
    assert plain["unflagged"] == 1
